"""CXCC 7.1, figure 9: mean packet delay, two-ray ground."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from . import delay
from .comparisons import amplified
from .notes import AMPLIFIED, QUEUE
from .panels import delay as draw
from .relations import DELAY
from .setup import BIDIRECTIONAL, BIDIRECTIONAL_CROSS, CHAIN, CROSS

ALL = {
    "chain": CHAIN,
    "bidirectional chain": BIDIRECTIONAL,
    "cross": CROSS,
    "bidirectional cross": BIDIRECTIONAL_CROSS,
}

FIGURE = FigureSpec(
    "cxcc/fig9",
    "Mean network delay (CXCC 7.1), two-ray ground",
    (
        Panel(
            "cxcc/fig9a",
            "chain",
            draw(CHAIN),
            (
                delay.at_high_load(CHAIN, QUEUE),
                delay.at_low_load(CHAIN),
                delay.deteriorates(ALL),
                amplified(CHAIN, CROSS, DELAY, AMPLIFIED),
                delay.grows_first(ALL),
                delay.grows_little(ALL),
            ),
            tuple(ALL.values()),
        ),
        Panel(
            "cxcc/fig9b",
            "bidirectional chain",
            draw(BIDIRECTIONAL),
            (
                delay.at_high_load(BIDIRECTIONAL, QUEUE),
                delay.at_low_load(BIDIRECTIONAL),
                amplified(BIDIRECTIONAL, BIDIRECTIONAL_CROSS, DELAY, AMPLIFIED),
            ),
            (BIDIRECTIONAL, BIDIRECTIONAL_CROSS),
        ),
    ),
)
