"""What HxH's thesis says of its curves and tables, as claims about measured ones.

Beside the rules of all papers (`papers/rules.py`) there are those that only these need. Most were
set before the first look at results; "nearly", "late" and the Jain index when numbers were known:

- a curve is the throughput of the past second, ten times a second (HxH 4), a mean is over all flows
  of a run and all seeds, and a fair share is the mean over the flows;
- "oscillates" is a coefficient of variation of those windows of at least 0.2, twice of what "close
  to" allows; "stable" is less; "smoother" is a lower one;
- a flow has "adapted" once all flows are within 10 % of the fair share for a whole second, "sooner"
  is so after a shorter time, "several seconds" are two and more;
- "nearly" a number is within 10 % of it, as "close to";
- a flow starts "several seconds" late if nothing of it arrives for so long;
- a Jain index is as stated within 0.05, the step from 1 to what counts as fair;
- "less dramatic dips" is a higher lowest window of any flow, over the fair share; where a flow of
  every protocol is silent for a second, dips are "less severe" if the lowest tenth of all windows
  lies less far below the fair share. A dip is "handled quickly" if the longest time that a flow
  stays below half of its fair share is shorter;
- the thesis shows one run of what is not in table 4.4: its numbers of the dumbbell are compared
  with what a run gives, not with the mean of ten (`judging.one_run`);
- "cut in half" is half of what a flow has alone, within 25 %;
- "at all times" is in every window in which the same flows are active;
- "significantly" is p < 0.0001, as the thesis has it, in Welch's two-sample t-test; its "not a
  statistically significant difference" is p >= 0.05.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from multihop.reproducing.judging import (
    above,
    at_least,
    at_most,
    difference,
    fact,
    finding,
    mean,
    one_run,
    ratio,
    stated_within,
)
from multihop.reproducing.rules import CLOSE, FAIR, STATED
from multihop.reproducing.spec import Claim, Data, Finding, Study, StudyData
from multihop.statistics.stats import Values, jain

from .setup import LIFETIME_S, STAGGER_S
from .windows import Windows, windows

OSCILLATES = 0.2
SEVERAL_S = 2.0
WITHIN = 1 - CLOSE
BELOW = 0.5

# What of a run is looked at: the windows of a variant.
Part = Callable[[Data, str], Windows]


def mbit(bits: float) -> str:
    """Write a rate."""
    return f"{bits / 1e6:.2f} Mbit/s"


def calibrated(how: str, *claims: Claim) -> tuple[Claim, ...]:
    """Say of claims what of the set-up was fitted to their numbers."""
    return tuple(replace(claim, calibrated=how) for claim in claims)


def title(study: Study, variant: str) -> str:
    """Return a curve's name."""
    return study.variants[variant].title


def part(study: Study, x: float, start: float, end: float) -> Part:
    """Look at the windows within an interval."""
    return lambda data, variant: windows(data.studies[study.name], variant, x).between(start, end)


# ---- over time -----------------------------------------------------------------------------------


def oscillates(text: str, variant: str, look: Part, note: str = "") -> Claim:
    """Claim that a curve oscillates."""

    def judge(data: Data) -> Finding:
        found = mean(look(data, variant).variation())
        text = f"coefficient of variation {found.value:.2f}"
        return finding(text, [at_least(found, OSCILLATES)])

    return Claim(text, f"coefficient of variation at least {OSCILLATES}", judge, note)


def compare(
    text: str,
    expected: str,
    measure: Callable[[Windows], Values],
    sides: tuple[tuple[str, str, Part], tuple[str, str, Part]],
    note: str = "",
) -> Claim:
    """Claim that a measure is less for one than for another: name, variant and part of each."""

    def judge(data: Data) -> Finding:
        (one, first, look), (other, second, beside) = sides
        low, high = measure(look(data, first)), measure(beside(data, second))
        text = f"{one} {low.mean():.2f}, {other} {high.mean():.2f}"
        return finding(text, [above(difference(high, low), 0, "the difference")])

    return Claim(text, expected, judge, note)


