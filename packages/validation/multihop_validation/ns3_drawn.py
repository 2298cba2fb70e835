"""Drawn scenarios of few nodes in ns-3, and here by ns-3's rules.

`python -m multihop_validation.ns3_drawn` compares, and writes the page. With `--record` it runs
them in ns-3 first and writes those runs, which needs `multihop-ns3` (`make ns3`), and half an hour
on two cores.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

import polars as pl

from multihop._multihop import Cancel
from multihop.results.result import make_folder, replacing
from multihop.running import ns3
from multihop.running.runner import spread
from multihop.scenario.form import Scenario

from . import drawn, findings, store
from .compare import Verdict
from .drawn_page import SEEDS, DrawnValidation, parser
from .drawn_tables import details, differences, groups, part
from .ns3_page import CLOSE, CLOSEST, SAME
from .store import DATA, PAGE_FOLDER

RECORDED_RUNS, RUNS = "ns3_drawn", "ours_ns3_drawn"
# ns-3 takes hundreds of times as long as we do.
MOST_NODES, RECORDED = 12, 4


def record(
    data: Path, *, seeds: int = RECORDED, workers: int | None = None, progress: bool = True
) -> Path:
    """Run the scenarios of few nodes in ns-3, and write their goodputs beside them."""
    few = [case for case in drawn.cases(data) if len(case.drawn["nodes"]) <= MOST_NODES]
    jobs = [(case, seed) for case in few for seed in range(1, seeds + 1)]
    found: list[str] = [""] * len(jobs)

    def job(index: int, cancel: Cancel) -> None:
        case, seed = jobs[index]
        scenario = case.scenario(seed, seed).override({"simulator": "ns3"})
        goodput = ns3.simulate(scenario, cancel=cancel).flows["goodput_bit_s"]
        found[index] = "/".join(f"{float(flow) / 1e3:.3f}" for flow in goodput)

    spread(job, len(jobs), workers=workers, progress=progress, title="drawn scenarios in ns-3")
    columns = {
        "case": [str(case.number) for case, _ in jobs],
        "seed": [seed for _, seed in jobs],
        "per_flow_kbps": found,
    }
    return store.record(data, RECORDED_RUNS, pl.DataFrame(columns))


def by_ns3(case: drawn.Case, seed: int, like: int) -> Scenario:
    """Return the scenario of a case by ns-3's rules."""
    return case.scenario(seed, like).override(ns3.RECEIVER | ns3.RULES)


def validate(
    out: Path | None = None,
    *,
    data: Path | None = None,
    seeds: int = SEEDS,
    workers: int | None = None,
    progress: bool = True,
) -> DrawnValidation:
    """Run every case that was run in ns-3, by its rules, keep the runs, and write the page."""
    data = DATA if data is None else data
    out = make_folder(PAGE_FOLDER if out is None else out)
    ours = drawn.measure(
        drawn.read(data, RECORDED_RUNS),
        seeds,
        scenario=by_ns3,
        workers=workers,
        progress=progress,
    )
    drawn.keep(out / "data", RUNS, ours)
    return write(out, data=data)


def write(out: Path | None = None, *, data: Path | None = None) -> DrawnValidation:
    """Write the page into `out` from the runs that are kept there."""
    data = DATA if data is None else data
    out = PAGE_FOLDER if out is None else out
    reference = drawn.read(data, RECORDED_RUNS)
    ours = drawn.kept(out / "data", RUNS, reference)
    found = DrawnValidation(out / "ns3_drawn.md", tuple(drawn.points(reference, ours, SAME)))
    with replacing(found.page) as temporary:
        temporary.write_text(_page(found), encoding="utf-8")
    return found


def _page(found: DrawnValidation) -> str:
    points, counts = found.points, found.counts
    hard = [point for point in points if point.is_hard]
    seeds = max(point.goodput.ours.count for point in points)
    near = [
        f"{sum(difference <= bound for difference in differences(hard))} to {100 * bound:.0f} %"
        for bound in (CLOSEST, CLOSE, SAME)
    ]
    return f"""# Randomly generated scenarios, beside ns-3

This page is made by `make generate` from the runs that `make validate` keeps; do not edit it. The
scenarios are those of at most {MOST_NODES} nodes that were [drawn for ns-2](drawn.md); how they
were run in ns-3 is described in [data/README_drawn.md](data/README_drawn.md).

Nodes, sources and schemes are the same in both ([how](../guides/ns3.md)). The page compares
ns-3's 802.11b with this project's by ns-3's rules (`mac.rules = "ns3"` and
[its keys](ns3.md)). The tolerance is the {100 * SAME:.0f} % of that page. A difference outside it,
but by no more than two standard errors of the difference of the means, is *noise*.

**Of {len(points)} goodputs {counts[Verdict.INSIDE]} are within tolerance,
{counts[Verdict.NOISE]} outside by what may be noise, {counts[Verdict.OUTSIDE]} outside.** The
median difference is {part(statistics.median, differences(points))}, of the {len(hard)} that
are transfers or lie beyond the knee {part(statistics.median, differences(hard))}. Of these,
{", ".join(near)}.

{groups(points)}

## What is left

{findings.text("ns3_drawn")}


## All scenarios

Goodput in kbit/s, ± standard error; {seeds} runs here, as many of ns-3 as the data have.

<details><summary>All {len(points)}</summary>

{details("ns-3", points)}

</details>
"""


def main() -> int:
    """Parse the arguments, compare, and say what was found; 1 if the bar was missed."""
    arguments = parser("ns3_drawn", "Compare drawn scenarios with ns-3.")
    arguments.add_argument("--record", action="store_true", help="run them in ns-3 first")
    given = arguments.parse_args()
    if given.record:
        print(f"runs in ns-3: {record(given.data, workers=given.workers)}")
    found = validate(given.out, data=given.data, seeds=given.seeds, workers=given.workers)
    print(found.said)
    return 0 if found.passed else 1


if __name__ == "__main__":
    sys.exit(main())
