"""The papers: a folder for each, in it a folder for each figure."""

from __future__ import annotations

from . import cxcc
from .spec import FigureSpec

FIGURES: tuple[FigureSpec, ...] = cxcc.FIGURES
