"""WXCP 4.3, figure 8: throughput of all flows in a grid of 13 x 13 stations.

What the paper says of it compares WXCP with TCP; of TCP alone it says nothing to judge.
"""

from __future__ import annotations

from ...panels import curves
from ...spec import FigureSpec, Panel
from ..setup import GOODPUT, LATTICE

FIGURE = FigureSpec(
    "wxcp/fig8",
    "Throughput of all flows in a grid of 13 x 13 stations",
    (
        Panel(
            "wxcp/fig8",
            "grid",
            curves(LATTICE, (), GOODPUT, ("flows", "throughput (kbit/s)"), scale=1e-3),
            (),
            (LATTICE,),
        ),
    ),
)
