"""How the papers' figures are drawn: curves, and the paper's own numbers beside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from matplotlib.axes import Axes

from ..charting.figure import INK, Style, draw_lines, look
from ..statistics.stats import Values
from .spec import Data, Study

# On each curve over time.
MARKERS = 12

Draw = Callable[[Axes, Data], None]


def curves(
    study: Study,
    variants: Sequence[str],
    column: str,
    labels: tuple[str, str],
    *,
    scale: float = 1.0,
    log: bool = False,
) -> Draw:
    """Draw a column, times `scale`, of some variants or of all; `labels` are those of x and y."""

    def draw(axes: Axes, data: Data) -> None:
        measured = data.studies[study.name]
        lines = [measured.line(variant, column, scale) for variant in variants or measured.variants]
        draw_lines(axes, lines, x=labels[0], y=labels[1], log=log)

    return draw


def paper_points(axes: Axes, x: Sequence[float], y: Sequence[float]) -> None:
    """Draw the numbers that the paper states."""
    axes.plot(x, y, linestyle="none", marker="x", color=INK, label="the paper's numbers")


def rates_over_time(
    axes: Axes, times: Values, rates: Values, titles: Sequence[str], styles: Sequence[Style]
) -> None:
    """Draw throughputs in bit/s over times in s: a row of `rates`, title and style for each."""
    for number, (row, title, style) in enumerate(zip(rates, titles, styles, strict=False)):
        # A few markers, each curve's at other times.
        every = max(len(times) // MARKERS, 1)
        shown = (number * every // len(titles), every)
        axes.plot(times, row / 1e6, label=title, linewidth=1.1, markevery=shown, **look(style))
    axes.set_xlabel("time (s)")
    axes.set_ylabel("throughput (Mbit/s)")
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
