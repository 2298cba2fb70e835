"""CXCC 7.3, figure 16: delay relative to NewReno's, of the runs of figure 15."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from . import connections
from .relations import too
from .rival_notes import DELAY, RTS
from .rival_panels import beside
from .rivals import LONG, LONG_SHADOWED

BOTH = (LONG, LONG_SHADOWED)

FIGURE = FigureSpec(
    "cxcc/fig16",
    "Network delay in relation to TCP",
    (
        Panel(
            "cxcc/fig16",
            "geometric mean over the connections",
            beside(BOTH, connections.relative_delay, "network delay over that of NewReno"),
            (
                *(
                    too(claim(study, DELAY), name)
                    for study, name in zip(BOTH, ("two-ray ground", "shadowing"), strict=True)
                    for claim in (connections.a_fifth, connections.lowered)
                ),
                connections.rts_can_lower(BOTH, RTS),
                connections.applies(BOTH),
            ),
            BOTH,
        ),
    ),
)
