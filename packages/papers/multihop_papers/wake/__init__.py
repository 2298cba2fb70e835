"""WAKE, this project's own scheme, beside those of the papers.

What it was to reach was written down before the runs of the evaluation (docs/wake).
"""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Row

from .ablation import FIGURE as ABLATION
from .below import FIGURE as BELOW
from .fairness import FIGURE as FAIRNESS
from .grid import FIGURE as GRID
from .joining import FIGURE as JOINING
from .length import FIGURE as LENGTH
from .mobile import FIGURE as MOBILE
from .overload import FIGURE as OVERLOAD
from .radio import FIGURE as RADIO
from .random import FIGURE as RANDOM
from .rates import FIGURE as RATES
from .settling import FIGURE as SETTLING
from .shadowing import FIGURE as SHADOWING
from .spacing import FIGURE as SPACING
from .transfers import FIGURE as TRANSFERS
from .window import FIGURE as WINDOW

FIGURES: tuple[FigureSpec, ...] = (
    *(OVERLOAD, WINDOW, LENGTH, SPACING, BELOW, SETTLING, SHADOWING, RADIO, RATES),
    *(GRID, RANDOM, FAIRNESS, MOBILE, TRANSFERS, JOINING, ABLATION),
)
ROWS: tuple[Row, ...] = ()
