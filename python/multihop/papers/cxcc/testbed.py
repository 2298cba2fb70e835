"""What CXCC says of six sensor nodes (figure 22)."""

from __future__ import annotations

from ..rules import CLOSE, STATED
from ..spec import Claim, Data, Finding
from .relations import GOODPUT, extremes, peak
from .rivals import NODES
from .setup import RFA, UDP

# "A very low level": our number.
VERY_LOW = 0.25


def drops(note: str = "") -> Claim:
    """Claim that 802.11-like forwarding drops to a very low level past its optimum."""

    def judge(data: Data) -> Finding:
        measured = data.studies[NODES.name]
        mean = measured.mean(UDP, GOODPUT)
        left = float(mean[-1]) / peak(mean)
        return Finding(left <= VERY_LOW, f"{left:.2f} of {peak(mean):.0f} bit/s")

    return Claim(
        "the throughput of 802.11-like forwarding drops to a very low level past some optimal load",
        f"at most {VERY_LOW} of its maximum left at the highest load",
        judge,
        note,
    )


def stable(note: str = "") -> Claim:
    """Claim that CXCC's throughput remains stable at a comparably high level."""

    def judge(data: Data) -> Finding:
        measured = data.studies[NODES.name]
        udp, own = (measured.mean(variant, GOODPUT) for variant in (UDP, RFA))
        best = peak(udp)
        beyond = own[measured.x > measured.x[int(udp.argmax())]]
        least, most = extremes(beyond)
        holds = least >= CLOSE * most and least >= (1 - STATED) * best
        text = f"{least:.0f} to {most:.0f} bit/s, {least / best:.2f} of the optimum"
        return Finding(holds, text)

    return Claim(
        "CXCC's throughput remains stable at a comparably high level",
        f"beyond the optimal load within {1 - CLOSE:.0%}, and at least {1 - STATED} of the optimum",
        judge,
        note,
    )
