"""Drawing: the look that all figures share, line charts, and their way to files and pages."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from . import _multihop
from .results import make_folder, replacing
from .stats import Values

# Text and axes; `inline_svg` turns it into the page's own text colour.
INK = "#1b1f24"
FAINT = "#8b949e"

LOOK: dict[Any, Any] = {
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.grid": True,
    "grid.color": FAINT,
    "grid.alpha": 0.3,
    "grid.linewidth": 0.6,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "lines.linewidth": 1.6,
    "lines.markersize": 5,
    "svg.fonttype": "none",
    "savefig.dpi": 150,
}


@dataclass(frozen=True)
class Style:
    """How a curve looks; `secondary` dashes the line and hollows the marker."""

    color: str
    marker: str
    secondary: bool = False


@dataclass(frozen=True)
class Line:
    """A curve with the half widths of its 95 % confidence intervals."""

    title: str
    style: Style
    x: Values
    y: Values
    error: Values


@cache
def scheme_style(scheme: str, secondary: bool = False) -> Style:
    """Return a scheme's own colour and marker."""
    found = next(entry for entry in _multihop.schemes() if entry["name"] == scheme)
    return Style(found["color"], found["marker"], secondary)


@contextmanager
def canvas(name: str, panels: int, *, columns: int, size: tuple[float, float]) -> Iterator[Canvas]:
    """Give a figure with `panels` axes, each of `size` inches, in the look of all figures."""
    columns = min(columns, panels)
    rows = -(-panels // columns)
    # A fixed salt makes the same figure the same file.
    with mpl.rc_context({**LOOK, "svg.hashsalt": name}):
        figure = Figure(figsize=(size[0] * columns, size[1] * rows), layout="constrained")
        axes = [figure.add_subplot(rows, columns, index + 1) for index in range(panels)]
        yield Canvas(name, figure, axes)


@dataclass
class Canvas:
    """A figure under work."""

    name: str
    figure: Figure
    axes: list[Axes]

    def legend(self) -> None:
        """Put one legend for all panels below them."""
        entries = {
            label: handle
            for axes in self.axes
            for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
        }
        if entries:
            self.figure.legend(
                list(entries.values()),
                list(entries),
                loc="outside lower center",
                ncols=min(4, len(entries)),
            )

    def save(self, folder: Path) -> list[Path]:
        """Write PNG and SVG files, each whole or not at all."""
        paths = [make_folder(folder) / f"{self.name}.{kind}" for kind in ("png", "svg")]
        for path in paths:
            with replacing(path) as temporary:
                kind = path.suffix.removeprefix(".")
                self.figure.savefig(temporary, format=kind, metadata=_metadata(kind))
        return paths

    def inline_svg(self) -> str:
        """Return the figure as SVG for a page: transparent, in the page's text colour."""
        buffer = io.StringIO()
        self.figure.savefig(buffer, format="svg", transparent=True, metadata=_metadata("svg"))
        svg = buffer.getvalue()
        svg = svg[svg.index("<svg") :].replace(INK, "currentColor")
        svg = re.sub(r"<metadata>.*?</metadata>", "", svg, count=1, flags=re.DOTALL)
        # Nothing refers to the names of the groups, which are the same in every figure.
        svg = re.sub(r'<g id="[^"]*">', "<g>", svg)
        # The page may make it smaller; its shape is that of the viewBox.
        width = 72 * self.figure.get_figwidth()
        svg = re.sub(r' (width|height)="[^"]*"', "", svg, count=2)
        return svg.replace("<svg", f'<svg style="max-width: {width:.0f}pt"', 1)


def _metadata(kind: str) -> dict[str, str | None]:
    """Leave out the date, so that the same figure is the same file."""
    return {"Date": None} if kind == "svg" else {"Software": "multihop"}


def draw_lines(axes: Axes, lines: Sequence[Line], *, x: str, y: str, log: bool = False) -> None:
    """Draw curves with error bars."""
    for line in lines:
        axes.errorbar(
            line.x,
            line.y,
            yerr=line.error,
            label=line.title,
            color=line.style.color,
            marker=line.style.marker,
            markerfacecolor="none" if line.style.secondary else line.style.color,
            linestyle="--" if line.style.secondary else "-",
            elinewidth=0.8,
            capsize=2,
        )
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_xlim(left=0)
    if log:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
