"""The page that puts TCP and AODV beside ns-2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from multihop.results.result import make_folder, replacing

from . import findings, tcp
from .compare import Verdict
from .curves import Found, group_details, group_summary, mean, percent, spread, table, verdicts
from .ours import keep, kept
from .reference import RATES
from .store import DATA, PAGE_FOLDER

TITLES = {
    "static": "Fixed routes: five variants over chains, 1000 B, window 20",
    "aodv": "AODV: NewReno and Vegas over chains, 1000 B, window 20",
    "window": "Window limits over eight hops, AODV",
    "udp": "The same beside 250 kbit/s of UDP from node 7 to node 6",
    "two": "Two NewReno flows over the same chain, AODV",
    "grid": "Grids: 9 x 9 nodes with 16 flows, 13 x 13 nodes with 2 to 12",
    "random": "150 nodes, five NewReno flows, 512 B at 1 Mbit/s",
    "mixed": "802.11g beside older stations (erp-mixed), 1024 B, up to 54 Mbit/s over chains",
    "dumbbell": "The same at 54 Mbit/s: four flows over four shared hops, AODV",
    "mobile": "The same: 200 nodes that move as ns-2's setdest says, five flows, AODV",
    "gathered": "The same, but ns-2's nodes know each other's addresses before it begins",
    "long": "Six of the cases over chains in 200 further runs each",
}
RUNS = "ours_tcp"
# As many runs as ns-2's or more, where runs differ much.
SEEDS = {
    "static": 5,
    "aodv": 40,
    "window": 40,
    "udp": 10,
    "two": 40,
    "random": 15,
    "grid": 15,
    "mixed": 40,
    "dumbbell": 20,
    "mobile": 40,
    "gathered": 40,
    "long": 200,
}


@dataclass(frozen=True)
class TcpValidation(Found[tcp.Point]):
    """What the comparison found."""

    steps: tuple[tcp.Steps, ...]

    @property
    def passed(self) -> bool:
        """Whether all windows agree step by step, and fixed routes keep their bar everywhere."""
        fixed = [point.goodput for point in self.points if point.case.file == "static"]
        return all(steps.same for steps in self.steps) and not verdicts(fixed)[Verdict.OUTSIDE]


def validate(
    out: Path | None = None,
    *,
    data: Path | None = None,
    workers: int | None = None,
    progress: bool = True,
) -> TcpValidation:
    """Run every case of the reference data, keep the runs, and write the page into `out`."""
    data = DATA if data is None else data
    out = make_folder(PAGE_FOLDER if out is None else out)
    counts = {case: SEEDS[case.file] for case in tcp.read(data)}
    ours = tcp.measure(counts, workers=workers, progress=progress)
    keep(out / "data", RUNS, {case: runs.rows() for case, runs in ours.items()})
    tcp.keep_steps(out / "data", tcp.steps(data))
    return write(out, data=data)


def write(out: Path | None = None, *, data: Path | None = None) -> TcpValidation:
    """Write the page into `out` from the runs that are kept there."""
    data = DATA if data is None else data
    out = PAGE_FOLDER if out is None else out
    ours = {case: tcp.Runs.of(rows) for case, rows in kept(out / "data", RUNS, tcp.Case).items()}
    points = tcp.points(tcp.read(data), ours)
    found = TcpValidation(out / "tcp.md", tuple(points), tuple(tcp.kept_steps(out / "data")))
    with replacing(found.page) as temporary:
        temporary.write_text(_page(found), encoding="utf-8")
    return found


def _page(found: TcpValidation) -> str:
    counts = found.counts
    same = sum(steps.same for steps in found.steps)
    groups = {name: [p for p in found.points if p.case.file == name] for name in TITLES}
    summary = group_summary(
        TITLES, {name: [p.goodput for p in group] for name, group in groups.items()}
    )
    most = max(spread(p.goodput) for p in found.points if p.case.routing == "AODV")
    sections = "\n\n".join(_section(name, group) for name, group in groups.items())
    return f"""# TCP and AODV against ns-2

