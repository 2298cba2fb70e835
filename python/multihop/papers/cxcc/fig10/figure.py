"""CXCC 7.1, figure 10: bytes on the medium per payload byte and hop, two-ray ground."""

from __future__ import annotations

from ...spec import FigureSpec, Panel
from ..comparisons import amplified
from ..notes import LARGELY
from ..overhead import basic_near_udp, largely_below_udp, lowest_overhead, no_needless_repeat
from ..panels import overhead
from ..relations import OVERHEAD, too
from ..setup import BIDIRECTIONAL, BIDIRECTIONAL_CROSS, CHAIN, CROSS, TRACE_RFA

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
                too(lowest_overhead(CROSS), "cross"),
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
                no_needless_repeat(TRACE_RFA),
                too(lowest_overhead(BIDIRECTIONAL_CROSS), "bidirectional cross"),
                amplified(BIDIRECTIONAL, BIDIRECTIONAL_CROSS, OVERHEAD),
            ),
            (BIDIRECTIONAL, BIDIRECTIONAL_CROSS),
            (TRACE_RFA,),
        ),
    ),
)
