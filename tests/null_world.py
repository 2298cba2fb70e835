"""One scheme with 400 seeds, and how often statistics say something false of it.

`examples/tcp-chain.toml`: goodput in bit/s, mean delays in s, overhead in B/B. Its network delay is
skewed to the right: in one run of six a search for a route takes long.

    python -m tests.null_world    runs the 400 seeds anew, and writes them down
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import polars as pl

from multihop.statistics.stats import Values

FILE = Path(__file__).parent / "data" / "tcp_chain.csv"
SCENARIO = Path(__file__).resolve().parent.parent / "examples" / "tcp-chain.toml"
SEEDS = 400
# What the columns of the file are called in the table `runs`.
COLUMNS = {
    "goodput": "goodput_bit_s",
    "network_delay": "network_delay_mean_s",
    "end_to_end_delay": "end_to_end_delay_mean_s",
    "overhead": "overhead",
}
MEASURES = tuple(COLUMNS)
DIGITS = 6


@cache
def world() -> pl.DataFrame:
    """Return what was measured, a row for each seed."""
    return pl.read_csv(FILE)


def values(measure: str) -> Values:
    """Return one measure of all seeds."""
    return world()[measure].to_numpy()


def drawn(measure: str, runs: int, seeds: int) -> Values:
    """Return so many seeds of a measure at random, again and again: a row for each."""
    random = np.random.default_rng([seeds, MEASURES.index(measure)])
    return random.choice(values(measure), (runs, seeds))


def measured(seeds: range) -> pl.DataFrame:
    """Run seeds anew."""
    from multihop import Scenario, run_many

    base = Scenario.from_file(SCENARIO)
    results = run_many([base.with_(seed=seed) for seed in seeds], progress=False)
    rows = [
        {"seed": seed} | {name: result.runs[column][0] for name, column in COLUMNS.items()}
        for seed, result in zip(seeds, results, strict=True)
    ]
    return pl.DataFrame(rows).select(
        "seed", *(pl.col(name).round_sig_figs(DIGITS) for name in MEASURES)
    )


if __name__ == "__main__":
    measured(range(1, SEEDS + 1)).write_csv(FILE)
