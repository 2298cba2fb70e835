"""WXCP 4.2, figure 3: the congestion window over time, six hops."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from .setup import LEVEL, TCP, WXCP
from .windows import because_of_losses, draw_windows, relatively_stable

FIGURE = FigureSpec(
    "wxcp/fig3",
    "Congestion window over time, six hops",
    (
        Panel(
            "wxcp/fig3a",
            "TCP",
            draw_windows(LEVEL, TCP),
            (because_of_losses(),),
            (LEVEL,),
        ),
        Panel(
            "wxcp/fig3b",
            "WXCP",
            draw_windows(LEVEL, WXCP),
            (relatively_stable(),),
            (LEVEL,),
        ),
    ),
)
