"""WXCP 4.2, figure 4: losses at the MAC over the length of the chain."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from .drops import approaches, draw_dropped, fewer_for_each, fewer_in_short_chains
from .notes import APPROACHES
from .setup import ONE_FLOW

FIGURE = FigureSpec(
    "wxcp/fig4",
    "Frames lost and packets given up at the MAC layer of all stations",
    (
        Panel(
            "wxcp/fig4a",
            "in 120 s",
            draw_dropped(each=False, label="lost at the MAC layer"),
            (fewer_in_short_chains(), approaches(APPROACHES)),
            (ONE_FLOW,),
        ),
        Panel(
            "wxcp/fig4b",
            "for each delivered packet",
            draw_dropped(each=True, label="lost at the MAC layer per packet"),
            (fewer_for_each(),),
            (ONE_FLOW,),
        ),
    ),
)
