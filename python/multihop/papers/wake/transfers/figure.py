"""Short transfers: over a chain of ten hops, and many of them in random networks."""

from __future__ import annotations

from ...spec import FigureSpec, Panel
from ..fields import MANY, TRANSFER
from ..hypotheses import ahead_in_all
from ..measures import COMPLETE, SLOWEST
from ..panels import by_network, contest, table

NETWORKS = tuple(MANY.names)

FIGURE = FigureSpec(
    "wake/transfers",
    "Short transfers with WAKE and its rivals",
    (
        contest("transfers-a", TRANSFER, COMPLETE),
        *(
            Panel(
                f"wake/transfers-{letter}",
                measure.name,
                by_network(MANY, measure),
                (ahead_in_all(MANY, NETWORKS, "random networks", measure),),
                (MANY.study,),
            )
            for letter, measure in zip("bc", (COMPLETE, SLOWEST), strict=True)
        ),
    ),
    tables=lambda data: [
        table(data, TRANSFER, "A transfer over a chain", (COMPLETE,)),
        table(data, MANY, "120 transfers in a random network", (COMPLETE, SLOWEST)),
    ],
)
