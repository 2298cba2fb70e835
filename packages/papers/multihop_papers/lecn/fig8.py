"""LECN 4, figure 8: variants of TCP over the length of the chain."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from .notes import THINNED_FIRST, THINNED_VEGAS
from .panels import throughput
from .relations import above_only_between, first_almost_everywhere, outperforms, twice
from .setup import LECN_60, LENGTHS, TCP, THINNING, THINNING_LECN_60, VEGAS

FIGURE = FigureSpec(
    "lecn/fig8",
    "Variants of TCP",
    (
        Panel(
            "lecn/fig8",
            "throughput",
            throughput((TCP, LECN_60, THINNING, THINNING_LECN_60, VEGAS)),
            (
                first_almost_everywhere(
                    THINNING_LECN_60, (TCP, LECN_60, THINNING, VEGAS), THINNED_FIRST
                ),
                twice(THINNING_LECN_60, TCP),
                outperforms(
                    "Vegas outperforms TCP without thinning, with and without LECN",
                    VEGAS,
                    (TCP, LECN_60),
                ),
                outperforms(
                    "Vegas achieves less than TCP with thinning and LECN",
                    THINNING_LECN_60,
                    (VEGAS,),
                ),
                above_only_between(
                    "Vegas is better than thinning without LECN only at 5 to 10 hops",
                    VEGAS,
                    THINNING,
                    (5, 10),
                    THINNED_VEGAS,
                ),
            ),
            (LENGTHS,),
        ),
    ),
    size=(8.4, 3.8),
)
