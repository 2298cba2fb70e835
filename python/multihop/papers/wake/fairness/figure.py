"""Random networks at three densities, sources without limit: what is left to the fair optimum."""

from __future__ import annotations

from ...spec import FigureSpec, Panel
from ..fields import FAIRNESS, NODES, TEST_SEEDS
from ..hypotheses import ahead_in_all, near_the_optimum
from ..measures import FAIR, GOODPUT, SHARE, SMALLEST
from ..panels import by_network, table

_PLACES = tuple(FAIRNESS.names)
_EACH = len(TEST_SEEDS)
DENSITIES = {
    f"{nodes} nodes": _PLACES[at * _EACH : (at + 1) * _EACH] for at, nodes in enumerate(NODES)
}

FIGURE = FigureSpec(
    "wake/fairness",
    "WAKE, its rivals and the fair optimum in random networks",
    (
        Panel(
            "wake/fairness-a",
            SHARE.name,
            by_network(FAIRNESS, SHARE),
            tuple(near_the_optimum(places, words) for words, places in DENSITIES.items()),
            (FAIRNESS.study,),
        ),
        *(
            Panel(
                f"wake/fairness-{letter}",
                measure.name,
                by_network(FAIRNESS, measure),
                tuple(
                    ahead_in_all(FAIRNESS, places, words, measure)
                    for words, places in DENSITIES.items()
                ),
                (FAIRNESS.study,),
            )
            for letter, measure in zip("bc", (FAIR, SMALLEST), strict=True)
        ),
    ),
    tables=lambda data: [
        table(data, FAIRNESS, "Random networks and their optimum", (SHARE, SMALLEST, GOODPUT))
    ],
)
