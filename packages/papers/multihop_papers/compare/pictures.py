"""Pictures of the tables in a page of the documentation, drawn from the page itself.

    python -m multihop_papers.compare.pictures docs/guides/all-schemes.md docs/images

writes `all-schemes-chain.svg` and `all-schemes-grid.svg`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from multihop.charting.figure import Line, canvas, draw_lines, lay_out, save_small

from .entries import OFFERED, entries, offered
from .measures import LOGARITHMIC, SHOWN, Span, curve
from .page import header, shown
from .setup import NETWORKS

PANEL = (4.2, 3.2)
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def curves(rows: Sequence[Sequence[str]], column: int) -> list[Line]:
    """Return a column of a page's table as curves over the size, one for each scheme."""
    looks = {entry.title: name for name, entry in entries().items()}
    looks[offered("1 kbit/s").title] = OFFERED
    lines = []
    for title, name in looks.items():
        own = [row for row in rows if row[1].partition(" (")[0] == title and row[column] != "-"]
        sizes = np.array([float(row[0]) for row in own])
        lines.append(curve(title, name, sizes, [_span(row[column]) for row in own]))
    return lines


def _span(cell: str) -> Span:
    """Read a cell: a mean, and its interval if it has one."""
    mean, *ends = map(float, NUMBER.findall(cell))
    low, high = ends or (np.nan, np.nan)
    return Span(mean, low, high)


def draw(page: str, folder: Path) -> list[Path]:
    """Draw every measure that a page's tables have: a file for each network."""
    written = []
    tables, titles = shown(page), header(page)
    columns = {measure: titles.index(measure.title) for measure in SHOWN if measure.title in titles}
    for (name, rows), network in zip(tables.items(), NETWORKS, strict=True):
        with canvas(f"all-schemes-{name}", len(columns), columns=2, size=PANEL) as drawing:
            for axes, (measure, column) in zip(drawing.axes, columns.items(), strict=False):
                log = measure in LOGARITHMIC
                draw_lines(axes, curves(rows, column), x=network.size, y=measure.title, log=log)
            drawing.legend()
            lay_out(drawing.figure)
            path = folder / f"all-schemes-{name}.svg"
            save_small(drawing.figure, path)
            written.append(path)
    return written


if __name__ == "__main__":
    draw(Path(sys.argv[1]).read_text(encoding="utf-8"), Path(sys.argv[2]))
