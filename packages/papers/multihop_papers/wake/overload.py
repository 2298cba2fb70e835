"""Chains and crosses at 400 kbit/s a flow: goodput, delay, and what the smallest flow gets."""

from __future__ import annotations

from collections.abc import Sequence

from multihop.reporting.report import Table
from multihop.reproducing.spec import Data, FigureSpec, Panel

from .fields import TEN
from .hypotheses import ahead, as_early_as_udp, beats_best_load
from .measures import DELAY, END_TO_END, GOODPUT, SMALLEST
from .panels import by_network, contest, table
from .setup import BEST, CASES, LOW, OVERLOAD

PLACES = range(1, len(CASES) + 1)
# One flow has no smallest.
SEVERAL = [place for place in PLACES if CASES[place - 1].topology != "chain"]


def _tables(data: Data) -> Sequence[Table]:
    return [table(data, TEN, "At overload", (GOODPUT, DELAY, END_TO_END, SMALLEST))]


FIGURE = FigureSpec(
    "wake/overload",
    "WAKE and its rivals at overload",
    (
        contest(
            "overload-a",
            TEN,
            GOODPUT,
            [beats_best_load(TEN, place, BEST) for place in PLACES],
            [BEST],
        ),
        contest("overload-b", TEN, DELAY, [as_early_as_udp(place) for place in PLACES], [LOW]),
        Panel(
            "wake/overload-c",
            SMALLEST.name,
            by_network(TEN, SMALLEST),
            tuple(ahead(TEN, place, SMALLEST) for place in SEVERAL),
            (OVERLOAD,),
        ),
    ),
    tables=_tables,
)
