"""What CXCC says of its figures, as claims about measured curves.

The paper's words need bounds before they can be judged. Beside the rules of all papers
(`papers/rules.py`) there are those that only these figures need:

- the optimum is the highest mean throughput of either UDP curve, at the optimal load;
- high load is at least twice the optimal load, low load at most half of it;
- a curve collapses if, at the highest load, less than half of its own maximum is left, and it
  regulates itself if at least half is;
- "alike" and "near" are within 25 %, "at almost all loads" is on four fifths of the axis;
- overheads count the preambles, as ns-2 does.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...stats import Mask, Values, jain
from ..rules import CLOSE, FAIR, STATED, kbit
from ..spec import Claim, Data, Finding, Study, StudyData
from .setup import BASIC, BOTH_UDP, RFA

COLLAPSE = 0.5
ALMOST_ALL = 0.8

GOODPUT = "goodput_bit_s"
DELAY = "delay_mean_s"
OVERHEAD = "overhead_with_preambles"


def optimum(data: StudyData) -> tuple[float, float]:
    """Return UDP's best throughput in bit/s and the load at which it is reached."""
    best = np.max([data.mean(variant, GOODPUT) for variant in _udp(data)], axis=0)
    at = int(np.argmax(best))
    return float(best[at]), float(data.x[at])


def _udp(data: StudyData) -> list[str]:
    return [variant for variant in BOTH_UDP if variant in data.study.variants]


def high(data: StudyData) -> Mask:
    """Select the high loads."""
    return data.x >= 2 * optimum(data)[1]


def low(data: StudyData) -> Mask:
    """Select the low loads."""
    return data.x <= optimum(data)[1] / 2


def ratio(data: StudyData, column: str, over: str, under: str, where: Mask) -> float:
    """Return how many times `over` is `under`, averaged over some loads."""
    return float(np.mean((data.mean(over, column) / data.mean(under, column))[where]))


def title(study: Study, variant: str) -> str:
    """Return a curve's name."""
    return study.variants[variant].title


def left_at_end(data: StudyData, variant: str) -> float:
    """Return the throughput at the highest load as a part of the curve's maximum."""
    mean = data.mean(variant, GOODPUT)
    return float(mean[-1] / mean.max())


def beyond(data: StudyData, variant: str) -> Values:
    """Return the throughput at the loads beyond the optimal one."""
    return data.mean(variant, GOODPUT)[data.x > optimum(data)[1]]


def _each(data: StudyData, variants: Sequence[str], values: Sequence[float]) -> str:
    return "; ".join(
        f"{title(data.study, variant)} {value:.2f}"
        for variant, value in zip(variants, values, strict=True)
    )


def collapses(study: Study, note: str = "") -> Claim:
    """Claim that UDP loses most of its throughput at high load."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        left = [left_at_end(measured, variant) for variant in BOTH_UDP]
        best, load = optimum(measured)
        text = f"{_each(measured, BOTH_UDP, left)}; optimum {kbit(best)} at {load:g} kbit/s"
        return Finding(max(left) < COLLAPSE, text)

    return Claim(
        "UDP's throughput collapses past one optimal load",
        f"less than {COLLAPSE} of the maximum left at the highest load",
        judge,
        note,
    )


def regulates(study: Study, note: str = "") -> Claim:
    """Claim that UDP keeps a good throughput at high load."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        left = [left_at_end(measured, variant) for variant in BOTH_UDP]
        return Finding(min(left) >= COLLAPSE, _each(measured, BOTH_UDP, left))

    return Claim(
        "UDP regulates itself",
        f"at least {COLLAPSE} of the maximum left at the highest load",
        judge,
        note,
    )


def close(study: Study, note: str = "") -> Claim:
    """Claim that CXCC+RFA reaches UDP's optimum."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        best, load = optimum(measured)
        reached = float(measured.mean(RFA, GOODPUT).max())
        text = f"{reached / best:.2f}: {kbit(reached)} of {kbit(best)} at {load:g} kbit/s"
        return Finding(reached >= CLOSE * best, text)

    return Claim("CXCC+RFA comes close to UDP's optimum", f"at least {CLOSE} of it", judge, note)


def keeps(study: Study, note: str = "") -> Claim:
    """Claim that CXCC+RFA stays at its maximum at any load beyond the optimal one."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        mean = measured.mean(RFA, GOODPUT)
        lowest, highest = float(beyond(measured, RFA).min()), float(mean.max())
        text = f"{lowest / highest:.2f}: {kbit(lowest)} of {kbit(highest)}"
        return Finding(lowest >= CLOSE * highest, text)

    return Claim(
        "CXCC+RFA keeps that throughput at any higher load",
        f"at least {CLOSE} of its maximum beyond the optimal load",
        judge,
        note,
    )


