"""What the claims compare, measured in the runs of a place.

Every measure is that of one variant over that of another, but for the second repetition of question
7, whose gain is over that of the first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
import polars as pl

from multihop.reproducing.spec import StudyData
from multihop.statistics.stats import jain

Measure = Callable[[StudyData, str, str], float]
# Messages of nobody who uses the mesh.
ATTACK = "attack"
TEXT = pl.col("class") == "text"


def _ratio(one: float, other: float) -> float:
    """Return a ratio; NaN over nothing, of which nothing can be said."""
    return one / other if other else math.nan


def _messages(data: StudyData, variant: str) -> pl.DataFrame:
    """Return the messages to everyone of those who use the mesh."""
    attack = data.flows.filter(pl.col("name") == ATTACK)["flow"].unique().to_list()
    own = data.others["messages"].filter(pl.col("variant") == variant)
    return own.filter(~pl.col("flow").is_in(attack))


def _share(messages: pl.DataFrame, reached: pl.Expr, addressed: pl.Expr) -> float:
    found, all_ = messages.select(reached.sum().alias("r"), addressed.sum().alias("a")).row(0)
    return _ratio(found, all_)


def far(data: StudyData, variant: str) -> float:
    """Return the share of nodes more than two hops away that got texts to everyone."""
    texts = _messages(data, variant).filter(TEXT)
    reached = pl.col("reached") - pl.col("near_reached")
    return _share(texts, reached, pl.col("addressed") - pl.col("near"))


def near(data: StudyData, variant: str) -> float:
    """Return the share of nodes within two hops that got texts to everyone."""
    texts = _messages(data, variant).filter(TEXT)
    return _share(texts, pl.col("near_reached"), pl.col("near"))


def texts(data: StudyData, variant: str) -> float:
    """Return the share of all nodes that got texts to everyone."""
    own = _messages(data, variant).filter(TEXT)
    return _share(own, pl.col("reached"), pl.col("addressed"))


def far_periodic(data: StudyData, variant: str) -> float:
    """Return the share of far nodes that got announcements and reports."""
    own = _messages(data, variant).filter(~TEXT)
    reached = pl.col("reached") - pl.col("near_reached")
    return _share(own, reached, pl.col("addressed") - pl.col("near"))


def frames(data: StudyData, variant: str) -> float:
    """Return how many frames carried a text to everyone."""
    mean = _messages(data, variant).filter(TEXT)["frames"].mean()
    return math.nan if mean is None else float(str(mean))


def delay(data: StudyData, variant: str) -> float:
    """Return the median over texts of the time until half of the reached nodes had it, in s."""
    median = _messages(data, variant).filter(TEXT)["median_delay_s"].median()
    return math.nan if median is None else float(str(median))


def direct(data: StudyData, variant: str) -> float:
    """Return the share of direct messages that arrived; NaN if there are none."""
    own = data.flows.filter(pl.col("variant") == variant, pl.col("name").str.starts_with("direct-"))
    return _share(own, pl.col("delivered"), pl.col("offered"))


def _directs(data: StudyData, variant: str) -> pl.DataFrame:
    own = data.flows.filter(pl.col("variant") == variant, pl.col("name").str.starts_with("direct-"))
    return own.filter(pl.col("offered") > 0)


def direct_delay(data: StudyData, variant: str) -> float:
    """Return the mean time between applications of direct messages that arrived, in s."""
    own = _directs(data, variant).filter(pl.col("delivered") > 0)
    total = (pl.col("end_to_end_delay_mean_s") * pl.col("delivered")).sum().alias("t")
    spent, arrived = own.select(total, pl.col("delivered").sum().alias("n")).row(0)
    return _ratio(spent, arrived)


def direct_smallest(data: StudyData, variant: str) -> float:
    """Return the smallest share of any flow that arrived, on average over the networks."""
    share = (pl.col("delivered") / pl.col("offered")).min().alias("share")
    mean = _directs(data, variant).group_by("x").agg(share)["share"].mean()
    return math.nan if mean is None else float(str(mean))


def direct_air(data: StudyData, variant: str) -> float:
    """Return for how long all nodes sent for each direct message that arrived, in s."""
    sent = data.others["nodes"].filter(pl.col("variant") == variant)["transmit_s"].sum()
    return _ratio(float(sent), float(_directs(data, variant)["delivered"].sum()))


def _sending(data: StudyData, variant: str) -> pl.DataFrame:
    """Return how long each node sent, for each network."""
    own = data.others["nodes"].filter(pl.col("variant") == variant)
    return own.group_by("x").agg(pl.col("transmit_s")).sort("x")


def _measured_s(data: StudyData, variant: str) -> float:
    return float(data.values(variant, "duration_s").mean())


def air(data: StudyData, variant: str) -> float:
    """Return the share of the time for which a node sent, on average."""
    shares = [np.mean(np.array(run)) for run in _sending(data, variant)["transmit_s"]]
    return float(np.mean(shares)) / _measured_s(data, variant)


def worst_air(data: StudyData, variant: str) -> float:
    """Return the same of the node that sent most, on average over the networks."""
    most = [max(run) for run in _sending(data, variant)["transmit_s"]]
    return float(np.mean(most)) / _measured_s(data, variant)


def fairness(data: StudyData, variant: str) -> float:
    """Return Jain's index of the times for which the nodes of a network sent."""
    return float(np.mean([jain(np.array(run)) for run in _sending(data, variant)["transmit_s"]]))


def _over(measure: Callable[[StudyData, str], float]) -> Measure:
    return lambda data, new, old: _ratio(measure(data, new), measure(data, old))


def _second(data: StudyData, new: str, old: str) -> float:
    """Return what a second repetition gains over what the first does."""
    three, two, one = (direct(data, name) for name in (new, old, "one-busy"))
    return _ratio(three - two, two - one)


MEASURES: Mapping[str, Measure] = {
    "far": _over(far),
    "far-periodic": _over(far_periodic),
    "texts": _over(texts),
    "frames": _over(frames),
    "air": _over(air),
    "direct": _over(direct),
    "direct-second": _second,
    "direct-delay": _over(direct_delay),
    "direct-smallest": _over(direct_smallest),
    "direct-air": _over(direct_air),
}
# What the page shows of every variant.
SHOWN: Mapping[str, Callable[[StudyData, str], float]] = {
    "near": near,
    "far": far,
    "direct": direct,
    "delay_s": delay,
    "frames": frames,
    "air": air,
    "worst_air": worst_air,
    "fairness": fairness,
}
# The same where all messages are direct.
SHOWN_DIRECT: Mapping[str, Callable[[StudyData, str], float]] = {
    "direct": direct,
    "direct_smallest": direct_smallest,
    "direct_delay_s": direct_delay,
    "direct_air_s": direct_air,
    "air": air,
    "worst_air": worst_air,
    "fairness": fairness,
}