def least(
    text: str,
    expected: str,
    measure: Callable[[Windows], Values],
    study: Study,
    look: Part,
    order: tuple[str, Sequence[str]],
    note: str = "",
) -> Claim:
    """Claim that a measure is least for one variant of a study: that, and the others."""

    def judge(data: Data) -> Finding:
        best, others = order
        found = {name: measure(look(data, name)) for name in (best, *others)}
        text = "; ".join(f"{title(study, v)} {values.mean():.2f}" for v, values in found.items())
        compared = [
            above(difference(found[v], found[best]), 0, f"{title(study, v)}'s surplus")
            for v in others
        ]
        return finding(text, compared)

    return Claim(text, expected, judge, note)


# ---- three flows, ten seconds apart (4.1.1) ------------------------------------------------------

# When how many flows are active, by flow: a second after each start and stop.
PHASES = (
    (1 * STAGGER_S, 2 * STAGGER_S, (0, 1)),
    (2 * STAGGER_S, LIFETIME_S, (0, 1, 2)),
    (LIFETIME_S, LIFETIME_S + STAGGER_S, (1, 2)),
)
MARGIN_S = 1.0


def equal_shares(study: Study, x: float, note: str = "") -> Claim:
    """Claim that active flows share equally at all times."""

    def judge(data: Data) -> Finding:
        measured = windows(data.studies[study.name], "hxh", x)
        phases = [
            measured.flows(*active).between(start + MARGIN_S, end) for start, end, active in PHASES
        ]
        # An interval in which nothing arrives has no index; the sums below tell of it.
        worst = np.array(
            [
                np.nanmin([jain(pair) for phase in phases for pair in phase.rates[run].T])
                for run in range(len(measured.rates))
            ]
        )
        alone = measured.flows(0).between(MARGIN_S, STAGGER_S).mean()
        sums = [ratio(phase.rates.sum(axis=1).mean(axis=1), alone) for phase in phases]
        text = ", ".join(f"{one.value:.2f}" for one in sums)
        compared = [
            at_least(one_run(worst), FAIR, "the least Jain index of a run"),
            *(stated_within(one, 1, STATED, "what they have together") for one in sums),
        ]
        found = f"Jain index at least {worst.min():.3f}; together {text} of one alone"
        return finding(found, compared)

    return Claim(
        "the bandwidth is evenly distributed between the flows",
        f"Jain index at least {FAIR} in every second with the same two or three flows, which "
        f"together have within {STATED:.0%} of what one has alone",
        judge,
        note,
    )


def freed(study: Study, x: float, note: str = "") -> Claim:
    """Claim that nothing is left of the flows that have ended."""

    def judge(data: Data) -> Finding:
        measured = windows(data.studies[study.name], "hxh", x)
        alone = measured.flows(0).between(MARGIN_S, STAGGER_S).mean()
        end = LIFETIME_S + STAGGER_S
        last = measured.flows(2).between(end + MARGIN_S, end + STAGGER_S).mean()
        inside = int(data.studies[study.name].flows["run_inside"].sum())
        text = (
            f"first flow alone {mbit(float(alone.mean()))}, last flow alone "
            f"{mbit(float(last.mean()))}, {inside} packets left"
        )
        same = stated_within(ratio(last, alone), 1, WITHIN, "the last flow over the first")
        return finding(text, [same, at_most(fact(inside), 0)])

    return Claim(
        "state is created and freed at the appropriate times",
        f"the last flow, alone again, within {WITHIN:.0%} of the first; no packet left at the end",
        judge,
        note,
    )


def lost(data: StudyData) -> int:
    """Count the packets that were given up, all flows and seeds."""
    columns = [name for name in data.flows.columns if name.startswith("lost_")]
    return int(data.flows.select(columns).sum().sum_horizontal().item())


def not_lost(study: Study, note: str = "") -> Claim:
    """Claim that no packet is lost."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        # of what is sent again `lost` says nothing
        dropped, delivered = (
            int(measured.flows[name].sum()) for name in ("copies_dropped", "run_delivered")
        )
        count = lost(measured)
        none = count == dropped == 0 and delivered > 0
        return Finding(none, f"{count} lost, {dropped} copies dropped, {delivered} delivered")

    return Claim("no packets are lost", "none", judge, note)
