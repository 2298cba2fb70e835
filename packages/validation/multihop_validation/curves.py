"""Curves: which points belong together, and their tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from .compare import Comparison, Estimate, Row, Verdict, compare, knee
from .reference import Case, Measured

NAMES = {
    "chain": "Chain",
    "bichain": "Bidirectional chain",
    "cross": "Cross",
    "bicross": "Bidirectional cross",
    "star": "Star, saturated",
    "random": "Random network, 150 nodes",
}
# A chain at this load per source is saturated whatever its length.
SATURATED = 2000.0


@dataclass(frozen=True)
class Curve:
    """The points of one network, with and without RTS/CTS; they differ in `x`."""

    title: str
    x: str
    rows: tuple[Row, ...]
    knees: tuple[float, float]

    def of(self, *, rts: bool) -> list[Row]:
        """Return the points with RTS/CTS, or those without, in the order of `x`."""
        return sorted((row for row in self.rows if row.case.rts == rts), key=self.position)

    def position(self, row: Row) -> float:
        """Return where the point stands on the x axis."""
        case = row.case
        return {"load": case.load, "hops": case.hops, "senders": case.sources}[self.x]


def curves(reference: Mapping[Case, Measured], ours: Mapping[Case, Measured]) -> list[Curve]:
    """Sort the points into curves and compare them."""
    groups: dict[tuple[str, str, Case], list[Case]] = defaultdict(list)
    for case in reference:
        groups[_curve(case)].append(case)
    found = []
    for (title, x, _), cases in groups.items():
        rows: list[Row] = []
        knees = []
        for rts in (True, False):
            half = {case: reference[case] for case in cases if case.rts == rts}
            # The knee is one of load; points of different networks have each their own.
            parts = [half] if x == "load" else [{case: half[case]} for case in half]
            rows += [row for part in parts for row in compare(part, ours)]
            knees.append(knee(half) if x == "load" else 0.0)
        found.append(Curve(title, x, tuple(rows), (knees[0], knees[1])))
    return sorted(found, key=lambda curve: _ORDER[curve.rows[0].case.topology])


_ORDER = {name: number for number, name in enumerate(NAMES)}


def _curve(case: Case) -> tuple[str, str, Case]:
    """Return a curve's title, what varies along it, and a case that stands for it."""
    key = replace(case, rts=False, load=0.0)
    name, packet = NAMES[case.topology], f"{case.packet} B, {case.rate[0]} Mbit/s"
    if case.topology == "star":
        return f"{name}, {packet}", "senders", replace(key, sources=0)
    if case.load == SATURATED:
        return f"{name}, saturated, {packet}", "hops", replace(key, hops=0)
    hops = "" if case.topology == "random" else f", {case.hops} hops"
    special = ", log-normal shadowing" if case.propagation == "shadowing" else ""
    if case.routing == "TUNNEL" and case.topology != "random":
        special = ", routes by tunnels in ns-2"
    if case.arp != "off":
        special = ", addresses unknown at the start"
    return f"{name}{hops}, {packet}{special}", "load", key


class Judged(Protocol):
    """A point whose goodput is compared."""

    @property
    def goodput(self) -> Comparison:
        """The comparison."""


PointT = TypeVar("PointT", bound=Judged)


@dataclass(frozen=True)
class Found(Generic[PointT]):
    """What a comparison of goodputs found, and the page that says so."""

    page: Path
    points: tuple[PointT, ...]

    @property
    def counts(self) -> dict[Verdict, int]:
        """How many comparisons of goodput have which verdict."""
        return verdicts(point.goodput for point in self.points)

    @property
    def said(self) -> str:
        """The counts in words, and where the page is."""
        counts = self.counts
        return (
            f"goodput: {counts[Verdict.INSIDE]} inside, {counts[Verdict.NOISE]} within noise, "
            f"{counts[Verdict.OUTSIDE]} outside\npage: {self.page}"
        )


def verdicts(comparisons: Iterable[Comparison]) -> dict[Verdict, int]:
    """Count verdicts."""
    counts = dict.fromkeys(Verdict, 0)
    for comparison in comparisons:
        counts[comparison.verdict] += 1
    return counts


