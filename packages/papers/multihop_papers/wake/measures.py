"""What is measured of WAKE and its rivals: in every network, values of a measure by seed."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
import polars as pl

from multihop.comparing import measures
from multihop.comparing.measures import Measure
from multihop.reproducing.spec import Data, Study, StudyData
from multihop.statistics.stats import Values, confidence, sliding_mean

from ..cxcc.streams import transfers
from . import paced
from .fields import (
    INTERVAL_S,
    JOINS_S,
    LEAVES_S,
    MANY,
    TRANSFER_ENDS_S,
)

GOODPUT, DELAY = measures.GOODPUT, measures.NETWORK_DELAY
END_TO_END = measures.END_TO_END_DELAY
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
# Of the transfers of a run; one that is not complete when the run ends counts as if it were then.
COMPLETE = Measure("complete", "mean time to complete", "s", 1, 2)
SLOWEST = Measure("slowest", "time in which nine of ten are complete", "s", 1, 1)
# Until a flow that joins has 90 % of an equal part of what both get while both are there, and until
# it has 90 % of what the other had alone, once the last packet of that one has been delivered: for
# the first time, over SPAN_S. All the time if it never does.
JOINED = Measure("joined", "time until the newcomer has its share", "s", 1, 1)
TAKEN = Measure("taken", "time until who stays has taken over", "s", 1, 1)
# While both are there.
SHARED = Measure("shared", "smallest flow of the two", "kbit/s", 1e-3, 1)
SPAN_S = 2.0
ENOUGH = 0.9
TIMES = (DELAY, COMPLETE, SLOWEST, JOINED, TAKEN)


def _of_flows(data: StudyData, variant: str, value: pl.Expr) -> Values:
    flows = data.flows.filter(variant=variant)
    found = flows.group_by("x", "seed").agg(value.alias("value")).sort("x", "seed")["value"]
    return found.to_numpy().reshape(len(data.x), -1)


def _shares(data: StudyData, variant: str) -> Values:
    own_place = data.study.name == paced.STUDY.name
    networks = {float(x): paced.PACES[float(x)].network if own_place else float(x) for x in data.x}
    best = [
        (place, flow, rate)
        for place, network in networks.items()
        for flow, rate in enumerate(paced.optimum(network))
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


def _complete(data: StudyData, variant: str, of_run: pl.Expr) -> Values:
    """Return what is said of the durations of a run's transfers, which are the last flows of it."""
    many = data.study.name == MANY.study.name
    found = transfers(data, variant) if many else transfers(data, variant, TRANSFER_ENDS_S)
    if not many:
        found = found.filter(pl.col("flow") == pl.col("flow").max().over("x", "seed"))
    by_run = found.group_by("x", "seed").agg(of_run.alias("value")).sort("x", "seed")["value"]
    return by_run.to_numpy().reshape(len(data.x), -1)


def _index(time_s: float) -> int:
    return round(time_s / INTERVAL_S)


def _rates(data: StudyData, variant: str) -> list[Values]:
    """Return what is delivered in each interval, in bit/s: by network; by seed, flow, interval."""
    return [
        data.delivered_bytes(variant, float(place), INTERVAL_S) * 8 / INTERVAL_S for place in data.x
    ]


def _after(own: Values, least: Values) -> Values:
    """Return when a flow first has at least so much over `SPAN_S`, in s: a number a seed."""
    spans = sliding_mean(own, _index(SPAN_S))
    there = (spans >= least[:, None]) & (spans > 0)
    # At the end of the span.
    first = there.argmax(axis=1) * INTERVAL_S + SPAN_S
    found: Values = np.where(there.any(axis=1), first, own.shape[1] * INTERVAL_S)
    return found


def _joined(data: StudyData, variant: str) -> Values:
    both = [rates[:, :, _index(JOINS_S) : _index(LEAVES_S)] for rates in _rates(data, variant)]
    return np.array([_after(one[:, 1], ENOUGH * one.mean(axis=(1, 2))) for one in both])


def _taken(data: StudyData, variant: str) -> Values:
    found = []
    for rates in _rates(data, variant):
        alone = rates[:, 0, _index(JOINS_S / 2) : _index(JOINS_S)].mean(axis=1)
        gone = rates.shape[2] - (rates[:, 0, ::-1] > 0).argmax(axis=1)
        found.append(
            [
                float(_after(rates[run : run + 1, 1, last:], ENOUGH * alone[run : run + 1])[0])
                for run, last in enumerate(np.maximum(gone, _index(LEAVES_S)))
            ]
        )
    return np.array(found)


def _shared(data: StudyData, variant: str) -> Values:
    both = [rates[:, :, _index(JOINS_S) : _index(LEAVES_S)] for rates in _rates(data, variant)]
    return np.array([one.mean(axis=2).min(axis=1) for one in both])


_OVER_TIME = {JOINED: _joined, TAKEN: _taken, SHARED: _shared}


# What was found of a study, by scheme and measure: every claim asks for it.
_FOUND: WeakKeyDictionary[StudyData, dict[tuple[str, Measure], Values]] = WeakKeyDictionary()


def values(data: StudyData, variant: str, measure: Measure) -> Values:
    """Return a measure of a scheme: a row for each network, an entry for each seed."""
    known = _FOUND.setdefault(data, {})
    if (variant, measure) not in known:
        known[variant, measure] = _values(data, variant, measure)
    return known[variant, measure]


def _values(data: StudyData, variant: str, measure: Measure) -> Values:
    if measure in _OVER_TIME:
        return _OVER_TIME[measure](data, variant)
    if measure is COMPLETE:
        return _complete(data, variant, pl.mean("duration_s"))
    if measure is SLOWEST:
        return _complete(data, variant, pl.quantile("duration_s", ENOUGH))
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
