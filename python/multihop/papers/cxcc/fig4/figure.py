"""CXCC 5.2, figure 4: why basic CXCC retransmits."""

from __future__ import annotations

from dataclasses import replace

from matplotlib.axes import Axes

from ....figure import Style, draw_lines
from ...spec import Claim, Data, FigureSpec, Finding, Panel
from ..panels import LOAD
from ..relations import high
from ..setup import BASIC, BIDIRECTIONAL

EARLY = "retransmissions_early_timeout"
LOST_DATA = "retransmissions_lost_data"
LOST_ACKNOWLEDGMENT = "retransmissions_lost_acknowledgment"
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


def _early_timeouts_prevail(data: Data) -> Finding:
    measured = data.studies[BIDIRECTIONAL.name]
    where = high(measured)
    early, lost_data, lost_acknowledgment = (
        measured.mean(BASIC, column)[where].mean()
        for column in (EARLY, LOST_DATA, LOST_ACKNOWLEDGMENT)
    )
    share = early / (early + lost_data + lost_acknowledgment)
    text = (
        f"{share:.0%} early timeouts; "
        f"{early:.0f} against {lost_data:.0f} + {lost_acknowledgment:.0f} a run"
    )
    return Finding(bool(early > lost_data + lost_acknowledgment), text)


FIGURE = FigureSpec(
    "cxcc/fig4",
    "Reasons for retransmissions in basic CXCC",
    (
        Panel(
            "cxcc/fig4",
            "bidirectional chain",
            _draw,
            (
                Claim(
                    "early timeouts outnumber lost data and lost implicit ACKs together",
                    "more than half of the retransmissions at high load",
                    _early_timeouts_prevail,
                ),
            ),
            (BIDIRECTIONAL,),
        ),
    ),
)
