"""HxH 4.1.2, table 4.1: passive and explicit acknowledgments at three rates."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from multihop.charting.figure import Line, draw_lines, scheme_style
from multihop.reproducing.judging import above, estimates, finding
from multihop.reproducing.panels import paper_points
from multihop.reproducing.spec import Claim, Data, FigureSpec, Finding, Panel
from multihop.statistics.stats import Values

from .notes import HEADER
from .relations import calibrated, part
from .setup import ACKNOWLEDGED, EXPLICIT, HXH, MEET_S, RATES
from .tables import each_stated

PAPER = {HXH: "0.80 3.89 5.63", EXPLICIT: "0.68 2.58 3.31"}
SETTLED_S = 2


def _alone(data: Data, variant: str) -> Values:
    """Return the throughput of a flow before the flows meet, in Mbit/s, at each rate."""
    return np.array(
        [part(ACKNOWLEDGED, x, SETTLED_S, MEET_S)(data, variant).mean().mean() / 1e6 for x in RATES]
    )


def _gains(data: Data) -> list[float]:
    return [float(gain) for gain in 100 * (_alone(data, HXH) / _alone(data, EXPLICIT) - 1)]


def _more_with_speed() -> Claim:
    def judge(data: Data) -> Finding:
        text = " ".join(f"{gain:.1f}" for gain in _gains(data)) + " %"
        steps = estimates(data, lambda part: np.diff([0.0, *_gains(part)]))
        return finding(text, [above(one, 0, "percentage points") for one in steps])

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
                _more_with_speed(),
            ),
            (ACKNOWLEDGED,),
        ),
    ),
)
