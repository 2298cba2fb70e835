#!/usr/bin/env python3
"""Make the data of WAKE's rules over ns-2's MAC (docs/validation/data/ns2_wake.csv) again.

    python3 run_wake.py          into docs/validation/data
    python3 run_wake.py --list   number of runs

One CSV row is one run of ns-2; docs/validation/data/README_wake.md explains the columns.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace

import batch
from observed import command, result

SEEDS = 3
MEASURED = ("goodput_kbps", "delay_ms", "frames", "pairs", "upstream_first")


@dataclass(frozen=True)
class Run:
    """The parameters of one simulation: a chain, and what of the rules is on."""

    hops: int = 10
    dist: int = 200
    hold: float = 2.7
    clear: float = 0.88
    cw: int = 3
    wide: int = 0
    warm: int = 10
    dur: int = 30
    seed: int = 1


def experiments() -> Iterator[Run]:
    """Yield the runs: every chain with the rules, and without each and all parts of rule 2."""
    rules = Run()
    without = (
        rules,
        replace(rules, hold=0.0),
        replace(rules, clear=0.0),
        replace(rules, cw=31),
        replace(rules, hold=0.0, clear=0.0, cw=31),
    )
    for hops, dist in ((6, 200), (10, 200), (14, 200), (10, 140)):
        # Rule 5 is for stations as close as these.
        own = (*without, replace(rules, wide=1)) if dist < 178 else without
        for run in own:
            for seed in range(1, SEEDS + 1):
                yield replace(run, hops=hops, dist=dist, seed=seed)


def simulate(run: Run) -> dict[str, object]:
    """Run ns-2 once and return the CSV row."""
    said = result(command("wake", asdict(run)))
    return asdict(run) | {name: said[name] for name in MEASURED}


if __name__ == "__main__":
    columns = (*asdict(Run()), *MEASURED)
    sys.exit(batch.main(__doc__, {"ns2_wake": list(experiments())}, simulate, columns))
