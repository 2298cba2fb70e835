"""HxH 4.2.1, figure 4.11: four flows over the dumbbell."""

from __future__ import annotations

import numpy as np

from ...spec import Claim, Data, FigureSpec, Finding, Panel
from ..charts import flows_over_time
from ..notes import CHANCE, STANDSTILL, UNSTABLE
from ..relations import BELOW, OSCILLATES, SEVERAL_S, least, part
from ..setup import (
    ALL_FLOWS_S,
    ATP,
    HXH,
    INTERVAL_S,
    NEWRENO,
    SHARED,
    SIX,
    STAGGER_S,
    TAHOE,
    TCPS,
)

ALL_FLOWS = part(SHARED, 0, ALL_FLOWS_S, 60)
# "With HxH, Tahoe and NewReno, the second flow does not initially begin transmitting until several
# seconds after it should."
LATE = (HXH, TAHOE, NEWRENO)
SECOND = 1


def _unstable() -> Claim:
    def judge(data: Data) -> Finding:
        own, atp = (ALL_FLOWS(data, name).variation() for name in (HXH, ATP))
        return Finding(own < OSCILLATES <= atp, f"HxH {own:.2f}, ATP {atp:.2f}")

    return Claim(
        "ATP cannot maintain a stable rate, as HxH can",
        f"coefficient of variation at least {OSCILLATES}, and HxH's below",
        judge,
        UNSTABLE,
    )


def _lateness(data: Data, variant: str) -> list[float]:
    """Return how late in s the second flow's first packet arrives, in each run."""
    delivered = data.studies[SHARED.name].delivered_bytes(variant, 0, INTERVAL_S)[:, SECOND]
    return [INTERVAL_S * float(np.argmax(run > 0)) - STAGGER_S for run in delivered]


def _starts_late() -> Claim:
    def judge(data: Data) -> Finding:
        found = {name: _lateness(data, name) for name in SIX}
        late = {name: sum(s >= SEVERAL_S for s in runs) for name, runs in found.items()}
        text = ", ".join(f"{name} {late[name]} of {len(runs)}" for name, runs in found.items())
        return Finding(all(late[name] > 0 for name in LATE), f"{text} runs")

    return Claim(
        "with HxH, Tahoe and NewReno the second flow starts several seconds late: a route request "
        "is lost",
        f"each in some run by at least {SEVERAL_S:g} s",
        judge,
        CHANCE,
    )


CLAIMS = {
    HXH: (
        least(
            "HxH's dips are less severe than TCP's",
            "lowest window of a flow over the fair share, below that of 1: HxH's the least",
            lambda windows: 1 - windows.lowest(),
            SHARED,
            ALL_FLOWS,
            (HXH, TCPS),
            STANDSTILL,
        ),
        least(
            "and are handled more quickly",
            f"longest time of a flow below {BELOW} of the fair share, in s: HxH's the shortest",
            lambda windows: windows.longest_below(BELOW),
            SHARED,
            ALL_FLOWS,
            (HXH, TCPS),
            STANDSTILL,
        ),
        _starts_late(),
    ),
    ATP: (_unstable(),),
}

FIGURE = FigureSpec(
    "hxh/fig4.11",
    "Four flows over the dumbbell, one starting every ten seconds",
    tuple(
        Panel(
            f"hxh/fig4.11{letter}",
            SHARED.variants[name].title,
            flows_over_time(SHARED, name, 0),
            CLAIMS.get(name, ()),
            (SHARED,),
        )
        for letter, name in zip("abcdef", SIX, strict=True)
    ),
)
