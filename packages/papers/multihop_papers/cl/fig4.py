"""CL 4.1, figure 4: CL, CL_ack and TCP over chains."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from .hidden import losses_grow
from .notes import HIDDEN, ONE_SALVAGE
from .panels import over_nodes
from .relations import ack_above_tcp, cl_first, constant_and_falling, similar_over_short
from .setup import COMPARED, JUDGED, STATED_SPEED

STUDY = COMPARED[JUDGED]
BESIDE = COMPARED[STATED_SPEED]

FIGURE = FigureSpec(
    "cl/fig4",
    "CL, CL_ack and TCP over chains, with measured and with computed rates",
    (
        Panel(
            "cl/fig4",
            "1 Mbit/s",
            over_nodes(STUDY),
            (
                cl_first(STUDY),
                ack_above_tcp(STUDY),
                constant_and_falling(STUDY, ONE_SALVAGE),
                losses_grow(STUDY, HIDDEN),
                similar_over_short(STUDY),
            ),
            (STUDY,),
        ),
        Panel("cl/fig4-2mbit", "2 Mbit/s, not judged", over_nodes(BESIDE), (), (BESIDE,)),
    ),
)
