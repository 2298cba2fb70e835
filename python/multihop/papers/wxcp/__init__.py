"""WXCP: the figures and tables of its paper, so far with their curves of TCP.

Su, Gross: WXCP: Explicit Congestion Control for Wireless Multi-hop Networks. IWQoS 2005.
"""

from __future__ import annotations

from importlib import import_module

from ..spec import FigureSpec, Row

PARTS = ("fig2", "table1", "fig5", "table2", "fig8")

FIGURES: tuple[FigureSpec, ...] = tuple(
    import_module(f"{__name__}.{part}.figure").FIGURE for part in PARTS
)

ROWS: tuple[Row, ...] = ()
