"""WXCP 4.2, figure 5: throughput of two flows over the length of the chain."""

from __future__ import annotations

from ...panels import curves
from ...spec import FigureSpec, Panel
from ..relations import falls
from ..setup import GOODPUT, TWO_FLOWS

FIGURE = FigureSpec(
    "wxcp/fig5",
    "Throughput of two flows together over the same chain",
    (
        Panel(
            "wxcp/fig5",
            "two flows",
            curves(TWO_FLOWS, (), GOODPUT, ("hops", "throughput (kbit/s)"), scale=1e-3),
            (falls(TWO_FLOWS),),
            (TWO_FLOWS,),
        ),
    ),
)
