"""How LECN's figures and tables are drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from matplotlib.axes import Axes

from multihop.charting.figure import INK, Line, Style, draw_lines
from multihop.reproducing.panels import Draw, paper_points
from multihop.reproducing.spec import Data, Study
from multihop.statistics.stats import Values, confidence

from .relations import optimum
from .setup import LENGTHS, THROUGHPUT, WINDOW

KBIT = "throughput (kbit/s)"
HOPS = "hops"
BEST = Style(INK, "*")
# Of packet sizes or backgrounds.
MARKERS = "os^"


def over_windows(studies: Mapping[str, Study], at: Iterable[str], most: Iterable[str]) -> Draw:
    """Draw the throughput over the window limit: `studies` are by name, a marker each.

    The paper's best windows and their throughputs are texts of numbers.
    """

    def draw(axes: Axes, data: Data) -> None:
        lines = []
        for (name, study), marker in zip(studies.items(), MARKERS, strict=False):
            measured = data.studies[study.name]
            for variant in measured.variants:
                line = measured.line(variant, THROUGHPUT, 1e-3)
                style = replace(line.style, marker=marker)
                lines.append(replace(line, title=f"{line.title}, {name}", style=style))
        draw_lines(axes, lines, x="window limit (packets)", y=KBIT)
        paper_points(axes, _numbers(at), _numbers(most))

    return draw


def _numbers(texts: Iterable[str]) -> list[float]:
    return [float(number) for text in texts for number in text.split()]


def throughput(variants: Sequence[str], search: Study | None = None) -> Draw:
    """Draw the throughput over the length of the chain, and the optimum if it was searched."""

    def draw(axes: Axes, data: Data) -> None:
        measured = data.studies[LENGTHS.name]
        lines = [measured.line(variant, THROUGHPUT, 1e-3) for variant in variants]
        if search is not None:
            found = data.studies[search.name]
            best, _, windows = optimum(found)
            error = [
                confidence(found.values(window, THROUGHPUT)[row])
                for row, window in enumerate(windows)
            ]
            lines.append(_optimum(found.x, best / 1e3, np.array(error) / 1e3))
        draw_lines(axes, lines, x=HOPS, y=KBIT, log=True)

    return draw


def windows(variants: Sequence[str], search: Study) -> Draw:
    """Draw the mean window over the length of the chain, and the best one."""

    def draw(axes: Axes, data: Data) -> None:
        measured = data.studies[LENGTHS.name]
        lines = [measured.line(variant, WINDOW) for variant in variants]
        _, best, _ = optimum(data.studies[search.name])
        lines.append(_optimum(measured.x, best, np.zeros(len(best))))
        draw_lines(axes, lines, x=HOPS, y="mean window (packets)", log=True)

    return draw


def _optimum(x: Values, y: Values, error: Values) -> Line:
    return Line("best window limit", BEST, x, y, error)
