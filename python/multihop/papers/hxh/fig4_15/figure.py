"""HxH 4.2.3, figure 4.15: what each flow of the grid receives."""

from __future__ import annotations

import numpy as np

from ....stats import jain
from ...rules import FAIR
from ...spec import Claim, Data, FigureSpec, Finding, Panel
from ..charts import shares_of_flows
from ..notes import ALIKE
from ..setup import HXH, PLANNED, SIX

# Flows 1, 6, 7 and 12 run along the edges, 2, 5, 8 and 11 beside those, 3, 4, 9 and 10 through the
# middle.
EDGE = (0, 5, 6, 11)
BESIDE = (1, 4, 7, 10)
INNER = (2, 3, 8, 9)
# Flows with the same contention.
GROUPS = (EDGE, BESIDE, INNER)


def _above_the_inner(text: str, group: tuple[int, ...]) -> Claim:
    def judge(data: Data) -> Finding:
        ratios = {}
        for name in SIX:
            shares = data.studies[PLANNED.name].shares(name)[0].mean(axis=0)
            ratios[name] = float(shares[list(group)].mean() / shares[list(INNER)].mean())
        found = ", ".join(f"{name} {ratio:.2f}" for name, ratio in ratios.items())
        return Finding(all(ratio > 1 for ratio in ratios.values()), found)

    def flows(group: tuple[int, ...]) -> str:
        return ", ".join(str(number + 1) for number in group)

    return Claim(
        f"with every protocol, {text} get more than those in its middle",
        f"mean of flows {flows(group)} over that of flows {flows(INNER)} above 1",
        judge,
    )


def _none_is_fair() -> Claim:
    def judge(data: Data) -> Finding:
        found = {
            name: float(np.max([jain(run) for run in data.studies[PLANNED.name].shares(name)[0]]))
            for name in SIX
        }
        text = ", ".join(f"{name} {value:.3f}" for name, value in found.items())
        return Finding(bool(np.max(list(found.values())) < FAIR), f"at most {text}")

    return Claim(
        "no protocol achieves a fair allocation across all twelve flows",
        f"Jain index below {FAIR} in every run",
        judge,
    )


def _alike(data: Data, variant: str) -> float:
    """Return how fair flows with the same contention share: Jain's index, mean over groups.

    A group in which no flow gets anything has no index.
    """
    shares = data.studies[PLANNED.name].shares(variant)[0]
    indices = np.array([jain(run[list(group)]) for run in shares for group in GROUPS])
    return float(indices[np.isfinite(indices)].mean())


def _similar_get_the_same() -> Claim:
    def judge(data: Data) -> Finding:
        found = {name: _alike(data, name) for name in SIX}
        others = np.max([found[name] for name in SIX if name != HXH])
        text = ", ".join(f"{name} {value:.3f}" for name, value in found.items())
        return Finding(bool(found[HXH] > others), text)

    return Claim(
        "HxH's scheduler helps flows with similar contention to similar throughput",
        "Jain index among edge flows, their neighbours and inner flows, mean: HxH's the highest",
        judge,
        ALIKE,
    )


CLAIMS = {
    HXH: (
        _above_the_inner("flows at the edge of the grid", EDGE),
        _above_the_inner("flows beside those at its edge", BESIDE),
        _none_is_fair(),
        _similar_get_the_same(),
    )
}

FIGURE = FigureSpec(
    "hxh/fig4.15",
    "What the twelve flows of the grid receive in 60 s",
    tuple(
        Panel(
            f"hxh/fig4.15{letter}",
            PLANNED.variants[name].title,
            shares_of_flows(PLANNED, name),
            CLAIMS.get(name, ()),
            (PLANNED,),
        )
        for letter, name in zip("abcdef", SIX, strict=True)
    ),
)