def worst(comparisons: Iterable[Comparison]) -> str:
    """Return the largest difference among those with a bar."""
    judged = [c for c in comparisons if c.verdict is not Verdict.NO_BAR]
    return percent(max(judged, key=lambda c: abs(c.difference))) if judged else "-"


def percent(comparison: Comparison) -> str:
    """Return the difference in per cent."""
    text = f"{100 * comparison.difference:+.1f} %"
    return "0.0 %" if text in ("+0.0 %", "-0.0 %") else text


def mean(estimate: Estimate) -> str:
    """Return mean and standard error."""
    digits = 2 if estimate.mean < 100 else 1
    return f"{estimate.mean:.{digits}f} ± {estimate.error:.{digits}f}"


def spread(comparison: Comparison) -> float:
    """Return the standard deviation of ns-2's runs as a fraction of their mean."""
    reference = comparison.reference
    return float(reference.error * reference.count**0.5 / reference.mean)


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table; the first column is left, the others right."""
    lines = ["| " + " | ".join(header) + " |", "|---" + "|--:" * (len(header) - 1) + "|"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def group_summary(titles: Mapping[str, str], groups: Mapping[str, Sequence[Comparison]]) -> str:
    """Return the table of groups of comparisons: how many have which verdict."""
    header = (
        "group",
        "within tolerance",
        "outside, within two standard errors",
        "outside",
        "largest",
    )
    rows = []
    for name, comparisons in groups.items():
        counts = verdicts(comparisons)
        shown = (counts[v] for v in (Verdict.INSIDE, Verdict.NOISE, Verdict.OUTSIDE))
        rows.append([titles[name], *map(str, shown), worst(comparisons)])
    return table(header, rows)


def group_details(
    title: str, about: str, header: Sequence[str], rows: Sequence[Sequence[str]]
) -> str:
    """Return the section of a group: its points, folded."""
    return (
        f"## {title}\n\n{about}\n\n<details><summary>{len(rows)} points</summary>\n\n"
        f"{table(header, rows)}\n\n</details>"
    )


def summary(all_curves: Sequence[Curve]) -> str:
    """Return the table of all curves."""
    rows = []
    for curve in all_curves:
        cells = [f"{curve.title}"]
        for kind in ("goodput", "delay"):
            comparisons = [getattr(row, kind) for row in curve.rows]
            counts = verdicts(comparisons)
            judged = sum(counts.values()) - counts[Verdict.NO_BAR]
            cells += [
                f"{counts[Verdict.INSIDE]} of {judged}" if judged else "-",
                worst(comparisons),
            ]
        rows.append(cells)
    header = ("network", "goodput inside", "largest difference", "network delay inside", "largest")
    return table(header, rows)


def which_delay(curve: Curve) -> str:
    """Name the delay of a curve's runs; ns-2's tunnels hide which frame is a packet's first."""
    return f"{'end-to-end' if curve.rows[0].case.routing == 'TUNNEL' else 'network'} delay"


def details(curve: Curve) -> str:
    """Return the table of a curve's points."""
    units = {"load": "kbit/s per source", "hops": "hops", "senders": "senders"}
    header = (
        *(units[curve.x], "RTS", "seeds"),
        *("goodput ns-2", "multihop", "difference", "verdict"),
        *(f"{which_delay(curve)} ns-2 (ms)", "multihop", "difference", "verdict"),
    )
    rows = [_detail(curve, row) for rts in (True, False) for row in curve.of(rts=rts)]
    knees = ""
    if curve.x == "load":
        knees = (
            f"Knee at {curve.knees[0]:g} kbit/s with RTS/CTS and {curve.knees[1]:g} without.\n\n"
        )
    body = f"{knees}{table(header, rows)}"
    return f"<details><summary>{curve.title}</summary>\n\n{body}\n\n</details>"


def _detail(curve: Curve, row: Row) -> list[str]:
    cells = [f"{curve.position(row):g}", "on" if row.case.rts else "off"]
    cells.append(f"{row.goodput.reference.count} / {row.goodput.ours.count}")
    for comparison in (row.goodput, row.delay):
        cells += [mean(comparison.reference), mean(comparison.ours), percent(comparison)]
        bar = "" if comparison.bar is None else f" ({100 * comparison.bar:.0f} %)"
        cells.append(f"{comparison.verdict.value}{bar}")
    return cells
