"""A chart as Vega-Lite, which web pages and notebooks draw themselves."""

from __future__ import annotations

from typing import Any

from .chart import Chart
from .figure import BOUND
from .styles import line_styles

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"


def vega(chart: Chart) -> dict[str, Any]:
    """Return a specification that holds the numbers, too."""
    layers = [_band(chart), _line(chart)]
    if chart.bound:
        layers.append(_bound(chart))
    whole = {"$schema": SCHEMA, "title": chart.title, "data": {"values": list(chart.rows())}}
    if not chart.panels[0].title:
        return {**whole, "width": 360, "height": 240, "layer": layers}
    facet = {"field": "panel", "type": "nominal", "title": None, "sort": None}
    return {
        **whole,
        "columns": min(3, len(chart.panels)),
        "facet": facet,
        "spec": {"width": 240, "height": 180, "layer": layers},
    }


def _encoding(chart: Chart) -> dict[str, Any]:
    x: dict[str, Any] = {"field": "x", "title": chart.x_title}
    x |= {"type": "ordinal", "sort": None} if chart.ticks else {"type": "quantitative"}
    y: dict[str, Any] = {"field": "y", "type": "quantitative", "title": chart.y_title}
    for axis, channel in (("x", x), ("y", y)):
        if axis in chart.wanted.log:
            channel["scale"] = {"type": "log"}
    if not chart.by:
        return {"x": x, "y": y}
    styles = line_styles(chart)
    colors = {"domain": list(styles), "range": [style.color for style in styles.values()]}
    color = {"field": "line", "type": "nominal", "title": None, "scale": colors}
    return {"x": x, "y": y, "color": color}


def _band(chart: Chart) -> dict[str, Any]:
    encoding = _encoding(chart)
    ends = {"y": {**encoding["y"], "field": "low"}, "y2": {"field": "high"}}
    mark = {"type": "errorbar"} if chart.ticks else {"type": "area", "opacity": 0.2}
    return {"mark": mark, "encoding": {**encoding, **ends}}


def _line(chart: Chart) -> dict[str, Any]:
    mark: dict[str, Any] = {"type": "point", "filled": True}
    if not chart.ticks:
        mark = {"type": "line", "point": True}
    return {"mark": mark, "encoding": _encoding(chart)}


def _bound(chart: Chart) -> dict[str, Any]:
    encoding = _encoding(chart)
    limit = {**encoding["y"], "field": "bound"}
    mark: dict[str, Any] = {"type": "line", "strokeDash": [2, 3], "tooltip": BOUND}
    return {"mark": mark, "encoding": {**encoding, "y": limit}}
