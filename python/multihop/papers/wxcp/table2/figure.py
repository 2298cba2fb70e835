"""WXCP 4.2, table 2: how differently two flows over the same chain fare."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from ....figure import Line, draw_lines, scheme_style
from ...panels import paper_points
from ...rules import stated
from ...spec import Data, FigureSpec, Panel
from ..notes import THREE_HOPS
from ..relations import around_when_long, fair_when_short, unfair_at_three, variation
from ..setup import TABLE_HOPS, TCP, TWO_FLOWS

PAPER = {TCP: "0.0007 0.0018 0.8985 0.1336 0.1097 0.1132 0.1620 0.1122"}
AT_THREE = "0.8985"
LONG = "0.1336 0.1097 0.1132 0.1620 0.1122"


def _draw(axes: Axes, data: Data) -> None:
    measured = data.studies[TWO_FLOWS.name]
    for name in measured.variants:
        look = TWO_FLOWS.variants[name]
        values = variation(measured, name)
        line = Line(
            look.title, scheme_style(look.scheme), measured.x, values, np.zeros(len(values))
        )
        draw_lines(axes, [line], x="hops", y="coefficient of variation", log=True)
    for numbers in PAPER.values():
        paper_points(axes, TABLE_HOPS, [float(number) for number in numbers.split()])


def _at_three(data: Data) -> list[float]:
    measured = data.studies[TWO_FLOWS.name]
    return [float(variation(measured, TCP)[measured.x == 3][0])]


FIGURE = FigureSpec(
    "wxcp/table2",
    "Coefficient of variation of two flows' throughput over the same chain",
    (
        Panel(
            "wxcp/table2",
            "mean of the runs",
            _draw,
            (
                unfair_at_three(),
                stated(
                    "coefficient of variation of two flows of TCP over 3 hops",
                    AT_THREE,
                    "",
                    _at_three,
                    THREE_HOPS,
                ),
                fair_when_short(),
                around_when_long(LONG),
            ),
            (TWO_FLOWS,),
        ),
    ),
)
