"""What is measured of WAKE and its rivals: in every network, values of a measure by seed."""

from __future__ import annotations

from functools import cache

import numpy as np
import polars as pl

from ...capacity.bound import Region, assume
from ...capacity.fairness import Objective
from ...comparison import MEASURES, Measure
from ...scenario import Scenario
from ...stats import Values, confidence
from ..spec import Data, Study, StudyData
from .fields import FAIRNESS
from .setup import SMALL_WINDOW

GOODPUT, DELAY, _ = MEASURES
SMALLEST = Measure("smallest", "smallest flow", "kbit/s", 1e-3, 1)
# What a flow counts as that gets nothing, in kbit/s.
LEAST = 0.1
FAIR = Measure("fair", "sum of log goodput", "", 1, 2)
# Of what is proportionally fair, by flow: the geometric mean.
SHARE = Measure("share", "share of the fair optimum", "%", 100, 1)
# Of the steady goodput, in the second that begins a second after the sources.
SETTLED = Measure("settled", "share of the steady goodput after 1 s", "%", 100, 1)
# From then on goodput counts as steady, in s.
STEADY = 10


@cache
def optimum(place: float) -> tuple[float, ...]:
    """Return what is proportionally fair in a random network, in bit/s, by flow.

    It is what no scheme exceeds that has WAKE's frames and window and senses carriers, whatever the
    sources offer.
    """
    base = Scenario.from_file(FAIRNESS.study.base)
    scenario = base.with_(**{**FAIRNESS.study.settings, **FAIRNESS.study.at(place), **SMALL_WINDOW})
    region = Region.of(scenario, assume(model="carrier-sense"))
    return tuple(region.bound(Objective.PROPORTIONAL).flows["goodput_bit_s"])


def _of_flows(data: StudyData, variant: str, value: pl.Expr) -> Values:
    flows = data.flows.filter(variant=variant)
    found = flows.group_by("x", "seed").agg(value.alias("value")).sort("x", "seed")["value"]
    return found.to_numpy().reshape(len(data.x), -1)


def _shares(data: StudyData, variant: str) -> Values:
    best = [
        (place, flow, rate) for place in data.x for flow, rate in enumerate(optimum(float(place)))
    ]
    optima = pl.DataFrame(best, schema=("x", "flow", "optimum"), orient="row")
    flows = data.flows.filter(variant=variant).cast({"flow": pl.Int64})
    own = pl.col("goodput_bit_s").clip(lower_bound=LEAST * 1e3) / pl.col("optimum")
    found = flows.join(optima, on=("x", "flow")).group_by("x", "seed")
    shares = found.agg(own.log().mean().exp().alias("value")).sort("x", "seed")["value"]
    return shares.to_numpy().reshape(len(data.x), -1)


def _settled(data: StudyData, variant: str) -> Values:
    rows = []
    for place in data.x:
        delivered = data.delivered_bytes(variant, float(place), 1.0).sum(axis=1)
        steady = delivered[:, STEADY:].mean(axis=1)
        early = np.full(len(steady), np.nan)
        np.divide(delivered[:, 1], steady, out=early, where=steady > 0)
        rows.append(early)
    return np.array(rows)


def values(data: StudyData, variant: str, measure: Measure) -> Values:
    """Return a measure of a scheme: a row for each network, an entry for each seed."""
    goodput = pl.col("goodput_bit_s")
    if measure is SMALLEST:
        return _of_flows(data, variant, goodput.min())
    if measure is FAIR:
        return _of_flows(data, variant, (goodput * 1e-3).clip(lower_bound=LEAST).log().sum())
    if measure is SHARE:
        return _shares(data, variant)
    if measure is SETTLED:
        return _settled(data, variant)
    return data.values(variant, measure.column)


def summary(data: Data, study: Study, measure: Measure) -> dict[str, tuple[Values, Values]]:
    """Return the mean of each scheme and half its 95 % confidence interval, by network."""
    found = data.studies[study.name]
    summaries = {}
    for name in found.variants:
        rows = [row[np.isfinite(row)] for row in values(found, name, measure) * measure.scale]
        mean = np.array([row.mean() if len(row) else np.nan for row in rows])
        summaries[name] = (mean, np.array([confidence(row) for row in rows]))
    return summaries
