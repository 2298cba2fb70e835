"""CXCC 7.1, figure 13: bytes on the medium per payload byte and hop under shadowing."""

from __future__ import annotations

from ...spec import FigureSpec, Panel
from ..panels import overhead
from ..relations import (
    OVERHEAD,
    basic_near_udp,
    larger_advantage,
    lowest_overhead,
    worse_under_shadowing,
)
from ..setup import BIDIRECTIONAL, CHAIN, SHADOWED_BIDIRECTIONAL, SHADOWED_CHAIN

FIGURE = FigureSpec(
    "cxcc/fig13",
    "Overhead (shadowing)",
    (
        Panel(
            "cxcc/fig13a",
            "chain",
            overhead(SHADOWED_CHAIN),
            (
                lowest_overhead(SHADOWED_CHAIN),
                basic_near_udp(SHADOWED_CHAIN),
                worse_under_shadowing(CHAIN, SHADOWED_CHAIN, OVERHEAD),
                larger_advantage(CHAIN, SHADOWED_CHAIN, OVERHEAD),
            ),
            (SHADOWED_CHAIN, CHAIN),
        ),
        Panel(
            "cxcc/fig13b",
            "bidirectional chain",
            overhead(SHADOWED_BIDIRECTIONAL),
            (
                lowest_overhead(SHADOWED_BIDIRECTIONAL),
                worse_under_shadowing(BIDIRECTIONAL, SHADOWED_BIDIRECTIONAL, OVERHEAD),
                larger_advantage(BIDIRECTIONAL, SHADOWED_BIDIRECTIONAL, OVERHEAD),
            ),
            (SHADOWED_BIDIRECTIONAL, BIDIRECTIONAL),
        ),
    ),
)
