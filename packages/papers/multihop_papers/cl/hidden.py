"""What CL says of hidden terminals and the losses that they cause, as claims about measured runs.

A loss is a frame of data that a MAC gives up after its retries, also where DSR then sends the
packet another way (`packets.py`). The paper finds hidden terminals in chains of more than 4 nodes,
and with acknowledgments in chains of 4 nodes:

- the "probability for packet losses" is the number of losses for each packet that is sent;
- "almost no collisions" is at most one loss for a hundred packets that are delivered.
"""

from __future__ import annotations

from multihop.reproducing.judging import at_most, falling, finding, higher, mean
from multihop.reproducing.spec import Claim, Data, Finding, Study, StudyData
from multihop.statistics.stats import Values

from .measures import sent, total
from .packets import BY_MAC
from .setup import CL_ACK, TCP

ALMOST_NONE = 0.01
# Chains of so many nodes: the longest without hidden terminals if acknowledgments flow back, the
# shortest in which data alone has them.
WITHOUT, WITH = 3, 5


def losses(data: StudyData, variant: str) -> Values:
    """Return the losses for each packet that is sent: a row for each x, an entry for each seed."""
    return total(data, variant, BY_MAC) / sent(data, variant)


def _at_all_rates(data: StudyData, nodes: int) -> Values:
    """Return the losses for each delivered packet over all rates together, for each seed."""
    lost, delivered = (
        total(data, str(nodes), column).sum(axis=0) for column in (BY_MAC, "delivered")
    )
    values: Values = lost / delivered
    return values


def acknowledgments_collide(answered: Study, plain: Study, note: str = "") -> Claim:
    """Claim that over 4 nodes hidden terminals disturb CBR-ACK, and not CBR (CL 3.1)."""

    def judge(data: Data) -> Finding:
        four = _at_all_rates(data.studies[answered.name], 4)
        three = _at_all_rates(data.studies[answered.name], WITHOUT)
        alone = _at_all_rates(data.studies[plain.name], 4)
        text = (
            f"losses for each delivered packet: {four.mean():.3f} over 4 nodes, "
            f"{three.mean():.3f} over {WITHOUT}; {alone.mean():.3f} over 4 without acknowledgments"
        )
        compared = [
            higher(four, alone, "with acknowledgments over without"),
            higher(four, three, f"4 nodes over {WITHOUT}"),
            at_most(mean(alone), ALMOST_NONE, "losses without acknowledgments"),
        ]
        return finding(text, compared)

    return Claim(
        "for chains of 4 nodes, in contrast to CBR, CBR-ACK suffers from the hidden terminal "
        "problem",
        "over all rates the MAC gives up more frames for each delivered packet than without "
        f"acknowledgments and than over {WITHOUT} nodes, and without acknowledgments at most "
        f"{ALMOST_NONE:g}",
        judge,
        note,
    )


def losses_grow(study: Study, note: str = "") -> Claim:
    """Claim that longer chains have more hidden terminals, and so more losses (CL 4.1)."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        lengths = (max(measured.x), WITH, WITHOUT)
        names = [f"{length:g} nodes" for length in lengths]
        parts, compared = [], []
        for variant in (TCP, CL_ACK):
            title, found = study.variants[variant].title, losses(measured, variant)
            rows = [found[measured.x == length][0] for length in lengths]
            shares = ", ".join(
                f"{row.mean():.2%} over {name}" for row, name in zip(rows, names, strict=True)
            )
            parts.append(f"{title} {shares}")
            compared += falling(rows, [f"{title}, {name}" for name in names])
        return finding("; ".join(parts), compared)

    return Claim(
        "for TCP and CL_ack longer chains have more hidden terminals, which increases the "
        "probability for packet losses",
        "the MAC gives up more frames for each packet sent over the longest chain than over "
        f"{WITH} nodes, and over these more than over {WITHOUT}",
        judge,
        note,
    )
