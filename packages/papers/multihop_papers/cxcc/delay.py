"""What CXCC says of packet delays (figures 9 and 12)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np

from multihop.reproducing.judging import (
    Compared,
    above,
    any_of,
    at_least,
    at_most,
    between,
    estimate,
    estimates,
    fact,
    finding,
    together,
)
from multihop.reproducing.rules import STATED
from multihop.reproducing.spec import Claim, Data, Finding, Study, StudyData
from multihop.statistics.stats import Mask

from .relations import DELAY, each, extremes, factors, first, high, level, low, optimum, ratio
from .setup import BOTH_UDP, RFA, UDP, VARIANTS

UDPS = [VARIANTS[variant].title for variant in BOTH_UDP]

# "Four to six times higher", each within 25 %.
LEAST, MOST = 4 * (1 - STATED), 6 * (1 + STATED)
# "A just slightly too high packet injection rate", over the optimal load.
SLIGHTLY = 1.25
# "Small in comparison": at most this part.
SMALL = 0.5


def _ratios(data: Data, study: Study, where: Callable[[StudyData], Mask]) -> list[float]:
    """Return both UDP curves' delays over CXCC+RFA's at some loads."""
    measured = data.studies[study.name]
    return [ratio(measured, DELAY, udp, RFA, where(measured)) for udp in BOTH_UDP]


def at_high_load(study: Study, note: str = "") -> Claim:
    """Claim that UDP's delay is four to six times that of CXCC+RFA at high load (CXCC 7.1)."""

    def judge(data: Data) -> Finding:
        named, ratios = factors(data, lambda part: _ratios(part, study, high), UDPS)
        compared = [between(one, LEAST, MOST, name) for one, name in named]
        return finding(each(data.studies[study.name], BOTH_UDP, ratios), compared)

    return Claim(
        "at high load UDP's network delay is 4 to 6 times CXCC+RFA's",
        f"a ratio of {LEAST:g} to {MOST:g}",
        judge,
        note,
    )


def at_low_load(study: Study, note: str = "") -> Claim:
    """Claim that delays are alike at low load, and only there.

    CXCC 7.1: "For data rates lower than the optimal sending rate, UDP and CXCC with RFA perform
    comparably well."
    """

    def judge(data: Data) -> Finding:
        named, values = factors(data, lambda part: _ratios(part, study, low), UDPS)
        beyond, _ = factors(data, lambda part: _ratios(part, study, high), UDPS)
        alike = [between(one, 1 - STATED, 1 + STATED, name) for one, name in named]
        apart = [above(one, 1 + STATED, f"{name} at high load") for one, name in beyond]
        return finding(each(data.studies[study.name], BOTH_UDP, values), alike + apart)

    return Claim(
        "at low load their network delays are alike, unlike at high load",
        f"a ratio of {1 - STATED:g} to {1 + STATED:g} at low load only",
        judge,
        note,
    )


def deteriorates(studies: Mapping[str, Study], note: str = "") -> Claim:
    """Claim that UDP's delay grows past the optimum, in each of some topologies.

    CXCC 7.1: "the performance deteriorates rapidly with regard to packet delay once the sender's
    rate exceeds the optimum. The degradation is eminent in all four topologies." The bound is that
    of the ratio to CXCC+RFA, whose delay grows as well.
    """

    def measure(data: Data) -> list[float]:
        found = [data.studies[study.name] for study in studies.values()]
        return [
            level(one, udp, DELAY, high(one)) / level(one, udp, DELAY, low(one))
            for one in found
            for udp in BOTH_UDP
        ]

    def judge(data: Data) -> Finding:
        names = [f"{udp}, {name}" for name in studies for udp in UDPS]
        named, times = factors(data, measure, names)
        text = "; ".join(
            f"{name} {one:.0f} and {other:.0f} times"
            for name, one, other in zip(studies, times[::2], times[1::2], strict=True)
        )
        return finding(text, [at_least(one, LEAST, name) for one, name in named])

    return Claim(
        "UDP's network delay deteriorates rapidly beyond the optimal load, in all four topologies",
        f"at high load at least {LEAST:g} times that at low load, with RTS/CTS and without",
        judge,
        note,
    )


