"""What CXCC says of throughputs (figures 1, 3, 8 and 11)."""

from __future__ import annotations

import numpy as np
import polars as pl
import polars.selectors as cs

from ...stats import jain
from ..rules import CLOSE, FAIR, STATED, kbit
from ..spec import Claim, Data, Finding, Study, StudyData
from .relations import (
    COLLAPSE,
    GOODPUT,
    MOSTLY,
    beyond,
    each,
    extremes,
    first,
    high,
    optimum,
    peak,
    share_of_axis,
    title,
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
        left = _left_at_end(measured)
        best, load = optimum(measured)
        text = f"{each(measured, BOTH_UDP, left)}; optimum {kbit(best)} at {load:g} kbit/s"
        return Finding(all(value < COLLAPSE for value in left), text)

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

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        best, load = optimum(measured)
        past = PAST * load
        left = [first(measured, measured.mean(udp, GOODPUT), past) / best for udp in BOTH_UDP]
        at = first(measured, measured.x, past)
        text = f"{each(measured, BOTH_UDP, left)} of the optimum at {at:g} kbit/s"
        return Finding(all(value <= 1 - STATED for value in left), text)

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
        measured = data.studies[study.name]
        left = _left_at_end(measured)
        return Finding(all(value >= COLLAPSE for value in left), each(measured, BOTH_UDP, left))

    return Claim(
        "UDP regulates itself",
        f"at least {COLLAPSE} of the maximum left at the highest load",
        judge,
        note,
    )


def close(study: Study, note: str = "") -> Claim:
    """Claim that CXCC+RFA reaches UDP's optimum.

    CXCC 7.1: "by achieving a throughput very close to the optimum".
    """

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        best, load = optimum(measured)
        reached = float(measured.mean(RFA, GOODPUT).max())
        text = f"{reached / best:.2f}: {kbit(reached)} of {kbit(best)} at {load:g} kbit/s"
        return Finding(reached >= CLOSE * best, text)

    return Claim("CXCC+RFA comes close to UDP's optimum", f"at least {CLOSE} of it", judge, note)


def keeps(study: Study, note: str = "") -> Claim:
    """Claim that CXCC+RFA stays close to UDP's optimum at any load beyond the optimal one.

    CXCC 7.1: "a throughput very close to the optimum and maintaining it for any higher source
    rate". What is maintained is the optimum's throughput, not the curve's own.
    """

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        best, _ = optimum(measured)
        lowest, _ = extremes(beyond(measured, RFA))
        own = lowest / float(measured.mean(RFA, GOODPUT).max())
        text = f"{lowest / best:.2f}: {kbit(lowest)} of {kbit(best)}; {own:.2f} of its own maximum"
        return Finding(lowest >= CLOSE * best, text)

    return Claim(
        "CXCC+RFA maintains a throughput close to the optimum at any higher load",
        f"at least {CLOSE} of UDP's optimum at every load beyond the optimal one",
        judge,
        note,
    )


def basic_below_rfa(study: Study, note: str = "") -> Claim:
    """Claim that RFA is what brings the throughput.

    CXCC 7.1: "While basic CXCC without RFA suffers from a large number of spurious packet
    retransmissions, the RFA mechanism allows the protocol to use network resources well".
    """

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        basic, rfa = (measured.mean(v, GOODPUT)[high(measured)] for v in (BASIC, RFA))
        lowest, highest = extremes(basic / rfa)
        return Finding(highest < 1, f"{lowest:.2f} to {highest:.2f} of it")

    return Claim(
        "basic CXCC stays below CXCC+RFA", "a lower throughput at every high load", judge, note
    )


def rts_mostly_costs(study: Study, note: str = "") -> Claim:
    """Claim that RTS/CTS costs UDP throughput.

    CXCC 6: "RTS/CTS has in fact a mostly negative performance impact".
    """

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        without, with_rts = (measured.mean(v, GOODPUT) for v in (UDP, UDP_RTS))
        share = share_of_axis(measured, with_rts < without)
        return Finding(share > MOSTLY, f"lower on {share:.0%} of it")

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

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        found = [
            (jain(runs.sum(axis=0)), float(np.mean([jain(run) for run in runs])), (variant, load))
            for variant in study.variants
            for load, runs in zip(measured.x, measured.shares(variant), strict=True)
        ]
        # A load at which nothing is delivered comes first: its index is NaN, and nothing holds.
        lowest, alone, where = found[int(np.argmin([index for index, _, _ in found]))]
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


# A packet that the source's full buffer refused never was on the way.
LOST = pl.sum_horizontal(
    cs.starts_with("lost_") - cs.by_name("lost_source_buffer_full", require_all=False)
)


def reliable(study: Study, note: str = "") -> Claim:
    """Claim that CXCC loses nothing on the way.

    CXCC 7: "CXCC's retransmissions and RFAs can guarantee single-hop reliability. Therefore,
    end-to-end reliability is ensured in our CXCC simulations".
    """

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        flows = measured.flows.filter(pl.col("variant").is_in([BASIC, RFA]))
        lost, delivered = float(flows.select(LOST.sum()).item()), flows["delivered"].sum()
        return Finding(lost == 0, f"{lost:.0f} lost, {delivered:.0f} delivered")

    return Claim(
        "with CXCC no packet is lost on its way",
        "none at any load, with RFA or without",
        judge,
        note,
    )
