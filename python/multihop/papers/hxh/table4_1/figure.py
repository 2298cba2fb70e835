"""HxH 4.1.2, table 4.1: passive and explicit acknowledgments at three rates."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from ....figure import Line, draw_lines, scheme_style
from ....stats import Values
from ...panels import paper_points
from ...rules import stated
from ...spec import Claim, Data, FigureSpec, Finding, Panel
from ..channel import line
from ..notes import HEADER
from ..relations import calibrated, part
from ..setup import ACKNOWLEDGED, EXPLICIT, HXH, MEET_S, PAYLOAD, RATES
from ..tables import each_stated

PAPER = {HXH: "0.80 3.89 5.63", EXPLICIT: "0.68 2.58 3.31"}
GAINS = "17.6 50.8 70.1"
# What the paper's numbers give: us and bytes with passive, and with explicit acknowledgments.
LINES = "1293 1118 2288 1220"
SETTLED_S = 2


def _alone(data: Data, variant: str) -> Values:
    """Return the throughput of a flow before the flows meet, in Mbit/s, at each rate."""
    return np.array(
        [part(ACKNOWLEDGED, x, SETTLED_S, MEET_S)(data, variant).mean() / 1e6 for x in RATES]
    )


def _gains(data: Data) -> list[float]:
    return [float(gain) for gain in 100 * (_alone(data, HXH) / _alone(data, EXPLICIT) - 1)]


def _lines(data: Data) -> list[float]:
    numbers = []
    for variant in PAPER:
        constant, size = line(np.array(RATES) * 1e6, 1e6 * _alone(data, variant), PAYLOAD)
        numbers += [1e6 * constant, size]
    return numbers


def _more_with_speed() -> Claim:
    def judge(data: Data) -> Finding:
        gains = _gains(data)
        text = " ".join(f"{gain:.1f}" for gain in gains) + " %"
        return Finding(0 < gains[0] < gains[1] < gains[2], text)

    return Claim(
        "the gain grows with the rate and is there at every rate",
        "above 0 and larger at each higher rate",
        judge,
    )


def _draw(axes: Axes, data: Data) -> None:
    lines = [
        Line(
            look.title,
            scheme_style(look.scheme, look.secondary),
            np.array(RATES),
            _alone(data, name),
            np.zeros(len(RATES)),
        )
        for name, look in ACKNOWLEDGED.variants.items()
    ]
    draw_lines(axes, lines, x="data rate (Mbit/s)", y="throughput (Mbit/s)")
    for text in PAPER.values():
        paper_points(axes, RATES, [float(number) for number in text.split()])


FIGURE = FigureSpec(
    "hxh/table4.1",
    "Passive and explicit acknowledgments at three rates",
    (
        Panel(
            "hxh/table4.1",
            "a flow alone",
            _draw,
            calibrated(
                HEADER,
                *each_stated(
                    PAPER,
                    lambda name: f"{ACKNOWLEDGED.variants[name].title}: at 1, 11, 54 Mbit/s",
                    " Mbit/s",
                    lambda data, name: list(_alone(data, name)),
                ),
                stated("the gain from passive ones at 1, 11, 54 Mbit/s", GAINS, " %", _gains),
                _more_with_speed(),
                stated(
                    "its numbers lie on lines, time = a + b / rate: a in us and b in B, with "
                    "passive and with explicit ones (computed from the table)",
                    LINES,
                    "",
                    _lines,
                ),
            ),
            (ACKNOWLEDGED,),
        ),
    ),
)
