"""CXCC 7.3, figure 18: goodput weighted by hops, of the runs of figure 15."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from . import connections
from .rival_notes import GAIN, WEIGHTED
from .rival_panels import stacked
from .rivals import LONG, LONG_SHADOWED

FIGURE = FigureSpec(
    "cxcc/fig18",
    "Goodput weighted by hops in random networks",
    tuple(
        Panel(
            f"cxcc/fig18{letter}",
            title,
            stacked(study, by_hops=True),
            (
                connections.utilizes_best(study, WEIGHTED),
                connections.long_ones_gain(study, GAIN),
            ),
            (study,),
        )
        for letter, title, study in (
            ("a", "two-ray ground", LONG),
            ("b", "shadowing", LONG_SHADOWED),
        )
    ),
)
