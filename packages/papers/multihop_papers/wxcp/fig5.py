"""WXCP 4.2, figure 5: throughput of two flows over the length of the chain."""

from __future__ import annotations

from multihop.reproducing.panels import curves
from multihop.reproducing.spec import FigureSpec, Panel

from .notes import HEADER
from .relations import ahead, gains
from .setup import BOTH, GOODPUT, HOPS, TWO_FLOWS

FIGURE = FigureSpec(
    "wxcp/fig5",
    "Throughput of two flows together over the same chain",
    (
        Panel(
            "wxcp/fig5",
            "two flows",
            curves(TWO_FLOWS, BOTH, GOODPUT, ("hops", "throughput (kbit/s)"), scale=1e-3),
            (
                ahead("WXCP achieves an improvement over TCP", TWO_FLOWS, HOPS, HEADER),
                gains(
                    "depending on the network, WXCP achieves 1 to 97 % improvement over TCP",
                    TWO_FLOWS,
                    HOPS,
                    (1, 97),
                    HEADER,
                ),
            ),
            (TWO_FLOWS,),
        ),
    ),
)
