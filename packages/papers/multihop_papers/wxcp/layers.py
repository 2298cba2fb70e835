"""Where WXCP's runs differ from its paper, layer by layer: windows over time, and losses by cause.

    python -m multihop_papers.wxcp.layers [window|lead|losses] ...

The lowest layer, what stations estimate, is `estimates.py`. Three seeds each; the grid, two.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import polars as pl
from rich.console import Console
from rich.table import Table

from multihop.reproducing.spec import hops
from multihop.results.result import Result
from multihop.running.runner import run_many
from multihop.scenario.form import Scenario

from .setup import BOTH, CHAIN, GRID, GRID_FLOWS, VARIANTS, grid_flows, two_flows

SEEDS = (1, 2, 3)
GRID_SEEDS = SEEDS[:2]
LENGTHS = (1, 2, 6, 12)
SHORT = (1, 2)
# Spans of time in s, in which windows and leads are looked at. Flows begin at 5 s.
SPANS = ((5.0, 10.0), (10.0, 20.0), (20.0, 60.0), (60.0, 125.0))
OVER_TIME = {"series_interval": "1 s"}
# What happens to frames and links, of the table `nodes`, and to segments, of the table `flows`.
OF_NODES = ("collisions", "capture_lost", "link_failures")
OF_FLOWS = ("segment_retransmissions", "retransmission_timeouts")


def base(variant: str, path: Any = CHAIN) -> Scenario:
    """Return the scenario of a curve."""
    return VARIANTS[variant].apply(Scenario.from_file(path))


def runs(scenario: Scenario, seeds: Iterable[int] = SEEDS) -> list[Result]:
    """Run it with some seeds."""
    return run_many([scenario.with_(seed=seed) for seed in seeds], progress=False)


def between(result: Result, span: tuple[float, float]) -> pl.DataFrame:
    """Return the series of a run in a span of time."""
    return result.series.filter(pl.col("time_s").is_between(*span, closed="left"))


def window(result: Result, span: tuple[float, float]) -> float:
    """Return the first flow's mean window in a span, in packets."""
    values = between(result, span).filter(flow=0)["window_mean"].drop_nans().drop_nulls()
    return float(values.mean() or np.nan)  # type: ignore[arg-type]


def lead(result: Result, span: tuple[float, float]) -> float:
    """Return by how many packets two flows differ in what they get in a span."""
    sums = between(result, span).group_by("flow").agg(pl.col("delivered").sum())
    shares = dict(sums.iter_rows())
    return abs(float(shares.get(0, 0)) - float(shares.get(1, 0)))


def losses(result: Result) -> dict[str, float]:
    """Return how often each thing happened for 1,000 delivered packets."""
    lost = [name for name in result.flows.columns if name.startswith("lost_")]
    tables = ((result.nodes, OF_NODES), (result.flows, (*OF_FLOWS, *lost)))
    counts = {name: int(table[name].sum()) for table, names in tables for name in names}
    delivered = int(result.flows["delivered"].sum())
    shown = {name: count for name, count in counts.items() if count or name not in lost}
    return {name: 1000 * count / delivered for name, count in shown.items()}


def _spans() -> list[str]:
    return [f"{since:g} to {until:g} s" for since, until in SPANS]


def windows() -> Table:
    """Show the mean window of one flow as time goes on."""
    table = Table("hops", "scheme", *_spans(), title="window (packets)")
    for length in LENGTHS:
        for variant in BOTH:
            found = runs(base(variant).with_(**hops(length), **OVER_TIME))
            means = [np.nanmean([window(result, span) for result in found]) for span in SPANS]
            table.add_row(str(length), VARIANTS[variant].title, *(f"{mean:.2f}" for mean in means))
    return table


def leads() -> Table:
    """Show by how many packets two flows differ in each span of time, and each one's window."""
    table = Table("hops", "scheme", *_spans(), title="two flows differ by (packets; most)")
    for length in SHORT:
        for variant in BOTH:
            found = runs(base(variant).with_(**two_flows(length), **OVER_TIME))
            cells = [[lead(result, span) for result in found] for span in SPANS]
            table.add_row(
                str(length),
                VARIANTS[variant].title,
                *(f"{np.mean(cell):.0f}; {max(cell):.0f}" for cell in cells),
            )
    return table


def _by_cause(rows: Sequence[tuple[str, Scenario, Iterable[int]]]) -> Table:
    found = [(label, [*map(losses, runs(scenario, seeds))]) for label, scenario, seeds in rows]
    names = dict.fromkeys(name for _, each in found for own in each for name in own)
    table = Table("network", *names, title="for 1,000 delivered packets")
    for label, each in found:
        means = [np.mean([own.get(name, 0.0) for own in each]) for name in names]
        table.add_row(label, *(f"{mean:.2g}" if mean < 10 else f"{mean:.0f}" for mean in means))
    return table


def by_cause() -> Table:
    """Show what is lost at which layer, in chains with one flow and in the grid."""
    rows: list[tuple[str, Scenario, Iterable[int]]] = [
        (f"{length} hops, {VARIANTS[name].title}", base(name).with_(**hops(length)), SEEDS)
        for length in LENGTHS
        for name in BOTH
    ]
    rows += [
        (
            f"grid, {flows} flows, {VARIANTS[name].title}",
            base(name, GRID).with_(**grid_flows(flows)),
            GRID_SEEDS,
        )
        for flows in GRID_FLOWS[::2]
        for name in BOTH
    ]
    return _by_cause(rows)


TABLES = {"window": windows, "lead": leads, "losses": by_cause}

if __name__ == "__main__":
    for chosen in sys.argv[1:] or TABLES:
        Console(width=200).print(TABLES[chosen]())
