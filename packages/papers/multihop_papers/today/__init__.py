"""Do the papers hold on today's radios? Their central claims, on one radio after the other.

Central claims of the five papers, chosen before any run (`claims.toml`), judged on every radio.
"""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Row

from .figures import figure, with_league
from .radios import RADIOS, STEPS

FIGURES: tuple[FigureSpec, ...] = (
    *(with_league(radio) for radio in RADIOS),
    *(figure(step) for step in STEPS),
)
ROWS: tuple[Row, ...] = ()
