"""What WAKE was to reach, as claims that look at measured values only.

Runs with the same seed are pairs. Where networks are drawn at random, what is paired are the means
of the runs in each network, and intervals are over the networks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import polars as pl

from multihop.comparing.measures import Measure
from multihop.reproducing.judging import (
    Compared,
    Estimate,
    above,
    any_of,
    at_least,
    at_most,
    difference,
    estimate,
    finding,
    mean,
    ratio,
    together,
)
from multihop.reproducing.spec import Claim, Data, Finding, Study, StudyData
from multihop.statistics.stats import Values

from . import paced
from .fields import BELOW, DATAGRAMS, FAIRNESS, NO_FIRSTS, SETTLING, Field
from .measures import COMPLETE, DELAY, END_TO_END, GOODPUT, SETTLED, SHARE, TIMES, values
from .setup import CASES, LOW, SPACED, UDP, WAKE

AHEAD = "the interval of the paired difference to each leaves out zero"
# How much slower than UDP it may be.
SLOWER = 1.05
SETTLES = 0.9
# Of what paced sources get, over plain 802.11 and over a MAC without collisions.
ORACLES = {
    paced.PACED: ("paced sources get over plain 802.11", 0.95),
    paced.COLLISION_FREE: ("paced sources get without collisions", 0.7),
}
LEVEL = 0.95
# An interval of the series, in s.
LATER_S = 0.5
# WAKE itself, which is no rival of its own.
OWN = {WAKE, DATAGRAMS, NO_FIRSTS, *SPACED}


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


def _rivals(data: StudyData, rows: Sequence[int], measure: Measure) -> dict[str, Values]:
    """Return a measure of every rival that has it: who delivers nothing has no delay."""
    found = {name: _units(data, name, measure, rows) for name in data.variants if name not in OWN}
    return {name: units for name, units in found.items() if np.isfinite(units).all()}


def _ahead(data: StudyData, rows: Sequence[int], measure: Measure) -> Finding:
    own = _units(data, WAKE, measure, rows)
    known = _rivals(data, rows, measure)
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


def unbeaten(field: Field, place: float, note: str = "") -> Claim:
    """Claim that no rival has less network delay at the same goodput in one network.

    WAKE's spacing is a choice between the two: what counts is, for each rival, a spacing at which
    WAKE has more goodput and less delay.
    """

    def judge(data: Data) -> Finding:
        found = data.studies[field.study.name]
        rows = [_at(found, place)]
        own = [name for name in found.variants if name in (WAKE, *SPACED)]
        delays = _rivals(found, rows, DELAY)
        both = {name: (_units(found, name, GOODPUT, rows), delays[name]) for name in delays}
        mine = {name: [_units(found, name, m, rows) for m in (GOODPUT, DELAY)] for name in own}
        leads = {
            rival: any_of(
                together(
                    _better(m, ours, theirs, f"{_title(found, name)} over {_title(found, rival)}")
                    for m, ours, theirs in zip(
                        (GOODPUT, DELAY), mine[name], both[rival], strict=True
                    )
                )
                for name in own
            )
            for rival in both
        }
        soonest = min(delays, key=lambda name: float(delays[name].mean()))
        text = f"{_both(found, WAKE, rows)} against {_both(found, soonest, rows)}"
        return finding(f"{text} ({_title(found, soonest)})", leads.values())

    text = f"{field.names[place]}: no rival has less network delay at the same goodput"
    expected = (
        "for each rival WAKE has, at one of five spacings, surely more goodput and less delay"
    )
    return Claim(text, expected, judge, note)


def _title(data: StudyData, name: str) -> str:
    return data.study.variants[name].title


def _both(data: StudyData, name: str, rows: Sequence[int]) -> str:
    """Write goodput and both delays of a scheme."""
    goodput, delay, whole = (
        float(np.nanmean(_units(data, name, m, rows))) * m.scale
        for m in (GOODPUT, DELAY, END_TO_END)
    )
    return f"{goodput:.1f} kbit/s, {delay:.1f} ms ({whole:.0f} ms end to end)"


def _beside_every_rival(
    field: Field,
    place: float,
    measure: Measure,
    written: str,
    compare: Callable[[Values, Values, str], Compared],
) -> Callable[[Data], Finding]:
    """Return the judge that compares a time of WAKE's with each rival's, given the rival's title.

    Both times are written by the format `written`.
    """

    def judge(data: Data) -> Finding:
        found = data.studies[field.study.name]
        rows = [_at(found, place)]
        own, rivals = _units(found, WAKE, measure, rows), _rivals(found, rows, measure)
        best = min(rivals, key=lambda name: float(rivals[name].mean()))
        mine, theirs = (
            format(values.mean() * measure.scale, written) for values in (own, rivals[best])
        )
        text = f"{mine} against {theirs} {measure.unit} ({_title(found, best)})"
        compared = [compare(own, other, _title(found, name)) for name, other in rivals.items()]
        return finding(text, compared)

    return judge


def near_the_best(field: Field, place: float, measure: Measure, note: str = "") -> Claim:
    """Claim that a time of WAKE's is at most 5 % longer than any rival's."""

    def compare(own: Values, other: Values, title: str) -> Compared:
        return at_most(ratio(own, other), SLOWER, f"the ratio to {title}")

    judge = _beside_every_rival(field, place, measure, ".4g", compare)
    text = f"{field.names[place]}: WAKE is at most 5 % behind every rival in {measure.name}"
    return Claim(text, f"at most {SLOWER:g} times that of each", judge, note)


def level_with(field: Field, place: float, measure: Measure, rival: str, note: str = "") -> Claim:
    """Claim that WAKE has at least 95 % of what a rival has."""

    def judge(data: Data) -> Finding:
        found = data.studies[field.study.name]
        own, other = (_units(found, name, measure, [_at(found, place)]) for name in (WAKE, rival))
        text = (
            f"{own.mean() * measure.scale:.{measure.digits}f} against "
            f"{other.mean() * measure.scale:.{measure.digits}f} {measure.unit}"
        )
        return finding(text, [at_least(ratio(own, other), LEVEL, "their ratio")])

    title = field.study.variants[rival].title
    text = f"{field.names[place]}: WAKE is level with {title} in {measure.name}"
    return Claim(text, f"at least {LEVEL:g} times {title}'s", judge, note)


def hardly_later(field: Field, place: float, measure: Measure, note: str = "") -> Claim:
    """Claim that a time of WAKE's is longer than any rival's by the resolution at most."""

    def compare(own: Values, other: Values, title: str) -> Compared:
        return at_most(difference(own, other), LATER_S, f"what it is later than {title}, s")

    judge = _beside_every_rival(field, place, measure, ".1f", compare)
    text = (
        f"{field.names[place]}: WAKE is at most {LATER_S:g} s behind every rival in {measure.name}"
    )
    return Claim(text, "the series has an interval of so much", judge, note)


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


def near_the_oracle(oracle: str, places: Sequence[float], words: str, note: str = "") -> Claim:
    """Claim that WAKE's flows get a share of what the sources of an oracle get."""
    said, least = ORACLES[oracle]

    def judge(data: Data) -> Finding:
        found, others = (data.studies[name] for name in (FAIRNESS.study.name, paced.STUDY.name))
        own, best = _logs(found, WAKE), _best(_logs(others, oracle))
        networks = [float(x) for x in found.x if x in places]
        logs = difference([own[x] for x in networks], [best[x] for x in networks])
        share = Estimate(*(float(np.exp(end)) for end in logs))
        of_optimum = (np.exp(np.mean([kind[x] for x in networks])) for kind in (own, best))
        shares = " against ".join(f"{one:.0%}" for one in of_optimum)
        text = f"{share.value:.0%}: {shares} of the optimum"
        return finding(text, [at_least(share, least, "the share")])

    text = f"{words}: WAKE's flows get {least:.0%} of what {said}".replace("%", " %")
    expected = (
        "geometric means over flows and networks; each network's best multiple of the fair rates"
    )
    return Claim(text, expected, judge, note)


