"""LECN 3.1, figure 2: the maximum congestion potential over time, and packet drops."""

from __future__ import annotations

from ...spec import Claim, Data, FigureSpec, Finding, Panel
from ..charts import draw_maximum
from ..potential import drops, potential
from ..setup import TRACE


def _drops_follow(data: Data) -> Finding:
    events = data.traces[TRACE.name].events
    maximum, (lost, _) = potential(events), drops(events)
    if len(lost) == 0:
        return Finding(False, "no data packet was dropped")
    before, always = float(maximum.before(lost).mean()), maximum.mean()
    text = f"{before:.2f} before {len(lost)} drops of data, {always:.2f} at all times"
    return Finding(before > always, text)


FIGURE = FigureSpec(
    "lecn/fig2",
    "Maximum congestion potential (CP) of all nodes, 8 hops. Lines: drops of data packets (solid) "
    "and of acknowledgments (dotted) by the MAC.",
    (
        Panel(
            "lecn/fig2",
            "TCP",
            draw_maximum,
            (
                Claim(
                    "before a drop, the CP is driven high",
                    "the mean of the maximum CP just before drops of data is above its mean",
                    _drops_follow,
                ),
            ),
            traces=(TRACE,),
        ),
    ),
    size=(7.5, 2.6),
)
