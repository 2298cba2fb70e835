"""All schemes side by side: a standing part of the report, and no paper.

Every scheme of this project in the same networks, those of later papers as soon as they are there.
"""

from __future__ import annotations

from ..spec import FigureSpec, Row
from .explicit.figure import FIGURE

FIGURES: tuple[FigureSpec, ...] = (FIGURE,)
ROWS: tuple[Row, ...] = ()
