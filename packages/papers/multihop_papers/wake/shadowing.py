"""Under log-normal shadowing: ten hops in one direction and in both, and random networks."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec

from .fields import SHADOW, SHADOW_MIXED
from .measures import DELAY, END_TO_END, FAIR, GOODPUT, SMALLEST
from .panels import contest, contests, table

FIGURE = FigureSpec(
    "wake/shadowing",
    "WAKE and its rivals under shadowing",
    (
        contest("shadowing-a", SHADOW, GOODPUT),
        contest("shadowing-b", SHADOW, DELAY),
        *contests("shadowing", "cd", SHADOW_MIXED, (FAIR, SMALLEST), ["random networks, 4 dB"]),
    ),
    tables=lambda data: [
        table(data, field, title, measures)
        for field, title, measures in (
            (SHADOW, "Under shadowing", (GOODPUT, DELAY, END_TO_END)),
            (SHADOW_MIXED, "Random networks, 4 dB", (FAIR, SMALLEST, GOODPUT, DELAY, END_TO_END)),
        )
        if field.study.name in data.studies
    ],
)
