"""HxH: the figures and tables of its thesis.

Scofield: Hop-by-Hop Transport Control for Multi-Hop Wireless Networks. Master's thesis, Brigham
Young University, 2007. Figures 1.1, 1.2, 1.4 to 1.6, 2.2, 3.1 to 3.5, 4.2, 4.4, 4.7, 4.9, 4.10,
4.12 and 4.14 are drawings.
"""

from __future__ import annotations

from importlib import import_module

from ..spec import FigureSpec, Row

PARTS = (
    *("fig1_3", "fig1_7", "fig2_1", "fig4_1", "fig4_3", "fig4_5", "fig4_6", "table4_1", "fig4_8"),
    *("fig4_11", "table4_2", "fig4_13", "fig4_15", "table4_3", "table4_4", "fig5_1"),
)

FIGURES: tuple[FigureSpec, ...] = tuple(
    import_module(f"{__name__}.{part}.figure").FIGURE for part in PARTS
)

ROWS: tuple[Row, ...] = ()
