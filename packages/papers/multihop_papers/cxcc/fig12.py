"""CXCC 7.1, figure 12: mean packet delay under shadowing."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from . import delay
from .comparisons import amplified, larger_advantage, worse_under_shadowing
from .notes import AMPLIFIED, QUEUE
from .panels import delay as draw
from .relations import DELAY
from .setup import (
    BIDIRECTIONAL,
    CHAIN,
    SHADOWED_BIDIRECTIONAL,
    SHADOWED_BIDIRECTIONAL_CROSS,
    SHADOWED_CHAIN,
    SHADOWED_CROSS,
)

FIGURE = FigureSpec(
    "cxcc/fig12",
    "Mean network delay (CXCC 7.1), shadowing",
    tuple(
        Panel(
            f"cxcc/fig12{letter}",
            title,
            draw(study),
            (
                delay.at_high_load(study, QUEUE),
                delay.at_low_load(study),
                worse_under_shadowing(plain, study, DELAY),
                larger_advantage(plain, study, DELAY),
                amplified(study, cross, DELAY, AMPLIFIED),
            ),
            (study, cross, plain),
        )
        for letter, title, study, cross, plain in (
            ("a", "chain", SHADOWED_CHAIN, SHADOWED_CROSS, CHAIN),
            (
                "b",
                "bidirectional chain",
                SHADOWED_BIDIRECTIONAL,
                SHADOWED_BIDIRECTIONAL_CROSS,
                BIDIRECTIONAL,
            ),
        )
    ),
)
