"""CL 3.1, figure 3: the same with an acknowledgment for each packet."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from .hidden import acknowledgments_collide
from .panels import over_rates
from .relations import left_at_excess, sharper_from_four, shorter_is_higher, slides_with_three
from .setup import JUDGED, STATED_SPEED, SWEPT, SWEPT_ACK

STUDY = SWEPT_ACK[JUDGED]
BESIDE = SWEPT_ACK[STATED_SPEED]

FIGURE = FigureSpec(
    "cl/fig3",
    "CBR with an acknowledgment for each packet over chains",
    (
        Panel(
            "cl/fig3",
            "1 Mbit/s",
            over_rates(STUDY),
            (
                slides_with_three(STUDY),
                acknowledgments_collide(STUDY, SWEPT[JUDGED]),
                sharper_from_four(STUDY),
                left_at_excess(STUDY, "20"),
                shorter_is_higher(STUDY),
            ),
            (STUDY, SWEPT[JUDGED]),
        ),
        Panel("cl/fig3-2mbit", "2 Mbit/s, not judged", over_rates(BESIDE), (), (BESIDE,)),
    ),
)
