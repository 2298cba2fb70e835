"""CXCC 5.1, figure 3: basic CXCC against UDP in the bidirectional chain."""

from __future__ import annotations

import math

from ...rules import CLOSE, kbit
from ...spec import Claim, Data, FigureSpec, Finding, Panel
from ..panels import throughput
from ..relations import GOODPUT, beyond, extremes, optimum, peak
from ..setup import BASIC, BIDIRECTIONAL, UDP, UDP_RTS


def _stable(data: Data) -> Finding:
    measured = data.studies[BIDIRECTIONAL.name]
    lowest, highest = extremes(beyond(measured, BASIC))
    rises = not math.isnan(peak(measured.mean(BASIC, GOODPUT)))
    return Finding(rises and lowest >= CLOSE * highest, f"{kbit(lowest)} to {kbit(highest)}")


def _below_the_optimum(data: Data) -> Finding:
    measured = data.studies[BIDIRECTIONAL.name]
    best, _ = optimum(measured)
    reached = float(measured.mean(BASIC, GOODPUT).max())
    return Finding(reached < CLOSE * best, f"{reached / best:.2f}: {kbit(reached)} of {kbit(best)}")


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
                    f"less than {CLOSE} of it",
                    _below_the_optimum,
                ),
            ),
            (BIDIRECTIONAL,),
        ),
    ),
)
