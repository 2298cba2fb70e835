"""Chains of 2 to 20 hops at overload."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec

from .fields import LENGTH, LENGTH_BEST
from .hypotheses import beats_best_load
from .measures import DELAY, END_TO_END, GOODPUT
from .panels import contest, table

FIGURE = FigureSpec(
    "wake/length",
    "WAKE and its rivals by the length of a chain",
    (
        contest(
            "length-a",
            LENGTH,
            GOODPUT,
            [beats_best_load(LENGTH, place, LENGTH_BEST) for place in LENGTH.names],
            [LENGTH_BEST],
        ),
        contest("length-b", LENGTH, DELAY),
    ),
    tables=lambda data: [
        table(data, LENGTH, "By the length of a chain", (GOODPUT, DELAY, END_TO_END))
    ],
)
