"""The page that puts WAKE's rules over ns-2's MAC beside WAKE here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from multihop.results.result import make_folder, replacing

from . import wake
from .compare import Verdict
from .curves import Found, mean, percent, table, verdicts
from .ours import keep, kept
from .store import DATA, PAGE_FOLDER

SEEDS = 3
RUNS = "ours_wake"
HEADER = (
    *("chain", "rules", "goodput ns-2", "multihop", "difference"),
    *("network delay ns-2", "multihop", "difference", "upstream first", "verdict"),
)


@dataclass(frozen=True)
class WakeValidation(Found[wake.Point]):
    """What the comparison found."""

    @property
    def passed(self) -> bool:
        """Whether every goodput keeps its bar."""
        return self.counts[Verdict.INSIDE] == len(self.points)


def validate(
    out: Path | None = None,
    *,
    data: Path | None = None,
    workers: int | None = None,
    progress: bool = True,
) -> WakeValidation:
    """Run every case of the reference data, keep the runs, and write the page into `out`."""
    data = DATA if data is None else data
    out = make_folder(PAGE_FOLDER if out is None else out)
    ours = wake.measure(wake.read(data), SEEDS, workers=workers, progress=progress)
    runs = {case: [values._asdict() for values in own] for case, own in ours.items()}
    keep(out / "data", RUNS, runs)
    return write(out, data=data)


def write(out: Path | None = None, *, data: Path | None = None) -> WakeValidation:
    """Write the page into `out` from the runs that are kept there."""
    data = DATA if data is None else data
    out = PAGE_FOLDER if out is None else out
    runs = kept(out / "data", RUNS, wake.Case)
    ours = {case: [wake.Values(**row) for row in rows] for case, rows in runs.items()}
    found = WakeValidation(out / "wake.md", tuple(wake.points(wake.read(data), ours)))
    with replacing(found.page) as temporary:
        temporary.write_text(_page(found), encoding="utf-8")
    return found


def _page(found: WakeValidation) -> str:
    inside = f"{found.counts[Verdict.INSIDE]} of {len(found.points)} goodputs keep to it"
    delays = verdicts(point.delay for point in found.points)
    delay = (
        f"Of the network delays, {delays[Verdict.INSIDE]} keep to it,\n"
        f"{delays[Verdict.NOISE]} more to two standard errors,"
        f" {delays[Verdict.OUTSIDE]} to neither."
    )
    return f"""# WAKE against ns-2

This page is made by `make generate` from the runs that `make validate` keeps; do not edit it. The
data of ns-2 2.35 and how they were made are described in
[data/README_wake.md](data/README_wake.md).

Is the wave of [WAKE](../wake/README.md) one of this simulator's MAC? ns-2 does not know WAKE. Its
rules 1 to 4, and rule 5 where stations are close, are written anew in Tcl
([wake.tcl](../../benches/ns2/wake.tcl)), as stations that send to their neighbour only and decide
themselves when a packet goes down. Everything below them, MAC, radio and capture, is ns-2's own;
nothing of this simulator takes part. One thing is inferred: what a station overhears, which ns-2
does not tell, follows from who has sent when.

The tolerance is {100 * wake.BAR:.0f} %. **{inside}; the largest difference is
{_largest(found.points)}.** {delay}

The chains carry one-way traffic at overload between stations 200 or 140 m apart, at
1 Mbit/s with 512 B and a MAC header of {wake.MAC_HEADER} as in ns-2. The table has
means of {SEEDS} runs of 30 s and their
standard errors, goodput in kbit/s, network delay in ms. "Upstream first" is the
share of pairs in ns-2 in which the upstream frame has begun first, among data frames that are on
the air together three hops apart.

{table(HEADER, map(_row, found.points))}
"""


def _largest(points: Sequence[wake.Point]) -> str:
    return percent(max((p.goodput for p in points), key=lambda c: abs(c.difference)))


def _row(point: wake.Point) -> list[str]:
    case, first = point.case, point.upstream_first
    cells = [f"{case.hops} hops of {case.spacing_m} m", case.rules]
    for comparison in (point.goodput, point.delay):
        cells += [mean(comparison.reference), mean(comparison.ours), percent(comparison)]
    cells += ["-" if first is None else f"{first:.0%}", point.goodput.verdict.value]
    return cells
