"""CL 4.2, figure 9: CL, CL_ack and TCP in moving networks."""

from __future__ import annotations

from dataclasses import replace

from multihop.reproducing.spec import FigureSpec, Panel

from .mobile import cl_first, doubles_tcp
from .notes import NO_SALVAGE
from .panels import bars
from .setup import (
    ANALYTIC,
    ANALYTIC_ACK,
    CL,
    CL_ACK,
    JUDGED,
    MOVING,
    RECTANGLE,
    SQUARE,
    STATED_SPEED,
    TCP,
)

SHOWN = (CL, ANALYTIC, CL_ACK, ANALYTIC_ACK, TCP)
LONG = MOVING[RECTANGLE, JUDGED]
SHORT = MOVING[SQUARE, JUDGED]
LONG_BESIDE = MOVING[RECTANGLE, STATED_SPEED]
SHORT_BESIDE = MOVING[SQUARE, STATED_SPEED]

FIGURE = FigureSpec(
    "cl/fig9",
    "CL, CL_ack and TCP in moving networks, with measured and with computed rates",
    (
        Panel(
            "cl/fig9a",
            "500 x 3000 m, 1 Mbit/s",
            bars(LONG, SHOWN),
            (cl_first(LONG), replace(doubles_tcp(LONG), calibrated=NO_SALVAGE)),
            (LONG,),
        ),
        Panel(
            "cl/fig9b",
            "1200 x 1200 m, 1 Mbit/s",
            bars(SHORT, SHOWN),
            (cl_first(SHORT),),
            (SHORT,),
        ),
        Panel(
            "cl/fig9a-2mbit",
            "500 x 3000 m, 2 Mbit/s, not judged",
            bars(LONG_BESIDE, SHOWN),
            (),
            (LONG_BESIDE,),
        ),
        Panel(
            "cl/fig9b-2mbit",
            "1200 x 1200 m, 2 Mbit/s, not judged",
            bars(SHORT_BESIDE, SHOWN),
            (),
            (SHORT_BESIDE,),
        ),
    ),
)
