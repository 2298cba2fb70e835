"""LECN 3.1, figure 2: the maximum congestion potential over time, and packet drops."""

from __future__ import annotations

import numpy as np

from multihop.reproducing.judging import above, finding, mean
from multihop.reproducing.spec import Claim, Data, FigureSpec, Finding, Panel

from .charts import draw_maximum
from .notes import BEFORE_DROPS
from .potential import NEAR, around_drops, last
from .setup import TRACES


def _driven_high(data: Data) -> Finding:
    pairs = [around_drops(data.traces[trace.name].events, last(BEFORE_S)) for trace in TRACES]
    pairs = [(before, control) for before, control in pairs if len(before)]
    if not pairs:
        return Finding(False, "no data packet was dropped")
    higher = np.array([(before - control).mean() for before, control in pairs])
    before, control = (np.concatenate(values).mean() for values in zip(*pairs, strict=True))
    count = sum(len(values) for values, _ in pairs)
    text = (
        f"{before:.2f} before {count} drops of data, {control:.2f} before the controls, "
        f"{len(pairs)} seeds"
    )
    return finding(text, [above(mean(higher), 0, "the difference")])


# What the figure shows are seconds of a trace.
BEFORE_S = 1.0


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
                    f"in the last {BEFORE_S:g} s before a drop of data the mean maximum CP is "
                    "higher than before the same node's ends of service without drop within "
                    f"{NEAR:g} s",
                    _driven_high,
                    BEFORE_DROPS,
                ),
            ),
            traces=TRACES,
        ),
    ),
    size=(7.5, 2.6),
)
