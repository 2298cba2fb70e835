"""The best window limit of a scenario, by exhaustive search.

>>> import multihop
>>> found = multihop.optimum_window(multihop.Scenario.from_file("chain.toml"), range(1, 17))
>>> found.window, found.goodput_bit_s
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import polars as pl

from .._multihop import network
from ..engine.errors import SearchError
from ..results.result import Result
from ..running.runner import run_many
from ..scenario.form import Given, Scenario, as_base, seed_list
from ..scenario.noting import told_before

KEY = "scheme.window_limit"
# More is a slip of the pen.
LIMIT = 100_000
SPAN = re.compile(r"(\d+)(?:-(\d+))?")


@dataclass(frozen=True)
class Optimum:
    """The best window limit in packets, its mean goodput, and a table of all windows.

    The table `windows` has the columns `window`, `runs`, `goodput_bit_s` (the mean over the seeds)
    and `standard_error_bit_s` (null for a single seed).
    """

    window: int
    goodput_bit_s: float
    windows: pl.DataFrame

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "window": self.window,
            "goodput_bit_s": self.goodput_bit_s,
            "windows": self.windows.to_dicts(),
        }


def optimum_window(
    scenario: Given,
    windows: Iterable[int] = range(1, 33),
    *,
    seeds: int | Iterable[int] = 5,
    flow: str | None = None,
    workers: int | None = None,
    progress: bool = True,
) -> Optimum:
    """Run `scenario` with every window limit and every seed, and return the best limit.

    `seeds` are numbers, or their count from 1 on. The best limit has the highest mean goodput of
    all flows, or of the named one. Of equals it is the smallest window. The runs are spread over
    all cores, or over `workers` of them.
    """
    limits, numbers = sorted(set(windows)), sorted(set(seed_list(seeds)))
    if not limits or not numbers:
        missing = "window" if not limits else "seed"
        raise SearchError(f"there is no {missing} to try; name at least one")
    base = as_base(scenario)
    scenarios = [
        base.override({KEY: limit, "seed": seed}, "--windows")
        for limit in limits
        for seed in numbers
    ]
    if flow is not None:
        _check_flow(scenarios[0], flow)
    results = run_many(scenarios, workers=workers, progress=progress, tell=told_before)
    found = pl.DataFrame(
        {
            "window": [limit for limit in limits for _ in numbers],
            "goodput_bit_s": [_goodput(result, flow) for result in results],
        }
    )
    goodput = pl.col("goodput_bit_s")
    table = found.group_by("window", maintain_order=True).agg(
        runs=pl.len(),
        goodput_bit_s=goodput.mean(),
        standard_error_bit_s=goodput.std() / pl.len().sqrt(),
    )
    best = table.row(table["goodput_bit_s"].arg_max() or 0, named=True)
    return Optimum(best["window"], best["goodput_bit_s"], table)


def _goodput(result: Result, flow: str | None) -> float:
    if flow is None:
        return float(result.runs["goodput_bit_s"].item())
    return float(result.flows.filter(name=flow)["goodput_bit_s"][0])


def _check_flow(scenario: Scenario, flow: str) -> None:
    names = [name for name, _ in network(scenario.json)["flows"]]
    if flow not in names:
        raise SearchError(f"there is no flow '{flow}'; there are: {', '.join(names)}")


def parse_windows(text: str) -> list[int]:
    """Read window limits: numbers and spans with commas between, as in 1-8,12,16."""
    return parse_spans(text, "windows")


def parse_spans(text: str, what: str) -> list[int]:
    """Read numbers and spans with commas between, as in 1-8,12,16; `what` says of what."""
    limits: list[int] = []
    for part in text.split(","):
        span = SPAN.fullmatch(part.strip())
        first, last = (int(span[1]), int(span[2] or span[1])) if span else (1, 0)
        if not 1 <= first <= last:
            raise SearchError(
                f"'{text}' is no list of {what}; write numbers and spans from 1, as in 1-8,12,16"
            )
        if len(limits) + last - first >= LIMIT:
            raise SearchError(f"'{text}' are more than {LIMIT} {what}; name fewer")
        limits += range(first, last + 1)
    return limits
