"""CXCC 7.3, figure 15: goodput of five endless connections among 150 random nodes."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from . import connections, starving
from .rival_notes import AS_FAST, SHADOWED_TOTAL, STARVED, TOTAL
from .rival_panels import stacked
from .rivals import LONG, LONG_SHADOWED, MODIFIED, NEWRENO, NEWRENO_RTS

FIGURE = FigureSpec(
    "cxcc/fig15",
    "Goodput of five endless connections in random networks",
    (
        Panel(
            "cxcc/fig15a",
            "two-ray ground",
            stacked(LONG, by_hops=False),
            (
                starving.newreno_starves(LONG),
                starving.rts_aggravates(LONG),
                starving.none_starves(LONG, STARVED),
                starving.long_ones_starve(LONG),
                connections.fairer(LONG, TOTAL),
                connections.modifications_are_fairer(LONG),
                connections.at_a_cost(LONG, AS_FAST),
                connections.surplus(LONG, MODIFIED, "the TCP modifications", TOTAL),
                connections.rts_costs(LONG),
            ),
            (LONG,),
        ),
        Panel(
            "cxcc/fig15b",
            "shadowing",
            stacked(LONG_SHADOWED, by_hops=False),
            (
                starving.rts_aggravates(LONG_SHADOWED),
                starving.less_pronounced(LONG, LONG_SHADOWED),
                starving.none_starves(LONG_SHADOWED),
                starving.long_ones_starve(LONG_SHADOWED),
                connections.fairer(LONG_SHADOWED, SHADOWED_TOTAL),
                connections.modifications_are_fairer(LONG_SHADOWED),
                connections.at_a_cost(LONG_SHADOWED),
                connections.surplus(
                    LONG_SHADOWED, MODIFIED, "the TCP modifications", SHADOWED_TOTAL
                ),
                connections.surplus(
                    LONG_SHADOWED, (NEWRENO, NEWRENO_RTS), "NewReno", SHADOWED_TOTAL
                ),
                connections.amplifies(LONG, LONG_SHADOWED),
                connections.rts_costs(LONG_SHADOWED),
            ),
            (LONG_SHADOWED, LONG),
        ),
    ),
)
