"""CL 4.2, figure 8: throughput and delivery ratio of CBR with acknowledgments."""

from __future__ import annotations

from dataclasses import replace

from multihop.reproducing.spec import FigureSpec, Panel

from .mobile import (
    above_tcp,
    cl_ack_outperforms,
    more_with_acknowledgments,
    short_routes_contribute,
    tcp_comes_near,
)
from .notes import NO_SALVAGE
from .panels import bars
from .setup import ACK, ANALYTIC_ACK, CL_ACK, JUDGED, MOVING, RECTANGLE, SQUARE, STATED_SPEED, TCP

STUDY = MOVING[SQUARE, JUDGED]
BESIDE = MOVING[SQUARE, STATED_SPEED]
SHOWN = (*ACK, ANALYTIC_ACK, CL_ACK, TCP)

FIGURE = FigureSpec(
    "cl/fig8",
    "CBR with acknowledgments in moving networks, 1200 x 1200 m",
    (
        Panel(
            "cl/fig8",
            "1 Mbit/s",
            bars(STUDY, SHOWN),
            (
                cl_ack_outperforms(STUDY, "throughput"),
                cl_ack_outperforms(STUDY, "delivery ratio"),
                replace(above_tcp(STUDY, "37"), calibrated=NO_SALVAGE),
                tcp_comes_near(STUDY, "throughput"),
                tcp_comes_near(STUDY, "delivery ratio"),
                short_routes_contribute(MOVING[RECTANGLE, JUDGED], STUDY),
                more_with_acknowledgments(STUDY),
            ),
            (STUDY, MOVING[RECTANGLE, JUDGED]),
        ),
        Panel("cl/fig8-2mbit", "2 Mbit/s, not judged", bars(BESIDE, SHOWN), (), (BESIDE,)),
    ),
)
