"""LECN 3.2, figure 4: congestion potential, retry count and staying time at node 2."""

from __future__ import annotations

import numpy as np

from multihop.reproducing.judging import above, at_least, below, finding, mean
from multihop.reproducing.spec import Claim, Data, FigureSpec, Finding, Panel
from multihop.statistics.stats import Values

from .charts import draw_node, draw_retries, draw_staying
from .notes import COINCIDENCE
from .potential import NODE, correlations
from .relations import COINCIDES
from .setup import TRACES


def _measured(data: Data) -> Values:
    """Return a row for each seed: the correlation of the staying time, and of the retries."""
    return np.array([correlations(data.traces[trace.name].events, NODE) for trace in TRACES])


def _closer(data: Data) -> Finding:
    more = mean(-np.diff(_measured(data), axis=1)[:, 0])
    return finding(f"higher by {more.value:.2f}", [above(more, 0)])


def _coincides(data: Data) -> Finding:
    staying, retries = (mean(values) for values in _measured(data).T)
    text = f"staying time {staying.value:.2f}, retry count {retries.value:.2f}"
    compared = [
        at_least(staying, COINCIDES, "the staying time's"),
        below(retries, COINCIDES, "the retry count's"),
    ]
    return finding(text, compared)


CLAIMS = (
    Claim(
        "the staying time follows the CP more closely than the retry count does",
        "over all packets, its correlation with the mean CP during the stay is higher",
        _closer,
    ),
    Claim(
        "the staying time coincides with the congestion level, the retry count does not correspond",
        f"the correlation of the staying time is at least {COINCIDES}, that of the retry count "
        "less",
        _coincides,
        COINCIDENCE,
    ),
)

FIGURE = FigureSpec(
    "lecn/fig4",
    f"What node {NODE} could know of its congestion potential (CP)",
    (
        Panel("lecn/fig4a", "CP", draw_node(NODE), (), traces=TRACES),
        Panel("lecn/fig4b", "retry count", draw_retries, (), traces=TRACES),
        Panel("lecn/fig4c", "staying time", draw_staying, CLAIMS, traces=TRACES),
    ),
    columns=3,
    size=(3.8, 2.6),
)
