"""LECN 4, figure 6: throughput and window over the length of the chain, without ACK thinning."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from .notes import FAR, NEAR, VARIES
from .panels import throughput, windows
from .relations import (
    ahead_beyond,
    alike_below,
    near_optimum,
    small_is_better,
    smaller_windows,
    varies_with_length,
)
from .setup import LECN_40, LECN_60, LENGTHS, SEARCH, TCP

MARKED = (LECN_40, LECN_60)

FIGURE = FigureSpec(
    "lecn/fig6",
    "TCP without ACK thinning: LECN, and the best of all window limits",
    (
        Panel(
            "lecn/fig6a",
            "throughput",
            throughput((TCP, *MARKED), SEARCH),
            (
                alike_below(TCP, MARKED),
                ahead_beyond(TCP, MARKED),
                near_optimum(SEARCH, TCP, MARKED, NEAR),
            ),
            (LENGTHS, SEARCH),
        ),
        Panel(
            "lecn/fig6b",
            "mean window",
            windows((TCP, *MARKED), SEARCH),
            (
                smaller_windows(TCP, MARKED, far=False),
                smaller_windows(TCP, MARKED, far=True, note=FAR),
                small_is_better(SEARCH, TCP),
                varies_with_length(SEARCH, VARIES),
            ),
            (LENGTHS, SEARCH),
        ),
    ),
)
