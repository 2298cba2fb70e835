"""WXCP 4.2, figure 2: throughput of one flow over the length of the chain."""

from __future__ import annotations

from multihop.reproducing.panels import curves
from multihop.reproducing.spec import FigureSpec, Panel

from .notes import SEVEN
from .relations import LONG, MEDIUM, ahead, falls, gains, more_with_length, same_in_short_chains
from .setup import BOTH, GOODPUT, ONE_FLOW

FIGURE = FigureSpec(
    "wxcp/fig2",
    "Throughput of one flow over a chain",
    (
        Panel(
            "wxcp/fig2",
            "one flow",
            curves(ONE_FLOW, BOTH, GOODPUT, ("hops", "throughput (kbit/s)"), scale=1e-3),
            (
                falls(ONE_FLOW),
                same_in_short_chains(ONE_FLOW),
                ahead("WXCP improves throughput over 3 and more hops", ONE_FLOW, (*MEDIUM, *LONG)),
                gains(
                    "WXCP realizes a 10 to 25 % improvement over medium length (3 to 7 hops)",
                    ONE_FLOW,
                    MEDIUM,
                    (10, 25),
                    SEVEN,
                ),
                gains(
                    "over long chains (more than 8 hops) WXCP achieves 34 to 110 % more than TCP",
                    ONE_FLOW,
                    LONG,
                    (34, 110),
                ),
                more_with_length(ONE_FLOW),
            ),
            (ONE_FLOW,),
        ),
    ),
)
