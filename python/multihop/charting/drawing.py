"""A chart as a file: for papers by default, in the width of a column, with fonts that stay text."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..engine.errors import ChartError
from ..results.result import make_folder, replacing
from .chart import Chart, Line, Panel
from .figure import LOOK, Style, draw_bound, lay_out, look, metadata
from .latex import tabular
from .presentation import Presentation
from .styles import line_styles
from .vega import vega

# A file's ending, and what it is.
KINDS = {".png": "PNG", ".svg": "SVG", ".pdf": "PDF", ".json": "Vega-Lite", ".tex": "LaTeX"}
BAND = 0.18
MOST_COLUMNS = 3
# Between points that stand at the same name, of 1 from name to name.
DODGE = 0.08


class Look(NamedTuple):
    """The size of a panel in inches, and what differs from the look of pages."""

    width: float
    height: float
    settings: dict[Any, Any]


# A column of IEEE's and ACM's formats is 3.3 to 3.5 in wide; their text has 8 to 10 pt.
LOOKS = {
    "paper": Look(
        3.4,
        2.4,
        {
            "font.size": 8,
            "axes.titlesize": 8,
            "axes.labelsize": 8,
            "legend.fontsize": 7,
            "axes.linewidth": 0.6,
            "grid.linewidth": 0.4,
            "lines.linewidth": 1.2,
            "lines.markersize": 4,
            "pdf.fonttype": 42,
            "savefig.dpi": 300,
        },
    ),
    "page": Look(4.4, 3.2, {}),
}


def save(
    chart: Chart, paths: list[Path], style: str = "paper", how: Presentation = Presentation()
) -> None:
    """Write a chart to files; the ending of each says what it becomes."""
    for path in paths:
        if path.suffix not in KINDS:
            raise ChartError(
                f"'{path}' ends in none of {', '.join(KINDS)}; name a file with one of them"
            )
    for path in paths:
        make_folder(path.parent)
        with replacing(path) as temporary:
            temporary.write_bytes(encoded(chart, path.suffix, style, how))


def encoded(
    chart: Chart, ending: str, style: str = "paper", how: Presentation = Presentation()
) -> bytes:
    """Return a chart as the bytes of a file with this ending."""
    if ending == ".json":
        return (json.dumps(vega(chart), indent=1) + "\n").encode()
    if ending == ".tex":
        return latex(chart).encode()
    kind = ending.removeprefix(".")
    file = io.BytesIO()
    with drawn(chart, style, how) as figure:
        figure.savefig(file, format=kind, metadata=metadata(kind))
    return file.getvalue()


def latex(chart: Chart) -> str:
    """Return the numbers of a chart as a LaTeX `tabular`, a row for each point."""
    return tabular(*readable(chart))


def readable(chart: Chart) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of the table of a chart's points, for people."""
    rows = list(chart.rows())
    titles = {"x": chart.x_title, "y": chart.y_title}
    header = [titles.get(name, name) for name in rows[0]]
    return header, [[_written(value) for value in row.values()] for row in rows]


def _written(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


@contextmanager
def drawn(
    chart: Chart, style: str = "paper", how: Presentation = Presentation()
) -> Iterator[Figure]:
    """Give a chart as a figure of matplotlib, in the look that a style means."""
    if style not in LOOKS:
        raise ChartError(f"there is no style '{style}'; there are: {', '.join(LOOKS)}")
    width, height, settings = LOOKS[style]
    width, height = how.size or (width, height)
    columns = min(MOST_COLUMNS, len(chart.panels))
    rows = -(-len(chart.panels) // columns)
    # A fixed salt makes the same chart the same file.
    settings = {**LOOK, **settings, **how.settings(), "svg.hashsalt": chart.title}
    with mpl.rc_context(settings):
        figure = Figure(figsize=(width * columns, height * rows))
        shared: Axes | None = None
        for number, panel in enumerate(chart.panels, 1):
            axes = figure.add_subplot(rows, columns, number, sharex=shared, sharey=shared)
            _draw(axes, chart, panel)
            shared = axes
        if chart.caption:
            figure.suptitle(chart.caption)
        _legend(figure, columns)
        lay_out(figure)
        yield figure


def _draw(axes: Axes, chart: Chart, panel: Panel) -> None:
    styles = line_styles(chart)
    for number, line in enumerate(panel.lines):
        if chart.ticks:
            aside = DODGE * (number - (len(panel.lines) - 1) / 2)
            _draw_points(axes, line, styles[line.name], aside)
        else:
            _draw_line(axes, line, styles[line.name])
    for line in panel.lines:
        if line.bound is not None:
            draw_bound(axes, line.x, line.bound, styles[line.name].color)
    axes.set_title(panel.title)
    axes.set_xlabel(chart.x_title)
    axes.set_ylabel(chart.y_title)
    if "x" in chart.wanted.log:
        axes.set_xscale("log")
    elif chart.ticks:
        axes.set_xticks(range(len(chart.ticks)), chart.ticks)
        axes.set_xlim(-0.5, len(chart.ticks) - 0.5)
    else:
        axes.set_xlim(left=0)
    if "y" in chart.wanted.log:
        axes.set_yscale("log")
    elif min(float(line.y.min()) for line in panel.lines) >= 0:
        axes.set_ylim(bottom=0)


def _draw_points(axes: Axes, line: Line, style: Style, aside: float) -> None:
    """Draw points with bars, each line's beside the other's: x is no number."""
    bars = np.nan_to_num(np.array([line.y - line.low, line.high - line.y]))
    words = {**look(style), "linestyle": "none"}
    axes.errorbar(line.x + aside, line.y, yerr=bars, label=line.name, capsize=2, **words)


def _draw_line(axes: Axes, line: Line, style: Style) -> None:
    """Draw a line with its band."""
    axes.fill_between(line.x, line.low, line.high, color=style.color, alpha=BAND, linewidth=0)
    axes.plot(line.x, line.y, label=line.name, **look(style))


def _legend(figure: Figure, columns: int) -> None:
    """Put one legend for all panels below them, if there is anything to tell apart."""
    entries: dict[str, Any] = {}
    for axes in figure.axes:
        entries |= dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
    entries.pop("", None)
    if entries:
        figure.legend(
            list(entries.values()),
            list(entries),
            loc="outside lower center",
            ncols=min(2 * columns + 1, len(entries)),
        )
