"""What pages that compare meshes beside another simulator of LoRa share."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

# The share of comparisons that should be within tolerance.
TARGET = 0.9
# A metric with a smaller tolerance is shown with three digits.
LEAST_SHOWN = 0.03
# What a frame may be lost to another one by.
COLLIDED = ("collision", "capture_lost")


@dataclass(frozen=True)
class Metric:
    """Something that both simulators measure, and how far apart they may be."""

    name: str
    title: str
    tolerance: float
    # Of the reference's value, or in the metric's own unit.
    relative: bool


@dataclass(frozen=True)
class Difference:
    """One metric of one case on both sides."""

    case: str
    metric: Metric
    ours: float
    theirs: float
    # Two standard errors of both, or the tolerance if that is more.
    limit: float

    @property
    def inside(self) -> bool:
        """Whether they are as near to each other as they should be."""
        return abs(self.ours - self.theirs) <= self.limit


def differences(
    ours: pl.DataFrame, reference: pl.DataFrame, metrics: Sequence[Metric]
) -> list[Difference]:
    """Compare these metrics of all cases, where the reference has them."""
    found = []
    for row in reference.rows(named=True):
        runs = ours.filter(pl.col("name") == row["name"])
        for metric in metrics if runs.height else ():
            if row[metric.name] is None:
                continue
            values = runs[metric.name].to_list()
            own = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0
            error = math.hypot(own, row[f"{metric.name}_se"])
            theirs = row[metric.name]
            scale = abs(theirs) if metric.relative else 1.0
            limit = max(metric.tolerance * scale, 2 * error)
            found.append(Difference(row["name"], metric, statistics.fmean(values), theirs, limit))
    return found


@dataclass(frozen=True)
class MeshValidation:
    """What the comparison found."""

    differences: Sequence[Difference]
    page: Path

    @property
    def cases(self) -> list[str]:
        """The names of the cases, in their order."""
        return list(dict.fromkeys(found.case for found in self.differences))

    @property
    def inside(self) -> int:
        """How many comparisons keep their tolerance."""
        return sum(found.inside for found in self.differences)

    @property
    def whole(self) -> int:
        """How many cases keep it with every metric."""
        outside = {found.case for found in self.differences if not found.inside}
        return len(self.cases) - len(outside)

    @property
    def passed(self) -> bool:
        """Whether enough of the comparisons keep their tolerance."""
        return self.inside >= TARGET * len(self.differences)

    @property
    def said(self) -> str:
        """What was found, in a line."""
        return (
            f"{self.inside} of {len(self.differences)} comparisons within tolerance; with every "
            f"metric {self.whole} of {len(self.cases)} meshes"
        )


def _number(metric: Metric, value: float) -> str:
    return f"{value:.{3 if metric.tolerance < LEAST_SHOWN else 0 if value >= 100 else 2}f}"


def _cell(found: Difference | None) -> str:
    if found is None:
        return "-"
    ours, theirs = (_number(found.metric, value) for value in (found.ours, found.theirs))
    return f"{ours} / {theirs}" if found.inside else f"**{ours} / {theirs}**"


def _tolerance(metric: Metric) -> str:
    return f"{100 * metric.tolerance:g} %" if metric.relative else f"{metric.tolerance:g}"


def table_of_metrics(found: MeshValidation, metrics: Sequence[Metric]) -> str:
    """Return the table of how many comparisons of each metric keep their tolerance."""
    of_metrics = {
        metric: [one.inside for one in found.differences if one.metric == metric]
        for metric in metrics
    }
    rows = [
        f"| {metric.title} | {_tolerance(metric)} | {sum(inside)} of {len(inside)} |"
        for metric, inside in of_metrics.items()
    ]
    return "\n".join(["| metric | tolerance | within |", "|---|---|--:|", *rows])


def table_of_meshes(found: MeshValidation, metrics: Sequence[Metric]) -> str:
    """Return the table of all meshes: the mean here and there, bold where it is outside."""
    known = {(one.case, one.metric): one for one in found.differences}
    rows = [
        f"| {case} | {' | '.join(_cell(known.get((case, metric))) for metric in metrics)} |"
        for case in found.cases
    ]
    head = " | ".join(metric.title for metric in metrics)
    return "\n".join([f"| mesh | {head} |", f"|---|{'--:|' * len(metrics)}", *rows])
