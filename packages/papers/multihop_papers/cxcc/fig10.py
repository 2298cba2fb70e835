"""CXCC 7.1, figure 10: bytes on the medium per payload byte and hop, two-ray ground."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from .comparisons import amplified
from .notes import LARGELY
from .overhead import basic_near_udp, largely_below_udp, lowest_overhead
from .panels import overhead
from .relations import OVERHEAD
from .setup import BIDIRECTIONAL, BIDIRECTIONAL_CROSS, CHAIN, CROSS

FIGURE = FigureSpec(
    "cxcc/fig10",
    "Overhead (two-ray ground)",
    (
        Panel(
            "cxcc/fig10a",
            "chain",
            overhead(CHAIN),
            (
                lowest_overhead(CHAIN),
                largely_below_udp(CHAIN, LARGELY),
                basic_near_udp(CHAIN),
                amplified(CHAIN, CROSS, OVERHEAD),
            ),
            (CHAIN, CROSS),
        ),
        Panel(
            "cxcc/fig10b",
            "bidirectional chain",
            overhead(BIDIRECTIONAL),
            (
                lowest_overhead(BIDIRECTIONAL),
                largely_below_udp(BIDIRECTIONAL, LARGELY),
                amplified(BIDIRECTIONAL, BIDIRECTIONAL_CROSS, OVERHEAD),
            ),
            (BIDIRECTIONAL, BIDIRECTIONAL_CROSS),
        ),
    ),
)
