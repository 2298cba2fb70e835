"""Chains and crosses with radios that keep no frame, and with those that turn to a stronger one."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec

from .fields import RADIO
from .measures import DELAY, GOODPUT
from .panels import contest, table

FIGURE = FigureSpec(
    "wake/radio",
    "WAKE and its rivals with other radios",
    (
        contest("radio-a", RADIO, GOODPUT),
        contest("radio-b", RADIO, DELAY),
    ),
    tables=lambda data: [table(data, RADIO, "Other radios", (GOODPUT, DELAY))],
)
