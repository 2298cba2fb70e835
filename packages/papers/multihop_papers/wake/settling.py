"""How soon a flow has its share."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from .fields import SETTLING
from .hypotheses import settles
from .measures import SETTLED
from .panels import by_network, table

FIGURE = FigureSpec(
    "wake/settling",
    "How soon WAKE and its rivals settle",
    (
        Panel(
            "wake/settling-a",
            SETTLED.name,
            by_network(SETTLING, SETTLED),
            tuple(settles(place) for place in SETTLING.names),
            (SETTLING.study,),
        ),
    ),
    tables=lambda data: [table(data, SETTLING, "After a second", (SETTLED,))],
)
