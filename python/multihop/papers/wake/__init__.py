"""WAKE, this project's own scheme, beside those of the papers.

What it was to reach was written down before the runs of the evaluation (docs/wake).
"""

from __future__ import annotations

from ..spec import FigureSpec, Row
from .overload.figure import FIGURE as OVERLOAD
from .random.figure import FIGURE as RANDOM

FIGURES: tuple[FigureSpec, ...] = (OVERLOAD, RANDOM)
ROWS: tuple[Row, ...] = ()