def fair(study: Study, note: str = "") -> Claim:
    """Claim that symmetric flows get equal shares, with every variant at every load.

    What counts is what the flows got in all runs together. A single run of a collapsed network
    delivers a few dozen packets a flow, and its index says more of their number than of shares.
    """

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        lowest, alone, where = min(
            (jain(runs.sum(axis=0)), float(np.mean([jain(run) for run in runs])), (variant, load))
            for variant in study.variants
            for load, runs in zip(measured.x, measured.shares(variant), strict=True)
        )
        variant, load = where
        text = (
            f"lowest {lowest:.3f}: {title(study, variant)} at {load:g} kbit/s; "
            f"single runs there {alone:.3f}"
        )
        return Finding(lowest >= FAIR, text)

    return Claim(
        "symmetric flows share fairly",
        f"Jain index at least {FAIR}, all runs of a load together",
        judge,
        note,
    )


def delay_at_high_load(study: Study, note: str = "") -> Claim:
    """Claim that UDP's delay is four to six times that of CXCC+RFA at high load."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        ratios = [ratio(measured, DELAY, udp, RFA, high(measured)) for udp in BOTH_UDP]
        holds = all(4 * (1 - STATED) <= value <= 6 * (1 + STATED) for value in ratios)
        return Finding(holds, _each(measured, BOTH_UDP, ratios))

    return Claim(
        "at high load UDP's delay is 4 to 6 times CXCC+RFA's",
        f"a ratio of {4 * (1 - STATED):g} to {6 * (1 + STATED):g}",
        judge,
        note,
    )


def delay_at_low_load(study: Study, note: str = "") -> Claim:
    """Claim that delays are alike at low load."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        ratios = [ratio(measured, DELAY, udp, RFA, low(measured)) for udp in BOTH_UDP]
        holds = all(abs(value - 1) <= STATED for value in ratios)
        return Finding(holds, _each(measured, BOTH_UDP, ratios))

    return Claim(
        "at low load their delays are alike",
        f"a ratio of {1 - STATED:g} to {1 + STATED:g}",
        judge,
        note,
    )


def lowest_overhead(study: Study, note: str = "") -> Claim:
    """Claim that CXCC+RFA needs the fewest bytes at almost all loads."""

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
    """Return the part of the axis of loads where CXCC+RFA is lowest."""
    others = [data.mean(variant, column) for variant in data.study.variants if variant != RFA]
    lowest = data.mean(RFA, column) <= np.min(others, axis=0)
    return float(np.trapezoid(lowest.astype(float), data.x) / (data.x[-1] - data.x[0]))


def basic_near_udp(study: Study, note: str = "") -> Claim:
    """Claim that retransmissions bring basic CXCC's overhead near UDP's at high load."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        ratios = [ratio(measured, OVERHEAD, BASIC, udp, high(measured)) for udp in BOTH_UDP]
        # Between the two UDP curves is near as well.
        holds = max(ratios) >= 1 - STATED and min(ratios) <= 1 + STATED
        return Finding(holds, "over " + _each(measured, BOTH_UDP, ratios))

    return Claim(
        "basic CXCC's overhead is near UDP's at high load",
        f"a ratio of {1 - STATED:g} to {1 + STATED:g} to a UDP curve, or between them",
        judge,
        note,
    )


def worse_under_shadowing(plain: Study, shadowed: Study, column: str, note: str = "") -> Claim:
    """Claim that shadowing costs every variant: throughput falls, delay or overhead rises."""

    def judge(data: Data) -> Finding:
        before, after = data.studies[plain.name], data.studies[shadowed.name]
        factors = [_level(after, v, column) / _level(before, v, column) for v in plain.variants]
        worse = [value < 1 if column == GOODPUT else value > 1 for value in factors]
        return Finding(all(worse), "times " + _each(before, list(plain.variants), factors))

    what = {
        GOODPUT: ("every maximum is lower than without shadowing", "every factor below 1"),
        DELAY: (
            "every delay at high load is longer than without shadowing",
            "every factor above 1",
        ),
        OVERHEAD: ("every overhead at high load is larger than without", "every factor above 1"),
    }[column]
    return Claim(*what, judge, note)


def _level(data: StudyData, variant: str, column: str) -> float:
    mean = data.mean(variant, column)
    return float(mean.max() if column == GOODPUT else mean[high(data)].mean())


def larger_advantage(plain: Study, shadowed: Study, column: str, note: str = "") -> Claim:
    """Claim that CXCC+RFA is ahead of UDP by more under shadowing, at high load."""

    def judge(data: Data) -> Finding:
        before, after = (
            _advantage(data.studies[study.name], column) for study in (plain, shadowed)
        )
        return Finding(after > before, f"{after:.2f} times, against {before:.2f}")

    return Claim(
        "CXCC+RFA's advantage over UDP grows under shadowing",
        "the ratio to the better UDP curve at high load is larger",
        judge,
        note,
    )


def _advantage(data: StudyData, column: str) -> float:
    if column == GOODPUT:
        return min(ratio(data, column, RFA, udp, high(data)) for udp in BOTH_UDP)
    return min(ratio(data, column, udp, RFA, high(data)) for udp in BOTH_UDP)
