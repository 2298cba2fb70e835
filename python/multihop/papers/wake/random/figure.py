"""Five flows in random networks: fairness in proportion, and the smallest flow."""

from __future__ import annotations

from collections.abc import Sequence

from ....report import Table
from ...spec import Data, FigureSpec, Panel
from ..fields import MIXED
from ..hypotheses import ahead_in_all
from ..measures import DELAY, FAIR, GOODPUT, SMALLEST
from ..panels import by_network, table
from ..setup import NETWORKS, RANDOM


def _tables(data: Data) -> Sequence[Table]:
    return [table(data, MIXED, "Random networks", (FAIR, SMALLEST, GOODPUT, DELAY))]


FIGURE = FigureSpec(
    "wake/random",
    "WAKE and its rivals in random networks",
    (
        Panel(
            "wake/random-a",
            "sum of the logarithms of goodput in kbit/s",
            by_network(MIXED, FAIR),
            (ahead_in_all(MIXED, NETWORKS, "random networks", FAIR),),
            (RANDOM,),
        ),
        Panel(
            "wake/random-b",
            SMALLEST.name,
            by_network(MIXED, SMALLEST),
            (ahead_in_all(MIXED, NETWORKS, "random networks", SMALLEST),),
            (RANDOM,),
        ),
    ),
    tables=_tables,
)
