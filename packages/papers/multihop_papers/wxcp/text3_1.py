"""WXCP 3.1: XCP counts on the rate of the link, and overfills a radio network."""

from __future__ import annotations

from multihop.reproducing.panels import curves
from multihop.reproducing.spec import FigureSpec, Panel

from .drops import overfills
from .setup import ON_THE_WAY, ONE_FLOW, SENT_AGAIN, WXCP, XCP

QUEUE, LOSS = overfills()

FIGURE = FigureSpec(
    "wxcp/text3.1",
    "XCP over a chain: it takes the link's rate for what is there",
    (
        Panel(
            "wxcp/text3.1a",
            "queue",
            curves(ONE_FLOW, (WXCP, XCP), ON_THE_WAY, ("hops", "packets on the way")),
            (QUEUE,),
            (ONE_FLOW,),
        ),
        Panel(
            "wxcp/text3.1b",
            "loss",
            curves(ONE_FLOW, (WXCP, XCP), SENT_AGAIN, ("hops", "sent again per packet")),
            (LOSS,),
            (ONE_FLOW,),
        ),
    ),
)
