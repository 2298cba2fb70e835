"""The papers: a folder for each, in it a folder for each figure or table."""

from __future__ import annotations

from . import cxcc, hxh, lecn, wxcp
from .spec import FigureSpec

FIGURES: tuple[FigureSpec, ...] = (*cxcc.FIGURES, *wxcp.FIGURES, *lecn.FIGURES, *hxh.FIGURES)
