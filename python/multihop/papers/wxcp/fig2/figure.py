"""WXCP 4.2, figure 2: throughput of one flow over the length of the chain."""

from __future__ import annotations

from ...panels import curves
from ...spec import FigureSpec, Panel
from ..relations import falls
from ..setup import GOODPUT, ONE_FLOW

FIGURE = FigureSpec(
    "wxcp/fig2",
    "Throughput of one flow over a chain",
    (
        Panel(
            "wxcp/fig2",
            "one flow",
            curves(ONE_FLOW, (), GOODPUT, ("hops", "throughput (kbit/s)"), scale=1e-3),
            (falls(ONE_FLOW),),
            (ONE_FLOW,),
        ),
    ),
)
