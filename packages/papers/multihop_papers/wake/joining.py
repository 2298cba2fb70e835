"""A flow joins another, which leaves: how soon what there is has been shared anew."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec

from .fields import JOINING
from .hypotheses import hardly_later
from .measures import GOODPUT, JOINED, SHARED, TAKEN
from .panels import contest, table

MEASURES = (JOINED, TAKEN, SHARED, GOODPUT)

FIGURE = FigureSpec(
    "wake/joining",
    "A flow joins another, which leaves",
    tuple(
        contest(
            f"joining-{letter}",
            JOINING,
            measure,
            instead={place: hardly_later(JOINING, place, TAKEN) for place in JOINING.names}
            if measure is TAKEN
            else {},
        )
        for letter, measure in zip("abcd", MEASURES, strict=True)
    ),
    tables=lambda data: [table(data, JOINING, "A flow joins, another leaves", MEASURES)],
)
