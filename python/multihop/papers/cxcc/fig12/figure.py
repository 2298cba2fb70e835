"""CXCC 7.1, figure 12: mean packet delay under shadowing."""

from __future__ import annotations

from ...spec import FigureSpec, Panel
from ..notes import QUEUE
from ..panels import delay
from ..relations import (
    DELAY,
    delay_at_high_load,
    delay_at_low_load,
    larger_advantage,
    worse_under_shadowing,
)
from ..setup import BIDIRECTIONAL, CHAIN, SHADOWED_BIDIRECTIONAL, SHADOWED_CHAIN

FIGURE = FigureSpec(
    "cxcc/fig12",
    "Mean packet delay (shadowing)",
    tuple(
        Panel(
            f"cxcc/fig12{letter}",
            title,
            delay(study),
            (
                delay_at_high_load(study, QUEUE),
                delay_at_low_load(study),
                worse_under_shadowing(plain, study, DELAY),
                larger_advantage(plain, study, DELAY),
            ),
            (study, plain),
        )
        for letter, title, study, plain in (
            ("a", "chain", SHADOWED_CHAIN, CHAIN),
            ("b", "bidirectional chain", SHADOWED_BIDIRECTIONAL, BIDIRECTIONAL),
        )
    ),
)
