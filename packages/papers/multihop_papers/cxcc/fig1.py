"""CXCC 1, figure 1: UDP from both ends of a 10-hop chain, without wires and with them."""

from __future__ import annotations

import numpy as np
import polars as pl

from multihop.reproducing.judging import (
    above,
    at_least,
    at_most,
    below,
    estimate,
    estimates,
    finding,
)
from multihop.reproducing.rules import CLOSE, kbit
from multihop.reproducing.spec import Claim, Data, FigureSpec, Finding, Panel, StudyData
from multihop.statistics.stats import Values

from . import notes
from .panels import throughput
from .relations import GOODPUT, extremes, first, high, level, optimum, peak, titles
from .setup import BIDIRECTIONAL, BOTH_UDP, UDP, UDP_RTS, WIRED
from .throughput import collapses


def _rts_does_not_help(data: Data) -> Finding:
    measured = data.studies[BIDIRECTIONAL.name]
    without, with_rts = (peak(measured.mean(variant, GOODPUT)) for variant in (UDP, UDP_RTS))
    text = f"optimum {kbit(with_rts)} with, {kbit(without)} without"
    found = estimate(data, _optima, log=True)
    return finding(text, [at_most(found, 1 / CLOSE, "their ratio")])


def _optima(data: Data) -> float:
    """Return UDP's optimum with RTS/CTS over that without."""
    measured = data.studies[BIDIRECTIONAL.name]
    return peak(measured.mean(UDP_RTS, GOODPUT)) / peak(measured.mean(UDP, GOODPUT))


def _rts_does_not_help_at_overload(data: Data) -> Finding:
    measured = data.studies[BIDIRECTIONAL.name]
    where = high(measured)
    without, with_rts = (level(measured, variant, GOODPUT, where) for variant in (UDP, UDP_RTS))
    best, _ = optimum(measured)
    text = f"{kbit(with_rts)} with, {kbit(without)} without; optimum {kbit(best)}"
    helped, fallen = estimates(data, _overloaded, log=True)
    compared = [at_most(helped, 1 / CLOSE, "their ratio"), below(fallen, 1, "what is left")]
    return finding(text, compared)


def _overloaded(data: Data) -> list[float]:
    """Return the throughput at high load with RTS/CTS over that without, and what is left of it."""
    measured = data.studies[BIDIRECTIONAL.name]
    without, with_rts = (
        level(measured, variant, GOODPUT, high(measured)) for variant in (UDP, UDP_RTS)
    )
    return [with_rts / without, without / optimum(measured)[0]]


def _drops_grow(data: Data) -> Finding:
    measured = data.studies[BIDIRECTIONAL.name]
    load = optimum(measured)[1]
    texts = []
    for variant in BOTH_UDP:
        lost = _given_up(measured, variant)
        before = first(measured, lost, load)
        lowest, highest = extremes(lost[measured.x > load])
        texts.append(
            f"{BIDIRECTIONAL.variants[variant].title} {lowest:.0f} to {highest:.0f} a run, "
            f"{before:.0f} at the optimal load"
        )
    found = estimates(data, _growth)
    named = zip(found, titles(BIDIRECTIONAL, BOTH_UDP), strict=True)
    return finding("; ".join(texts), [above(one, 0, f"{name}'s growth") for one, name in named])


def _growth(data: Data) -> list[float]:
    """Return by how much the fewest packets given up beyond the optimal load exceed those there."""
    measured = data.studies[BIDIRECTIONAL.name]
    load = optimum(measured)[1]
    found = [_given_up(measured, variant) for variant in BOTH_UDP]
    return [extremes(lost[measured.x > load])[0] - first(measured, lost, load) for lost in found]


def _given_up(measured: StudyData, variant: str) -> Values:
    """Return the packets that the MAC gave up in a run, by load."""
    flows = measured.flows.filter(variant=variant)
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
    return finding(text, [at_least(estimate(data, _kept, log=True), CLOSE)])


def _kept(data: Data) -> float:
    """Return the lowest throughput over wires from where the maximum is reached, over that."""
    mean = data.studies[WIRED.name].mean(UDP, GOODPUT)
    reached = peak(mean)
    return float(mean[int(np.argmax(mean >= CLOSE * reached)) :].min() / reached)


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
