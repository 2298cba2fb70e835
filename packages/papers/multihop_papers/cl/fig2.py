"""CL 3.1, figure 2: throughput of CBR over the sending rate."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from .notes import FIVE_NODES
from .panels import over_rates
from .relations import (
    falls_beyond_four,
    flat_up_to_four,
    left_at_excess,
    shorter_is_higher,
    slightly_above,
    up_to,
)
from .setup import JUDGED, STATED_SPEED, SWEPT

STUDY = SWEPT[JUDGED]
BESIDE = SWEPT[STATED_SPEED]

FIGURE = FigureSpec(
    "cl/fig2",
    "CBR over chains of several lengths",
    (
        Panel(
            "cl/fig2",
            "1 Mbit/s",
            over_rates(STUDY),
            (
                flat_up_to_four(STUDY),
                falls_beyond_four(STUDY, FIVE_NODES),
                up_to(STUDY),
                slightly_above(STUDY),
                left_at_excess(STUDY, "70"),
                shorter_is_higher(STUDY),
            ),
            (STUDY,),
        ),
        Panel("cl/fig2-2mbit", "2 Mbit/s, not judged", over_rates(BESIDE), (), (BESIDE,)),
    ),
)
