"""Delay at loads that all bear, and above."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from .fields import BELOW, KNEES
from .hypotheses import as_early_below_the_knee
from .measures import DELAY, END_TO_END, GOODPUT
from .panels import by_network, table

FIGURE = FigureSpec(
    "wake/below",
    "WAKE and UDP below the knee",
    (
        Panel(
            "wake/below-a",
            DELAY.name,
            by_network(BELOW, DELAY),
            tuple(as_early_below_the_knee(network) for network in KNEES),
            (BELOW.study,),
        ),
    ),
    tables=lambda data: [table(data, BELOW, "Below the knee", (GOODPUT, DELAY, END_TO_END))],
)
