"""Congestion potential in a trace, and its distribution (LECN 3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import polars as pl

from multihop.reproducing.spec import StudyData
from multihop.statistics.stats import Values

# The node of figure 4, and those of figure 3.
NODE = 2
NODES = (2, 3)
# Near a drop is within so many seconds: what figure 2 shows, and dozens of packets.
NEAR = 5.0
# The largest potential in a chain: two nodes on either side are sensed.
LEVELS = 6


@dataclass(frozen=True)
class Steps:
    """A value that changes in steps: from each time on it is the value beside it; 0 before."""

    times: Values
    values: Values

    def before(self, at: Values) -> Values:
        """Return the value just before some times."""
        found: Values = np.concatenate(([0.0], self.values))[np.searchsorted(self.times, at)]
        return found

    def means(self, start: Values, end: Values) -> Values:
        """Return the mean over time between pairs of times."""
        means: Values = (self._integral(end) - self._integral(start)) / (end - start)
        return means

    def mean(self) -> float:
        """Return the mean from the first change to the last."""
        return float(self.means(self.times[:1], self.times[-1:])[0])

    def _integral(self, at: Values) -> Values:
        knots = np.concatenate(([0.0], np.cumsum(self.values[:-1] * np.diff(self.times))))
        index = np.searchsorted(self.times, at, side="right") - 1
        inside = index >= 0
        past: Values = np.where(
            inside, knots[index] + self.values[index] * (at - self.times[index]), 0.0
        )
        return past


def potential(events: pl.DataFrame, node: int | None = None) -> Steps:
    """Return the congestion potential of a node, or the largest of all nodes."""
    changes = events.filter(event="congestion_potential").select("time_s", "node", "value")
    if node is not None:
        changes = changes.filter(node=node)
    nodes = changes["node"].unique().cast(pl.String).to_list()
    # A row for each time, a column for each node; a node keeps its value until it changes.
    levels = (
        changes.pivot("node", index="time_s", values="value", aggregate_function="last")
        .sort("time_s")
        .with_columns(pl.col(nodes).forward_fill().fill_null(0.0))
        .select("time_s", value=pl.max_horizontal(nodes) if nodes else pl.lit(0.0))
    )
    return Steps(levels["time_s"].to_numpy(), levels["value"].cast(pl.Float64).to_numpy())


def drops(events: pl.DataFrame) -> tuple[Values, Values]:
    """Return when the MAC gave up data packets, and when acknowledgments of TCP."""
    given_up = events.filter(pl.col("flow") >= 0, event="service_end", cause="failed")
    data = pl.col("packet") >= 0
    return (
        given_up.filter(data)["time_s"].to_numpy(),
        given_up.filter(~data)["time_s"].to_numpy(),
    )


# What of some steps counts as before ends of service: of their times, and the stays until then.
Before = Callable[[Steps, Values, Values], Values]


def just_before(steps: Steps, end: Values, _stay: Values) -> Values:
    """Take the last value."""
    return steps.before(end)


def during_stay(steps: Steps, end: Values, stay: Values) -> Values:
    """Take the mean while the packet has been in the MAC."""
    return steps.means(end - stay, end)


def last(seconds: float) -> Before:
    """Take the mean over the last seconds."""
    return lambda steps, end, _stay: steps.means(end - seconds, end)


def around_drops(events: pl.DataFrame, before: Before = just_before) -> tuple[Values, Values]:
    """Return the maximum potential before drops of data, and before matched controls.

    The controls of a drop are the ends of service without drop at the same node that are near in
    time: of them, there is the mean. Both are looked at when that node has been contending, so
    times without any packet, which are far from drops by definition, make no difference. Drops
    without a control are left out.
    """
    ends = events.filter(pl.col("packet") >= 0, pl.col("flow") >= 0, event="service_end").select(
        "time_s", "node", "duration_s", failed=pl.col("cause") == "failed"
    )
    end, stay = ends["time_s"].to_numpy(), ends["duration_s"].to_numpy()
    ends = ends.with_columns(maximum=before(potential(events), end, stay))
    lost = ends.filter("failed").with_row_index("drop")
    controls = (
        lost.join(ends.filter(~pl.col("failed")), on="node", suffix="_control")
        .filter((pl.col("time_s") - pl.col("time_s_control")).abs() <= NEAR)
        .group_by("drop", "maximum", maintain_order=True)
        .agg(pl.col("maximum_control").mean())
    )
    return controls["maximum"].to_numpy(), controls["maximum_control"].to_numpy()


@dataclass(frozen=True)
class Stays:
    """The packets that a node's MAC has finished with, in the order of time."""

    end: Values
    duration: Values
    retries: Values

    @property
    def start(self) -> Values:
        """When they came to the MAC."""
        start: Values = self.end - self.duration
        return start


def stays(events: pl.DataFrame, node: int) -> Stays:
    """Return the stays of TCP's packets in the MAC of a node."""
    rows = events.filter(pl.col("flow") >= 0, event="service_end", node=node)
    return Stays(*(rows[name].to_numpy() for name in ("time_s", "duration_s", "value")))


def similarity(events: pl.DataFrame, node: int) -> tuple[float, float]:
    """Return how much of the maximum potential a node's is in the mean, and how it follows it.

    The latter is Pearson's coefficient over what both are just before each end of service.
    """
    own, maximum = potential(events, node), potential(events)
    at = events.filter(event="service_end")["time_s"].to_numpy()
    return own.mean() / maximum.mean(), correlation(own.before(at), maximum.before(at))


def correlations(events: pl.DataFrame, node: int) -> tuple[float, float]:
    """Return how a packet's staying time, and its retries, follow the potential meanwhile.

    Both are Pearson's coefficients over all packets, with the mean potential during their stay.
    """
    packets = stays(events, node)
    level = potential(events, node).means(packets.start, packets.end)
    known = np.isfinite(level)
    staying, retries = (
        correlation(values[known], level[known]) for values in (packets.duration, packets.retries)
    )
    return staying, retries


def correlation(one: Values, other: Values) -> float:
    """Return Pearson's coefficient; 0 if either is always the same."""
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        return 0.0
    return float(np.corrcoef(one, other)[0, 1])


def levels(congestion: pl.DataFrame) -> Values:
    """Return the percentage of time at each level of the maximum potential, of all rows."""
    time = np.zeros(LEVELS)
    rows = congestion.filter(node=-1).select("congestion_potential", "time_s")
    for level, seconds in rows.iter_rows():
        time[min(level, LEVELS - 1)] += seconds
    percent: Values = 100 * time / time.sum()
    return percent


def shares(data: StudyData, variant: str) -> Values:
    """Return the percentage of time at each level of the maximum potential: a row for each seed."""
    rows = data.congestion.filter(variant=variant)
    seeds = rows["seed"].unique().sort()
    return np.array([levels(rows.filter(seed=seed)) for seed in seeds])
