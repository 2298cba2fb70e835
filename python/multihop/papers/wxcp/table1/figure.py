"""WXCP 4.2, table 1: the mean congestion window over the length of the chain."""

from __future__ import annotations

from dataclasses import replace

from matplotlib.axes import Axes

from ...panels import curves, paper_points
from ...rules import stated
from ...spec import Data, FigureSpec, Panel
from ..notes import CHANGES
from ..relations import at_table_hops
from ..setup import ONE_FLOW, TABLE_HOPS, TCP, WINDOW

PAPER = {TCP: "120.6 86.7 31.0 7.3 7.9 8.3 8.8 9.7"}


def _draw(axes: Axes, data: Data) -> None:
    curves(ONE_FLOW, (), WINDOW, ("hops", "mean congestion window (packets)"), log=True)(axes, data)
    for numbers in PAPER.values():
        paper_points(axes, TABLE_HOPS, [float(number) for number in numbers.split()])


def _windows(data: Data) -> list[float]:
    measured = data.studies[ONE_FLOW.name]
    return list(at_table_hops(measured, measured.mean(TCP, WINDOW)))


FIGURE = FigureSpec(
    "wxcp/table1",
    "Mean congestion window over a chain",
    (
        Panel(
            "wxcp/table1",
            "mean over the window's changes",
            _draw,
            (
                replace(
                    stated(
                        "TCP's average congestion window at 1 2 3 4 6 8 12 16 hops",
                        PAPER[TCP],
                        " packets",
                        _windows,
                    ),
                    calibrated=CHANGES,
                ),
            ),
            (ONE_FLOW,),
        ),
    ),
)
