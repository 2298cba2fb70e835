"""HxH 4.2.3, table 4.3: what all flows of the grid receive."""

from __future__ import annotations

from matplotlib.axes import Axes

from multihop.reproducing.spec import Data, FigureSpec, Panel
from multihop.statistics.stats import Values

from .charts import beside_the_paper
from .notes import GEOMETRY, VEGAS_THIRD
from .relations import calibrated, title
from .setup import ATP, HXH, NEWRENO, PLANNED, SACK, TAHOE, TCPS, VEGAS
from .tables import descending, double, each_stated, goodputs, megabytes

PAPER = {
    HXH: "14.25",
    ATP: "11.75",
    VEGAS: "7.02",
    NEWRENO: "6.03",
    TAHOE: "6.02",
    SACK: "5.99",
}
SECONDS = 60


def _total(data: Data, variant: str) -> Values:
    return megabytes(data.studies[PLANNED.name], variant)


def _draw(axes: Axes, data: Data) -> None:
    measured = data.studies[PLANNED.name]
    beside_the_paper(
        [list(goodputs(measured, name) * SECONDS / 8e6) for name in PAPER],
        [float(value) for value in PAPER.values()],
        [title(PLANNED, name).removeprefix("TCP ") for name in PAPER],
        "received (MB)",
        axes,
    )


FIGURE = FigureSpec(
    "hxh/table4.3",
    "What the flows of the grid receive in 60 s",
    (
        Panel(
            "hxh/table4.3",
            "all flows",
            _draw,
            (
                *calibrated(
                    GEOMETRY,
                    *each_stated(
                        PAPER,
                        lambda name: f"{title(PLANNED, name)} receives",
                        " MB",
                        lambda data, name: [float(_total(data, name).mean())],
                    ),
                    double(HXH, TCPS, _total),
                ),
                descending(
                    "HxH is first, ATP second, Vegas third",
                    ((HXH,), (ATP,), (VEGAS,), (NEWRENO, TAHOE, SACK)),
                    _total,
                    VEGAS_THIRD,
                ),
            ),
            (PLANNED,),
        ),
    ),
)
