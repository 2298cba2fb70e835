"""Ten hops of 140 to 245 m at overload, in one direction and in both."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec

from .fields import SPACING
from .measures import DELAY, END_TO_END, GOODPUT
from .panels import contest, table

FIGURE = FigureSpec(
    "wake/spacing",
    "WAKE and its rivals by the distance of stations",
    (
        contest("spacing-a", SPACING, GOODPUT),
        contest("spacing-b", SPACING, DELAY),
    ),
    tables=lambda data: [
        table(data, SPACING, "By the distance of stations", (GOODPUT, DELAY, END_TO_END))
    ],
)
