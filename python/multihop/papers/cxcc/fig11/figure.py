"""CXCC 7.1, figure 11: throughput against load under shadowing."""

from __future__ import annotations

from ...spec import FigureSpec, Panel
from ..panels import throughput
from ..relations import (
    GOODPUT,
    close,
    collapses,
    fair,
    keeps,
    larger_advantage,
    regulates,
    worse_under_shadowing,
)
from ..setup import BIDIRECTIONAL, CHAIN, SHADOWED_BIDIRECTIONAL, SHADOWED_CHAIN

FIGURE = FigureSpec(
    "cxcc/fig11",
    "Throughput (shadowing)",
    (
        Panel(
            "cxcc/fig11a",
            "chain",
            throughput(SHADOWED_CHAIN),
            (
                close(SHADOWED_CHAIN),
                keeps(SHADOWED_CHAIN),
                regulates(SHADOWED_CHAIN),
                worse_under_shadowing(CHAIN, SHADOWED_CHAIN, GOODPUT),
                larger_advantage(CHAIN, SHADOWED_CHAIN, GOODPUT),
            ),
            (SHADOWED_CHAIN, CHAIN),
        ),
        Panel(
            "cxcc/fig11b",
            "bidirectional chain",
            throughput(SHADOWED_BIDIRECTIONAL),
            (
                close(SHADOWED_BIDIRECTIONAL),
                keeps(SHADOWED_BIDIRECTIONAL),
                collapses(SHADOWED_BIDIRECTIONAL),
                fair(SHADOWED_BIDIRECTIONAL),
                worse_under_shadowing(BIDIRECTIONAL, SHADOWED_BIDIRECTIONAL, GOODPUT),
                larger_advantage(BIDIRECTIONAL, SHADOWED_BIDIRECTIONAL, GOODPUT),
            ),
            (SHADOWED_BIDIRECTIONAL, BIDIRECTIONAL),
        ),
    ),
)
