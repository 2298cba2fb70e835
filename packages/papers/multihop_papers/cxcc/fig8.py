"""CXCC 7.1, figure 8: throughput against load in four topologies, two-ray ground."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from . import notes
from .panels import throughput
from .setup import BIDIRECTIONAL, BIDIRECTIONAL_CROSS, CHAIN, CROSS
from .throughput import basic_below_rfa, collapses, fair, keeps, narrow, regulates, rts_mostly_costs

FIGURE = FigureSpec(
    "cxcc/fig8",
    "Throughput (two-ray ground)",
    (
        Panel(
            "cxcc/fig8a",
            "chain",
            throughput(CHAIN),
            (
                keeps(CHAIN, notes.WAVE),
                basic_below_rfa(CHAIN),
                regulates(CHAIN),
                rts_mostly_costs(CHAIN),
            ),
            (CHAIN,),
        ),
        Panel(
            "cxcc/fig8b",
            "bidirectional chain",
            throughput(BIDIRECTIONAL),
            (
                keeps(BIDIRECTIONAL, notes.GAP),
                basic_below_rfa(BIDIRECTIONAL),
                narrow(BIDIRECTIONAL),
                rts_mostly_costs(BIDIRECTIONAL, notes.RTS_IMPACT),
                fair(BIDIRECTIONAL),
            ),
            (BIDIRECTIONAL,),
        ),
        Panel(
            "cxcc/fig8c",
            "cross",
            throughput(CROSS),
            (
                keeps(CROSS, notes.GAP),
                basic_below_rfa(CROSS),
                regulates(CROSS),
                rts_mostly_costs(CROSS),
                fair(CROSS),
            ),
            (CROSS,),
        ),
        Panel(
            "cxcc/fig8d",
            "bidirectional cross",
            throughput(BIDIRECTIONAL_CROSS),
            (
                keeps(BIDIRECTIONAL_CROSS, notes.GAP),
                basic_below_rfa(BIDIRECTIONAL_CROSS),
                collapses(BIDIRECTIONAL_CROSS),
                narrow(BIDIRECTIONAL_CROSS, notes.NARROW),
                rts_mostly_costs(BIDIRECTIONAL_CROSS, notes.RTS_IMPACT),
                fair(BIDIRECTIONAL_CROSS),
            ),
            (BIDIRECTIONAL_CROSS,),
        ),
    ),
)
