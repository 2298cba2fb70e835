"""What the pages of drawn scenarios say of them: counts of every kind, and every scenario."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from . import drawn
from .compare import Verdict
from .curves import mean, percent, table, verdicts, worst

OVER = {"TUNNEL": ", fixed routes", "AODV": " over AODV", "DSR": " over DSR"}


def differences(points: Sequence[drawn.Point]) -> list[float]:
    """Return how much goodputs differ, as fractions, whatever the direction."""
    return [abs(point.goodput.difference) for point in points]


def part(statistic: Callable[[Sequence[float]], float], fractions: Sequence[float]) -> str:
    """Return a statistic of fractions in per cent."""
    return f"{100 * statistic(fractions):.1f} %" if fractions else "-"


def kind(case: drawn.Case) -> str:
    """Say which traffic over which routes it has, and whether its nodes move."""
    shadowed = ", log-normal shadowing" if case.drawn["prop"] == "shadowing" else ""
    moving = ", nodes that move" if case.moves else ""
    return f"{'TCP' if case.is_transfer else 'UDP'}{OVER[case.drawn['rp']]}{shadowed}{moving}"


def _order(point: drawn.Point) -> tuple[int, ...]:
    case = point.case
    routing, shadowed = list(OVER).index(case.drawn["rp"]), case.drawn["prop"] == "shadowing"
    return bool(case.moves), case.is_transfer, routing, shadowed


def groups(every: Sequence[drawn.Point]) -> str:
    """Return the table of what was found for every kind of scenario."""
    kinds: dict[str, list[drawn.Point]] = defaultdict(list)
    for point in sorted(every, key=_order):
        kinds[kind(point.case)].append(point)
    lines = []
    for name, points in kinds.items():
        counts = verdicts(point.goodput for point in points)
        inside = [p.goodput for p in points if p.goodput.verdict is Verdict.INSIDE]
        found = [counts[v] for v in (Verdict.INSIDE, Verdict.NOISE, Verdict.OUTSIDE)]
        lines.append([name, str(len(points)), *map(str, found), worst(inside)])
    return table(("scenarios", "number", "inside", "noise", "outside", "largest inside"), lines)


def details(other: str, points: Iterable[drawn.Point]) -> str:
    """Return the table of all scenarios, by `other` and here."""
    header = (
        *("number", "network", "traffic", "MAC", f"goodput {other}", "multihop"),
        *("difference", "tolerance", "to other flows", "verdict"),
    )
    return table(header, map(_row, points))


def _row(point: drawn.Point) -> list[str]:
    case, own = point.case, point.case.drawn
    hops = ", ".join(str(len(route) - 1) for route in case.routes)
    state = ", shadowed" if own["prop"] == "shadowing" else ""
    if case.moves:
        fastest = max(speed for *_, speed in case.moves)
        state += f", up to {fastest:.0f} m/s"
    if case.is_transfer:
        acknowledged = ", delayed ACKs" if own["sink"] == "delack" else ""
        traffic = f"{own['tcp']}, window {own['window']}{acknowledged}"
    else:
        traffic = f"{own['load']} kbit/s each, queue {own['ifqlen']}"
    rts = "RTS/CTS, " if own["rts"] == 0 else ""
    limits = f"{own['short']} and {own['long']} attempts"
    return [
        str(case.number),
        f"{len(own['nodes'])} nodes, {hops} hops, {drawn.ROUTINGS[own['rp']]}{state}",
        f"{traffic}, {own['pkt']} B",
        f"{rts}{own['rate'][:-2]} / {own['basic'][:-2]} Mbit/s, {limits}",
        mean(point.goodput.reference),
        mean(point.goodput.ours),
        percent(point.goodput),
        f"{100 * (point.goodput.bar or 0):.0f} %",
        f"{100 * point.moved:.1f} %",
        point.goodput.verdict.value,
    ]
