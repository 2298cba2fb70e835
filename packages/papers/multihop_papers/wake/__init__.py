"""WAKE, this project's own scheme, beside those of the papers.

What it was to reach was written down before the runs of the evaluation (docs/wake).
"""

from __future__ import annotations

from ..spec import FigureSpec, Row
from .ablation.figure import FIGURE as ABLATION
from .below.figure import FIGURE as BELOW
from .fairness.figure import FIGURE as FAIRNESS
from .grid.figure import FIGURE as GRID
from .joining.figure import FIGURE as JOINING
from .length.figure import FIGURE as LENGTH
from .mobile.figure import FIGURE as MOBILE
from .overload.figure import FIGURE as OVERLOAD
from .radio.figure import FIGURE as RADIO
from .random.figure import FIGURE as RANDOM
from .rates.figure import FIGURE as RATES
from .settling.figure import FIGURE as SETTLING
from .shadowing.figure import FIGURE as SHADOWING
from .spacing.figure import FIGURE as SPACING
from .transfers.figure import FIGURE as TRANSFERS
from .window.figure import FIGURE as WINDOW

FIGURES: tuple[FigureSpec, ...] = (
    *(OVERLOAD, WINDOW, LENGTH, SPACING, BELOW, SETTLING, SHADOWING, RADIO, RATES),
    *(GRID, RANDOM, FAIRNESS, MOBILE, TRANSFERS, JOINING, ABLATION),
)
ROWS: tuple[Row, ...] = ()
