"""HxH 4.2.2: "ATP also suffers from instability in flows traversing more than four nodes"."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from multihop.charting.figure import Line, draw_lines, scheme_style
from multihop.reproducing.judging import at_least, finding, higher, mean
from multihop.reproducing.spec import Claim, Data, FigureSpec, Finding, Panel
from multihop.statistics.stats import Values, confidence

from .relations import OSCILLATES, part
from .setup import ATP, ATP_BY_LENGTH, ATP_LENGTHS

# Chains of four nodes have three hops.
FOUR_NODES = 3
SECONDS = (5.0, 60.0)


def _variations(data: Data) -> list[Values]:
    """Return the coefficient of variation of ATP's windows, by length and run."""
    return [part(ATP_BY_LENGTH, hops, *SECONDS)(data, ATP).variation() for hops in ATP_LENGTHS]


def _unstable() -> Claim:
    def judge(data: Data) -> Finding:
        rows = _variations(data)
        text = " ".join(f"{row.mean():.2f}" for row in rows)
        compared = []
        for hops, row in zip(ATP_LENGTHS, rows, strict=True):
            if hops > FOUR_NODES:
                name = f"{hops + 1:g} nodes"
                compared.append(at_least(mean(row), OSCILLATES, name))
                compared.append(higher(row, rows[FOUR_NODES - 1], f"{name} over four"))
        return finding(f"over 2 to 7 nodes {text}", compared)

    return Claim(
        "ATP suffers from instability in flows traversing more than four nodes",
        f"over five, six and seven nodes a coefficient of variation of at least {OSCILLATES}, and "
        "more than over four",
        judge,
    )


def _draw(axes: Axes, data: Data) -> None:
    rows = _variations(data)
    means, errors = (
        np.array([float(measure(row)) for row in rows]) for measure in (np.mean, confidence)
    )
    style = scheme_style(ATP_BY_LENGTH.variants[ATP].scheme)
    line = Line("ATP", style, np.array(ATP_LENGTHS), means, errors)
    draw_lines(axes, [line], x="hops", y="coefficient of variation")


FIGURE = FigureSpec(
    "hxh/text4.2.2",
    "How ATP's throughput varies from second to second, alone over a chain",
    (Panel("hxh/text4.2.2", "ATP", _draw, (_unstable(),), (ATP_BY_LENGTH,)),),
    size=(6.5, 3.6),
)
