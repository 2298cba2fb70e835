"""How the lines of a chart look."""

from __future__ import annotations

from .. import _multihop
from .chart import Chart
from .figure import COLORS, Style, scheme_style

MARKERS = "os^Dv*Pp"


def line_styles(chart: Chart) -> dict[str, Style]:
    """Return the look of every line by its name: schemes have their own, others in turn."""
    names = dict.fromkeys(line.name for panel in chart.panels for line in panel.lines)
    keys = {line.name: line.keys for panel in chart.panels for line in panel.lines}
    schemes = {entry["name"] for entry in _multihop.schemes()}
    styles: dict[str, Style] = {}
    for number, name in enumerate(names):
        scheme = next((key for key in keys[name] if key in schemes), None)
        if scheme is None:
            color, marker = COLORS[number % len(COLORS)], MARKERS[number % len(MARKERS)]
            styles[name] = Style(color, marker, secondary=number >= len(COLORS))
        else:
            own = scheme_style(scheme)
            again = sum(style.color == own.color for style in styles.values())
            marker = own.marker if again == 0 else MARKERS[again % len(MARKERS)]
            styles[name] = Style(own.color, marker, secondary=again % 2 == 1)
    return styles
