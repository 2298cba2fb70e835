"""What HxH's verdicts depend on: the thesis leaves open what is varied here.

    python -m multihop_papers.hxh.sensitivity [random|dumbbell|lattice|grid|drift] ...

Each table varies one thing at a time. Its cells are means over seeds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from rich.console import Console
from rich.table import Table

from multihop.results.result import Result
from multihop.running.runner import run_many
from multihop.scenario.form import Scenario
from multihop.statistics.stats import jain

from .setup import (
    ALL_FLOWS_S,
    ATP,
    DRIFT,
    DUMBBELL,
    EXPLICIT,
    GRID,
    HXH,
    LATTICE,
    MEET_S,
    NEWRENO,
    PART_S,
    RANDOM,
    SIX,
    TAHOE,
    VARIANTS,
    VEGAS,
)
from .windows import Windows, of_series

Settings = Mapping[str, Any]
Measure = Callable[[Result], str | float]


def one(key: str, *values: object) -> dict[str, Settings]:
    """Name the cases in which a key has one value after another."""
    return {f"{key} = {value}": {key: value} for value in values}


AS_IT_IS: dict[str, Settings] = {"as it is": {}}
QUEUES = one("scheme.queue_limit", 2, 6, 10, 20, 50)
# ATP's constants, reconstructed: half and double, or of a weight half and double of what it leaves.
ATP_CONSTANTS = {
    **one("scheme.alpha", 0.5, 0.875),
    **one("scheme.kappa", 0.5, 0.875),
    **one("scheme.phi", 0.125, 0.5),
    **one("scheme.increase_divisor", 2.5, 10),
    **one("scheme.eta", 1.5, 6),
    **one("scheme.silence_factor", 0.25, 1),
}


def vary(
    base: Path,
    cases: Mapping[str, Settings],
    variants: Sequence[str],
    measures: Mapping[str, Measure],
    seeds: int,
) -> Table:
    """Run every case with every variant: a row for each, a column for each measure and variant."""
    table = Table("setting", *(f"{VARIANTS[v].title}: {m}" for m in measures for v in variants))
    scenario = Scenario.from_file(base)
    runs = [
        VARIANTS[variant].apply(scenario).with_(**case, seed=seed + 1)
        for case in cases.values()
        for variant in variants
        for seed in range(seeds)
    ]
    results = np.array(run_many(runs), dtype=object).reshape(len(cases), len(variants), seeds)
    for name, row in zip(cases, results, strict=True):
        cells = [
            f"{np.mean([measure(result) for result in own]):.2f}"
            for measure in measures.values()
            for own in row
        ]
        table.add_row(name, *cells)
    return table


def mbit_s(result: Result) -> float:
    """Return the goodput of all flows in Mbit/s."""
    return float(result.runs["goodput_bit_s"].item()) / 1e6


def megabytes(result: Result) -> float:
    """Return what all flows receive in 10^6 bytes."""
    return mbit_s(result) * 60 / 8


def _late(result: Result) -> list[float]:
    late = result.series.filter(pl.col("time_s") >= ALL_FLOWS_S - 1e-6)
    sums = late.group_by("flow").agg(pl.col("delivered_bytes").sum())
    received = dict(sums.iter_rows())
    return [float(received.get(flow, 0)) for flow in range(result.flows.height)]


def late_megabytes(result: Result) -> float:
    """Return what is received in the last 30 s, in 10^6 bytes."""
    return sum(_late(result)) / 1e6


def late_fairness(result: Result) -> float:
    """Return Jain's index of what is received in the last 30 s."""
    return jain(_late(result))


def _together(result: Result) -> Windows:
    return of_series(result.series, result.flows.height, 60.0).between(MEET_S, PART_S)


def settling(result: Result) -> float:
    """Return after how many s both drifting flows are within 10 % of the fair share."""
    return float(_together(result).settling(0.1).mean())


def lowest(result: Result) -> float:
    """Return the lowest window of the drifting flows over the fair share."""
    return float(_together(result).lowest().mean())


def unsteady(result: Result) -> float:
    """Return the coefficient of variation of the drifting flows."""
    return float(_together(result).variation().mean())


# ---- the tables ----------------------------------------------------------------------------------