class Growth(NamedTuple):
    """Loads in kbit/s at which CXCC's delay has grown and UDP's has not."""

    loads: list[float]
    # By which part of its own delay at low load CXCC's has grown there, at most.
    cxcc: float
    # The same of UDP's, just past the optimal load.
    udp: float


def _grows_first(data: StudyData) -> Growth:
    cxcc, udp = (data.mean(v, DELAY) / level(data, v, DELAY, low(data)) - 1 for v in (RFA, UDP))
    where = (cxcc > STATED) & (udp <= STATED)
    _, most = extremes(cxcc[where])
    return Growth(data.x[where].tolist(), most, first(data, udp, SLIGHTLY * optimum(data)[1]))


def _grown(data: Data, study: Study) -> list[Compared]:
    """Compare at each load: CXCC's delay has grown over that at low load, and UDP's has not."""
    size = len(data.studies[study.name].x)

    def measure(part: Data) -> list[float]:
        found = part.studies[study.name]
        return [
            float(value)
            for name in (RFA, UDP)
            for value in found.mean(name, DELAY) / level(found, name, DELAY, low(found))
        ]

    found = estimates(data, measure, log=True)
    return [
        together((above(found[at], 1 + STATED), at_most(found[size + at], 1 + STATED)))
        for at in range(size)
    ]


def _somewhere(data: Data, studies: Mapping[str, Study]) -> Compared:
    """Compare: at some load in some topology only CXCC's delay has grown."""
    return any_of(one for study in studies.values() for one in _grown(data, study))


def _growths(data: Data, studies: Mapping[str, Study]) -> dict[str, tuple[Growth, float]]:
    """Return where there is such an interval, by topology, with the optimal load."""
    measured = {name: data.studies[study.name] for name, study in studies.items()}
    found = {name: (_grows_first(m), optimum(m)[1]) for name, m in measured.items()}
    return {name: growth for name, growth in found.items() if growth[0].loads}


def _cost(study: Study, growth: Growth, data: Data) -> float:
    """Return CXCC's growth over UDP's just past the optimal load, at the loads of a growth."""
    found = data.studies[study.name]
    cxcc, udp = (found.mean(v, DELAY) / level(found, v, DELAY, low(found)) - 1 for v in (RFA, UDP))
    most = float(cxcc[np.isin(found.x, growth.loads)].max())
    return most / first(found, udp, SLIGHTLY * optimum(found)[1])


def grows_first(studies: Mapping[str, Study], note: str = "") -> Claim:
    """Claim that CXCC's delay grows before UDP's.

    CXCC 7.1: "In some cases there is a small interval of source rates in which CXCC's packet delay
    times already grow, while UDP is still able to maintain the very good values of an
    underutilized network."
    """

    def judge(data: Data) -> Finding:
        found = _growths(data, studies)
        texts = [f"{n}: {g.loads[0]:g} to {g.loads[-1]:g} kbit/s" for n, (g, _) in found.items()]
        small = [at_most(fact(g.loads[-1] - g.loads[0]), load) for g, load in found.values()]
        return finding("; ".join(texts) or "nowhere", [_somewhere(data, studies), *small])

    return Claim(
        "in some cases CXCC+RFA's network delay already grows in a small interval where UDP's does "
        "not",
        f"by more than {STATED:.0%} against at most that, in one topology or more; "
        "no wider than the optimal load",
        judge,
        note,
    )


def grows_little(studies: Mapping[str, Study], note: str = "") -> Claim:
    """Claim that this costs little.

    CXCC 7.1: "the losses are small in comparison to those that result from a just slightly too
    high packet injection rate, as can be seen from the UDP results".
    """

    def judge(data: Data) -> Finding:
        found = _growths(data, studies)
        texts = [f"{n}: {g.cxcc:+.0%} against {g.udp:+.0%}" for n, (g, _) in found.items()]
        little = [
            at_most(estimate(data, partial(_cost, studies[name], growth)), SMALL, name)
            for name, (growth, _) in found.items()
        ]
        if not found:
            return finding("no such interval", [_somewhere(data, studies)])
        return finding("; ".join(texts), little)

    return Claim(
        "what CXCC+RFA loses there is small against UDP just past the optimal load",
        f"its network delay grows at most {SMALL} of what UDP's grows at {SLIGHTLY} times the "
        "optimal load",
        judge,
        note,
    )
