"""HxH 4.2.3, figure 4.15: what each flow of the grid receives."""

from __future__ import annotations

from ....stats import jain
from ...spec import Claim, Data, FigureSpec, Finding, Panel
from ..charts import shares_of_flows
from ..notes import ALIKE
from ..relations import edges_first
from ..setup import HXH, PLANNED, SIX

# Flows 1, 6, 7 and 12 run along the edges, 3, 4, 9 and 10 through the middle.
EDGE = (0, 5, 6, 11)
INNER = (2, 3, 8, 9)
# Flows with the same contention.
GROUPS = (EDGE, (1, 4, 7, 10), INNER)


def _alike(data: Data, variant: str) -> float:
    """Return how fair flows with the same contention share: Jain's index, mean over groups."""
    shares = data.studies[PLANNED.name].shares(variant)[0]
    indices = [jain(run[list(group)]) for run in shares for group in GROUPS]
    return float(sum(indices)) / len(indices)


def _similar_get_the_same() -> Claim:
    def judge(data: Data) -> Finding:
        found = {name: _alike(data, name) for name in SIX}
        others = max(found[name] for name in SIX if name != HXH)
        text = ", ".join(f"{name} {value:.3f}" for name, value in found.items())
        return Finding(found[HXH] > others, text)

    return Claim(
        "HxH's scheduler helps flows with similar contention to similar throughput",
        "Jain index among edge flows, their neighbours and inner flows, mean: HxH's the highest",
        judge,
        ALIKE,
    )


CLAIMS = {HXH: (edges_first(PLANNED, EDGE, INNER), _similar_get_the_same())}

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
