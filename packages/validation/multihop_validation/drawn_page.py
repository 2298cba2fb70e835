"""The page that puts scenarios drawn at random beside ns-2.

`python -m multihop_validation.drawn_page --data FOLDER --out FOLDER` makes one of scenarios that
`benches/ns2/run_drawn.py` has drawn and run into a folder.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path

from multihop.results.result import make_folder, replacing

from . import drawn, findings
from .compare import Verdict
from .curves import Found
from .drawn_tables import details, differences, groups, part
from .store import DATA, PAGE_FOLDER

SEEDS = 40
RUNS = "ours_drawn"


@dataclass(frozen=True)
class DrawnValidation(Found[drawn.Point]):
    """What the comparison found."""

    @property
    def passed(self) -> bool:
        """Whether no goodput is outside its bar by more than noise."""
        return not self.counts[Verdict.OUTSIDE]


def validate(
    out: Path | None = None,
    *,
    data: Path | None = None,
    seeds: int = SEEDS,
    workers: int | None = None,
    progress: bool = True,
) -> DrawnValidation:
    """Run every case of the reference data, keep the runs, and write the page into `out`."""
    data = DATA if data is None else data
    out = make_folder(PAGE_FOLDER if out is None else out)
    ours = drawn.measure(
        drawn.read(data),
        seeds,
        scenario=drawn.Case.beside_ns2,
        workers=workers,
        progress=progress,
    )
    drawn.keep(out / "data", RUNS, ours)
    return write(out, data=data)


def write(out: Path | None = None, *, data: Path | None = None) -> DrawnValidation:
    """Write the page into `out` from the runs that are kept there."""
    data = DATA if data is None else data
    out = PAGE_FOLDER if out is None else out
    reference = drawn.read(data)
    ours = drawn.kept(out / "data", RUNS, reference)
    found = DrawnValidation(out / "drawn.md", tuple(drawn.points(reference, ours)))
    with replacing(found.page) as temporary:
        temporary.write_text(_page(found), encoding="utf-8")
    return found


def _page(found: DrawnValidation) -> str:
    points, counts = found.points, found.counts
    hard = [point for point in points if point.is_hard]
    moved = [point.moved for point in hard if len(point.case.routes) > 1]
    seeds = max(point.goodput.ours.count for point in points)
    moving = sum(bool(point.case.moves) for point in points)
    return f"""# Randomly generated scenarios, against ns-2

This page is made by `make generate` from the runs that `make validate` keeps; do not edit it. The
data of ns-2 2.35 and how they were made are described in
[data/README_drawn.md](data/README_drawn.md).

The networks of the other pages are chosen by hand. These scenarios are randomly generated: places,
flows, load, packets, rates, basic rate, RTS/CTS, queues, retry limits, routing, transport, its
window and shadowing follow from a scenario's number. In {moving} of them nodes move, each to one
random place after the other, at up to 2 to 20 m/s and with pauses; in the others they are static.
Tolerances are those of the other pages, fixed before any comparison; UDP over AODV, which they
lack, has those of DSR. A difference outside its tolerance, but by no more than two standard errors
of the difference of the means, is *noise*.

**Of {len(points)} goodputs {counts[Verdict.INSIDE]} are within tolerance,
{counts[Verdict.NOISE]} outside by what may be noise, {counts[Verdict.OUTSIDE]} outside.** The
median difference is {part(statistics.median, differences(points))}, of the {len(hard)} that
are transfers or lie beyond the knee {part(statistics.median, differences(hard))}. Of these,
{len(moved)} have several flows: {part(statistics.median, moved)} of the goodput goes to other
flows than in ns-2 in the median, {part(max, moved)} at most (where each run of ns-2 finds
routes of its own, that is chance, too).

{groups(points)}

## Findings

{findings.text("drawn")}


## Others

`benches/ns2/run_drawn.py` draws as many as you like, for those who have ns-2:

    python3 benches/ns2/run_drawn.py -o mine --first 5000 --count 20
    python -m multihop_validation.record mine
    python -m multihop_validation.drawn_page --data mine --out mine

## All scenarios

Goodput in kbit/s, ± standard error; {seeds} runs here, as many of ns-2 as the data have.

<details><summary>All {len(points)}</summary>

{details("ns-2", points)}

</details>
"""


def parser(module: str, description: str) -> argparse.ArgumentParser:
    """Return the parser of a page of drawn scenarios."""
    found = argparse.ArgumentParser(
        prog=f"python -m multihop_validation.{module}", description=description
    )
    found.add_argument(
        "--data", type=Path, default=DATA, help=f"folder of {drawn.CASES} and the other's runs"
    )
    found.add_argument("--out", type=Path, help="folder for the page; default docs/validation")
    found.add_argument("--seeds", type=int, default=SEEDS, help="runs of each scenario here")
    found.add_argument("--workers", type=int, help="runs at a time; all cores unless given")
    return found


def main() -> int:
    """Parse the arguments, compare, and say what was found; 1 if a bar was missed."""
    given = parser("drawn_page", "Compare drawn scenarios with ns-2.").parse_args()
    found = validate(given.out, data=given.data, seeds=given.seeds, workers=given.workers)
    print(found.said)
    return 0 if found.passed else 1


if __name__ == "__main__":
    sys.exit(main())
