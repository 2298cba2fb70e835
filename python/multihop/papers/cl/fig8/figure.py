"""CL 4.2, figure 8: throughput and delivery ratio of CBR with acknowledgments."""

from __future__ import annotations

from ...spec import FigureSpec, Panel
from ..mobile import (
    above_tcp,
    cl_ack_outperforms,
    more_with_acknowledgments,
    tcp_comes_near,
)
from ..notes import FEW, TCP_KEEPS_UP
from ..panels import bars
from ..setup import ACK, ANALYTIC_ACK, CL_ACK, JUDGED, MOVING, SQUARE, STATED_SPEED, TCP

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
                cl_ack_outperforms(STUDY, "throughput", FEW),
                cl_ack_outperforms(STUDY, "delivery ratio"),
                above_tcp(STUDY, "37", TCP_KEEPS_UP),
                tcp_comes_near(STUDY),
                more_with_acknowledgments(STUDY, FEW),
            ),
            (STUDY,),
        ),
        Panel("cl/fig8-2mbit", "2 Mbit/s, not judged", bars(BESIDE, SHOWN), (), (BESIDE,)),
    ),
)
