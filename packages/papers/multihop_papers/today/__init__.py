"""Do the papers hold on today's radios? Their central claims, on one radio after the other.

Central claims of the five papers, chosen before any run (`claims.toml`), judged on every radio.
"""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Row

from .figures import figure
from .radios import RADIOS, STEPS

FIGURES: tuple[FigureSpec, ...] = tuple(figure(radio) for radio in (*RADIOS, *STEPS))
ROWS: tuple[Row, ...] = ()
