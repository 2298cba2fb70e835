"""How a chart is worded and set: labels, the order of lines, fonts, the size of a panel."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from ..engine.errors import ChartError
from .chart import Chart, Line

SIZE = re.compile(r"\s*([\d.]+)\s*x\s*([\d.]+)\s*")
# The largest side of a panel that is drawn, in inches.
LARGEST = 50.0


@dataclass(frozen=True)
class Presentation:
    """What replaces a chart's own words and looks; empty or `None` leaves them.

    `labels` replaces names of lines, `order` says which of them come first (by their own names);
    `font` is a family that matplotlib knows, `font_size` is in points, `size` of a panel in inches.
    """

    title: str = ""
    x_label: str = ""
    y_label: str = ""
    labels: Mapping[str, str] | None = None
    order: Sequence[str] = ()
    font: str = ""
    font_size: float | None = None
    size: tuple[float, float] | None = None

    def settings(self) -> dict[Any, Any]:
        """Return matplotlib's settings for the fonts; `ChartError` if there is no such font."""
        found: dict[Any, Any] = {}
        if self.font:
            _check_font(self.font)
            found["font.family"] = [self.font]
        if self.font_size is not None:
            if not 1 <= self.font_size <= 100:
                raise ChartError(f"a font of {self.font_size:g} points; give 1 to 100, as in 8")
            sizes = ("font.size", "axes.titlesize", "axes.labelsize", "legend.fontsize")
            found |= dict.fromkeys((*sizes, "xtick.labelsize", "ytick.labelsize"), self.font_size)
        return found


def inches(text: str) -> tuple[float, float]:
    """Read the size of a panel, as in 3.4x2.4; `ChartError` names what it is not."""
    found = SIZE.fullmatch(text)
    try:
        width, height = (float(side) for side in found.groups()) if found else (0.0, 0.0)
    except ValueError:
        width = height = 0.0
    if not (0 < width <= LARGEST and 0 < height <= LARGEST):
        raise ChartError(
            f"'{text}' is no size of a panel; give width and height in inches, at most "
            f"{LARGEST:g} each, as in 3.4x2.4"
        )
    return width, height


def presented(chart: Chart, how: Presentation) -> Chart:
    """Return a chart with other words, its lines in another order."""
    names = list(dict.fromkeys(line.name for panel in chart.panels for line in panel.lines))
    labels = dict(how.labels or {})
    for name in (*labels, *how.order):
        if name not in names:
            near = get_close_matches(name, names, 1)
            meant = f", did you mean '{near[0]}'?" if near else ";"
            raise ChartError(f"no line is called '{name}'{meant} there are: {', '.join(names)}")
    place = {name: at for at, name in enumerate(dict.fromkeys((*how.order, *names)))}

    def worded(lines: Sequence[Line]) -> tuple[Line, ...]:
        ordered = sorted(lines, key=lambda line: place[line.name])
        return tuple(replace(line, name=labels.get(line.name, line.name)) for line in ordered)

    return replace(
        chart,
        caption=how.title or chart.caption,
        x_title=how.x_label or chart.x_title,
        y_title=how.y_label or chart.y_title,
        panels=tuple(replace(panel, lines=worded(panel.lines)) for panel in chart.panels),
    )


def _check_font(name: str) -> None:
    """Refuse a font that is not installed: matplotlib would take another without an error."""
    from matplotlib import font_manager

    generic = {"serif", "sans-serif", "monospace", "cursive", "fantasy"}
    known = {font.name for font in font_manager.fontManager.ttflist}
    if name not in known | generic:
        near = get_close_matches(name, sorted(known), 3) or sorted(generic)
        raise ChartError(
            f"no font '{name}' is installed; there are, for instance: {', '.join(near)}"
        )
