"""HxH 4.2.3, figure 4.15: what each flow of the grid receives."""

from __future__ import annotations

import numpy as np

from multihop.reproducing.judging import above, below, difference, finding, higher, one_run
from multihop.reproducing.rules import FAIR
from multihop.reproducing.spec import Claim, Data, FigureSpec, Finding, Panel
from multihop.statistics.stats import Values, jain

from .charts import shares_of_flows
from .notes import ALIKE
from .setup import HXH, PLANNED, SIX

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
            shares = data.studies[PLANNED.name].shares(name)[0]
            own, inner = (shares[:, list(flows)].mean(axis=1) for flows in (group, INNER))
            ratios[name] = higher(own, inner, name)
        found = ", ".join(f"{name} {one.estimate.value:.2f}" for name, one in ratios.items())
        return finding(found, ratios.values())

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
            name: [jain(run) for run in data.studies[PLANNED.name].shares(name)[0]] for name in SIX
        }
        text = ", ".join(f"{name} {np.max(values):.3f}" for name, values in found.items())
        compared = [below(one_run(values), FAIR, name) for name, values in found.items()]
        return finding(f"at most {text}", compared)

    return Claim(
        "no protocol achieves a fair allocation across all twelve flows",
        f"a run's Jain index is below {FAIR}",
        judge,
    )


def _alike(data: Data, variant: str) -> Values:
    """Return how fair flows with the same contention share in each run.

    It is Jain's index, mean over the groups; a group in which no flow gets anything has none.
    """
    shares = data.studies[PLANNED.name].shares(variant)[0]
    indices = np.array([[jain(run[list(group)]) for group in GROUPS] for run in shares])
    mean: Values = np.nanmean(indices, axis=1)
    return mean


def _similar_get_the_same() -> Claim:
    def judge(data: Data) -> Finding:
        found = {name: _alike(data, name) for name in SIX}
        text = ", ".join(f"{name} {np.nanmean(values):.3f}" for name, values in found.items())
        compared = [
            above(difference(found[HXH], found[name]), 0, f"HxH's lead over {name}")
            for name in SIX
            if name != HXH
        ]
        return finding(text, compared)

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
