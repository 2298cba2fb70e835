"""CL 4.2, figure 6: throughput and delivery ratio of CBR, 1200 x 1200 m."""

from __future__ import annotations

from dataclasses import replace

from multihop.reproducing.spec import FigureSpec, Panel

from .mobile import cl_outperforms, less_with_two, more_in_rectangle, route_length
from .notes import IN_NODES
from .panels import bars
from .setup import ANALYTIC, CBR, CL, JUDGED, MOVING, RECTANGLE, SQUARE, STATED_SPEED

STUDY = MOVING[SQUARE, JUDGED]
BESIDE = MOVING[SQUARE, STATED_SPEED]
SHOWN = (*CBR, ANALYTIC, CL)

FIGURE = FigureSpec(
    "cl/fig6",
    "CBR in moving networks, 1200 x 1200 m",
    (
        Panel(
            "cl/fig6",
            "1 Mbit/s",
            bars(STUDY, SHOWN),
            (
                cl_outperforms(STUDY, "throughput"),
                cl_outperforms(STUDY, "delivery ratio"),
                less_with_two(STUDY),
                more_in_rectangle(MOVING[RECTANGLE, JUDGED], STUDY),
                replace(route_length(STUDY, "4.0"), calibrated=IN_NODES),
            ),
            (STUDY, MOVING[RECTANGLE, JUDGED]),
        ),
        Panel("cl/fig6-2mbit", "2 Mbit/s, not judged", bars(BESIDE, SHOWN), (), (BESIDE,)),
    ),
)
