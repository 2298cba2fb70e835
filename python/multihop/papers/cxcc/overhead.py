"""What CXCC says of overheads and retransmissions (figures 4, 10 and 13)."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl

from ..rules import STATED
from ..spec import Claim, Data, Finding, Study, StudyData, Trace
from .relations import ALMOST_ALL, OVERHEAD, each, high, level, ratio, share_of_axis
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
        return Finding(bool(early > lost_data + lost_acknowledgment), text)

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

    def judge(data: Data) -> Finding:
        early, lost_data, lost_acknowledgment = _reasons(data.studies[study.name])
        share = lost_data / (early + lost_data + lost_acknowledgment)
        return Finding(share < STATED, f"{share:.0%} of the retransmissions")

    return Claim(
        "data is lost rather seldom",
        f"less than {STATED:.0%} of the retransmissions at high load",
        judge,
        note,
    )


def lowest_overhead(study: Study, note: str = "") -> Claim:
    """Claim that CXCC+RFA needs the fewest bytes at almost all loads (CXCC 7.1)."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        share, without = (_lowest_share(measured, column) for column in (OVERHEAD, "overhead"))
        text = f"on {share:.0%} of it; {without:.0%} if preambles do not count"
        return Finding(share >= ALMOST_ALL, text)

    return Claim(
        "CXCC+RFA has the lowest overhead at almost all loads",
        f"on {ALMOST_ALL:.0%} of the axis of loads",
        judge,
        note,
    )


def _lowest_share(data: StudyData, column: str) -> float:
    """Return the part of the axis where CXCC+RFA is below UDP and not above basic CXCC.

    The two are the same where nothing is lost.
    """
    own = data.mean(RFA, column)
    udp = np.min([data.mean(variant, column) for variant in BOTH_UDP], axis=0)
    return share_of_axis(data, (own < udp) & (own <= data.mean(BASIC, column)))


def largely_below_udp(study: Study, note: str = "") -> Claim:
    """Claim that CXCC+RFA needs far fewer bytes than UDP.

    CXCC 7.1: "again CXCC outperforms standard 802.11 packet forwarding with UDP largely at almost
    all source data rates".
    """

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        udp = np.min([measured.mean(variant, OVERHEAD) for variant in BOTH_UDP], axis=0)
        share = share_of_axis(measured, measured.mean(RFA, OVERHEAD) <= (1 - STATED) * udp)
        return Finding(share >= ALMOST_ALL, f"on {share:.0%} of it")

    return Claim(
        "CXCC+RFA outperforms UDP largely at almost all loads",
        f"at least {STATED:.0%} below the better UDP curve on {ALMOST_ALL:.0%} of the axis",
        judge,
        note,
    )


def basic_near_udp(study: Study, note: str = "") -> Claim:
    """Claim that retransmissions bring basic CXCC's overhead near UDP's at high load (CXCC 7.1)."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        above, below = (
            [ratio(measured, OVERHEAD, BASIC, v, high(measured)) for v in others]
            for others in (BOTH_UDP, (RFA,))
        )
        # Between the two UDP curves is near as well.
        near = max(above) >= 1 - STATED and min(above) <= 1 + STATED
        text = f"over {each(measured, (*BOTH_UDP, RFA), above + below)}"
        return Finding(near and min(below) > 1, text)

    return Claim(
        "retransmissions bring basic CXCC's overhead near UDP's at high load",
        f"a ratio of {1 - STATED:g} to {1 + STATED:g} to a UDP curve, or between them; "
        "above CXCC+RFA's",
        judge,
        note,
    )


def no_needless_repeat(trace: Trace, note: str = "") -> Claim:
    """Claim that RFA repeats the payload only where it was lost.

    CXCC 7.1: "In the variant with RFA there are no unnecessary retransmissions of complete data
    packets, but at most small RFA packets."
    """

    def judge(data: Data) -> Finding:
        repeats, needless = _repeats(data.traces[trace.name].events)
        return Finding(
            repeats > 0 and needless == 0, f"{needless} of {repeats} repeated data packets"
        )

    return Claim(
        "with RFA no data packet is repeated needlessly",
        "none that the next hop had already",
        judge,
        note,
    )


def _repeats(events: pl.DataFrame) -> tuple[int, int]:
    """Count data packets sent again to a next hop, and those of them that were there already."""
    arrived: set[tuple[int, int, int]] = set()
    sent: Counter[tuple[int, int, int]] = Counter()
    repeats = needless = 0
    data = events.filter(frame="data").sort("time_s", maintain_order=True)
    columns = ("event", "node", "peer", "flow", "packet")
    for event, node, peer, flow, packet in data.select(columns).iter_rows():
        if event == "receive":
            arrived.add((node, flow, packet))
        elif event == "transmit_start":
            sent[node, flow, packet] += 1
            if sent[node, flow, packet] > 1:
                repeats += 1
                needless += (peer, flow, packet) in arrived
    return repeats, needless
