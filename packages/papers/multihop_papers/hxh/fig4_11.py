"""HxH 4.2.1, figure 4.11: four flows over the dumbbell."""

from __future__ import annotations

import numpy as np

from multihop.reproducing.judging import at_least, below, finding, higher, mean
from multihop.reproducing.spec import Claim, Data, FigureSpec, Finding, Panel

from .charts import flows_over_time
from .notes import CHANCE, JAGGED, STANDSTILL, UNSTABLE
from .relations import BELOW, OSCILLATES, SEVERAL_S, least, part
from .setup import ALL_FLOWS_S, ATP, HXH, INTERVAL_S, NEWRENO, SHARED, SIX, STAGGER_S, TAHOE, TCPS

ALL_FLOWS = part(SHARED, 0, ALL_FLOWS_S, 60)
# "With HxH, Tahoe and NewReno, the second flow does not initially begin transmitting until several
# seconds after it should."
LATE = (HXH, TAHOE, NEWRENO)
SECOND = 1
# "Dips" are so many of all windows, the lowest ones: a second of silence makes the very lowest one
# 0 with every protocol.
DIPS = 0.1
# The first flow alone, and with how many versions of TCP it has to be smoother ("many of").
FIRST = part(SHARED, 0, 1, STAGGER_S)
MANY = 3


def _unstable() -> Claim:
    def judge(data: Data) -> Finding:
        own, atp = (mean(ALL_FLOWS(data, name).variation()) for name in (HXH, ATP))
        compared = [below(own, OSCILLATES, "HxH"), at_least(atp, OSCILLATES, "ATP")]
        return finding(f"HxH {own.value:.2f}, ATP {atp.value:.2f}", compared)

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
        if all(late[name] for name in LATE):
            return Finding(True, f"{text} runs")
        # The thesis has one run of each: none of ten here does not rule it out.
        never = all(late[name] == 0 for name in SIX)
        return Finding(False if never else None, f"{text} runs")

    return Claim(
        "with HxH, Tahoe and NewReno the second flow starts several seconds late: a route request "
        "is lost",
        f"each in some run by at least {SEVERAL_S:g} s",
        judge,
        CHANCE,
    )


def _jagged() -> Claim:
    def judge(data: Data) -> Finding:
        found = {name: FIRST(data, name).flows(0).variation() for name in (HXH, *TCPS)}
        text = ", ".join(f"{name} {values.mean():.3f}" for name, values in found.items())
        more = [higher(found[HXH], found[name], f"HxH over {name}") for name in TCPS]
        ranked = sorted(more, key=lambda one: one.margin, reverse=True)
        return finding(text, ranked[:MANY])

    return Claim(
        "unlike many of the TCP protocols, HxH's throughput is initially a bit jagged",
        f"the coefficient of variation of the first flow while it is alone is above that of {MANY} "
        "of the four versions of TCP",
        judge,
        JAGGED,
    )


CLAIMS = {
    HXH: (
        _jagged(),
        least(
            "HxH's dips are less severe than TCP's",
            f"how far the lowest {DIPS:.0%} of windows lie below the fair share: HxH's the least",
            lambda windows: windows.depth(DIPS),
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
