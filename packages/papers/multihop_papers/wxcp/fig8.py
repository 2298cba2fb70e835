"""WXCP 4.3, figure 8: throughput of all flows in a grid of 13 x 13 stations."""

from __future__ import annotations

from multihop.reproducing.panels import curves
from multihop.reproducing.spec import FigureSpec, Panel

from .notes import GRID
from .relations import ahead, gains
from .setup import BOTH, GOODPUT, GRID_FLOWS, LATTICE

FIGURE = FigureSpec(
    "wxcp/fig8",
    "Throughput of all flows in a grid of 13 x 13 stations",
    (
        Panel(
            "wxcp/fig8",
            "grid",
            curves(LATTICE, BOTH, GOODPUT, ("flows", "throughput (kbit/s)"), scale=1e-3),
            (
                ahead("in all cases WXCP increases the throughput", LATTICE, GRID_FLOWS),
                gains(
                    "WXCP increases throughput by about 23 to 34 % relative to TCP",
                    LATTICE,
                    GRID_FLOWS,
                    (23, 34),
                    GRID,
                ),
            ),
            (LATTICE,),
        ),
    ),
)