def _logs(data: StudyData, variant: str) -> dict[float, float]:
    """Return the logarithm of the share of the optimum by place, the mean over the runs."""
    logs = np.log(values(data, variant, SHARE)).mean(axis=1)
    return dict(zip((float(x) for x in data.x), logs.tolist(), strict=True))


def _best(logs: Mapping[float, float]) -> dict[float, float]:
    """Return that of the best multiple by network."""
    best: dict[float, float] = {}
    for value, log in logs.items():
        network = paced.PACES[value].network
        best[network] = max(log, best.get(network, -np.inf))
    return best


# What is said of WAKE where it is ahead of itself without a rule.
PAYS = {
    GOODPUT: "WAKE delivers more than with",
    DELAY: "WAKE's packets take less time than with",
    COMPLETE: "WAKE's transfer takes less time than with",
}


def pays(
    field: Field, rule: str, title: str, place: str, measure: Measure = GOODPUT, note: str = ""
) -> Claim:
    """Claim that WAKE is behind without one of its rules."""

    def judge(data: Data) -> Finding:
        found = data.studies[field.study.name]
        own, without = (values(found, name, measure)[at(found)] for name in (WAKE, rule))
        one, other = (f"{each.mean() * measure.scale:.4g}" for each in (own, without))
        text = f"{one} against {other} {measure.unit}"
        return finding(text, [_better(measure, own, without, title)])

    def at(found: StudyData) -> int:
        return _at(found, next(x for x, name in field.names.items() if name == place))

    text = f"{place}: {PAYS[measure]} {title}"
    return Claim(text, "the interval of the paired difference leaves out zero", judge, note)
