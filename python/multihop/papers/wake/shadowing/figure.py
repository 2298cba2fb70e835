"""Ten hops under log-normal shadowing of 2 to 8 dB, in one direction and in both."""

from __future__ import annotations

from ...spec import FigureSpec
from ..fields import SHADOW
from ..measures import DELAY, GOODPUT
from ..panels import contest, table

FIGURE = FigureSpec(
    "wake/shadowing",
    "WAKE and its rivals under shadowing",
    (
        contest("shadowing-a", SHADOW, GOODPUT),
        contest("shadowing-b", SHADOW, DELAY),
    ),
    tables=lambda data: [table(data, SHADOW, "Under shadowing", (GOODPUT, DELAY))],
)
