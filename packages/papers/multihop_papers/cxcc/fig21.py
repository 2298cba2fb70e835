"""CXCC 7.4, figure 21: distribution of the throughputs of short transfers."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from . import streams
from .rival_notes import REQUESTS
from .rival_panels import distribution
from .rivals import SHORT, SHORT_SHADOWED

FIGURE = FigureSpec(
    "cxcc/fig21",
    "Throughputs of short transfers",
    tuple(
        Panel(
            f"cxcc/fig21{letter}",
            title,
            distribution(study),
            (
                streams.faster(study, REQUESTS),
                streams.minimum_share(study, REQUESTS),
                streams.evener(study, REQUESTS),
            ),
            (study,),
        )
        for letter, title, study in (
            ("a", "two-ray ground", SHORT),
            ("b", "shadowing", SHORT_SHADOWED),
        )
    ),
)