This page is made by `make generate` from the runs that `make validate` keeps; do not edit it. The
data of ns-2 2.35 and how they were made are described in
[data/README_tcp.md](data/README_tcp.md);
[the other page](README.md) compares radio, MAC and queue.

The tolerance of goodput is {100 * tcp.FIXED:.0f} % over chains with fixed routes, and otherwise
{100 * tcp.AODV:.0f} % or two standard errors of the difference: over AODV ns-2's own runs of one
case differ by up to {100 * most:.0f} % (standard deviation).
**{counts[Verdict.INSIDE]} of {len(found.points)} comparisons are inside, {counts[Verdict.NOISE]} \
more within two standard errors, {counts[Verdict.OUTSIDE]} outside.** Of many comparisons of
equal things, one in twenty misses two standard errors by chance. The last group repeats
six of them.

**Step by step**: over two hops without loss, the window over the first 200 acknowledgments is
that of ns-2, value by value, for {same} of {len(found.steps)} variants \
({", ".join(steps.tcp for steps in found.steps)}).

{summary}

{_share_of_routing(groups)}

## What is not the same

{findings.text("tcp")}


{sections}
"""


def _share_of_routing(groups: dict[str, list[tcp.Point]]) -> str:
    """Return the table of what AODV costs NewReno."""
    rows = []
    for point in groups["aodv"]:
        case = point.case
        fixed = [p for p in groups["static"] if p.case.tcp == case.tcp and p.case.hops == case.hops]
        if case.tcp == "Newreno" and fixed:
            theirs = point.goodput.reference.mean / fixed[0].goodput.reference.mean
            ours = point.goodput.ours.mean / fixed[0].goodput.ours.mean
            rows.append([f"{case.hops}", f"{100 * theirs:.0f} %", f"{100 * ours:.0f} %"])
    header = ("hops", "ns-2", "multihop")
    return f"""## The cost of AODV

Goodput of NewReno over AODV as a share of that over fixed routes. Every frame that the MAC drops
breaks a route, although no node has moved.

{table(header, rows)}"""


def _section(name: str, group: Sequence[tcp.Point]) -> str:
    header = (
        *("case", "seeds", "goodput ns-2", "multihop", "difference", "standard errors", "verdict"),
        *("window", "window of changes", "retransmissions", "timeouts"),
    )
    return group_details(
        TITLES[name],
        "Goodput in kbit/s; the last four columns are ns-2's mean and ours.",
        header,
        [*map(_row, group)],
    )


def _row(point: tcp.Point) -> list[str]:
    case, goodput = point.case, point.goodput
    parts = [case.tcp]
    if case.topology == "chain":
        parts.append(f"{case.hops} hops")
    else:
        parts.append(f"{case.flows} flows")
    if case.file == "long":
        parts.append(f"{case.flows} flow{'s' if case.flows > 1 else ''}")
    if case.file in ("window", "udp", "long"):
        parts.append(f"window {case.window}")
    if case.file in ("window", "grid", "long"):
        parts.append(f"{case.packet} B")
    if case.sink == "delack":
        parts.append("delayed ACKs")
    if case.file == "random":
        parts.append("RTS" if case.rts else "no RTS")
    if case.file in ("mixed", "long"):
        parts.append(RATES[case.rate])
    if case.file in ("random", "mixed"):
        parts.append("AODV" if case.routing == "AODV" else "fixed")
    both = [
        f"{comparison.reference.mean:.1f} / {comparison.ours.mean:.1f}"
        for name, comparison in point.quantities.items()
        if name != "goodput"
    ]
    return [
        ", ".join(parts),
        f"{goodput.reference.count} / {goodput.ours.count}",
        mean(goodput.reference),
        mean(goodput.ours),
        percent(goodput),
        f"{goodput.standard_errors:+.1f}",
        f"{goodput.verdict.value} ({100 * case.bar:.0f} %)",
        *both,
    ]
