"""Moving nodes with AODV, five flows."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec

from .fields import MOBILE, SPEEDS
from .measures import DELAY, END_TO_END, FAIR, GOODPUT, SMALLEST
from .panels import contests, table

MEASURES = (FAIR, SMALLEST)
FASTEST = [f"up to {speed} m/s" for speed in SPEEDS]

FIGURE = FigureSpec(
    "wake/mobile",
    "WAKE and its rivals where nodes move",
    contests("mobile", "ab", MOBILE, MEASURES, FASTEST),
    tables=lambda data: [
        table(data, MOBILE, "Moving nodes", (*MEASURES, GOODPUT, DELAY, END_TO_END))
    ],
)
