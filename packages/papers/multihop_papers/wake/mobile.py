"""Moving nodes with AODV, five flows."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec

from .fields import MOBILE, SPEEDS
from .measures import DELAY, FAIR, GOODPUT, SMALLEST
from .panels import contests, table

MEASURES = (GOODPUT, FAIR, SMALLEST)
FASTEST = [f"up to {speed} m/s" for speed in SPEEDS]

FIGURE = FigureSpec(
    "wake/mobile",
    "WAKE and its rivals where nodes move",
    contests("mobile", "abc", MOBILE, MEASURES, FASTEST),
    tables=lambda data: [table(data, MOBILE, "Moving nodes", (*MEASURES, DELAY))],
)
