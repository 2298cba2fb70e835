"""LECN 3.1, figure 3: the congestion potential of single nodes."""

from __future__ import annotations

from ...rules import STATED, off
from ...spec import Claim, Data, FigureSpec, Finding, Panel
from ..charts import draw_node
from ..potential import NODES, potential
from ..setup import TRACE


def _similar(node: int) -> Claim:
    def judge(data: Data) -> Finding:
        events = data.traces[TRACE.name].events
        own, maximum = (potential(events, which).mean() for which in (node, None))
        text = f"mean {own:.2f}, of the maximum {maximum:.2f}: {own / maximum:.2f} of it"
        return Finding(off(own, maximum) <= STATED, text)

    return Claim(
        f"the CP of node {node} is very similar to the maximum",
        f"its mean over time is within {STATED:.0%} of that of the maximum",
        judge,
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
            traces=(TRACE,),
        )
        for letter, node in zip("ab", NODES, strict=True)
    ),
)
