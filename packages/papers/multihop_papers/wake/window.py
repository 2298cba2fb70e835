"""Every rival with WAKE's contention window, in the networks of ten hops."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from .fields import WINDOW
from .hypotheses import ahead
from .measures import DELAY, END_TO_END, GOODPUT, SMALLEST
from .overload import SEVERAL
from .panels import by_network, contest, table

FIGURE = FigureSpec(
    "wake/window",
    "WAKE and rivals with its contention window",
    (
        contest("window-a", WINDOW, GOODPUT),
        contest("window-b", WINDOW, DELAY),
        Panel(
            "wake/window-c",
            SMALLEST.name,
            by_network(WINDOW, SMALLEST),
            tuple(ahead(WINDOW, place, SMALLEST) for place in SEVERAL),
            (WINDOW.study,),
        ),
    ),
    tables=lambda data: [
        table(data, WINDOW, "Rivals with WAKE's window", (GOODPUT, DELAY, END_TO_END, SMALLEST))
    ],
)
