"""A grid of 9 x 9 stations with two to eight flows."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec

from .fields import GRID
from .measures import FAIR, GOODPUT, SMALLEST
from .panels import contest, table

FIGURE = FigureSpec(
    "wake/grid",
    "WAKE and its rivals in a grid",
    (
        contest("grid-a", GRID, GOODPUT),
        contest("grid-b", GRID, FAIR),
        contest("grid-c", GRID, SMALLEST),
    ),
    tables=lambda data: [table(data, GRID, "Grid", (GOODPUT, FAIR, SMALLEST))],
)
