"""WXCP 4.2, figure 6: a second flow joins, and the first one leaves; six hops."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from .notes import BOTH_CATCH, CATCHES
from .setup import CHANGING, TCP, WXCP
from .windows import catches_up, catches_up_better, converges, does_not_converge, draw_windows

FIGURE = FigureSpec(
    "wxcp/fig6",
    "Congestion windows of two flows over six hops: f1 from 5 s to 85 s, f2 from 35 s to 125 s",
    (
        Panel(
            "wxcp/fig6a",
            "TCP",
            draw_windows(CHANGING, TCP),
            (does_not_converge(), catches_up_better(CATCHES)),
            (CHANGING,),
        ),
        Panel(
            "wxcp/fig6b",
            "WXCP",
            draw_windows(CHANGING, WXCP),
            (converges(), catches_up(BOTH_CATCH)),
            (CHANGING,),
        ),
    ),
)
