"""Drawing: the look that all figures share, line charts, and their way to files and pages."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import matplotlib as mpl
from cycler import cycler
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec
from matplotlib.layout_engine import ConstrainedLayoutEngine

from .. import _multihop
from ..engine.errors import PrototypeError
from ..reporting.report import Drawing, LegendEntry, Picture
from ..results.result import make_folder, replacing
from ..statistics.stats import Values
from .hover import CURVE, mark_curves

# What error bars are, for those who do not know it.
BARS = (
    "The same scenario is run several times, with other seeds: a seed fixes every random number of "
    "a run, so that a run can be repeated bit by bit. A point is the mean of its runs. Its bar is "
    "the 95 % confidence interval: were everything run with many more seeds, their mean would lie "
    "within such a bar in 95 of 100 cases. Where bars overlap widely, do not trust a difference; "
    "where a bar is missing, it is smaller than the marker, or there was a single run."
)

# Text and axes; a page gets its own text colour instead.
INK = "#1b1f24"
FAINT = "#8b949e"
# Of flows and of whatever has no colour of its own. Like those of schemes, these have a contrast
# of at least 3:1 with both of the page's backgrounds (WCAG 2.2, 1.4.11).
COLORS = ("#1f77b4", "#cc7000", "#2ca02c", "#d62728", "#9467bd", "#96594c")

# What the dotted lines are.
BOUND = "the bound"

# A panel on a page, in inches: its text has at least 11 px on a screen 390 px wide.
PAGE_WIDTH = 3.7
PAGE_SHAPES = (0.68, 1.5)
SWATCH = (0.42, 0.18)
# SVG's dots per inch.
POINTS = 72
NUMBER = r"-?\d+\.\d+"

LOOK: dict[Any, Any] = {
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.grid": True,
    "axes.prop_cycle": cycler(color=COLORS),
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


# The flows of a network, in their order.
FLOWS = tuple(
    Style(color, marker, secondary=number % 2 == 1)
    for number, (color, marker) in enumerate(zip(COLORS, "os^Dv*", strict=True))
)


@dataclass(frozen=True)
class Line:
    """A curve with its 95 % confidence intervals.

    `error` has their half widths or, in two rows, how far they reach below and above the curve.
    """

    title: str
    style: Style
    x: Values
    y: Values
    error: Values


def scheme_style(scheme: str, secondary: bool = False) -> Style:
    """Return a scheme's own colour and marker.

    `PrototypeError` if this process does not know it: schemes in Python are told with their file.
    """
    entries = _multihop.schemes()
    found = next((entry for entry in entries if entry["name"] == scheme), None)
    if found is None:
        raise PrototypeError(
            f"there is no scheme '{scheme}' here; if it is in Python, give its file, as "
            "multihop --with FILE compare ..., or load it: prototype.load(FILE)"
        )
    return Style(found["color"], found["marker"], secondary)


@contextmanager
def canvas(name: str, panels: int, *, columns: int, size: tuple[float, float]) -> Iterator[Canvas]:
    """Give a figure with `panels` axes, each of `size` inches, in the look of all figures."""
    columns = min(columns, panels)
    rows = -(-panels // columns)
    # A fixed salt makes the same figure the same file.
    with mpl.rc_context({**LOOK, "svg.hashsalt": name}):
        figure = Figure(figsize=(size[0] * columns, size[1] * rows))
        axes = [figure.add_subplot(rows, columns, index + 1) for index in range(panels)]
        yield Canvas(name, figure, axes, size[1] / size[0])


@dataclass
class Canvas:
    """A figure under work."""

    name: str
    figure: Figure
    axes: list[Axes]
    # Height of a panel by its width.
    shape: float

    def legend(self) -> None:
        """Put one legend for all panels below them."""
        entries = self._entries()
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
        lay_out(self.figure)
        for path in paths:
            with replacing(path) as temporary:
                kind = path.suffix.removeprefix(".")
                self.figure.savefig(temporary, format=kind, metadata=metadata(kind))
        return paths

    def picture(self, name: str, title: str, panels: Sequence[str] = ()) -> Picture:
        """Return the figure for a page: an SVG for each panel, so that they can be stacked.

        `panels` are the ids of the panels, where they have their own. This is the last thing to
        do with a canvas: the panels leave it.
        """
        legend = tuple(
            LegendEntry(_swatch(handle), label) for label, handle in self._entries().items()
        )
        for shared in self.figure.legends:
            shared.remove()
        for axes in self.axes:
            self.figure.delaxes(axes)
        least, most = PAGE_SHAPES
        entries = list(self._entries())
        self.figure.set_size_inches(PAGE_WIDTH, PAGE_WIDTH * min(max(self.shape, least), most))
        names = panels or [name] * len(self.axes)
        drawings = (
            self._alone(axes, panel, entries) for axes, panel in zip(self.axes, names, strict=True)
        )
        return Picture(name, title, tuple(drawings), legend)

    def _alone(self, axes: Axes, name: str, entries: Sequence[str]) -> Drawing:
        """Draw one panel in the whole figure; the page writes its title."""
        title = axes.get_title("left")
        axes.set_title("", loc="left")
        self.figure.add_axes(axes)
        axes.set_subplotspec(GridSpec(1, 1, self.figure)[0])
        lay_out(self.figure)
        curves = mark_curves(axes, entries).replace(INK, "currentColor")
        svg = _inline(self.figure, title or name, _about(axes))
        drawing = Drawing(name, title, svg, curves, axes.get_xlabel())
        self.figure.delaxes(axes)
        return drawing

    def _entries(self) -> dict[str, Artist]:
        return {
            label: handle
            for axes in self.axes
            for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
        }


def lay_out(figure: Figure) -> None:
    """Give every panel its room, once and as an SVG needs it, for all formats that follow.

    A figure that has a layout engine asks it again for each format, and draws everything once more
    to do so: half of what a figure costs.
    """
    FigureCanvasSVG(figure)
    figure.set_dpi(POINTS)
    ConstrainedLayoutEngine().execute(figure)


def _about(axes: Axes) -> str:
    """Describe a panel to those who do not see it; its numbers stand in the verdicts."""
    parts = [f"{axes.get_ylabel()} over {axes.get_xlabel()}" if axes.get_xlabel() else "A drawing"]
    names = list(dict.fromkeys(axes.get_legend_handles_labels()[1]))
    if names:
        parts.append(f"Shown: {'; '.join(names)}")
    return "".join(f"{part}. " for part in parts).strip()


def _swatch(handle: Artist) -> str:
    """Draw what stands before a name in a legend."""
    figure = Figure(figsize=SWATCH)
    figure.legend([handle], [""], loc="center", borderpad=0, handletextpad=0, handlelength=3)
    return _inline(figure, "", "")


def _inline(figure: Figure, title: str, about: str) -> str:
    """Return a figure as SVG for a page: transparent, in the page's text colour.

    Without a title it is an ornament, which screen readers leave out.
    """
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", transparent=True, metadata=metadata("svg"))
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg") :].replace(INK, "currentColor")
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, count=1, flags=re.DOTALL)
    # Only curves are referred to; names of groups are the same in every figure.
    svg = re.sub(rf'<g id="{CURVE}(\d+)">', r'<g data-curve="\1">', svg)
    svg = re.sub(r'<g id="[^"]*">', "<g>", svg)
    # The page decides on the size; the shape is that of the viewBox.
    svg = re.sub(r' (width|height)="[^"]*"', "", svg, count=2)
    if not title:
        return svg.replace("<svg", '<svg aria-hidden="true"', 1)
    label = escape(f"{title}. {about}")
    svg = svg.replace("<svg", f'<svg role="img" aria-label="{label}"', 1)
    text = f"<title>{escape(title)}</title><desc>{escape(about)}</desc>"
    return re.sub(r"(<svg[^>]*>)", lambda found: found[1] + text, svg, count=1)


def save_small(figure: Figure, path: Path) -> None:
    """Write a figure as an SVG file for a page that is kept with the code: see `compact`."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={**metadata("svg"), "Creator": None})
    with replacing(path) as temporary:
        temporary.write_text(compact(buffer.getvalue()), encoding="utf-8")


