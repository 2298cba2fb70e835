"""Random networks at three densities, sources without limit: what is left to the fair optimum."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from .fields import FAIRNESS, NODES
from .hypotheses import near_the_optimum
from .measures import FAIR, GOODPUT, SHARE, SMALLEST
from .panels import by_network, contests, parts, table

DENSITIES = [f"{nodes} nodes" for nodes in NODES]

FIGURE = FigureSpec(
    "wake/fairness",
    "WAKE, its rivals and the fair optimum in random networks",
    (
        Panel(
            "wake/fairness-a",
            SHARE.name,
            by_network(FAIRNESS, SHARE),
            tuple(
                near_the_optimum(places, words)
                for words, places in parts(FAIRNESS, DENSITIES).items()
            ),
            (FAIRNESS.study,),
        ),
        *contests("fairness", "bc", FAIRNESS, (FAIR, SMALLEST), DENSITIES),
    ),
    tables=lambda data: [
        table(data, FAIRNESS, "Random networks and their optimum", (SHARE, SMALLEST, GOODPUT))
    ],
)
