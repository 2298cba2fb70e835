"""The papers: a folder for each, in it a folder for each figure or table."""

from __future__ import annotations

from . import cxcc, hxh, lecn, wxcp
from .spec import FigureSpec, Row

_PAPERS = (cxcc, wxcp, lecn, hxh)
FIGURES: tuple[FigureSpec, ...] = tuple(figure for paper in _PAPERS for figure in paper.FIGURES)
# The checklist: every artifact of the papers, run or not.
ROWS: tuple[Row, ...] = tuple(row for paper in _PAPERS for row in paper.ROWS)
