"""Link-layer explicit congestion notification: the figures and tables of its paper.

Joo, Bahk, Kim: Detecting Spatial Congestion in Multihop Wireless Networks. IWCMC 2006.
"""

from __future__ import annotations

from importlib import import_module

from ..spec import FigureSpec, Row

PARTS = (
    *("table1", "table2", "fig2", "fig3", "fig4", "fig5"),
    *("text4", "fig6", "fig7", "fig8", "table3"),
)

FIGURES: tuple[FigureSpec, ...] = tuple(
    import_module(f"{__name__}.{part}.figure").FIGURE for part in PARTS
)

ROWS: tuple[Row, ...] = ()
