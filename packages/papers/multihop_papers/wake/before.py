"""What rule 9 and the spacing of 1.4 have changed: paired runs with and without them.

    python -m multihop_papers.wake.before [--seeds 20] [--first-seed 1000]

prints two tables in Markdown: chains and crosses of ten hops at overload, and short transfers. The
seeds are others than those of the evaluation, which begin at 1.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from multihop import Result, Scenario, run
from multihop.reporting.markdown import markdown_table
from multihop.statistics.stats import Values

from .fields import RELIABLE, TEN, TRANSFER, Field
from .setup import WAKE

# The rules of the third evaluation.
THIRD: Mapping[str, Any] = {"scheme.first_packets": 0, "scheme.spacing": 1.2}
SHORT = (1, 3, 10)


def _pairs(
    field: Field, place: float, keys: Mapping[str, Any], seeds: range, read: Callable[[Result], Any]
) -> tuple[Values, Values]:
    """Return what is read of the runs at a place: with all rules, and with those before."""
    study, effort = field.study, field.study.efforts.full
    base = Scenario.from_file(study.base).with_(
        **study.settings, warmup=effort.warmup, duration=effort.duration
    )
    base = base.with_(**{"scheme.name": WAKE, **keys, **study.at(place)})
    both = [[read(run(base.with_(**rules, seed=seed))) for seed in seeds] for rules in ({}, THIRD)]
    return np.array(both[0]), np.array(both[1])


def _cells(pairs: tuple[Values, Values], digits: int) -> Iterator[str]:
    """Write each measure's mean, and the mean and standard error of the paired difference."""
    now, before = pairs
    change = now - before
    error = change.std(axis=0, ddof=1) / len(change) ** 0.5
    for mean, difference, spread in zip(now.mean(axis=0), change.mean(axis=0), error, strict=True):
        yield f"{mean:.{digits}f}"
        yield f"{difference:.{digits}f} ± {spread:.{digits}f}"


def _overload(result: Result) -> tuple[float, float]:
    row = result.runs.row(0, named=True)
    return row["goodput_bit_s"] / 1e3, row["network_delay_mean_s"] * 1e3


def _transfer(result: Result) -> tuple[float]:
    """Return how long the run's last flow took; all that is left of the run if it never ended."""
    flow = result.flows.row(-1, named=True)
    end = float(result.runs["duration_s"][0])
    whole = flow["run_offered"] == flow["run_delivered"]
    return ((flow["last_delivery_s"] if whole else end) - flow["first_offer_s"],)


def tables(seeds: range) -> tuple[str, str]:
    """Return both tables."""
    overload = (
        (name, *_cells(_pairs(TEN, place, {}, seeds, _overload), 1))
        for place, name in TEN.names.items()
    )
    endings = tuple(f", {packets} packet{'s' * (packets > 1)}" for packets in SHORT)
    transfers = (
        (name, *_cells(_pairs(TRANSFER, place, RELIABLE, seeds, _transfer), 4))
        for place, name in TRANSFER.names.items()
        if name.endswith(endings)
    )
    network = ("network", "goodput, kbit/s", "difference", "network delay, ms", "difference")
    time = ("transfer", "time, s", "difference")
    return markdown_table(network, overload), markdown_table(time, transfers)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="WAKE with and without its newest rules")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first-seed", type=int, default=1000)
    given = parser.parse_args()
    for text in tables(range(given.first_seed, given.first_seed + given.seeds)):
        print(text)
