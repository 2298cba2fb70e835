"""CXCC 7.4, figure 19: when packets of short transfers arrive, two-ray ground."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from . import streams
from .rival_notes import REQUESTS
from .rival_panels import arrivals
from .rivals import SHORT, WITHOUT_RTS

FIGURE = FigureSpec(
    "cxcc/fig19",
    "Packet arrivals of short transfers (two-ray ground)",
    tuple(
        Panel(
            f"cxcc/fig19{letter}",
            SHORT.variants[variant].title,
            arrivals(SHORT, variant),
            claims,
            (SHORT,),
        )
        for letter, variant, claims in zip(
            "abcd",
            WITHOUT_RTS,
            (
                (
                    streams.much_earlier(SHORT, REQUESTS),
                    streams.smoother(SHORT, REQUESTS),
                    streams.inactive(SHORT, REQUESTS),
                    streams.stuck_when_idle(SHORT, REQUESTS),
                ),
                (),
                (),
                (),
            ),
            strict=True,
        )
    ),
)
