"""CXCC 5.2, figure 4: why basic CXCC retransmits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from matplotlib.axes import Axes

from multihop.charting.figure import Style, draw_lines
from multihop.reproducing.judging import at_most, below, finding, ratio
from multihop.reproducing.rules import CLOSE, kbit
from multihop.reproducing.spec import Claim, Data, FigureSpec, Finding, Panel

from .overhead import (
    EARLY,
    LOST_ACKNOWLEDGMENT,
    LOST_DATA,
    data_is_seldom_lost,
    early_elsewhere,
    early_timeouts_prevail,
)
from .panels import LOAD
from .relations import GOODPUT
from .setup import BASIC, BIDIRECTIONAL, BIDIRECTIONAL_CROSS, CHAIN, CROSS, TIMEOUTS

OTHERS = {"chain": CHAIN, "cross": CROSS, "bidirectional cross": BIDIRECTIONAL_CROSS}
REASONS = {
    EARLY: ("early timeout", Style("#b8860b", "o")),
    LOST_DATA: ("data lost", Style("#2f7fc1", "s")),
    LOST_ACKNOWLEDGMENT: ("implicit ACK lost", Style("#2e8b57", "^")),
}


def _draw(axes: Axes, data: Data) -> None:
    measured = data.studies[BIDIRECTIONAL.name]
    per_second = 1 / measured.runs["duration_s"][0]
    lines = [
        replace(measured.line(BASIC, column, per_second), title=title, style=style)
        for column, (title, style) in REASONS.items()
    ]
    draw_lines(axes, lines, x=LOAD, y="retransmissions per second")


def _longer_do_not_help(data: Data) -> Finding:
    measured = data.studies[TIMEOUTS.name]
    mean = measured.mean(BASIC, GOODPUT)
    best = int(np.argmax(mean))
    text = (
        f"{kbit(mean[0])} with {measured.x[0]:g} packet times; most {kbit(mean[best])} with "
        f"{measured.x[best]:g}; {kbit(mean[-1])} with {measured.x[-1]:g}"
    )
    rows = measured.values(BASIC, GOODPUT)
    compared = [
        *(
            at_most(ratio(row, rows[0]), 1 / CLOSE, f"{x:g} packet times over {measured.x[0]:g}")
            for row, x in zip(rows[1:], measured.x[1:], strict=True)
        ),
        below(ratio(rows[-1], rows[0]), 1, "the longest over the shortest"),
    ]
    return finding(text, compared)


FIGURE = FigureSpec(
    "cxcc/fig4",
    "Reasons for retransmissions in basic CXCC",
    (
        Panel(
            "cxcc/fig4",
            "bidirectional chain",
            _draw,
            (
                early_timeouts_prevail(BIDIRECTIONAL),
                data_is_seldom_lost(BIDIRECTIONAL),
                early_elsewhere(OTHERS),
                Claim(
                    "longer timeouts do not improve the performance of basic CXCC",
                    "at 400 kbit/s none brings more than 10 % above that of 3 packet times, and "
                    "the longest brings less: recovery comes too late",
                    _longer_do_not_help,
                ),
            ),
            (BIDIRECTIONAL, *OTHERS.values(), TIMEOUTS),
        ),
    ),
)
