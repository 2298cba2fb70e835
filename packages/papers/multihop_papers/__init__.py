"""The papers: a folder for each, in it a folder for each figure or table."""

from __future__ import annotations

import inspect
from types import ModuleType

from . import cl, compare, cxcc, hxh, lecn, wake, wxcp
from .spec import FigureSpec, Row

# The last two are no papers: this project's own scheme, and all schemes side by side.
_PAPERS = (cxcc, wxcp, lecn, hxh, cl, wake, compare)
FIGURES: tuple[FigureSpec, ...] = tuple(figure for paper in _PAPERS for figure in paper.FIGURES)
# The checklist: every artifact of the papers, run or not.
ROWS: tuple[Row, ...] = tuple(row for paper in _PAPERS for row in paper.ROWS)


def _citation(paper: ModuleType) -> str:
    """Return the second paragraph of a paper's description."""
    return " ".join((inspect.getdoc(paper) or "").split("\n\n")[1].split())


# What each is: a paper's citation.
ABOUT = {paper.__name__.rpartition(".")[2]: _citation(paper) for paper in _PAPERS}
CITATIONS = {name: ABOUT[name] for name in ABOUT if name not in ("wake", "compare")}
