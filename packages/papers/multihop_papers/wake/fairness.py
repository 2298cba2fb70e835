"""Random networks at three densities, sources without limit, beside the optimum and an oracle."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from . import paced
from .fields import FAIRNESS, NODES
from .hypotheses import ORACLES, near_the_oracle
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
                near_the_oracle(oracle, places, words)
                for oracle in ORACLES
                for words, places in parts(FAIRNESS, DENSITIES).items()
            ),
            (FAIRNESS.study, paced.STUDY),
        ),
        *contests("fairness", "bc", FAIRNESS, (FAIR, SMALLEST), DENSITIES),
    ),
    tables=lambda data: [
        table(data, FAIRNESS, "Random networks and their optimum", (SHARE, SMALLEST, GOODPUT))
    ],
)
