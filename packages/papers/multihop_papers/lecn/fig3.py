"""LECN 3.1, figure 3: the congestion potential of single nodes."""

from __future__ import annotations

from multihop.reproducing.judging import at_least, finding, mean, stated_within
from multihop.reproducing.rules import CLOSE
from multihop.reproducing.spec import Claim, Data, FigureSpec, Finding, Panel

from .charts import draw_node
from .notes import VIEWS
from .potential import NODES, similarity
from .relations import COINCIDES
from .setup import TRACES


def _similar(node: int) -> Claim:
    def judge(data: Data) -> Finding:
        pairs = [similarity(data.traces[trace.name].events, node) for trace in TRACES]
        share, follows = (mean(values) for values in zip(*pairs, strict=True))
        text = f"mean {share.value:.2f} of the maximum's, correlation {follows.value:.2f}"
        compared = [
            stated_within(share, 1, 1 - CLOSE, "the mean"),
            at_least(follows, COINCIDES, "the correlation"),
        ]
        return finding(text, compared)

    return Claim(
        f"the CP of node {node} is very similar to the maximum",
        f"its mean over time is within {1 - CLOSE:.0%} of that of the maximum, and their "
        f"correlation at ends of service is at least {COINCIDES}",
        judge,
        VIEWS,
    )


FIGURE = FigureSpec(
    "lecn/fig3",
    "Congestion potential of single nodes, at the same time as in figure 2",
    tuple(
        Panel(
            f"lecn/fig3{letter}",
            f"node {node}",
            draw_node(node),
            (_similar(node),),
            traces=TRACES,
        )
        for letter, node in zip("ab", NODES, strict=True)
    ),
)
