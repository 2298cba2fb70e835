"""Ten hops at 1 to 54 Mbit/s with packets of 64 to 1460 B, at overload."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec

from .fields import RATE
from .measures import DELAY, END_TO_END, GOODPUT
from .panels import contest, table

FIGURE = FigureSpec(
    "wake/rates",
    "WAKE and its rivals by rate and length of packets",
    (
        *(
            contest(f"rates-{rate.split()[0]}-{letter}", field, measure)
            for rate, field in RATE.items()
            for letter, measure in zip("ab", (GOODPUT, DELAY), strict=True)
        ),
    ),
    tables=lambda data: [
        table(data, field, f"At {rate}", (GOODPUT, DELAY, END_TO_END))
        for rate, field in RATE.items()
        if field.study.name in data.studies
    ],
)
