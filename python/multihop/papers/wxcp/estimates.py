"""What WXCP's stations estimate, beside what an observer who sees every frame knows.

    python -m multihop.papers.wxcp.estimates [HOPS] ...

The share of free time (3.2) is held against the time in which nobody whom the station senses sends,
itself included: what physical carrier sense alone would give. The average link throughput (equation
2) is held against that of an exchange that nobody disturbs.
"""

from __future__ import annotations

import sys

import numpy as np
import polars as pl
from rich.console import Console
from rich.table import Table

from ...chain import SENSE_M
from ...results import Result
from ...runner import run_many
from ...scenario import Scenario
from ...stats import Values
from ..spec import hops
from .setup import CHAIN, TABLE_HOPS, VARIANTS, WXCP

SEEDS = (1, 2, 3)
SETTINGS = {"warmup": "5 s", "duration": "60 s"}
SETTLED_S = 10.0


def busy(events: pl.DataFrame, nodes: pl.DataFrame, node: int) -> tuple[Values, Values]:
    """Return times in s and how long somebody within sensing range had sent until then.

    Between two times it grows evenly.
    """
    x, y = nodes["x_m"].to_numpy(), nodes["y_m"].to_numpy()
    near = np.flatnonzero(np.hypot(x - x[node], y - y[node]) <= SENSE_M)
    sent = events.filter(pl.col("node").is_in(near.tolist()), event="transmit_start")
    start = sent["time_s"].to_numpy()
    end = np.maximum.accumulate(start + sent["duration_s"].to_numpy())
    # A frame counts from where all before it have ended.
    begin = np.maximum(start, np.concatenate(([0.0], end[:-1])))
    length = np.maximum(end - begin, 0.0)
    total = np.cumsum(length)
    times = np.column_stack((np.minimum(begin, end), end)).ravel()
    grown = np.column_stack((total - length, total)).ravel()
    return times, grown


def estimates(result: Result) -> pl.DataFrame:
    """List every estimate of a traced run, with the true share of free time beside it."""
    found = result.events.filter(event="estimate").sort("time_s")
    rows = []
    for (node,), own in found.group_by("node", maintain_order=True):
        times, grown = busy(result.events, result.nodes, int(str(node)))
        end = own["time_s"].to_numpy()
        start = end - own["duration_s"].to_numpy()
        sent = np.interp(end, times, grown) - np.interp(start, times, grown)
        rows.append(own.with_columns(true_share=pl.Series(1 - sent / (end - start))))
    return pl.concat(rows) if rows else found


def summary(lengths: list[int]) -> Table:
    """Average the estimates of the busiest station of chains, from 10 s on."""
    table = Table("hops", "station", "free (%)", "truly free (%)", "bw (kbit/s)", "B (kbit/s)")
    base = VARIANTS[WXCP].apply(Scenario.from_file(CHAIN)).with_(**SETTINGS)
    for length in lengths:
        runs = run_many(
            [base.with_(**hops(length), seed=seed) for seed in SEEDS], events=True, progress=False
        )
        found = pl.concat([estimates(run) for run in runs]).filter(pl.col("time_s") >= SETTLED_S)
        weight = pl.col("duration_s")

        def mean(expression: pl.Expr, weight: pl.Expr = weight) -> pl.Expr:
            return (expression * weight).sum() / weight.sum()

        own = found.group_by("node").agg(
            share=mean(pl.col("value")),
            true=mean(pl.col("true_share")),
            throughput=mean(8e-3 * pl.col("bytes")),
            available=mean(8e-3 * pl.col("bytes") * pl.col("value")),
        )
        # The destination sends acknowledgments only.
        row = own.filter(pl.col("node") != length).sort("true").row(0, named=True)
        table.add_row(
            str(length),
            str(row["node"]),
            f"{100 * row['share']:.0f}",
            f"{100 * row['true']:.0f}",
            f"{row['throughput']:.0f}",
            f"{row['available']:.0f}",
        )
    return table


if __name__ == "__main__":
    Console(width=120).print(summary([int(text) for text in sys.argv[1:]] or [*TABLE_HOPS]))
