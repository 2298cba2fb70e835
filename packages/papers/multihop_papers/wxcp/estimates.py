"""What WXCP's stations estimate, beside what an observer who sees every frame knows.

    python -m multihop_papers.wxcp.estimates [HOPS] ...

The share of free time (3.2) is held against two that an observer of all frames knows: the time in
which nobody whom the station senses sends, itself included, which physical carrier sense alone
would give; and the time in which moreover nobody sends whom its next hop senses, which is when a
further packet would get through. B (equation 1) is held against what it would be with the latter.
"""

from __future__ import annotations

import sys

import numpy as np
import polars as pl
from rich.console import Console
from rich.table import Table

from multihop.charting.chain import SENSE_M
from multihop.reproducing.spec import hops
from multihop.results.result import Result
from multihop.running.runner import run_many
from multihop.scenario.form import Scenario
from multihop.statistics.stats import Values

from .setup import CHAIN, TABLE_HOPS, VARIANTS, WXCP

SEEDS = (1, 2, 3)
SETTINGS = {"warmup": "5 s", "duration": "60 s"}
SETTLED_S = 10.0


def busy(events: pl.DataFrame, nodes: pl.DataFrame, *stations: int) -> tuple[Values, Values]:
    """Return times in s and how long somebody had sent until then whom one of `stations` senses.

    Between two times it grows evenly.
    """
    x, y = nodes["x_m"].to_numpy(), nodes["y_m"].to_numpy()
    apart = [np.hypot(x - x[node], y - y[node]) for node in stations]
    near = np.flatnonzero(np.min(apart, axis=0) <= SENSE_M)
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


def next_hop(events: pl.DataFrame, node: int) -> int:
    """Return to whom a station sends most packets; itself if to nobody."""
    sent = events.filter(node=node, event="transmit_start", frame="data").drop_nulls("peer")
    peers = sent.group_by("peer").len().sort("len", "peer")["peer"]
    return int(peers[-1]) if len(peers) else node


def estimates(result: Result) -> pl.DataFrame:
    """List every estimate of a traced run, with the true shares of free time beside it."""
    found = result.events.filter(event="estimate").sort("time_s")
    rows = []
    for (key,), own in found.group_by("node", maintain_order=True):
        node = int(str(key))
        end = own["time_s"].to_numpy()
        start = end - own["duration_s"].to_numpy()
        shares = {}
        for name, stations in (
            ("true_share", (node,)),
            ("link_share", (node, next_hop(result.events, node))),
        ):
            times, grown = busy(result.events, result.nodes, *stations)
            sent = np.interp(end, times, grown) - np.interp(start, times, grown)
            shares[name] = pl.Series(1 - sent / (end - start))
        rows.append(own.with_columns(**shares))
    return pl.concat(rows) if rows else found


def averages(runs: list[Result]) -> pl.DataFrame:
    """Average the estimates of every station from 10 s on, weighted by how long they are of."""
    found = pl.concat([estimates(run) for run in runs]).filter(pl.col("time_s") >= SETTLED_S)
    weight, throughput = pl.col("duration_s"), 8e-3 * pl.col("bytes")

    def mean(expression: pl.Expr) -> pl.Expr:
        return (expression * weight).sum() / weight.sum()

    return found.group_by("node").agg(
        share=mean(pl.col("value")),
        true=mean(pl.col("true_share")),
        link=mean(pl.col("link_share")),
        throughput=mean(throughput),
        available=mean(throughput * pl.col("value")),
        oracle=mean(throughput * pl.col("link_share")),
    )


def summary(lengths: list[int]) -> Table:
    """Average the estimates of the busiest station of chains."""
    table = Table(
        *("hops", "station", "free (%)", "nobody near sends (%)", "nor near its next hop (%)"),
        *("bw (kbit/s)", "B (kbit/s)", "B of the oracle (kbit/s)"),
    )
    base = VARIANTS[WXCP].apply(Scenario.from_file(CHAIN)).with_(**SETTINGS)
    for length in lengths:
        runs = run_many(
            [base.with_(**hops(length), seed=seed) for seed in SEEDS], events=True, progress=False
        )
        # The destination sends acknowledgments only.
        own = averages(runs).filter(pl.col("node") != length)
        row = own.sort("true").row(0, named=True)
        shares = (f"{100 * row[name]:.0f}" for name in ("share", "true", "link"))
        rates = (f"{row[name]:.0f}" for name in ("throughput", "available", "oracle"))
        table.add_row(str(length), str(row["node"]), *shares, *rates)
    return table


if __name__ == "__main__":
    Console(width=120).print(summary([int(text) for text in sys.argv[1:]] or [*TABLE_HOPS]))
