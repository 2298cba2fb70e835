"""CL 4.2, figure 7: throughput and delivery ratio of CBR with acknowledgments."""

from __future__ import annotations

from dataclasses import replace

from multihop.reproducing.spec import FigureSpec, Panel

from .mobile import above_tcp, cl_ack_outperforms, more_with_acknowledgments, tcp_comes_near
from .notes import NO_SALVAGE
from .panels import bars
from .setup import ACK, ANALYTIC_ACK, CL_ACK, JUDGED, MOVING, RECTANGLE, STATED_SPEED, TCP

STUDY = MOVING[RECTANGLE, JUDGED]
BESIDE = MOVING[RECTANGLE, STATED_SPEED]
SHOWN = (*ACK, ANALYTIC_ACK, CL_ACK, TCP)

FIGURE = FigureSpec(
    "cl/fig7",
    "CBR with acknowledgments in moving networks, 500 x 3000 m",
    (
        Panel(
            "cl/fig7",
            "1 Mbit/s",
            bars(STUDY, SHOWN),
            (
                cl_ack_outperforms(STUDY, "throughput"),
                cl_ack_outperforms(STUDY, "delivery ratio"),
                replace(above_tcp(STUDY, "53"), calibrated=NO_SALVAGE),
                tcp_comes_near(STUDY, "throughput"),
                tcp_comes_near(STUDY, "delivery ratio"),
                more_with_acknowledgments(STUDY),
            ),
            (STUDY,),
        ),
        Panel("cl/fig7-2mbit", "2 Mbit/s, not judged", bars(BESIDE, SHOWN), (), (BESIDE,)),
    ),
)
