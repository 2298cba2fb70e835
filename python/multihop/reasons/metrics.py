"""What a network is judged by: one number of a run, of all flows or of all but one."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from ..engine.errors import SearchError
from ..results.result import Result


@dataclass(frozen=True)
class Metric:
    """A number of a run in `unit`, times `scale`; `sign` is -1 where less is better.

    `of` makes it of the rows of the table `flows`, or `column` of `runs` has it. `shared` says that
    it is a part of what the flows share, so that it grows by the part of a flow that is taken away.
    """

    name: str
    about: str
    unit: str
    scale: float
    digits: int
    of: Callable[[pl.DataFrame, float], float]
    sign: int = 1
    shared: bool = True
    column: str | None = None

    def value(self, result: Result, without: int | None = None) -> float:
        """Return the metric of a run, of all flows or of all but number `without`."""
        if self.column is not None:
            if self.column not in result.runs.columns:
                raise SearchError(
                    f"{self.name} is of messages that are for several nodes, and this scenario has "
                    "none; judge by another metric, as fair"
                )
            return float(result.runs[self.column][0])
        flows = result.flows
        if without is not None and self.shared:
            flows = flows.filter(pl.col("flow") != without)
        return self.of(flows, float(result.runs["duration_s"][0]))

    def fitting(self, values: Sequence[float]) -> Metric:
        """Return the metric in a unit that suits values: bit/s where none has 1 kbit/s."""
        if self.unit != "kbit/s" or max(values, default=0.0) >= 1e3 or not values:
            return self
        return replace(self, unit="bit/s", scale=1.0)

    def written(self, value: float) -> str:
        """Write a value with its unit."""
        if not math.isfinite(value):
            return "nothing delivered"
        return f"{value * self.scale:.{self.digits}f} {self.unit}"


def _total(flows: pl.DataFrame, _: float) -> float:
    return float(flows["goodput_bit_s"].sum())


def _smallest(flows: pl.DataFrame, _: float) -> float:
    return float(flows["goodput_bit_s"].min() or 0.0)  # type: ignore[arg-type]


def _fair(flows: pl.DataFrame, duration_s: float) -> float:
    """Return the geometric mean; a flow without a delivery counts as if it had one packet."""
    known = flows.filter(pl.col("goodput_bit_s") > 0)
    sizes: Sequence[Any] = (known["goodput_bit_s"] * duration_s / known["delivered"]).to_list()
    least = min(sizes, default=8.0) / duration_s
    logs = [math.log(max(rate, least)) for rate in flows["goodput_bit_s"]]
    return math.exp(math.fsum(logs) / len(logs))


def _delay(flows: pl.DataFrame, duration_s: float) -> float:
    """Return the largest 95th percentile; a flow that delivers nothing waits as long as the run."""
    delays = [
        duration_s if math.isnan(value) else float(value)
        for value, offered in flows.select("end_to_end_delay_p95_s", "offered").iter_rows()
        if offered
    ]
    return max(delays, default=math.nan)


METRICS = (
    Metric("fair", "the geometric mean of the flows' goodput", "kbit/s", 1e-3, 1, _fair),
    Metric("smallest", "the smallest flow's goodput", "kbit/s", 1e-3, 1, _smallest),
    Metric("total", "the goodput of all flows", "kbit/s", 1e-3, 1, _total),
    Metric(
        *("delay", "the 95th percentile of the slowest flow's end-to-end delay", "ms", 1e3, 1),
        _delay,
        sign=-1,
        shared=False,
    ),
    Metric(
        *("reach", "the mean share of nodes that a message for several reaches", "%", 100.0, 1),
        _total,
        shared=False,
        column="reach_mean",
    ),
)


def metric_names() -> list[str]:
    """List the metrics by name; the first is the default."""
    return [metric.name for metric in METRICS]


def metric_named(name: str) -> Metric:
    """Return the metric with this name."""
    found = next((metric for metric in METRICS if metric.name == name), None)
    if found is None:
        raise SearchError(f"there is no metric '{name}'; there are: {', '.join(metric_names())}")
    return found
