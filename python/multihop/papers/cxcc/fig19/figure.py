"""CXCC 7.4, figure 19: when packets of short transfers arrive, two-ray ground."""

from __future__ import annotations

from ...spec import FigureSpec, Panel
from .. import streams
from ..rival_notes import REQUESTS
from ..rival_panels import arrivals
from ..rivals import ARRIVALS, WITHOUT_RTS

FIGURE = FigureSpec(
    "cxcc/fig19",
    "Packet arrivals of short transfers (two-ray ground)",
    tuple(
        Panel(
            f"cxcc/fig19{letter}",
            ARRIVALS.variants[variant].title,
            arrivals(ARRIVALS, variant),
            claims,
            (ARRIVALS,),
        )
        for letter, variant, claims in zip(
            "abcd",
            WITHOUT_RTS,
            (
                (
                    streams.much_earlier(ARRIVALS, REQUESTS),
                    streams.smoother(ARRIVALS, REQUESTS),
                    streams.inactive(ARRIVALS, REQUESTS),
                ),
                (),
                (),
                (),
            ),
            strict=True,
        )
    ),
)
