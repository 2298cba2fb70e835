"""CXCC 7.1, figure 8: throughput against load in four topologies, two-ray ground."""

from __future__ import annotations

from ...spec import FigureSpec, Panel
from ..notes import GAP_BIDIRECTIONAL, GAP_BIDIRECTIONAL_CROSS, GAP_CROSS, WAVE
from ..panels import throughput
from ..relations import close, collapses, fair, keeps, regulates
from ..setup import BIDIRECTIONAL, BIDIRECTIONAL_CROSS, CHAIN, CROSS

FIGURE = FigureSpec(
    "cxcc/fig8",
    "Throughput (two-ray ground)",
    (
        Panel(
            "cxcc/fig8a",
            "chain",
            throughput(CHAIN),
            (close(CHAIN), keeps(CHAIN, WAVE), regulates(CHAIN)),
            (CHAIN,),
        ),
        Panel(
            "cxcc/fig8b",
            "bidirectional chain",
            throughput(BIDIRECTIONAL),
            (
                close(BIDIRECTIONAL, GAP_BIDIRECTIONAL),
                keeps(BIDIRECTIONAL),
                collapses(BIDIRECTIONAL),
                fair(BIDIRECTIONAL),
            ),
            (BIDIRECTIONAL,),
        ),
        Panel(
            "cxcc/fig8c",
            "cross",
            throughput(CROSS),
            (close(CROSS, GAP_CROSS), keeps(CROSS), regulates(CROSS), fair(CROSS)),
            (CROSS,),
        ),
        Panel(
            "cxcc/fig8d",
            "bidirectional cross",
            throughput(BIDIRECTIONAL_CROSS),
            (
                close(BIDIRECTIONAL_CROSS, GAP_BIDIRECTIONAL_CROSS),
                keeps(BIDIRECTIONAL_CROSS),
                collapses(BIDIRECTIONAL_CROSS),
                fair(BIDIRECTIONAL_CROSS),
            ),
            (BIDIRECTIONAL_CROSS,),
        ),
    ),
)
