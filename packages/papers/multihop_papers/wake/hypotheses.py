"""What WAKE was to reach, as claims that look at measured values only.

Runs with the same seed are pairs. Where networks are drawn at random, what is paired are the means
of the runs in each network, and intervals are over the networks.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from multihop.comparing.measures import Measure
from multihop.reproducing.judging import (
    Compared,
    Estimate,
    above,
    at_least,
    at_most,
    difference,
    estimate,
    finding,
    mean,
    ratio,
)
from multihop.reproducing.spec import Claim, Data, Finding, Study, StudyData
from multihop.statistics.stats import Values

from .fields import ABLATION, BELOW, DATAGRAMS, FAIRNESS, SETTLING, WITHOUT, Field
from .measures import DELAY, GOODPUT, SETTLED, SHARE, TIMES, values
from .setup import CASES, LOW, UDP, WAKE

AHEAD = "the interval of the paired difference to each leaves out zero"
# How much slower than UDP it may be.
SLOWER = 1.05
SETTLES = 0.9
FAIRLY = 0.75


def _better(measure: Measure, own: Values, other: Values, name: str) -> Compared:
    """Compare paired values: the first are ahead on the mean."""
    gain = other - own if measure in TIMES else own - other
    unit = f", {measure.unit}" if measure.unit else ""
    lead = difference(gain * measure.scale, np.zeros_like(gain))
    return above(lead, 0, f"the lead over {name}{unit}")


def _units(data: StudyData, name: str, measure: Measure, rows: Sequence[int]) -> Values:
    """Return a measure by seed in one network; of several networks, the mean of each."""
    found = values(data, name, measure)[rows]
    units: Values = found[0] if len(rows) == 1 else found.mean(axis=1)
    return units


def _ahead(data: StudyData, rows: Sequence[int], measure: Measure) -> Finding:
    own = _units(data, WAKE, measure, rows)
    rivals = {
        name: _units(data, name, measure, rows)
        for name in data.variants
        if name not in (WAKE, DATAGRAMS)
    }
    # Who delivers nothing has no delay.
    known = {name: found for name, found in rivals.items() if np.isfinite(found).all()}
    order = min if measure in TIMES else max
    best = order(known, key=lambda name: float(known[name].mean()))
    unit = f" {measure.unit}" if measure.unit else ""
    text = (
        f"{own.mean() * measure.scale:.{measure.digits}f} against "
        f"{known[best].mean() * measure.scale:.{measure.digits}f}{unit} "
        f"({data.study.variants[best].title})"
    )
    if not np.isfinite(own).all():
        return Finding(False, text)
    leads = [
        _better(measure, own, found, data.study.variants[name].title)
        for name, found in known.items()
    ]
    return finding(text, leads)


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

    def goodputs(data: Data) -> tuple[float, float, str]:
        """Return WAKE's goodput, UDP's best, and the load of that, in bit/s."""
        own, loads = data.studies[field.study.name], data.studies[search.name]
        goodput = float(own.mean(WAKE, GOODPUT.column)[_at(own, place)])
        at = _at(loads, place)
        by_load = {load: float(loads.mean(load, GOODPUT.column)[at]) for load in loads.variants}
        best = max(by_load, key=lambda load: by_load[load])
        return goodput, by_load[best], best

    def over(data: Data) -> float:
        own, best, _ = goodputs(data)
        return own / best

    def judge(data: Data) -> Finding:
        own, best, load = goodputs(data)
        text = f"{own / 1e3:.0f} against {best / 1e3:.0f} kbit/s (at {load} a flow)"
        return finding(text, [above(estimate(data, over, log=True), 1, "their ratio")])

    text = f"{field.names[place]}: WAKE delivers more than UDP at its best load"
    return Claim(text, "more, although no source can know that load", judge, note)


def as_early_as_udp(place: int, note: str = "") -> Claim:
    """Claim that WAKE's delay is at most 5 % above UDP's at a load that all bear."""

    def judge(data: Data) -> Finding:
        found = data.studies[LOW.name]
        own, udp = (found.values(name, DELAY.column)[_at(found, place)] for name in (WAKE, UDP))
        text = f"{own.mean() * 1e3:.0f} against {udp.mean() * 1e3:.0f} ms"
        return finding(text, [at_most(ratio(own, udp), SLOWER, "their ratio")])

    low = CASES[place - 1]
    text = f"{low.name}: at {low.low} kbit/s a flow, WAKE is at most 5 % slower than UDP"
    return Claim(text, f"network delay at most {SLOWER:g} times UDP's", judge, note)


def _borne(data: StudyData) -> list[float]:
    """List the places at which UDP delivers 99 % of what is offered."""
    udp = data.flows.filter(variant=UDP).group_by("x").agg(pl.col("offered", "delivered").sum())
    return udp.filter(pl.col("delivered") >= 0.99 * pl.col("offered"))["x"].sort().to_list()


def as_early_below_the_knee(network: str, note: str = "") -> Claim:
    """Claim that WAKE's delay is at most 5 % above UDP's at every load that UDP bears."""

    def judge(data: Data) -> Finding:
        found = data.studies[BELOW.study.name]
        places = [x for x in _borne(found) if BELOW.names[x].startswith(f"{network},")]
        rows = [
            [found.values(name, DELAY.column)[_at(found, x)] for name in (WAKE, UDP)]
            for x in places
        ]
        excess = {
            BELOW.names[x].partition(", ")[2]: ratio(own, udp)
            for x, (own, udp) in zip(places, rows, strict=True)
        }
        if not excess:
            return Finding(False, "UDP delivers 99 % at no load")
        worst = max(excess, key=lambda load: excess[load].value)
        least = min(one.value for one in excess.values()) - 1
        text = f"{least:+.0%} to {excess[worst].value - 1:+.0%}, most at {worst} a flow"
        compared = [at_most(one, SLOWER, f"the ratio at {load}") for load, one in excess.items()]
        return finding(text, compared)

    text = f"{network}: below the knee, WAKE is at most 5 % slower than UDP"
    expected = "at most 5 % more network delay at every load of which UDP delivers 99 %"
    return Claim(text, expected, judge, note)


def settles(place: float, note: str = "") -> Claim:
    """Claim that WAKE delivers 90 % of its steady goodput from a second on."""

    def judge(data: Data) -> Finding:
        found = data.studies[SETTLING.study.name]
        shares = values(found, WAKE, SETTLED)[_at(found, place)]
        return finding(f"{shares.mean():.0%}", [at_least(mean(shares), SETTLES, "the share")])

    text = f"{SETTLING.names[place]}: WAKE has settled within a second"
    return Claim(text, "from 1 to 2 s at least 90 % of the goodput from 10 s on", judge, note)


def near_the_optimum(places: Sequence[float], words: str, note: str = "") -> Claim:
    """Claim that WAKE's flows get three quarters of what is proportionally fair."""

    def judge(data: Data) -> Finding:
        found = data.studies[FAIRNESS.study.name]
        rows = [at for at, x in enumerate(found.x) if x in places]
        logs = mean(np.log(values(found, WAKE, SHARE)[rows]).mean(axis=1))
        share = Estimate(*(float(np.exp(end)) for end in logs))
        return finding(f"{share.value:.0%}", [at_least(share, FAIRLY, "the share")])

    text = f"{words}: WAKE's flows get 75 % of what is proportionally fair"
    return Claim(text, "the geometric mean over flows and networks", judge, note)


def pays(rule: str, place: str, note: str = "") -> Claim:
    """Claim that WAKE delivers less without one of its rules."""

    def judge(data: Data) -> Finding:
        found = data.studies[ABLATION.study.name]
        own, without = (values(found, name, GOODPUT)[at(found)] for name in (WAKE, rule))
        text = f"{own.mean() / 1e3:.1f} against {without.mean() / 1e3:.1f} kbit/s"
        return finding(text, [_better(GOODPUT, own, without, WITHOUT[rule][0])])

    def at(found: StudyData) -> int:
        return _at(found, next(x for x, name in ABLATION.names.items() if name == place))

    text = f"{place}: WAKE delivers more than with {WITHOUT[rule][0]}"
    return Claim(text, "the interval of the paired difference leaves out zero", judge, note)
