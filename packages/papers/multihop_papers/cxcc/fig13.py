"""CXCC 7.1, figure 13: bytes on the medium per payload byte and hop under shadowing."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from .comparisons import amplified, larger_advantage, worse_under_shadowing
from .notes import LARGELY
from .overhead import basic_near_udp, largely_below_udp, lowest_overhead
from .panels import overhead
from .relations import OVERHEAD
from .setup import (
    BIDIRECTIONAL,
    CHAIN,
    SHADOWED_BIDIRECTIONAL,
    SHADOWED_BIDIRECTIONAL_CROSS,
    SHADOWED_CHAIN,
    SHADOWED_CROSS,
)

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
                largely_below_udp(SHADOWED_CHAIN, LARGELY),
                basic_near_udp(SHADOWED_CHAIN),
                worse_under_shadowing(CHAIN, SHADOWED_CHAIN, OVERHEAD),
                larger_advantage(CHAIN, SHADOWED_CHAIN, OVERHEAD),
                amplified(SHADOWED_CHAIN, SHADOWED_CROSS, OVERHEAD),
            ),
            (SHADOWED_CHAIN, SHADOWED_CROSS, CHAIN),
        ),
        Panel(
            "cxcc/fig13b",
            "bidirectional chain",
            overhead(SHADOWED_BIDIRECTIONAL),
            (
                lowest_overhead(SHADOWED_BIDIRECTIONAL),
                largely_below_udp(SHADOWED_BIDIRECTIONAL),
                worse_under_shadowing(BIDIRECTIONAL, SHADOWED_BIDIRECTIONAL, OVERHEAD),
                larger_advantage(BIDIRECTIONAL, SHADOWED_BIDIRECTIONAL, OVERHEAD),
                amplified(SHADOWED_BIDIRECTIONAL, SHADOWED_BIDIRECTIONAL_CROSS, OVERHEAD),
            ),
            (SHADOWED_BIDIRECTIONAL, SHADOWED_BIDIRECTIONAL_CROSS, BIDIRECTIONAL),
        ),
    ),
)
