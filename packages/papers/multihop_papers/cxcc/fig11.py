"""CXCC 7.1, figure 11: throughput against load under shadowing."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from .comparisons import amplified, larger_advantage, worse_under_shadowing
from .panels import throughput
from .relations import GOODPUT
from .setup import (
    BIDIRECTIONAL,
    CHAIN,
    SHADOWED_BIDIRECTIONAL,
    SHADOWED_BIDIRECTIONAL_CROSS,
    SHADOWED_CHAIN,
    SHADOWED_CROSS,
)
from .throughput import basic_below_rfa, collapses, fair, keeps, regulates

FIGURE = FigureSpec(
    "cxcc/fig11",
    "Throughput (shadowing)",
    (
        Panel(
            "cxcc/fig11a",
            "chain",
            throughput(SHADOWED_CHAIN),
            (
                keeps(SHADOWED_CHAIN),
                basic_below_rfa(SHADOWED_CHAIN),
                regulates(SHADOWED_CHAIN),
                worse_under_shadowing(CHAIN, SHADOWED_CHAIN, GOODPUT),
                larger_advantage(CHAIN, SHADOWED_CHAIN, GOODPUT),
                amplified(SHADOWED_CHAIN, SHADOWED_CROSS, GOODPUT),
            ),
            (SHADOWED_CHAIN, SHADOWED_CROSS, CHAIN),
        ),
        Panel(
            "cxcc/fig11b",
            "bidirectional chain",
            throughput(SHADOWED_BIDIRECTIONAL),
            (
                keeps(SHADOWED_BIDIRECTIONAL),
                basic_below_rfa(SHADOWED_BIDIRECTIONAL),
                collapses(SHADOWED_BIDIRECTIONAL),
                fair(SHADOWED_BIDIRECTIONAL),
                worse_under_shadowing(BIDIRECTIONAL, SHADOWED_BIDIRECTIONAL, GOODPUT),
                larger_advantage(BIDIRECTIONAL, SHADOWED_BIDIRECTIONAL, GOODPUT),
                amplified(SHADOWED_BIDIRECTIONAL, SHADOWED_BIDIRECTIONAL_CROSS, GOODPUT),
            ),
            (SHADOWED_BIDIRECTIONAL, SHADOWED_BIDIRECTIONAL_CROSS, BIDIRECTIONAL),
        ),
    ),
)
