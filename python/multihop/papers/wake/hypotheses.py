"""What WAKE was to reach, as claims that look at measured values only."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from ...comparing.measures import Measure
from ...statistics.stats import Values, confidence
from ..spec import Claim, Data, Finding, Study, StudyData
from .fields import ABLATION, BELOW, DATAGRAMS, FAIRNESS, SETTLING, WITHOUT, Field
from .measures import DELAY, GOODPUT, SETTLED, SHARE, TIMES, values
from .setup import CASES, LOW, UDP, WAKE

AHEAD = "the interval of the paired difference to each leaves out zero"


def _is_better(measure: Measure, differences: Values) -> bool:
    """Tell whether paired differences say that the first is ahead: their mean's interval does."""
    gain = -differences if measure in TIMES else differences
    return bool(gain.mean() > confidence(gain)) if np.isfinite(gain).all() else False


def _ahead(data: StudyData, rows: Sequence[int], measure: Measure) -> Finding:
    own = values(data, WAKE, measure)[rows].ravel()
    rivals = {
        name: values(data, name, measure)[rows].ravel()
        for name in data.variants
        if name not in (WAKE, DATAGRAMS)
    }
    # Who delivers nothing has no delay.
    known = {name: found for name, found in rivals.items() if np.isfinite(found).all()}
    order = min if measure in TIMES else max
    best = order(known, key=lambda name: float(known[name].mean()))
    behind = [name for name, found in known.items() if not _is_better(measure, own - found)]
    unit = f" {measure.unit}" if measure.unit else ""
    text = (
        f"{own.mean() * measure.scale:.{measure.digits}f} against "
        f"{known[best].mean() * measure.scale:.{measure.digits}f}{unit} "
        f"({data.study.variants[best].title})"
    )
    return Finding(not behind, text)


def _at(data: StudyData, place: float) -> int:
    return int(np.flatnonzero(data.x == place)[0])


def ahead(field: Field, place: float, measure: Measure, note: str = "") -> Claim:
    """Claim that WAKE is ahead of every rival in one network."""

    def judge(data: Data) -> Finding:
        found = data.studies[field.study.name]
        return _ahead(found, [_at(found, place)], measure)

    text = f"{field.names[place]}: WAKE is ahead of every rival in {measure.name}"
    return Claim(text, AHEAD, judge, note)


def ahead_in_all(
    field: Field, places: Sequence[float], words: str, measure: Measure, note: str = ""
) -> Claim:
    """Claim that WAKE is ahead of every rival over several networks, as far as they were run."""

    def judge(data: Data) -> Finding:
        found = data.studies[field.study.name]
        return _ahead(found, [at for at, x in enumerate(found.x) if x in places], measure)

    return Claim(f"{words}: WAKE is ahead of every rival in {measure.name}", AHEAD, judge, note)


def beats_best_load(field: Field, place: float, search: Study, note: str = "") -> Claim:
    """Claim that WAKE delivers more than UDP at the load at which UDP delivers most."""

    def judge(data: Data) -> Finding:
        own, loads = data.studies[field.study.name], data.studies[search.name]
        goodput = own.mean(WAKE, GOODPUT.column)[_at(own, place)]
        at = _at(loads, place)
        by_load = {load: loads.mean(load, GOODPUT.column)[at] for load in loads.variants}
        best = max(by_load, key=lambda load: by_load[load])
        text = f"{goodput / 1e3:.0f} against {by_load[best] / 1e3:.0f} kbit/s (at {best} a flow)"
        return Finding(bool(goodput > by_load[best]), text)

    text = f"{field.names[place]}: WAKE delivers more than UDP at its best load"
    return Claim(text, "more, although no source can know that load", judge, note)


def as_early_as_udp(place: int, note: str = "") -> Claim:
    """Claim that WAKE's delay is at most 5 % above UDP's at a load that all bear."""

    def judge(data: Data) -> Finding:
        found = data.studies[LOW.name]
        own, udp = (found.mean(name, DELAY.column)[_at(found, place)] for name in (WAKE, UDP))
        return Finding(bool(own <= 1.05 * udp), f"{own * 1e3:.0f} against {udp * 1e3:.0f} ms")

    low = CASES[place - 1]
    text = f"{low.name}: at {low.low} kbit/s a flow, WAKE is at most 5 % slower than UDP"
    return Claim(text, "network delay at most 1.05 times UDP's", judge, note)


def _borne(data: StudyData) -> list[float]:
    """List the places at which UDP delivers 99 % of what is offered."""
    udp = data.flows.filter(variant=UDP).group_by("x").agg(pl.col("offered", "delivered").sum())
    return udp.filter(pl.col("delivered") >= 0.99 * pl.col("offered"))["x"].sort().to_list()


def as_early_below_the_knee(network: str, note: str = "") -> Claim:
    """Claim that WAKE's delay is at most 5 % above UDP's at every load that UDP bears."""

    def judge(data: Data) -> Finding:
        found = data.studies[BELOW.study.name]
        places = [x for x in _borne(found) if BELOW.names[x].startswith(f"{network},")]
        own, udp = (found.mean(name, DELAY.column) for name in (WAKE, UDP))
        excess = {BELOW.names[x]: float((own / udp)[_at(found, x)] - 1) for x in places}
        worst = max(excess, key=lambda name: excess[name])
        load = worst.partition(", ")[2]
        least, most = min(excess.values()), excess[worst]
        return Finding(most <= 0.05, f"{least:+.0%} to {most:+.0%}, most at {load} a flow")

    text = f"{network}: below the knee, WAKE is at most 5 % slower than UDP"
    expected = "at most 5 % more network delay at every load of which UDP delivers 99 %"
    return Claim(text, expected, judge, note)


def settles(place: float, note: str = "") -> Claim:
    """Claim that WAKE delivers 90 % of its steady goodput from a second on."""

    def judge(data: Data) -> Finding:
        found = data.studies[SETTLING.study.name]
        shares = values(found, WAKE, SETTLED)[_at(found, place)]
        return Finding(bool(shares.mean() >= 0.9), f"{shares.mean():.0%}")

    text = f"{SETTLING.names[place]}: WAKE has settled within a second"
    return Claim(text, "from 1 to 2 s at least 90 % of the goodput from 10 s on", judge, note)


def near_the_optimum(places: Sequence[float], words: str, note: str = "") -> Claim:
    """Claim that WAKE's flows get three quarters of what is proportionally fair."""

    def judge(data: Data) -> Finding:
        found = data.studies[FAIRNESS.study.name]
        rows = [at for at, x in enumerate(found.x) if x in places]
        logs = np.log(values(found, WAKE, SHARE)[rows])
        share = float(np.exp(logs.mean()))
        return Finding(share >= 0.75, f"{share:.0%}")

    text = f"{words}: WAKE's flows get 75 % of what is proportionally fair"
    return Claim(text, "the geometric mean over flows and networks", judge, note)


def pays(rule: str, place: str, note: str = "") -> Claim:
    """Claim that WAKE delivers less without one of its rules."""

    def judge(data: Data) -> Finding:
        found = data.studies[ABLATION.study.name]
        own, without = (values(found, name, GOODPUT)[at(found)] for name in (WAKE, rule))
        text = f"{own.mean() / 1e3:.1f} against {without.mean() / 1e3:.1f} kbit/s"
        return Finding(_is_better(GOODPUT, own - without), text)

    def at(found: StudyData) -> int:
        return _at(found, next(x for x, name in ABLATION.names.items() if name == place))

    text = f"{place}: WAKE delivers more than with {WITHOUT[rule][0]}"
    return Claim(text, "the interval of the paired difference leaves out zero", judge, note)
