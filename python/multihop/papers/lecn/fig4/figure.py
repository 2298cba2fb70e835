"""LECN 3.2, figure 4: congestion potential, retry count and staying time at node 2."""

from __future__ import annotations

import numpy as np

from ....stats import Values, confidence
from ...spec import Claim, Data, FigureSpec, Finding, Panel
from ..charts import draw_node, draw_retries, draw_staying
from ..notes import COINCIDENCE
from ..potential import NODE, correlations
from ..relations import COINCIDES, surely
from ..setup import TRACES


def _measured(data: Data) -> Values:
    """Return a row for each seed: the correlation of the staying time, and of the retries."""
    return np.array([correlations(data.traces[trace.name].events, NODE) for trace in TRACES])


def _closer(data: Data) -> Finding:
    more = -np.diff(_measured(data), axis=1)[:, 0]
    return Finding(surely(more), f"higher by {more.mean():.2f} +- {confidence(more):.2f}")


def _coincides(data: Data) -> Finding:
    staying, retries = _measured(data).mean(axis=0)
    holds = bool(staying >= COINCIDES > retries)
    return Finding(holds, f"staying time {staying:.2f}, retry count {retries:.2f}")


CLAIMS = (
    Claim(
        "the staying time follows the CP more closely than the retry count does",
        "over all packets, its correlation with the mean CP during the stay is higher, with 95 % "
        "confidence over the seeds",
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
