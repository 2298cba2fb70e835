"""WXCP 4.2, table 2: how differently two flows over the same chain fare."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from multihop.charting.figure import Line, draw_lines, scheme_style
from multihop.reproducing.panels import paper_points
from multihop.reproducing.spec import Data, FigureSpec, Panel
from multihop.statistics.stats import confidence

from .notes import LEAD
from .relations import fairer, variations
from .setup import TABLE_HOPS, TCP, TWO_FLOWS, WXCP

PAPER = {
    TCP: "0.0007 0.0018 0.8985 0.1336 0.1097 0.1132 0.1620 0.1122",
    WXCP: "0.0005 0.0004 0.0003 0.0009 0.0004 0.0157 0.0368 0.0281",
}


def _draw(axes: Axes, data: Data) -> None:
    measured = data.studies[TWO_FLOWS.name]
    for name in measured.variants:
        look = TWO_FLOWS.variants[name]
        values = variations(measured, name)
        error = np.array([confidence(row) for row in values])
        style = scheme_style(look.scheme)
        line = Line(look.title, style, measured.x, values.mean(axis=1), error)
        draw_lines(axes, [line], x="hops", y="coefficient of variation", log=True)
    for numbers in PAPER.values():
        paper_points(axes, TABLE_HOPS, [float(number) for number in numbers.split()])


FIGURE = FigureSpec(
    "wxcp/table2",
    "Coefficient of variation of two flows' throughput over the same chain",
    (
        Panel(
            "wxcp/table2",
            "mean of the runs",
            _draw,
            # Third decimals of ten runs: what the paper says of the table is one sentence.
            (fairer(LEAD),),
            (TWO_FLOWS,),
        ),
    ),
)
