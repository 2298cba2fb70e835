"""HxH 2.2, figure 2.1: ATP alone over a chain of five nodes."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from .charts import flows_over_time
from .relations import oscillates, part
from .setup import ATP, ATP_ALONE

FIGURE = FigureSpec(
    "hxh/fig2.1",
    "ATP alone over a chain of five nodes",
    (
        Panel(
            "hxh/fig2.1",
            "ATP",
            flows_over_time(ATP_ALONE, ATP, 4),
            (oscillates("ATP's throughput oscillates severely", ATP, part(ATP_ALONE, 4, 5, 60)),),
            (ATP_ALONE,),
        ),
    ),
)
