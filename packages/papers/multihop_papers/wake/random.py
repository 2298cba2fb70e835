"""Five flows in random networks: fairness in proportion, and the smallest flow."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec

from .fields import MIXED
from .measures import DELAY, END_TO_END, FAIR, GOODPUT, SMALLEST
from .panels import contests, table

FIGURE = FigureSpec(
    "wake/random",
    "WAKE and its rivals in random networks",
    contests("random", "ab", MIXED, (FAIR, SMALLEST), ["random networks"]),
    tables=lambda data: [
        table(data, MIXED, "Random networks", (FAIR, SMALLEST, GOODPUT, DELAY, END_TO_END))
    ],
)
