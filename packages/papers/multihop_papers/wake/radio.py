"""Chains and crosses with radios that keep no frame, and with those that turn to a stronger one."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec

from .fields import RADIO
from .hypotheses import level_with
from .measures import DELAY, END_TO_END, GOODPUT
from .panels import contest, table
from .setup import FLUSH

# No order saves both frames there.
LEVEL = {
    place: level_with(RADIO, place, GOODPUT, FLUSH)
    for place, name in RADIO.names.items()
    if name.endswith("no capture")
}

FIGURE = FigureSpec(
    "wake/radio",
    "WAKE and its rivals with other radios",
    (
        contest("radio-a", RADIO, GOODPUT, instead=LEVEL),
        contest("radio-b", RADIO, DELAY),
    ),
    tables=lambda data: [table(data, RADIO, "Other radios", (GOODPUT, DELAY, END_TO_END))],
)
