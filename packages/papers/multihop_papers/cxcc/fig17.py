"""CXCC 7.3, figure 17: bytes on the medium per payload byte and hop, of the runs of figure 15."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from . import connections
from .relations import too
from .rival_notes import OVERHEAD, SHADOWED_OVERHEAD
from .rival_panels import beside
from .rivals import LONG, LONG_SHADOWED

BOTH = (LONG, LONG_SHADOWED)

FIGURE = FigureSpec(
    "cxcc/fig17",
    "Overhead in random networks",
    (
        Panel(
            "cxcc/fig17",
            "all scenarios together",
            beside(BOTH, connections.overhead, "bytes per payload byte and hop"),
            (
                too(connections.lowest_overhead(LONG, OVERHEAD), "two-ray ground"),
                too(connections.lowest_overhead(LONG_SHADOWED, SHADOWED_OVERHEAD), "shadowing"),
            ),
            BOTH,
        ),
    ),
)
