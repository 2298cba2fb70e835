"""LECN 3.2, figure 4: congestion potential, retry count and staying time at node 2."""

from __future__ import annotations

from ...spec import Claim, Data, FigureSpec, Finding, Panel
from ..charts import draw_node, draw_retries, draw_staying
from ..potential import NODE, correlations
from ..setup import TRACE


def _follows(data: Data) -> Finding:
    staying, retries = correlations(data.traces[TRACE.name].events, NODE)
    return Finding(staying > retries, f"staying time {staying:.2f}, retry count {retries:.2f}")


CLAIM = Claim(
    "the staying time coincides with the congestion level, the retry count does not correspond",
    "over all packets, the correlation with the mean CP during the stay is higher for the staying "
    "time",
    _follows,
)

FIGURE = FigureSpec(
    "lecn/fig4",
    f"What node {NODE} could know of its congestion potential (CP)",
    (
        Panel("lecn/fig4a", "CP", draw_node(NODE), (), traces=(TRACE,)),
        Panel("lecn/fig4b", "retry count", draw_retries, (), traces=(TRACE,)),
        Panel("lecn/fig4c", "staying time", draw_staying, (CLAIM,), traces=(TRACE,)),
    ),
    columns=3,
    size=(3.8, 2.6),
)
