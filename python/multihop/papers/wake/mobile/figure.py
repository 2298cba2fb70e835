"""Moving nodes with AODV, five flows."""

from __future__ import annotations

from ...spec import FigureSpec, Panel
from ..fields import MOBILE, SPEEDS, TEST_SEEDS
from ..hypotheses import ahead_in_all
from ..measures import DELAY, FAIR, GOODPUT, SMALLEST
from ..panels import by_network, table

_PLACES = tuple(MOBILE.names)
_EACH = len(TEST_SEEDS)
FASTEST = {
    f"up to {speed} m/s": _PLACES[at * _EACH : (at + 1) * _EACH] for at, speed in enumerate(SPEEDS)
}

FIGURE = FigureSpec(
    "wake/mobile",
    "WAKE and its rivals where nodes move",
    (
        *(
            Panel(
                f"wake/mobile-{letter}",
                measure.name,
                by_network(MOBILE, measure),
                tuple(
                    ahead_in_all(MOBILE, places, words, measure)
                    for words, places in FASTEST.items()
                ),
                (MOBILE.study,),
            )
            for letter, measure in zip("abc", (GOODPUT, FAIR, SMALLEST), strict=True)
        ),
    ),
    tables=lambda data: [table(data, MOBILE, "Moving nodes", (GOODPUT, FAIR, SMALLEST, DELAY))],
)
