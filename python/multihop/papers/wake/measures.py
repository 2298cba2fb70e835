"""What is measured of WAKE and its rivals, and who is ahead."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from ...comparison import MEASURES, Measure
from ...stats import Values, confidence
from ..spec import Claim, Data, Finding, Study, StudyData
from .setup import BEST, CASES, LOW, OVERLOAD, RANDOM, UDP, WAKE

GOODPUT, DELAY, _ = MEASURES
SMALLEST = Measure("smallest", "smallest flow", "kbit/s", 1e-3, 1)
# What a flow counts as that gets nothing, in kbit/s.
LEAST = 0.1
FAIR = Measure("fair", "sum of log goodput", "", 1, 2)


def _of_flows(data: StudyData, variant: str, value: pl.Expr) -> Values:
    flows = data.flows.filter(variant=variant)
    found = flows.group_by("x", "seed").agg(value.alias("value")).sort("x", "seed")["value"]
    return found.to_numpy().reshape(len(data.x), -1)


def values(data: StudyData, variant: str, measure: Measure) -> Values:
    """Return a measure of a scheme: a row for each network, an entry for each seed."""
    goodput = pl.col("goodput_bit_s")
    if measure is SMALLEST:
        return _of_flows(data, variant, goodput.min())
    if measure is FAIR:
        return _of_flows(data, variant, (goodput * 1e-3).clip(lower_bound=LEAST).log().sum())
    return data.values(variant, measure.column)


def _is_better(measure: Measure, differences: Values) -> bool:
    """Tell whether paired differences say that the first is ahead: their mean's interval does."""
    gain = -differences if measure is DELAY else differences
    return bool(gain.mean() > confidence(gain)) if np.isfinite(gain).all() else False


def _ahead(data: StudyData, rows: Sequence[int], measure: Measure) -> Finding:
    own = values(data, WAKE, measure)[rows].ravel()
    rivals = {
        name: values(data, name, measure)[rows].ravel() for name in data.variants if name != WAKE
    }
    # Who delivers nothing has no delay.
    known = {name: found for name, found in rivals.items() if np.isfinite(found).all()}
    order = min if measure is DELAY else max
    best = order(known, key=lambda name: float(known[name].mean()))
    behind = [name for name, found in known.items() if not _is_better(measure, own - found)]
    unit = f" {measure.unit}" if measure.unit else ""
    text = (
        f"{own.mean() * measure.scale:.{measure.digits}f} against "
        f"{known[best].mean() * measure.scale:.{measure.digits}f}{unit} "
        f"({data.study.variants[best].title})"
    )
    return Finding(not behind, text)


def _at(data: StudyData, place: int) -> int:
    return int(np.flatnonzero(data.x == place)[0])


def ahead(place: int, measure: Measure, note: str = "") -> Claim:
    """Claim that WAKE is ahead of every rival at overload in one network."""

    def judge(data: Data) -> Finding:
        found = data.studies[OVERLOAD.name]
        return _ahead(found, [_at(found, place)], measure)

    text = f"{CASES[place - 1].name}: WAKE is ahead of every rival in {measure.name}"
    return Claim(text, "the interval of the paired difference to each leaves out zero", judge, note)


def beats_best_load(place: int, note: str = "") -> Claim:
    """Claim that WAKE delivers more than UDP at the load at which UDP delivers most."""

    def judge(data: Data) -> Finding:
        own, search = data.studies[OVERLOAD.name], data.studies[BEST.name]
        goodput = own.mean(WAKE, GOODPUT.column)[_at(own, place)]
        at = _at(search, place)
        loads = {load: search.mean(load, GOODPUT.column)[at] for load in search.variants}
        best = max(loads, key=lambda load: loads[load])
        text = f"{goodput / 1e3:.0f} against {loads[best] / 1e3:.0f} kbit/s (at {best} a flow)"
        return Finding(bool(goodput > loads[best]), text)

    text = f"{CASES[place - 1].name}: WAKE delivers more than UDP at its best load"
    return Claim(text, "more, although no source can know that load", judge, note)


def as_early_as_udp(place: int, note: str = "") -> Claim:
    """Claim that WAKE's delay is at most 5 % above UDP's at a load that all bear."""

    def judge(data: Data) -> Finding:
        found = data.studies[LOW.name]
        own, udp = (found.mean(name, DELAY.column)[_at(found, place)] for name in (WAKE, UDP))
        return Finding(bool(own <= 1.05 * udp), f"{own * 1e3:.0f} against {udp * 1e3:.0f} ms")

    low = CASES[place - 1]
    text = f"{low.name}: at {low.low} kbit/s a flow, WAKE is at most 5 % slower than UDP"
    return Claim(text, "delay at most 1.05 times UDP's", judge, note)


def ahead_in_all(measure: Measure, note: str = "") -> Claim:
    """Claim that WAKE is ahead of every rival over all random networks."""

    def judge(data: Data) -> Finding:
        found = data.studies[RANDOM.name]
        return _ahead(found, range(len(found.x)), measure)

    text = f"random networks: WAKE is ahead of every rival in {measure.name}"
    return Claim(text, "the interval of the paired difference to each leaves out zero", judge, note)


def summary(data: Data, study: Study, measure: Measure) -> dict[str, tuple[Values, Values]]:
    """Return the mean of each scheme and half its 95 % confidence interval, by network."""
    found = data.studies[study.name]
    summaries = {}
    for name in found.variants:
        rows = [row[np.isfinite(row)] for row in values(found, name, measure) * measure.scale]
        mean = np.array([row.mean() if len(row) else np.nan for row in rows])
        summaries[name] = (mean, np.array([confidence(row) for row in rows]))
    return summaries
