"""CXCC 7.1, figure 10: bytes on the medium per payload byte and hop, two-ray ground."""

from __future__ import annotations

from ...spec import FigureSpec, Panel
from ..panels import overhead
from ..relations import basic_near_udp, lowest_overhead
from ..setup import BIDIRECTIONAL, CHAIN

FIGURE = FigureSpec(
    "cxcc/fig10",
    "Overhead (two-ray ground)",
    (
        Panel(
            "cxcc/fig10a",
            "chain",
            overhead(CHAIN),
            (lowest_overhead(CHAIN), basic_near_udp(CHAIN)),
            (CHAIN,),
        ),
        Panel(
            "cxcc/fig10b",
            "bidirectional chain",
            overhead(BIDIRECTIONAL),
            (lowest_overhead(BIDIRECTIONAL),),
            (BIDIRECTIONAL,),
        ),
    ),
)
