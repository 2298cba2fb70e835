"""What CL says of a chain of 6 nodes, packet by packet (4.1), as claims about measured runs.

The paper streams for 105 s; what is on its way then may still arrive. At 24 packets/s all are
delivered: at least 99 % are. Its drops are the lines of ns-2's traces: the MAC writes one, `RET`,
for each frame that it gives up, also where DSR then sends the packet another way. `mac_failures`
counts these frames, `rts_failures` those whose RTS nobody answered, and `copies_dropped` what
others drop: queues, and DSR when a link breaks. What arrives counts twice if it arrives twice, and
TCP loses what it has sent and what has not arrived: the paper's 70 are 905 less 835.
"""

from __future__ import annotations

import numpy as np

from multihop.reproducing.judging import at_least, estimate, finding, mean, ratio, stated_within
from multihop.reproducing.rules import STATED, stated
from multihop.reproducing.spec import Claim, Data, Finding, StudyData
from multihop.statistics.stats import Values

from .measures import sent, total
from .setup import CLIFF, FIRST_BAD, JUDGED, LAST_GOOD, PAPERS, TCP, TCP_CHAIN

ALL = 0.99
STUDY = CLIFF[JUDGED]
# CL 4.1: of 1160 packets that were lost at 25 packets/s the MAC has dropped 122.
MAC_DROPS, DROPS = 122, 1160
BY_MAC, BY_RTS, ELSEWHERE = "mac_failures", "rts_failures", "copies_dropped"


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
        offered, delivered = (
            _at(measured, PAPERS, LAST_GOOD, column) for column in ("offered", "delivered")
        )
        return finding(
            f"{offered.mean():.0f} sent, {delivered.mean():.0f} delivered",
            [
                at_least(ratio(delivered, offered), ALL, "the share that is delivered"),
                stated_within(mean(offered), 2520, 0.01, "what is sent"),
            ],
        )

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

    def costs(data: Data) -> float:
        measured = data.studies[STUDY.name]
        good, bad = (_at(measured, PAPERS, rate, "delivered") for rate in (LAST_GOOD, FIRST_BAD))
        return float(100 * (1 - bad.mean() / good.mean()))

    def judge(data: Data) -> Finding:
        measured, cost = data.studies[STUDY.name], estimate(data, costs)
        text = f"{cost.value:.0f} % less; cliffs, in packets/s: " + ", ".join(
            f"{STUDY.variants[name].title} {_word(cliff(measured, name))}"
            for name in measured.variants
        )
        return finding(text, [stated_within(cost, 100 * (1 - 1405 / 2520), STATED, "the cost")])

    return Claim(
        "one packet/s more than 24 costs much of what is delivered: 1405 instead of 2520",
        f"44 % less at 25 than at 24 packets/s, within {STATED:.0%}",
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


def _arrive(data: StudyData) -> Values:
    """Return how many of TCP's packets arrive, what arrives twice included."""
    return total(data, TCP, "delivered") + total(data, TCP, "run_duplicates")


def tcp_packets(note: str = "") -> Claim:
    """Claim what TCP sends, and what arrives of it, what arrives twice included."""

    def measure(data: Data) -> list[float]:
        measured = data.studies[TCP_CHAIN.name]
        return [float(count.mean()) for count in (sent(measured, TCP), _arrive(measured))]

    return stated("TCP sends 905 packets in 105 s, and 835 arrive", "905 835", "", measure, note)


def tcp_loses(note: str = "") -> Claim:
    """Claim how many of its packets TCP loses: those that it sends and that do not arrive."""

    def measure(data: Data) -> list[float]:
        measured = data.studies[TCP_CHAIN.name]
        return [100 * float(1 - _arrive(measured).mean() / sent(measured, TCP).mean())]

    share = f"{100 * (905 - 835) / 905:.1f}"
    return stated("of TCP's packets 70 of 905 are lost", share, " %", measure, note)


def tcp_drops_by_mac(note: str = "") -> Claim:
    """Claim that all drops of TCP's packets are the MAC's, for want of a CTS."""

    def judge(data: Data) -> Finding:
        measured = data.studies[TCP_CHAIN.name]
        by_mac, by_rts, elsewhere = (
            total(measured, TCP, name) for name in (BY_MAC, BY_RTS, ELSEWHERE)
        )
        text = (
            f"drops a run: {by_rts.mean():.1f} for want of a CTS, "
            f"{(by_mac - by_rts).mean():.1f} of data, {elsewhere.mean():.1f} not the MAC's"
        )
        share = ratio(by_rts, by_mac + elsewhere)
        if not (by_mac + elsewhere).any():
            return Finding(False, text)
        return finding(text, [at_least(share, ALL, "the share for want of a CTS")])

    return Claim(
        "all drops of TCP's packets were failures of the MAC to send RTS",
        "at least 99 % of its drops are the MAC's after RTS without an answer",
        judge,
        note,
    )
