"""Short transfers: over a chain of ten hops, and many of them in random networks."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec

from .fields import MANY, TRANSFER
from .hypotheses import near_the_best
from .measures import COMPLETE, SLOWEST
from .panels import contest, contests, table

# Ten link acknowledgments are sent on the way, which CXCC does without.
LONE = next(place for place, name in TRANSFER.names.items() if name == "idle, 1 packet")

FIGURE = FigureSpec(
    "wake/transfers",
    "Short transfers with WAKE and its rivals",
    (
        contest(
            "transfers-a",
            TRANSFER,
            COMPLETE,
            instead={LONE: near_the_best(TRANSFER, LONE, COMPLETE)},
        ),
        *contests("transfers", "bc", MANY, (COMPLETE, SLOWEST), ["random networks"]),
    ),
    tables=lambda data: [
        table(data, field, title, measures)
        for field, title, measures in (
            (TRANSFER, "A transfer over a chain", (COMPLETE,)),
            (MANY, "120 transfers in a random network", (COMPLETE, SLOWEST)),
        )
        if field.study.name in data.studies
    ],
)
