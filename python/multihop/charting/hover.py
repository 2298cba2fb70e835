"""What the drawings of a page answer with: the values of their curves, and which part is whose."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.container import Container
from matplotlib.lines import Line2D

# The name of a group of a curve in an SVG, before its number.
CURVE = "curve-"
# A curve with more points answers for some of them.
MOST_POINTS = 300


def mark_curves(axes: Axes, entries: Sequence[str]) -> str:
    """Mark the artists of each entry of the legend, and return their points as JSON.

    A curve has its number in the legend, its name, its colour, and for each point: the place
    from the left and from the top, as shares of the drawing, and the two values. The panel has
    its final layout.
    """
    found = []
    for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
        number = entries.index(label)
        parts = handle.get_children() if isinstance(handle, Container) else [handle]
        for part in parts:
            part.set_gid(f"{CURVE}{number}")
        lines = [part for part in parts if isinstance(part, Line2D)]
        # Of a curve with error bars the line itself comes first.
        if lines and (points := _points(axes, lines[0])):
            color = to_hex(lines[0].get_color())
            found.append({"number": number, "name": label, "color": color, "at": points})
    return json.dumps(found, separators=(",", ":")) if found else ""


def _points(axes: Axes, line: Line2D) -> list[list[float]]:
    data: Any = np.asarray(line.get_xydata(), dtype=float)
    data = data[np.isfinite(data).all(axis=1)]
    data = data[:: max(1, -(-len(data) // MOST_POINTS))]
    if axes.get_yscale() == "log":
        data = data[data[:, 1] > 0]
    if not len(data):
        return []
    figure = axes.get_figure()
    assert figure is not None, "axes that are drawn are in a figure"
    share = axes.transData.transform(data) / (figure.bbox.width, figure.bbox.height)
    return [
        [round(float(x), 4), round(1 - float(y), 4), _short(a), _short(b)]
        for (x, y), (a, b) in zip(share, data, strict=True)
    ]


def _short(value: float) -> float:
    return float(f"{value:.6g}")
