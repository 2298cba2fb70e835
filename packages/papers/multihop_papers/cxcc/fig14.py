"""CXCC 7.2, figure 14: a rising bit error rate in the bidirectional chain, under shadowing."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from . import errors
from .relations import DELAY, GOODPUT
from .rival_notes import DROPS, LEVEL
from .rival_panels import relative
from .rivals import ERRORS

FIGURE = FigureSpec(
    "cxcc/fig14",
    "Bit errors in the bidirectional chain (shadowing)",
    (
        Panel(
            "cxcc/fig14a",
            "throughput",
            relative(ERRORS, GOODPUT, "throughput, relative"),
            (errors.factors(), errors.performs_well(LEVEL), errors.smaller_window()),
            (ERRORS,),
        ),
        Panel(
            "cxcc/fig14b",
            "mean network delay",
            relative(ERRORS, DELAY, "network delay, relative"),
            (
                errors.drops(DROPS),
                errors.decreases(DROPS),
                errors.not_the_fastest(),
                errors.paid_in_throughput(),
            ),
            (ERRORS,),
        ),
    ),
)
