"""The page that puts DSR beside ns-2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from multihop.results.result import make_folder, replacing

from . import dsr, findings
from .compare import Verdict
from .curves import Found, group_details, group_summary, mean, percent, spread, table
from .ours import keep, kept
from .reference import RATES
from .store import DATA, PAGE_FOLDER

RUNS, GOODPUT = "ours_dsr", "goodput_kbps"
# As many runs as ns-2's, where it takes many to see a difference.
SEEDS = {"chain": 40, "beyond": 80, "zero": 80, "cold": 40, "tcp": 10, "mobile": 60}
TITLES = {
    "chain": "Chains of 3 to 8 hops, constant rate, 1000 B, RTS/CTS; addresses and route known",
    "beyond": "Beyond the knee: six of these cases at 1 Mbit/s in 80 runs each",
    "zero": "The same, but ns-2's source is the node with address 0",
    "cold": "Five hops from cold: addresses and route are searched for when the load begins",
    "tcp": "TCP over chains of 1 to 8 hops, 1000 B, 2 Mbit/s, from cold",
    "mobile": "100 nodes that move at 1 to 10 m/s in 1200 m x 1200 m, five flows, from cold",
}


@dataclass(frozen=True)
class DsrValidation(Found[dsr.Point]):
    """What the comparison found."""


def validate(
    out: Path | None = None,
    *,
    data: Path | None = None,
    workers: int | None = None,
    progress: bool = True,
) -> DsrValidation:
    """Run every case of the reference data, keep the runs, and write the page into `out`."""
    data = DATA if data is None else data
    out = make_folder(PAGE_FOLDER if out is None else out)
    counts = {case: SEEDS[case.file] for case in dsr.read(data)}
    ours = dsr.measure(counts, workers=workers, progress=progress)
    runs = {case: [{GOODPUT: goodput} for goodput in own] for case, own in ours.items()}
    keep(out / "data", RUNS, runs)
    return write(out, data=data)


def write(out: Path | None = None, *, data: Path | None = None) -> DsrValidation:
    """Write the page into `out` from the runs that are kept there."""
    data = DATA if data is None else data
    out = PAGE_FOLDER if out is None else out
    runs = kept(out / "data", RUNS, dsr.Case)
    ours = {case: [row[GOODPUT] for row in rows] for case, rows in runs.items()}
    found = DsrValidation(out / "dsr.md", tuple(dsr.points(dsr.read(data), ours)))
    with replacing(found.page) as temporary:
        temporary.write_text(_page(found), encoding="utf-8")
    return found


def knee(points: Sequence[dsr.Point], *, ours: bool) -> int:
    """Return the largest rate in packets per second up to which all that is offered arrives."""
    held = 0
    for point in sorted(points, key=lambda point: point.case.pps):
        estimate = point.goodput.ours if ours else point.goodput.reference
        if dsr.beyond(point.case, estimate.mean):
            break
        held = point.case.pps
    return held


def _page(found: DsrValidation) -> str:
    counts = found.counts
    groups = {name: [p for p in found.points if p.case.file == name] for name in TITLES}
    summary = group_summary(
        TITLES, {name: [p.goodput for p in group] for name, group in groups.items()}
    )
    beyond = [spread(point.goodput) for point in found.points if point.beyond]
    sections = "\n\n".join(_section(name, group) for name, group in groups.items())
    return f"""# DSR against ns-2

This page is made by `make generate` from the runs that `make validate` keeps; do not edit it. The
data of ns-2 2.35 and how they were made are described in
[data/README_dsr.md](data/README_dsr.md).

The tolerance of goodput is {100 * dsr.BELOW:.0f} % up to the knee and for TCP, and
{100 * dsr.BEYOND:.0f} % beyond the knee, or two standard errors of the difference. Beyond the knee
ns-2's own runs of one case differ by {100 * min(beyond):.0f} to {100 * max(beyond):.0f} %
(standard deviation).
**{counts[Verdict.INSIDE]} of {len(found.points)} comparisons are inside, {counts[Verdict.NOISE]} \
more within two standard errors, {counts[Verdict.OUTSIDE]} outside.** Six of the cases are
among them three times: the second and the third group repeat them.

{summary}

## Where the load becomes too much

The largest of the rates below, in packets per second, that a chain still carries whole; the next
one makes it collapse.

{_knees(groups["chain"])}

## What is not the same

{findings.text("dsr")}


{sections}
"""


def _knees(group: Sequence[dsr.Point]) -> str:
    rows = []
    for rate in sorted({point.case.rate for point in group}):
        for hops in sorted({point.case.hops for point in group}):
            chain = [p for p in group if (p.case.rate, p.case.hops) == (rate, hops)]
            both = (str(knee(chain, ours=False)), str(knee(chain, ours=True)))
            rows.append([RATES[rate], f"{hops}", *both])
    return table(("rate", "hops", "ns-2", "multihop"), rows)


def _section(name: str, group: Sequence[dsr.Point]) -> str:
    header = (
        *("case", "seeds", "goodput ns-2", "multihop", "difference", "standard errors"),
        *("ns-2's deviation", "verdict"),
    )
    return group_details(TITLES[name], "Goodput in kbit/s.", header, [*map(_row, group)])


def _row(point: dsr.Point) -> list[str]:
    case, goodput = point.case, point.goodput
    parts = [RATES[case.rate]]
    if case.topology == "chain":
        parts.append(f"{case.hops} hops")
    parts.append(f"{case.pps} packets/s" if case.traffic == "cbr" else case.traffic)
    if case.file == "mobile":
        parts.append(case.routing)
    bar = dsr.BEYOND if point.beyond else dsr.BELOW
    return [
        ", ".join(parts),
        f"{goodput.reference.count} / {goodput.ours.count}",
        mean(goodput.reference),
        mean(goodput.ours),
        percent(goodput),
        f"{goodput.standard_errors:+.1f}",
        f"{100 * spread(point.goodput):.0f} %",
        f"{goodput.verdict.value} ({100 * bar:.0f} %)",
    ]
