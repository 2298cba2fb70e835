"""CXCC 1, figure 1: UDP from both ends of a 10-hop chain, without wires and with them."""

from __future__ import annotations

import numpy as np
import polars as pl

from ....stats import Values
from ...rules import CLOSE, kbit
from ...spec import Claim, Data, FigureSpec, Finding, Panel
from .. import notes
from ..panels import throughput
from ..relations import GOODPUT, extremes, first, high, level, optimum, peak
from ..setup import BIDIRECTIONAL, BOTH_UDP, UDP, UDP_RTS, WIRED
from ..throughput import collapses


def _rts_does_not_help(data: Data) -> Finding:
    measured = data.studies[BIDIRECTIONAL.name]
    without, with_rts = (peak(measured.mean(variant, GOODPUT)) for variant in (UDP, UDP_RTS))
    text = f"optimum {kbit(with_rts)} with, {kbit(without)} without"
    return Finding(with_rts <= without / CLOSE, text)


def _rts_does_not_help_at_overload(data: Data) -> Finding:
    measured = data.studies[BIDIRECTIONAL.name]
    where = high(measured)
    without, with_rts = (level(measured, variant, GOODPUT, where) for variant in (UDP, UDP_RTS))
    best, _ = optimum(measured)
    text = f"{kbit(with_rts)} with, {kbit(without)} without; optimum {kbit(best)}"
    return Finding(with_rts <= without / CLOSE and without < best, text)


def _drops_grow(data: Data) -> Finding:
    measured = data.studies[BIDIRECTIONAL.name]
    load = optimum(measured)[1]
    grow, texts = True, []
    for variant in BOTH_UDP:
        lost = _given_up(data, variant)
        before = first(measured, lost, load)
        lowest, highest = extremes(lost[measured.x > load])
        grow = grow and lowest > before
        texts.append(
            f"{BIDIRECTIONAL.variants[variant].title} {lowest:.0f} to {highest:.0f} a run, "
            f"{before:.0f} at the optimal load"
        )
    return Finding(grow, "; ".join(texts))


def _given_up(data: Data, variant: str) -> Values:
    """Return the packets that the MAC gave up in a run, by load."""
    flows = data.studies[BIDIRECTIONAL.name].flows.filter(variant=variant)
    runs = flows.group_by("x", "seed").agg(pl.col("lost_retries_spent").sum())
    means = runs.group_by("x").agg(pl.col("lost_retries_spent").mean()).sort("x")
    given_up: Values = means["lost_retries_spent"].to_numpy()
    return given_up


def _maximum_is_kept(data: Data) -> Finding:
    measured = data.studies[WIRED.name]
    mean = measured.mean(UDP, GOODPUT)
    reached = peak(mean)
    beyond = mean[int(np.argmax(mean >= CLOSE * reached)) :]
    text = f"{beyond.min() / reached:.2f} of {kbit(reached)}, {kbit(mean[-1])} at the highest load"
    return Finding(bool(beyond.min() >= CLOSE * reached), text)


FIGURE = FigureSpec(
    "cxcc/fig1",
    "UDP overload in a bidirectional chain",
    (
        Panel(
            "cxcc/fig1a",
            "radio",
            throughput(BIDIRECTIONAL, BOTH_UDP),
            (
                collapses(BIDIRECTIONAL),
                Claim(
                    "RTS/CTS does not help",
                    "the optimum with it is at most 10 % above the one without",
                    _rts_does_not_help,
                ),
                Claim(
                    "nor does RTS/CTS help at overload",
                    "at high load at most 10 % above the throughput without, which has fallen",
                    _rts_does_not_help_at_overload,
                    notes.RTS_AT_OVERLOAD,
                ),
                Claim(
                    "an increasing number of collisions leads to more and more packet drops",
                    "the MAC gives up more packets at every load beyond the optimal one",
                    _drops_grow,
                ),
            ),
            (BIDIRECTIONAL,),
        ),
        Panel(
            "cxcc/fig1b",
            "wired duplex links",
            throughput(WIRED, (UDP,)),
            (
                Claim(
                    "with wires the maximum is reached and kept",
                    f"at least {CLOSE} of it from there on",
                    _maximum_is_kept,
                ),
            ),
            (WIRED,),
        ),
    ),
)
