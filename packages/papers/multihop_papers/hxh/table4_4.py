"""HxH 4.2.4, table 4.4: 200 moving nodes, fifty scenarios."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from multihop.reproducing.spec import Data, FigureSpec, Panel
from multihop.statistics.stats import Values

from .charts import beside_the_paper
from .notes import ATP_LAST, QUEUES, SPREAD
from .relations import title
from .setup import ATP, HXH, NEWRENO, SACK, SCENARIOS, TAHOE, TCPS, VEGAS
from .tables import alike_by_chance, descending, double, each_stated, goodputs, significantly

PAPER = {
    HXH: "2.676",
    VEGAS: "1.488",
    NEWRENO: "1.423",
    SACK: "1.391",
    TAHOE: "1.385",
    ATP: "1.069",
}


DEVIATIONS = {
    HXH: "9.57",
    VEGAS: "4.40",
    NEWRENO: "5.11",
    SACK: "4.75",
    TAHOE: "4.99",
    ATP: "2.45",
}
SECONDS = 60


def _rates(data: Data, variant: str) -> Values:
    rates: Values = goodputs(data.studies[SCENARIOS.name], variant) / 1e6
    return rates


def _deviation(data: Data, variant: str) -> float:
    """Return the standard deviation of what the scenarios receive, in 10^6 bytes."""
    received = goodputs(data.studies[SCENARIOS.name], variant) * SECONDS / 8e6
    return float(np.std(received, ddof=1))


def _draw(axes: Axes, data: Data) -> None:
    measured = data.studies[SCENARIOS.name]
    beside_the_paper(
        [list(goodputs(measured, name) / 1e6) for name in PAPER],
        [float(value) for value in PAPER.values()],
        [title(SCENARIOS, name).removeprefix("TCP ") for name in PAPER],
        "throughput (Mbit/s)",
        axes,
    )


FIGURE = FigureSpec(
    "hxh/table4.4",
    "Throughput of five flows among 200 moving nodes",
    (
        Panel(
            "hxh/table4.4",
            "all flows",
            _draw,
            (
                *each_stated(
                    PAPER,
                    lambda name: f"{title(SCENARIOS, name)}'s mean throughput",
                    " Mbit/s",
                    lambda data, name: [float(_rates(data, name).mean())],
                    {ATP: ATP_LAST},
                ),
                *each_stated(
                    DEVIATIONS,
                    lambda name: f"{title(SCENARIOS, name)}'s standard deviation",
                    " MB",
                    lambda data, name: [_deviation(data, name)],
                    dict.fromkeys(DEVIATIONS, SPREAD),
                ),
                double(HXH, TCPS, _rates, QUEUES),
                descending(
                    "HxH outperforms all others, ATP comes last", ((HXH,), TCPS, (ATP,)), _rates
                ),
                significantly(
                    "HxH's improvement is statistically significant",
                    SCENARIOS,
                    (HXH, (*TCPS, ATP)),
                    above=True,
                    note=SPREAD,
                ),
                significantly(
                    "ATP performs significantly worse than the others",
                    SCENARIOS,
                    (ATP, (HXH, *TCPS)),
                    above=False,
                    note=ATP_LAST,
                ),
                alike_by_chance(
                    "among the versions of TCP there is no significant difference",
                    SCENARIOS,
                    (HXH, TCPS),
                ),
            ),
            (SCENARIOS,),
        ),
    ),
)
