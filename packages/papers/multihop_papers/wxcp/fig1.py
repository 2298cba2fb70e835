"""WXCP 3.4, figure 1: the sender's state machine."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from .machine import draw_machine

FIGURE = FigureSpec(
    "wxcp/fig1",
    "State machine of the sender, drawn from the table that it goes by",
    (Panel("wxcp/fig1", "states and what leads from one to another", draw_machine, ()),),
    size=(7.5, 4.6),
)
