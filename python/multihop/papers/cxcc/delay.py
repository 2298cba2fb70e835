"""What CXCC says of packet delays (figures 9 and 12)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..rules import STATED
from ..spec import Claim, Data, Finding, Study, StudyData
from .relations import DELAY, each, extremes, first, high, level, low, optimum, ratio
from .setup import BOTH_UDP, RFA, UDP

# "Four to six times higher", each within 25 %.
LEAST, MOST = 4 * (1 - STATED), 6 * (1 + STATED)
# "A just slightly too high packet injection rate", over the optimal load.
SLIGHTLY = 1.25
# "Small in comparison": at most this part.
SMALL = 0.5


def at_high_load(study: Study, note: str = "") -> Claim:
    """Claim that UDP's delay is four to six times that of CXCC+RFA at high load (CXCC 7.1)."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        ratios = [ratio(measured, DELAY, udp, RFA, high(measured)) for udp in BOTH_UDP]
        holds = all(LEAST <= value <= MOST for value in ratios)
        return Finding(holds, each(measured, BOTH_UDP, ratios))

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
        measured = data.studies[study.name]
        below, above = (
            [ratio(measured, DELAY, udp, RFA, where) for udp in BOTH_UDP]
            for where in (low(measured), high(measured))
        )
        alike = all(abs(value - 1) <= STATED for value in below)
        apart = all(abs(value - 1) > STATED for value in above)
        return Finding(alike and apart, each(measured, BOTH_UDP, below))

    return Claim(
        "at low load their network delays are alike, unlike at high load",
        f"a ratio of {1 - STATED:g} to {1 + STATED:g} at low load only",
        judge,
        note,
    )


def deteriorates(study: Study, note: str = "") -> Claim:
    """Claim that UDP's delay grows past the optimum.

    CXCC 7.1: "the performance deteriorates rapidly with regard to packet delay once the sender's
    rate exceeds the optimum. The degradation is eminent in all four topologies." The bound is that
    of the ratio to CXCC+RFA, whose delay grows as well.
    """

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        times = [
            level(measured, udp, DELAY, high(measured)) / level(measured, udp, DELAY, low(measured))
            for udp in BOTH_UDP
        ]
        return Finding(all(value >= LEAST for value in times), each(measured, BOTH_UDP, times))

    return Claim(
        "UDP's network delay deteriorates beyond the optimal load",
        f"at high load at least {LEAST:g} times that at low load",
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


def _growths(data: Data, studies: Mapping[str, Study]) -> dict[str, tuple[Growth, float]]:
    """Return where there is such an interval, by topology, with the optimal load."""
    measured = {name: data.studies[study.name] for name, study in studies.items()}
    found = {name: (_grows_first(m), optimum(m)[1]) for name, m in measured.items()}
    return {name: growth for name, growth in found.items() if growth[0].loads}


def grows_first(studies: Mapping[str, Study], note: str = "") -> Claim:
    """Claim that CXCC's delay grows before UDP's.

    CXCC 7.1: "In some cases there is a small interval of source rates in which CXCC's packet delay
    times already grow, while UDP is still able to maintain the very good values of an
    underutilized network."
    """

    def judge(data: Data) -> Finding:
        found = _growths(data, studies)
        texts = [f"{n}: {g.loads[0]:g} to {g.loads[-1]:g} kbit/s" for n, (g, _) in found.items()]
        small = all(g.loads[-1] - g.loads[0] <= load for g, load in found.values())
        return Finding(bool(found) and small, "; ".join(texts) or "nowhere")

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
        little = all(g.cxcc <= SMALL * g.udp for g, _ in found.values())
        return Finding(bool(found) and little, "; ".join(texts) or "no such interval")

    return Claim(
        "what CXCC+RFA loses there is small against UDP just past the optimal load",
        f"its network delay grows at most {SMALL} of what UDP's grows at {SLIGHTLY} times the "
        "optimal load",
        judge,
        note,
    )
