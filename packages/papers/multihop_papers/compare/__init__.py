"""All schemes side by side: a standing part of the report, and no paper.

Every scheme of this project in the same networks, those of later papers as soon as they are there.
"""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Row

from .explicit import FIGURE
from .radios import FIGURES as RADIOS

FIGURES: tuple[FigureSpec, ...] = (FIGURE, *RADIOS)
ROWS: tuple[Row, ...] = ()
