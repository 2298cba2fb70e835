"""Implicit hop-by-hop congestion control: the figures of its paper.

Scheuermann, Lochert, Mauve: Implicit Hop-by-Hop Congestion Control in Wireless Multihop Networks.
Ad Hoc Networks 6(2), 2008, doi:10.1016/j.adhoc.2007.01.001.
"""

from __future__ import annotations

from importlib import import_module

from ..spec import FigureSpec, Row

NUMBERS = (1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13)

FIGURES: tuple[FigureSpec, ...] = tuple(
    import_module(f"{__name__}.fig{number}.figure").FIGURE for number in NUMBERS
)

ROWS: tuple[Row, ...] = ()
