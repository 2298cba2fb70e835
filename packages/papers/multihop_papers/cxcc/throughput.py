"""What CXCC says of throughputs (figures 1, 3, 8 and 11)."""

from __future__ import annotations

import numpy as np

from multihop.reproducing.judging import above, at_least, at_most, below, estimate, finding
from multihop.reproducing.rules import CLOSE, FAIR, STATED, kbit
from multihop.reproducing.spec import Claim, Data, Finding, Study, StudyData
from multihop.statistics.stats import Values, jain

from .relations import (
    COLLAPSE,
    GOODPUT,
    MOSTLY,
    axis,
    beyond,
    by_load,
    each,
    extremes,
    factors,
    first,
    high,
    optimum,
    peak,
    title,
    titles,
)
from .setup import BASIC, BOTH_UDP, RFA, UDP, UDP_RTS

# Where "a very small range" of loads has been left.
PAST = 1.5


def _left_at_end(data: StudyData) -> list[float]:
    """Return UDP's throughput at the highest load as a part of each curve's maximum."""
    means = [data.mean(variant, GOODPUT) for variant in BOTH_UDP]
    return [float(mean[-1] / peak(mean)) for mean in means]


def collapses(study: Study, note: str = "") -> Claim:
    """Claim that UDP loses most of its throughput at high load (CXCC 1, 5.1)."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        named, left = factors(
            data, lambda part: _left_at_end(part.studies[study.name]), titles(study, BOTH_UDP)
        )
        best, load = optimum(measured)
        text = f"{each(measured, BOTH_UDP, left)}; optimum {kbit(best)} at {load:g} kbit/s"
        return finding(text, [below(one, COLLAPSE, name) for one, name in named])

    return Claim(
        "UDP's throughput collapses past one optimal load",
        f"less than {COLLAPSE} of the maximum left at the highest load",
        judge,
        note,
    )


def narrow(study: Study, note: str = "") -> Claim:
    """Claim that UDP suffers at once.

    CXCC 7.1: "for bidirectional traffic the throughput suffers substantially if the input data
    rate exceeds a very small range".
    """

    def measure(data: Data) -> list[float]:
        measured = data.studies[study.name]
        best, load = optimum(measured)
        means = [measured.mean(udp, GOODPUT) for udp in BOTH_UDP]
        return [first(measured, mean, PAST * load) / best for mean in means]

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        named, left = factors(data, measure, titles(study, BOTH_UDP))
        at = first(measured, measured.x, PAST * optimum(measured)[1])
        text = f"{each(measured, BOTH_UDP, left)} of the optimum at {at:g} kbit/s"
        return finding(text, [at_most(one, 1 - STATED, name) for one, name in named])

    return Claim(
        "UDP's throughput suffers substantially beyond a very small range of loads",
        f"at most {1 - STATED} of the optimum left at {PAST} times its load",
        judge,
        note,
    )


def regulates(study: Study, note: str = "") -> Claim:
    """Claim that UDP keeps a good throughput at high load.

    CXCC 7.1: "UDP traffic is able to sustain a good throughput for the topologies without two-way
    data transport".
    """

    def judge(data: Data) -> Finding:
        named, left = factors(
            data, lambda part: _left_at_end(part.studies[study.name]), titles(study, BOTH_UDP)
        )
        compared = [at_least(one, COLLAPSE, name) for one, name in named]
        return finding(each(data.studies[study.name], BOTH_UDP, left), compared)

    return Claim(
        "UDP regulates itself",
        f"at least {COLLAPSE} of the maximum left at the highest load",
        judge,
        note,
    )


def keeps(study: Study, note: str = "") -> Claim:
    """Claim that CXCC+RFA reaches UDP's optimum and stays there at any load beyond.

    CXCC 7.1: "achieving a throughput very close to the optimum and maintaining it for any higher
    source rate". What is maintained is the optimum's throughput, not the curve's own.
    """

    def measure(data: Data) -> float:
        measured = data.studies[study.name]
        return extremes(beyond(measured, RFA))[0] / optimum(measured)[0]

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        best, _ = optimum(measured)
        lowest, _ = extremes(beyond(measured, RFA))
        reached = float(measured.mean(RFA, GOODPUT).max())
        text = (
            f"{lowest / best:.2f}: {kbit(lowest)} of {kbit(best)}; at best {reached / best:.2f}, "
            f"of which it keeps {lowest / reached:.2f}"
        )
        return finding(text, [at_least(estimate(data, measure, log=True), CLOSE)])

    return Claim(
        "CXCC+RFA achieves a throughput close to the optimum and maintains it at any higher load",
        f"at least {CLOSE} of UDP's optimum at every load beyond the optimal one",
        judge,
        note,
    )


def basic_below_rfa(study: Study, note: str = "") -> Claim:
    """Claim that RFA is what brings the throughput.

    CXCC 7.1: "While basic CXCC without RFA suffers from a large number of spurious packet
    retransmissions, the RFA mechanism allows the protocol to use network resources well".
    """

    def ratios(data: Data) -> Values:
        measured = data.studies[study.name]
        basic, rfa = (measured.mean(v, GOODPUT)[high(measured)] for v in (BASIC, RFA))
        found: Values = basic / rfa
        return found

    def judge(data: Data) -> Finding:
        lowest, highest = extremes(ratios(data))
        most = estimate(data, lambda part: extremes(ratios(part))[1], log=True)
        return finding(f"{lowest:.2f} to {highest:.2f} of it", [below(most, 1)])

    return Claim(
        "basic CXCC stays below CXCC+RFA", "a lower throughput at every high load", judge, note
    )


def rts_mostly_costs(study: Study, note: str = "") -> Claim:
    """Claim that RTS/CTS costs UDP throughput.

    CXCC 6: "RTS/CTS has in fact a mostly negative performance impact".
    """

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        found = axis(measured, by_load(data, study, UDP_RTS, (UDP,), GOODPUT))
        return finding(f"lower on {found.value:.0%} of it", [above(found, MOSTLY, "the share")])

    return Claim(
        "RTS/CTS has a mostly negative impact on UDP's throughput",
        f"lower with it on more than {MOSTLY:.0%} of the axis of loads",
        judge,
        note,
    )


def fair(study: Study, note: str = "") -> Claim:
    """Claim that symmetric flows get equal shares, with every variant at every load.

    What counts is what the flows got in all runs together. A single run of a collapsed network
    delivers a few dozen packets a flow, and its index says more of their number than of shares.
    """

    def lowest(measured: StudyData) -> tuple[float, float, str, float]:
        found = [
            (jain(runs.sum(axis=0)), float(np.mean([jain(run) for run in runs])), variant, load)
            for variant in study.variants
            for load, runs in zip(measured.x, measured.shares(variant), strict=True)
        ]
        # A load at which nothing is delivered comes first: its index is NaN, and nothing holds.
        return found[int(np.argmin([index for index, *_ in found]))]

    def judge(data: Data) -> Finding:
        least, alone, variant, load = lowest(data.studies[study.name])
        text = (
            f"lowest {least:.3f}: {title(study, variant)} at {load:g} kbit/s; "
            f"single runs there {alone:.3f}"
        )
        found = estimate(data, lambda part: lowest(part.studies[study.name])[0])
        return finding(text, [at_least(found, FAIR)])

    return Claim(
        "symmetric flows share fairly",
        f"Jain index at least {FAIR}, all runs of a load together",
        judge,
        note,
    )
