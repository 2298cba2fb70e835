"""What CXCC says of overheads and retransmissions (figures 4, 10 and 13)."""

from __future__ import annotations

from collections.abc import Mapping

from multihop.reproducing.judging import (
    Estimate,
    above,
    any_of,
    at_least,
    at_most,
    below,
    estimate,
    finding,
    ratio as ratio_of,
    together,
)
from multihop.reproducing.rules import STATED
from multihop.reproducing.spec import Claim, Data, Finding, Study, StudyData

from .relations import (
    ALMOST_ALL,
    MOSTLY,
    OVERHEAD,
    axis,
    by_load,
    each,
    factors,
    high,
    level,
    ratio,
    titles,
)
from .setup import BASIC, BOTH_UDP, RFA

EARLY = "retransmissions_early_timeout"
LOST_DATA = "retransmissions_lost_data"
LOST_ACKNOWLEDGMENT = "retransmissions_lost_acknowledgment"


def _reasons(data: StudyData) -> tuple[float, float, float]:
    """Return basic CXCC's retransmissions a run at high load: early, data lost, ACK lost."""
    early, lost_data, lost_acknowledgment = (
        level(data, BASIC, column, high(data)) for column in (EARLY, LOST_DATA, LOST_ACKNOWLEDGMENT)
    )
    return early, lost_data, lost_acknowledgment


def _early(data: Data, study: Study) -> float:
    """Return the part of basic CXCC's retransmissions that are needless, at high load."""
    early, lost_data, lost_acknowledgment = _reasons(data.studies[study.name])
    return early / (early + lost_data + lost_acknowledgment)


def early_elsewhere(studies: Mapping[str, Study], note: str = "") -> Claim:
    """Claim that "results from other topologies [...] point in the same direction" (CXCC 5.2)."""

    def judge(data: Data) -> Finding:
        found = {
            name: estimate(data, lambda part, study=study: _early(part, study))  # type: ignore[misc]
            for name, study in studies.items()
        }
        text = ", ".join(f"{name} {one.value:.0%}" for name, one in found.items())
        return finding(text, [above(one, MOSTLY, name) for name, one in found.items()])

    return Claim(
        "in other topologies early timeouts outnumber the two other reasons, too",
        "more than half of the retransmissions at high load, in each",
        judge,
        note,
    )


def early_timeouts_prevail(study: Study, note: str = "") -> Claim:
    """Claim that most retransmissions are needless.

    CXCC 5.2: they "clearly outnumber the other two situations. Results from other topologies [...]
    point in the same direction."
    """

    def judge(data: Data) -> Finding:
        early, lost_data, lost_acknowledgment = _reasons(data.studies[study.name])
        share = early / (early + lost_data + lost_acknowledgment)
        text = (
            f"{share:.0%} early timeouts; "
            f"{early:.0f} against {lost_data:.0f} + {lost_acknowledgment:.0f} a run"
        )
        found = estimate(data, lambda part: _early(part, study))
        return finding(text, [above(found, MOSTLY, "the share")])

    return Claim(
        "early timeouts outnumber lost data and lost implicit ACKs together",
        "more than half of the retransmissions at high load",
        judge,
        note,
    )


def data_is_seldom_lost(study: Study, note: str = "") -> Claim:
    """Claim that RFA's extra handshake is seldom needed.

    CXCC 5.2: "Because of the additional RFA-NACK-handshake the overhead in this case is actually
    higher [...]. However, as the previously stated simulations indicate, this occurs rather
    seldom."
    """

    def measure(data: Data) -> float:
        early, lost_data, lost_acknowledgment = _reasons(data.studies[study.name])
        return lost_data / (early + lost_data + lost_acknowledgment)

    def judge(data: Data) -> Finding:
        found = estimate(data, measure)
        return finding(f"{found.value:.0%} of the retransmissions", [below(found, STATED)])

    return Claim(
        "data is lost rather seldom",
        f"less than {STATED:.0%} of the retransmissions at high load",
        judge,
        note,
    )


def lowest_overhead(study: Study, note: str = "") -> Claim:
    """Claim that CXCC+RFA needs the fewest bytes at almost all loads (CXCC 7.1)."""

    def judge(data: Data) -> Finding:
        found, without = (_lowest_share(data, study, column) for column in (OVERHEAD, "overhead"))
        text = f"on {found.value:.0%} of it; {without.value:.0%} if preambles do not count"
        return finding(text, [at_least(found, ALMOST_ALL, "the share")])

    return Claim(
        "CXCC+RFA has the lowest overhead at almost all loads",
        f"on {ALMOST_ALL:.0%} of the axis of loads",
        judge,
        note,
    )


def _lowest_share(data: Data, study: Study, column: str) -> Estimate:
    """Return the part of the axis where CXCC+RFA is below UDP and not above basic CXCC.

    The two are the same where nothing is lost.
    """
    measured = data.studies[study.name]
    rows, basic = (measured.values(variant, column) for variant in (RFA, BASIC))
    alike = [at_most(ratio_of(one, other), 1) for one, other in zip(rows, basic, strict=True)]
    pairs = zip(by_load(data, study, RFA, BOTH_UDP, column), alike, strict=True)
    return axis(measured, [together(pair) for pair in pairs])


def largely_below_udp(study: Study, note: str = "") -> Claim:
    """Claim that CXCC+RFA needs far fewer bytes than UDP.

    CXCC 7.1: "again CXCC outperforms standard 802.11 packet forwarding with UDP largely at almost
    all source data rates".
    """

    def judge(data: Data) -> Finding:
        compared = by_load(data, study, RFA, BOTH_UDP, OVERHEAD, 1 - STATED)
        found = axis(data.studies[study.name], compared)
        return finding(f"on {found.value:.0%} of it", [at_least(found, ALMOST_ALL, "the share")])

    return Claim(
        "CXCC+RFA outperforms UDP largely at almost all loads",
        f"at least {STATED:.0%} below the better UDP curve on {ALMOST_ALL:.0%} of the axis",
        judge,
        note,
    )


def basic_near_udp(study: Study, note: str = "") -> Claim:
    """Claim that retransmissions bring basic CXCC's overhead near UDP's at high load (CXCC 7.1)."""
    others = (*BOTH_UDP, RFA)

    def measure(data: Data) -> list[float]:
        measured = data.studies[study.name]
        return [ratio(measured, OVERHEAD, BASIC, v, high(measured)) for v in others]

    def judge(data: Data) -> Finding:
        named, values = factors(data, measure, titles(study, others))
        *udp, (own, _) = named
        # Between the two UDP curves is near as well.
        near = [
            any_of(at_least(one, 1 - STATED, name) for one, name in udp),
            any_of(at_most(one, 1 + STATED, name) for one, name in udp),
        ]
        text = f"over {each(data.studies[study.name], others, values)}"
        return finding(text, [*near, above(own, 1, "CXCC+RFA")])

    return Claim(
        "retransmissions bring basic CXCC's overhead near UDP's at high load",
        f"a ratio of {1 - STATED:g} to {1 + STATED:g} to a UDP curve, or between them; "
        "above CXCC+RFA's",
        judge,
        note,
    )
