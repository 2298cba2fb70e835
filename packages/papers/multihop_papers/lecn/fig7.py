"""LECN 4, figure 7: throughput and window over the length of the chain, with ACK thinning."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from .notes import FAR, THINNED_AHEAD, THINNED_NEAR
from .panels import throughput, windows
from .relations import ahead_beyond, alike_below, near_optimum, smaller_windows
from .setup import LENGTHS, SEARCH_THINNING, THINNING, THINNING_LECN_40, THINNING_LECN_60

MARKED = (THINNING_LECN_40, THINNING_LECN_60)

FIGURE = FigureSpec(
    "lecn/fig7",
    "TCP with ACK thinning: LECN, and the best of all window limits",
    (
        Panel(
            "lecn/fig7a",
            "throughput",
            throughput((THINNING, *MARKED), SEARCH_THINNING),
            (
                alike_below(THINNING, MARKED),
                ahead_beyond(THINNING, MARKED, THINNED_AHEAD),
                near_optimum(SEARCH_THINNING, THINNING, MARKED, THINNED_NEAR),
            ),
            (LENGTHS, SEARCH_THINNING),
        ),
        Panel(
            "lecn/fig7b",
            "mean window",
            windows((THINNING, *MARKED), SEARCH_THINNING),
            (
                smaller_windows(THINNING, MARKED, far=False),
                smaller_windows(THINNING, MARKED, far=True, note=FAR),
            ),
            (LENGTHS, SEARCH_THINNING),
        ),
    ),
)