def compact(svg: str) -> str:
    """Return an SVG that looks the same and is small: coordinates in tenths of a point.

    Lines break only before a panel, so that a picture is not thousands of lines.
    """

    def tenths(found: re.Match[str]) -> str:
        return f"{round(float(found[0]), 1) + 0:g}"

    def shorter(found: re.Match[str]) -> str:
        return f'{found[1]}="{re.sub(NUMBER, tenths, found[2]).strip()}"'

    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->|<!DOCTYPE[^>]*>", "", svg, flags=re.DOTALL)
    svg = re.sub(r">\s+<", "><", svg)
    svg = re.sub(r"\s*\n\s*", " ", svg).strip()
    svg = re.sub(r'\b(d|x|y|width|height|transform)="([^"]*)"', shorter, svg)
    svg = re.sub(r"font-family: [^;]*;", "font-family: sans-serif;", svg)
    # Nothing refers to groups.
    svg = re.sub(r'<g id="(?!axes_)[^"]*"', "<g", svg)
    return svg.replace('<g id="axes_', '\n<g id="axes_') + "\n"


def metadata(kind: str) -> dict[str, str | None]:
    """Leave out the date, so that the same figure is the same file."""
    dated = {"svg": "Date", "pdf": "CreationDate"}
    return {dated[kind]: None} if kind in dated else {"Software": "multihop"}


def look(style: Style) -> dict[str, Any]:
    """Return a style in matplotlib's words."""
    return {
        "color": style.color,
        "marker": style.marker,
        "markerfacecolor": "none" if style.secondary else style.color,
        "linestyle": "--" if style.secondary else "-",
    }


def draw_bound(axes: Axes, x: Values, y: Values, color: str) -> None:
    """Draw what cannot be exceeded: dotted, in the colour of whoever cannot.

    The legend has one entry for all. Lines that are drawn later leave room for it.
    """
    shown = axes.get_legend_handles_labels()[1]
    label = "_" if BOUND in shown else BOUND
    axes.plot(x, y, label=label, color=color, linestyle=":", linewidth=1.2, zorder=1)


def draw_lines(axes: Axes, lines: Sequence[Line], *, x: str, y: str, log: bool = False) -> None:
    """Draw curves with error bars."""
    for line in lines:
        axes.errorbar(
            line.x,
            line.y,
            yerr=line.error,
            label=line.title,
            elinewidth=0.8,
            capsize=2,
            **look(line.style),
        )
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_xlim(left=0)
    if log:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
