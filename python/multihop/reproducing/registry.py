"""The papers that are installed, found by the entry points of the group `multihop.papers`.

An entry point names a module with `PAPERS`, a tuple of modules, one for each paper, and, if it has
any, `OWN`: what is reproduced in the same way and is no paper. Such a module has `FIGURES`
(`FigureSpec`), `ROWS` (its checklist), and a description whose second paragraph is the citation.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any

from ..engine.errors import MissingExtraError
from .spec import FigureSpec, Row

GROUP = "multihop.papers"
# Testbeds of papers that `multihop lab` sets up with real processes, by the figure's name.
TESTBEDS = "multihop.testbeds"
INSTALL = "pip install multihop-papers"


def _installed() -> Iterator[tuple[ModuleType, bool]]:
    """Yield the modules of papers, and whether each is a paper."""
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        found = entry.load()
        yield from ((paper, True) for paper in found.PAPERS)
        yield from ((other, False) for other in getattr(found, "OWN", ()))


def _name(paper: ModuleType) -> str:
    return paper.__name__.rpartition(".")[2]


def _citation(paper: ModuleType) -> str:
    """Return the second paragraph of a paper's description."""
    return " ".join((inspect.getdoc(paper) or "").split("\n\n")[1].split())


_FOUND = dict(_installed())
FIGURES: tuple[FigureSpec, ...] = tuple(figure for paper in _FOUND for figure in paper.FIGURES)
# The checklist: every artifact of the papers, run or not.
ROWS: tuple[Row, ...] = tuple(row for paper in _FOUND for row in paper.ROWS)
# What each is: a paper's citation.
ABOUT = {_name(paper): _citation(paper) for paper in _FOUND}
CITATIONS = {_name(paper): ABOUT[_name(paper)] for paper, is_paper in _FOUND.items() if is_paper}


def require_papers() -> None:
    """Refuse to go on where no papers are installed; the message says what to install."""
    if not FIGURES:
        raise MissingExtraError(
            f"no papers are installed, so there is nothing to reproduce: {INSTALL}, or install a "
            f"package with an entry point of the group '{GROUP}'"
        )


def testbed(name: str) -> Any:
    """Return the module that sets up a testbed of a paper and judges what it measures.

    Raises `MissingExtraError` if no installed package brings it.
    """
    found = next(iter(entry_points(group=TESTBEDS, name=name)), None)
    if found is None:
        raise MissingExtraError(f"the testbed '{name}' is not installed: {INSTALL}")
    return found.load()
