"""Five flows in random networks: fairness in proportion, and the smallest flow."""

from __future__ import annotations

from collections.abc import Sequence

from ....report import Table
from ...spec import Data, FigureSpec, Panel
from ..measures import DELAY, FAIR, GOODPUT, SMALLEST, ahead_in_all
from ..panels import by_network, table
from ..setup import NETWORKS, RANDOM

NAMES = [f"{seed:g}" for seed in NETWORKS]


def _tables(data: Data) -> Sequence[Table]:
    return [table(data, RANDOM, "Random networks", (FAIR, SMALLEST, GOODPUT, DELAY), NAMES)]


FIGURE = FigureSpec(
    "wake/random",
    "WAKE and its rivals in random networks",
    (
        Panel(
            "wake/random-a",
            "sum of the logarithms of goodput in kbit/s",
            by_network(RANDOM, FAIR, NAMES, log=False),
            (ahead_in_all(FAIR),),
            (RANDOM,),
        ),
        Panel(
            "wake/random-b",
            "smallest flow",
            by_network(RANDOM, SMALLEST, NAMES, log=True),
            (ahead_in_all(SMALLEST),),
            (RANDOM,),
        ),
    ),
    tables=_tables,
)
