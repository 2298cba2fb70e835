"""What CL says of a chain of 6 nodes, packet by packet (4.1), as claims about measured runs.

The paper streams for 105 s; what is on its way then may still arrive. At 24 packets/s all are
delivered: at least 99 % are.
"""

from __future__ import annotations

import numpy as np

from ...stats import Values
from ..rules import STATED, off, stated
from ..spec import Claim, Data, Finding, StudyData
from .measures import sent, surely, total
from .setup import CLIFF, FIRST_BAD, JUDGED, LAST_GOOD, PAPERS, TCP, TCP_CHAIN

ALL = 0.99
STUDY = CLIFF[JUDGED]
# CL 4.1: of 1160 packets that were lost at 25 packets/s the MAC has dropped 122.
MAC_DROPS, DROPS = 122, 1160
BY_MAC = "lost_retries_spent"


def _at(data: StudyData, variant: str, rate: float, column: str) -> Values:
    """Return a column of the flow at a rate, an entry for each seed."""
    values: Values = total(data, variant, column)[data.x == rate][0]
    return values


def cliff(data: StudyData, variant: str) -> float | None:
    """Return the highest rate up to which all is delivered on the mean; `None` if none is."""
    shares = total(data, variant, "delivered") / total(data, variant, "offered")
    carried = shares.mean(axis=1) >= ALL
    if not carried[0]:
        return None
    return float(data.x[int(np.argmin(carried)) - 1 if not carried.all() else -1])


def all_delivered(note: str = "") -> Claim:
    """Claim that 24 packets/s are carried."""

    def judge(data: Data) -> Finding:
        measured = data.studies[STUDY.name]
        offered = _at(measured, PAPERS, LAST_GOOD, "offered").mean()
        delivered = _at(measured, PAPERS, LAST_GOOD, "delivered").mean()
        text = f"{offered:.0f} sent, {delivered:.0f} delivered"
        return Finding(bool(delivered >= ALL * offered and off(offered, 2520) <= 0.01), text)

    return Claim(
        "24 packets/s for 105 s over 6 nodes: 2520 sent and delivered",
        "2520 sent, within 1 %, and at least 99 % of them delivered",
        judge,
        note,
    )


def delivered_beyond(note: str = "") -> Claim:
    """Claim what is delivered of 25 packets/s."""

    def measure(data: Data) -> list[float]:
        measured = data.studies[STUDY.name]
        return [float(_at(measured, PAPERS, FIRST_BAD, "delivered").mean())]

    return stated(
        "25 packets/s: of 2565 sent, 1405 are delivered", "1405", " packets", measure, note
    )


def one_more_costs(note: str = "") -> Claim:
    """Claim that the cliff lies between 24 and 25 packets/s."""

    def judge(data: Data) -> Finding:
        measured = data.studies[STUDY.name]
        good, bad = (_at(measured, PAPERS, rate, "delivered") for rate in (LAST_GOOD, FIRST_BAD))
        text = f"{1 - bad.mean() / good.mean():.0%} less; cliffs, in packets/s: " + ", ".join(
            f"{STUDY.variants[name].title} {_word(cliff(measured, name))}"
            for name in measured.variants
        )
        paper = 1 - 1405 / 2520
        holds = surely(good - bad) and off(1 - bad.mean() / good.mean(), paper) <= STATED
        return Finding(bool(holds), text)

    return Claim(
        "one packet/s more than 24 costs much of what is delivered: 1405 instead of 2520",
        f"44 % less at 25 than at 24 packets/s, within {STATED:.0%}, and with 95 % confidence",
        judge,
        note,
    )


def _word(rate: float | None) -> str:
    return "below all" if rate is None else f"{rate:g}"


def lost_elsewhere(note: str = "") -> Claim:
    """Claim that the MAC drops few of the packets that are lost."""

    def measure(data: Data) -> list[float]:
        measured = data.studies[STUDY.name]
        offered, delivered, dropped = (
            _at(measured, PAPERS, FIRST_BAD, column).mean()
            for column in ("offered", "delivered", BY_MAC)
        )
        lost = offered - delivered
        return [float(100 * dropped / lost) if lost > 0 else float("nan")]

    return stated(
        "25 packets/s: 122 of the 1160 lost packets are drops of the MAC, the others of buffers "
        "and timeouts",
        f"{100 * MAC_DROPS / DROPS:.1f}",
        " % of the losses",
        measure,
        note,
    )


def tcp_packets(note: str = "") -> Claim:
    """Claim what TCP sends and delivers."""

    def measure(data: Data) -> list[float]:
        measured = data.studies[TCP_CHAIN.name]
        counts = (sent(measured, TCP), total(measured, TCP, "delivered"))
        return [float(count.mean()) for count in counts]

    return stated("TCP sends 905 packets in 105 s, and 835 arrive", "905 835", "", measure, note)


def tcp_loses(note: str = "") -> Claim:
    """Claim how many of its packets TCP loses."""

    def measure(data: Data) -> list[float]:
        measured = data.studies[TCP_CHAIN.name]
        lost = 1 - total(measured, TCP, "delivered") / sent(measured, TCP)
        return [100 * float(lost.mean())]

    share = f"{100 * (905 - 835) / 905:.1f}"
    return stated("of TCP's packets 70 of 905 are lost", share, " %", measure, note)


def tcp_drops_by_mac(note: str = "") -> Claim:
    """Claim that the MAC drops all that TCP loses."""

    def judge(data: Data) -> Finding:
        measured = data.studies[TCP_CHAIN.name]
        first = measured.flows
        causes = [name for name in first.columns if name.startswith("lost_")]
        sums = {name: float(first[name].fill_null(0).sum()) for name in causes}
        lost = sum(sums.values())
        share = sums[BY_MAC] / lost if lost else float("nan")
        rest = ", ".join(
            f"{name.removeprefix('lost_').replace('_', ' ')} {value / first.height:.1f}"
            for name, value in sorted(sums.items(), key=lambda item: -item[1])
            if value
        )
        return Finding(share >= ALL, f"{share:.0%}; losses a run: {rest or 'none'}")

    return Claim(
        "all drops of TCP's packets were failures of the MAC to send RTS",
        "at least 99 % of its losses are drops of the MAC",
        judge,
        note,
    )
