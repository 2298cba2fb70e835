"""What CXCC says of six sensor nodes (figure 22)."""

from __future__ import annotations

from multihop.reproducing.judging import at_least, at_most, estimate, estimates, finding
from multihop.reproducing.rules import CLOSE, STATED
from multihop.reproducing.spec import Claim, Data, Finding, StudyData
from multihop.statistics.stats import Values

from .relations import GOODPUT, extremes, peak
from .rivals import NODES
from .setup import RFA, UDP

# What the claim depends on.
TIMEOUT = (
    "The timeout of figure 22 is three times what a packet occupies, 14.4 T_P; with 3 T_P, as in "
    "all other figures, CXCC keeps 0.56 of the optimum."
)
# "A very low level": our number.
VERY_LOW = 0.25


def _left(data: Data) -> float:
    """Return what is left of UDP's maximum at the highest load."""
    mean = data.studies[NODES.name].mean(UDP, GOODPUT)
    return float(mean[-1]) / peak(mean)


def _beyond(measured: StudyData) -> Values:
    """Return CXCC's throughputs beyond UDP's optimal load."""
    udp, own = (measured.mean(variant, GOODPUT) for variant in (UDP, RFA))
    found: Values = own[measured.x > measured.x[int(udp.argmax())]]
    return found


def _level(data: Data) -> list[float]:
    """Return CXCC's lowest throughput beyond the optimal load, over its highest and the optimum."""
    measured = data.studies[NODES.name]
    least, most = extremes(_beyond(measured))
    return [least / most, least / peak(measured.mean(UDP, GOODPUT))]


def drops(note: str = "") -> Claim:
    """Claim that 802.11-like forwarding drops to a very low level past its optimum."""

    def judge(data: Data) -> Finding:
        measured = data.studies[NODES.name]
        mean = measured.mean(UDP, GOODPUT)
        left = estimate(data, _left)
        return finding(f"{left.value:.2f} of {peak(mean):.0f} bit/s", [at_most(left, VERY_LOW)])

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
        least, most = extremes(_beyond(measured))
        best = peak(measured.mean(UDP, GOODPUT))
        kept, high = estimates(data, _level)
        text = f"{least:.0f} to {most:.0f} bit/s, {least / best:.2f} of the optimum"
        compared = [at_least(kept, CLOSE, "what it keeps"), at_least(high, 1 - STATED, "the level")]
        return finding(text, compared)

    return Claim(
        "CXCC's throughput remains stable at a comparably high level",
        f"beyond the optimal load within {1 - CLOSE:.0%}, and at least {1 - STATED} of the optimum",
        judge,
        note,
        calibrated=TIMEOUT,
    )
