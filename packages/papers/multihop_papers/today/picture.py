"""The matrix of claims and radios, and that of steps, as a picture.

    python -m multihop_papers.today.picture docs/images

writes `today-matrix.svg`. A square says what became of a claim on a radio: filled if it holds, with
a cross if it differs, with a dot if it is undecided, none where the radio does not take it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes

from multihop.charting.figure import canvas, lay_out, save_small
from multihop.reporting.verdicts import DIFFERS, REPRODUCED, UNDECIDED

from .central import CLAIMS
from .page import BASES, from_base, verdict_on
from .radios import RADIOS, Radio

NAME = "today-matrix"
# In inches, of the whole picture's halves.
SIZE = (5.4, 6.2)
# Squares of the verdicts, and what is on them: told apart without colour, too.
FILLED = {REPRODUCED: "#3b7dd8", DIFFERS: "#f2b47e", UNDECIDED: "#eeeeee"}
ON_IT = {DIFFERS: "x", UNDECIDED: "."}
WORDS = {REPRODUCED: "holds", DIFFERS: "differs", UNDECIDED: "undecided"}


def places(radios: Sequence[Radio], verdict: str) -> tuple[list[int], list[int]]:
    """Return where a verdict is: numbers of radios, and of claims."""
    found = [
        (column, row)
        for row, claim in enumerate(CLAIMS)
        for column, radio in enumerate(radios)
        if verdict_on(claim, radio) == verdict
    ]
    return [column for column, _ in found], [row for _, row in found]


def _draw(axes: Axes, radios: Sequence[Radio], *, named: bool) -> None:
    for verdict, color in FILLED.items():
        columns, rows = places(radios, verdict)
        title = WORDS[verdict]
        axes.scatter(columns, rows, s=90, marker="s", color=color, label=title, zorder=2)
        if verdict in ON_IT:
            axes.scatter(columns, rows, s=18, marker=ON_IT[verdict], color="black", zorder=3)
    axes.set_xticks(range(len(radios)), [radio.id for radio in radios], rotation=90)
    axes.set_yticks(range(len(CLAIMS)), [claim.id if named else "" for claim in CLAIMS])
    axes.set_xlim(-0.6, len(radios) - 0.4)
    axes.set_ylim(len(CLAIMS) - 0.4, -0.6)
    axes.grid(visible=False)


def draw(folder: Path) -> Path:
    """Draw the verdicts that are stored; return the file."""
    with canvas(NAME, 2, columns=2, size=SIZE) as drawing:
        radios, steps = drawing.axes
        _draw(radios, RADIOS, named=True)
        shown = [radio for base in BASES.values() for radio in from_base(base)]
        _draw(steps, shown, named=False)
        drawing.legend()
        lay_out(drawing.figure)
        path = folder / f"{NAME}.svg"
        save_small(drawing.figure, path)
    return path


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
