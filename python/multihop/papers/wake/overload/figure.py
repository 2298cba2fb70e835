"""Chains and crosses at 400 kbit/s a flow: goodput, delay, and what the smallest flow gets."""

from __future__ import annotations

from collections.abc import Sequence

from ....report import Table
from ...spec import Claim, Data, FigureSpec, Panel
from ..measures import DELAY, GOODPUT, SMALLEST, ahead, as_early_as_udp, beats_best_load
from ..panels import by_network, table
from ..setup import BEST, CASES, LOW, OVERLOAD

NAMES = [case.name for case in CASES]
PLACES = range(1, len(CASES) + 1)
# One flow has no smallest.
SEVERAL = [place for place in PLACES if CASES[place - 1].topology != "chain"]


def _tables(data: Data) -> Sequence[Table]:
    return [table(data, OVERLOAD, "At overload", (GOODPUT, DELAY, SMALLEST), NAMES)]


GOODPUTS: tuple[Claim, ...] = (
    *(ahead(place, GOODPUT) for place in PLACES),
    *(beats_best_load(place) for place in PLACES),
)
DELAYS = (
    *(ahead(place, DELAY) for place in PLACES),
    *(as_early_as_udp(place) for place in PLACES),
)
SHARES = tuple(ahead(place, SMALLEST) for place in SEVERAL)

FIGURE = FigureSpec(
    "wake/overload",
    "WAKE and its rivals at overload",
    (
        Panel(
            "wake/overload-a",
            "goodput",
            by_network(OVERLOAD, GOODPUT, NAMES, log=False),
            GOODPUTS,
            (OVERLOAD, BEST),
        ),
        Panel(
            "wake/overload-b",
            "delay",
            by_network(OVERLOAD, DELAY, NAMES, log=True),
            DELAYS,
            (OVERLOAD, LOW),
        ),
        Panel(
            "wake/overload-c",
            "smallest flow",
            by_network(OVERLOAD, SMALLEST, NAMES, log=False),
            SHARES,
            (OVERLOAD,),
        ),
    ),
    tables=_tables,
)
