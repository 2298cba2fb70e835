"""CXCC 5.1, figure 3: basic CXCC against UDP in the bidirectional chain."""

from __future__ import annotations

import math

from multihop.reproducing.judging import at_least, at_most, estimate, finding
from multihop.reproducing.rules import CLOSE, STATED, kbit
from multihop.reproducing.spec import Claim, Data, FigureSpec, Finding, Panel

from .panels import throughput
from .relations import GOODPUT, beyond, extremes, optimum, peak
from .setup import BASIC, BIDIRECTIONAL, UDP, UDP_RTS


def _stable(data: Data) -> Finding:
    measured = data.studies[BIDIRECTIONAL.name]
    lowest, highest = extremes(beyond(measured, BASIC))
    found = estimate(data, _kept, log=True)
    return finding(f"{kbit(lowest)} to {kbit(highest)}", [at_least(found, CLOSE, "their ratio")])


def _kept(data: Data) -> float:
    """Return the lowest over the highest beyond the optimal load; NaN if the curve never rises."""
    measured = data.studies[BIDIRECTIONAL.name]
    lowest, highest = extremes(beyond(measured, BASIC))
    return math.nan if math.isnan(peak(measured.mean(BASIC, GOODPUT))) else lowest / highest


def _below_the_optimum(data: Data) -> Finding:
    measured = data.studies[BIDIRECTIONAL.name]
    best, _ = optimum(measured)
    reached = float(measured.mean(BASIC, GOODPUT).max())
    found = estimate(data, _reached, log=True)
    text = f"{reached / best:.2f}: {kbit(reached)} of {kbit(best)}"
    return finding(text, [at_most(found, 1 - STATED)])


def _reached(data: Data) -> float:
    """Return the highest throughput of basic CXCC over UDP's."""
    measured = data.studies[BIDIRECTIONAL.name]
    return float(measured.mean(BASIC, GOODPUT).max()) / optimum(measured)[0]


FIGURE = FigureSpec(
    "cxcc/fig3",
    "Basic CXCC against UDP",
    (
        Panel(
            "cxcc/fig3",
            "bidirectional chain",
            throughput(BIDIRECTIONAL, (UDP, UDP_RTS, BASIC)),
            (
                Claim(
                    "basic CXCC's throughput is stable at overload",
                    f"the lowest beyond the optimal load at least {CLOSE} of the highest there",
                    _stable,
                ),
                Claim(
                    "basic CXCC stays clearly below UDP's optimum",
                    f"at most {1 - STATED} of it at any load",
                    _below_the_optimum,
                ),
            ),
            (BIDIRECTIONAL,),
        ),
    ),
)
