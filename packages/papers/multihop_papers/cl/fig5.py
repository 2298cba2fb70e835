"""CL 4.2, figure 5: throughput and delivery ratio of CBR, 500 x 3000 m."""

from __future__ import annotations

from dataclasses import replace

from multihop.reproducing.spec import FigureSpec, Panel

from .mobile import cl_outperforms, less_with_two, route_length
from .notes import IN_NODES
from .panels import bars
from .setup import ANALYTIC, CBR, CL, JUDGED, MOVING, RECTANGLE, STATED_SPEED

STUDY = MOVING[RECTANGLE, JUDGED]
BESIDE = MOVING[RECTANGLE, STATED_SPEED]
SHOWN = (*CBR, ANALYTIC, CL)

FIGURE = FigureSpec(
    "cl/fig5",
    "CBR in moving networks, 500 x 3000 m",
    (
        Panel(
            "cl/fig5",
            "1 Mbit/s",
            bars(STUDY, SHOWN),
            (
                cl_outperforms(STUDY, "throughput"),
                cl_outperforms(STUDY, "delivery ratio"),
                less_with_two(STUDY),
                replace(route_length(STUDY, "8.5"), calibrated=IN_NODES),
            ),
            (STUDY,),
        ),
        Panel("cl/fig5-2mbit", "2 Mbit/s, not judged", bars(BESIDE, SHOWN), (), (BESIDE,)),
    ),
)
