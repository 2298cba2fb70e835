"""CXCC 7.4, figure 20: when packets of short transfers arrive, shadowing."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from . import streams
from .rival_notes import REQUESTS
from .rival_panels import arrivals
from .rivals import SHORT_SHADOWED, WITHOUT_RTS

FIGURE = FigureSpec(
    "cxcc/fig20",
    "Packet arrivals of short transfers (shadowing)",
    tuple(
        Panel(
            f"cxcc/fig20{letter}",
            SHORT_SHADOWED.variants[variant].title,
            arrivals(SHORT_SHADOWED, variant),
            claims,
            (SHORT_SHADOWED,),
        )
        for letter, variant, claims in zip(
            "abcd",
            WITHOUT_RTS,
            (
                (
                    streams.much_earlier(SHORT_SHADOWED, REQUESTS),
                    streams.smoother(SHORT_SHADOWED, REQUESTS),
                    streams.inactive(SHORT_SHADOWED, REQUESTS),
                    streams.stuck_when_idle(SHORT_SHADOWED, REQUESTS),
                ),
                (),
                (),
                (),
            ),
            strict=True,
        )
    ),
)