def random(seeds: int = 8) -> list[Table]:
    """Vary speeds, starts and HxH's queues, and ATP's constants, among the moving nodes."""
    cases = {
        **AS_IT_IS,
        **{
            f"{low} to {high} m/s": {
                "mobility.min_speed": f"{low} m/s",
                "mobility.max_speed": f"{high} m/s",
            }
            for low, high in ((1, 5), (10, 30))
        },
        **one("traffic.start_jitter", "0 s", "10 s"),
    }
    measures = {"Mbit/s": mbit_s}
    return [
        vary(RANDOM, cases, SIX, measures, seeds),
        vary(RANDOM, QUEUES, (HXH,), measures, seeds),
        vary(RANDOM, ATP_CONSTANTS, (ATP,), measures, seeds),
    ]


def dumbbell(seeds: int = 5) -> list[Table]:
    """Vary the number of shared hops, the distance and the routing, and HxH's queues.

    The text of the thesis has four shared hops, its figure's caption three.
    """
    cases = {
        **AS_IT_IS,
        **one("topology.hops", 2, 4, 5),
        **one("topology.spacing", "200 m", "230 m"),
        "topology.hops = 4, 200 m": {"topology.hops": 4, "topology.spacing": "200 m"},
        **one("routing.kind", "fixed"),
    }
    measures = {"MB": late_megabytes, "Jain": late_fairness}
    return [
        vary(DUMBBELL, cases, SIX, measures, seeds),
        vary(DUMBBELL, QUEUES, (HXH,), measures, seeds),
        vary(DUMBBELL, ATP_CONSTANTS, (ATP,), measures, seeds),
    ]


def lattice(seeds: int = 5) -> list[Table]:
    """Vary the lattice's size: throughput without and with the most route failures."""
    cases = {
        f"{rows} x {columns}, {failures} failures": {
            "topology.rows": rows,
            "topology.columns": columns,
            "topology.route_failures": failures,
        }
        for rows, columns in ((5, 3), (5, 4), (5, 5), (9, 5), (5, 7))
        for failures in (0, 60)
    }
    return [vary(LATTICE, cases, SIX, {"Mbit/s": mbit_s}, seeds)]


def grid(seeds: int = 3) -> list[Table]:
    """Vary where the flows of the grid end, its distances and its routing."""
    spacings = ("120 m", "180 m", "200 m")
    cases = {
        **AS_IT_IS,
        **one("topology.spacing", *spacings),
        **one("topology.ends", "inside"),
        **{
            f"topology.ends = inside, {spacing}": {
                "topology.ends": "inside",
                "topology.spacing": spacing,
            }
            for spacing in spacings
        },
        **one("routing.kind", "aodv"),
    }
    return [vary(GRID, cases, SIX, {"MB": megabytes}, seeds)]


def drift(seeds: int = 10) -> list[Table]:
    """Vary where the flows pass each other."""
    measures = {"settling s": settling, "lowest": lowest, "variation": unsteady}
    variants = (EXPLICIT, VEGAS, NEWRENO, TAHOE)
    cases = {
        f"hops of {length} m, {beside} m beside": passing(length, beside)
        for length in (100, 200)
        for beside in (50, 150)
    }
    return [vary(DRIFT, cases, variants, measures, seeds)]


def passing(length: int, beside: int) -> dict[str, Any]:
    """Let two flows of one hop, of a length in m, pass each other `beside` m apart, as drift.toml.

    The times of coming into range change by at most a second.
    """
    places = {"a": 0, "b": length, "c": beside, "d": beside + length}
    starts = {"a": 0, "b": 0, "c": 1200, "d": 1200}
    nodes = [{"name": name, "x": f"{starts[name]} m", "y": f"{y} m"} for name, y in places.items()]
    moves = [
        {"node": name, "at": "0 s", "x": f"{1200 - starts[name]} m", "y": f"{y} m"}
        for name, y in places.items()
    ]
    return {"node": nodes, "move": [{**move, "speed": "20 m/s"} for move in moves]}


TABLES = {
    "random": random,
    "dumbbell": dumbbell,
    "lattice": lattice,
    "grid": grid,
    "drift": drift,
}

if __name__ == "__main__":
    for chosen in sys.argv[1:] or TABLES:
        for made in TABLES[chosen]():
            Console(width=200).print(made)
