"""LECN 4, table 3: total throughput in a 9 x 9 lattice with 8 + 8 connections."""

from __future__ import annotations

from collections.abc import Callable

from matplotlib.axes import Axes

from multihop.reproducing.panels import curves, paper_points
from multihop.reproducing.rules import stated
from multihop.reproducing.spec import Data, FigureSpec, Panel

from .notes import LATTICE_GAIN, LATTICE_LIKE
from .panels import KBIT
from .relations import title
from .setup import LATTICE, LECN_60, SIZES, TCP, THINNING_LECN_60, THROUGHPUT, VEGAS
from .tables import order, similar, throughputs

PAPER = {
    TCP: "189.2 264.5 290.8",
    LECN_60: "223.4 295.4 301.2",
    THINNING_LECN_60: "246.0 326.6 333.0",
    VEGAS: "226.4 287.2 296.2",
}


def _draw(axes: Axes, data: Data) -> None:
    labels = ("payload (B)", KBIT)
    curves(LATTICE, (), THROUGHPUT, labels, scale=1e-3)(axes, data)
    for numbers in PAPER.values():
        paper_points(axes, SIZES, [float(number) for number in numbers.split()])


def _total(variant: str) -> Callable[[Data], list[float]]:
    return lambda data: list(data.studies[LATTICE.name].mean(variant, THROUGHPUT) / 1e3)


def _gain(data: Data) -> list[float]:
    return [100 * (_total(THINNING_LECN_60)(data)[0] / _total(TCP)(data)[0] - 1)]


FIGURE = FigureSpec(
    "lecn/table3",
    "Throughput of all connections in a lattice of 9 x 9 nodes",
    (
        Panel(
            "lecn/table3",
            "8 horizontal and 8 vertical connections",
            _draw,
            (
                *(
                    throughputs(
                        f"{title(LATTICE, variant)} with 512, 1000 and 1460 B",
                        numbers,
                        _total(variant),
                    )
                    for variant, numbers in PAPER.items()
                ),
                order(
                    "LECN raises TCP's throughput, and thinning raises it further",
                    LATTICE,
                    (TCP, LECN_60, THINNING_LECN_60),
                ),
                order(
                    "TCP with thinning and LECN is above Vegas", LATTICE, (VEGAS, THINNING_LECN_60)
                ),
                similar(
                    "TCP with LECN performs like Vegas",
                    LATTICE,
                    (LECN_60, VEGAS),
                    TCP,
                    LATTICE_LIKE,
                ),
                stated(
                    "with 512 B, both together gain up to 30 %", "30", " %", _gain, LATTICE_GAIN
                ),
            ),
            (LATTICE,),
        ),
    ),
    size=(8.4, 3.8),
)
