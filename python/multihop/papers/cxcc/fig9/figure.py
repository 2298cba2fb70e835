"""CXCC 7.1, figure 9: mean packet delay, two-ray ground."""

from __future__ import annotations

from ...spec import FigureSpec, Panel
from ..notes import QUEUE
from ..panels import delay
from ..relations import delay_at_high_load, delay_at_low_load
from ..setup import BIDIRECTIONAL, CHAIN

FIGURE = FigureSpec(
    "cxcc/fig9",
    "Mean packet delay (two-ray ground)",
    tuple(
        Panel(
            f"cxcc/fig9{letter}",
            title,
            delay(study),
            (delay_at_high_load(study, QUEUE), delay_at_low_load(study)),
            (study,),
        )
        for letter, title, study in (
            ("a", "chain", CHAIN),
            ("b", "bidirectional chain", BIDIRECTIONAL),
        )
    ),
)
