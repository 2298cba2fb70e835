"""What HxH's thesis says of its curves and tables, as claims about measured ones.

Beside the rules of all papers (`papers/rules.py`) there are those that only these need. They were
set before the first look at results:

- a curve is the throughput of the past second, ten times a second (HxH 4), a mean is over all flows
  of a run and all seeds, and a fair share is the mean over the flows;
- "oscillates" is a coefficient of variation of those windows of at least 0.2, twice of what "close
  to" allows; "stable" is less; "smoother" is a lower one;
- a flow has "adapted" once all flows are within 10 % of the fair share for a whole second, "sooner"
  is so after a shorter time, "several seconds" are two and more;
- "less dramatic dips" is a higher lowest window of any flow, over the fair share; a dip is "handled
  quickly" if the longest time that a flow stays below half of its fair share is shorter;
- "cut in half" is half of what a flow has alone, within 25 %;
- "at all times" is in every window in which the same flows are active;
- "significantly" is p < 0.0001, as the thesis has it, in Welch's two-sample t-test; its "not a
  statistically significant difference" is p >= 0.05.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

import numpy as np

from ...stats import Values, jain, welch
from ..rules import CLOSE, FAIR, off, stated
from ..spec import Claim, Data, Finding, Study, StudyData
from .setup import GOODPUT, LIFETIME_S, STAGGER_S
from .windows import Windows, windows

OSCILLATES = 0.2
SEVERAL_S = 2.0
WITHIN = 1 - CLOSE
BELOW = 0.5
SIGNIFICANT = 1e-4
BY_CHANCE = 0.05

# What of a run is looked at: the windows of a variant.
Part = Callable[[Data, str], Windows]


def mbit(bits: float) -> str:
    """Write a rate."""
    return f"{bits / 1e6:.2f} Mbit/s"


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
        found = look(data, variant).variation()
        return Finding(found >= OSCILLATES, f"coefficient of variation {found:.2f}")

    return Claim(text, f"coefficient of variation at least {OSCILLATES}", judge, note)


def compare(
    text: str,
    expected: str,
    measure: Callable[[Windows], float],
    sides: tuple[tuple[str, str, Part], tuple[str, str, Part]],
    note: str = "",
) -> Claim:
    """Claim that a measure is less for one than for another: name, variant and part of each."""

    def judge(data: Data) -> Finding:
        (one, first, look), (other, second, beside) = sides
        low, high = measure(look(data, first)), measure(beside(data, second))
        return Finding(low < high, f"{one} {low:.2f}, {other} {high:.2f}")

    return Claim(text, expected, judge, note)


def least(
    text: str,
    expected: str,
    measure: Callable[[Windows], float],
    study: Study,
    look: Part,
    order: tuple[str, Sequence[str]],
    note: str = "",
) -> Claim:
    """Claim that a measure is least for one variant of a study: that, and the others."""

    def judge(data: Data) -> Finding:
        best, others = order
        found = {name: measure(look(data, name)) for name in (best, *others)}
        holds = all(found[best] < found[name] for name in others)
        return Finding(
            holds, "; ".join(f"{title(study, name)} {value:.2f}" for name, value in found.items())
        )

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
        worst = min(
            jain(run[:, at])
            for start, end, active in PHASES
            for run in measured.flows(*active).between(start + MARGIN_S, end).rates
            for at in range(run.shape[1])
        )
        return Finding(worst >= FAIR, f"Jain index at least {worst:.3f}")

    return Claim(
        "bandwidth is evenly distributed between the flows",
        f"Jain index at least {FAIR} in every second with the same two or three flows",
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
            f"first flow alone {mbit(alone)}, last flow alone {mbit(last)}, {inside} packets left"
        )
        return Finding(off(last, alone) <= WITHIN and inside == 0, text)

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
        count, delivered = lost(measured), int(measured.flows["run_delivered"].sum())
        return Finding(count == 0 and delivered > 0, f"{count} lost, {delivered} delivered")

    return Claim("no packets are lost", "none", judge, note)


# ---- tables --------------------------------------------------------------------------------------


def goodputs(data: StudyData, variant: str) -> Values:
    """Return the goodput of each scenario in bit/s, in a study of one point."""
    found: Values = data.values(variant, GOODPUT)[0]
    return found


def megabytes(data: StudyData, variant: str) -> float:
    """Return how many 10^6 bytes a run delivers, mean over seeds, in a study of one point."""
    seconds = data.runs["duration_s"].to_numpy()[0]
    return float(goodputs(data, variant).mean()) * float(seconds) / 8e6


def descending(
    text: str,
    groups: Sequence[Sequence[str]],
    measure: Callable[[Data, str], float],
    note: str = "",
) -> Claim:
    """Claim an order: all of a group above all of the next."""

    def judge(data: Data) -> Finding:
        found = {name: measure(data, name) for group in groups for name in group}
        holds = all(
            min(found[name] for name in upper) > max(found[name] for name in lower)
            for upper, lower in pairwise(groups)
        )
        return Finding(holds, ", ".join(f"{name} {value:.3g}" for name, value in found.items()))

    names = " > ".join("{" + ", ".join(g) + "}" if len(g) > 1 else g[0] for g in groups)
    return Claim(text, names, judge, note)


def each_stated(
    paper: Mapping[str, str],
    text: Callable[[str], str],
    unit: str,
    measure: Callable[[Data, str], Sequence[float]],
    notes: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Claim, ...]:
    """Claim the numbers that the thesis states of each variant."""

    def one(name: str, numbers: str) -> Claim:
        return stated(
            text(name), numbers, unit, lambda data: measure(data, name), notes.get(name, "")
        )

    return tuple(one(name, numbers) for name, numbers in paper.items())


def edges_first(study: Study, edge: Sequence[int], inner: Sequence[int], note: str = "") -> Claim:
    """Claim that with every protocol the flows at the edge get more than those in the middle."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        ratios = {}
        for name in measured.variants:
            shares = measured.shares(name)[0].mean(axis=0)
            ratios[name] = float(shares[list(edge)].mean() / shares[list(inner)].mean())
        text = ", ".join(f"{name} {ratio:.2f}" for name, ratio in ratios.items())
        return Finding(all(ratio > 1 for ratio in ratios.values()), text)

    return Claim(
        "with every protocol, flows at the edge of the grid get more than those in its middle",
        "mean of flows 1, 6, 7, 12 over that of flows 3, 4, 9, 10 above 1",
        judge,
        note,
    )


# ---- tests of significance (4.2.4) ---------------------------------------------------------------


def significantly(
    text: str, study: Study, order: tuple[str, Sequence[str]], *, above: bool, note: str = ""
) -> Claim:
    """Claim that one variant is significantly above, or below, each of the others."""
    one, others = order

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        own = goodputs(measured, one)
        found = []
        holds = True
        for name in others:
            other = goodputs(measured, name)
            chance = welch(own, other)
            right = bool(own.mean() > other.mean()) == above
            holds &= right and chance < SIGNIFICANT
            found.append(f"{name} {own.mean() / other.mean():.2f} times, p = {chance:.1g}")
        return Finding(holds, f"{one} over {'; '.join(found)} ({len(own)} scenarios)")

    word = "above" if above else "below"
    return Claim(text, f"{word} each of the others with p < {SIGNIFICANT}", judge, note)


def alike_by_chance(text: str, study: Study, variants: Sequence[str], note: str = "") -> Claim:
    """Claim that no two of some variants differ significantly."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        chances = {
            (one, other): welch(goodputs(measured, one), goodputs(measured, other))
            for index, one in enumerate(variants)
            for other in variants[index + 1 :]
        }
        pair = min(chances, key=lambda names: chances[names])
        text = f"least p = {chances[pair]:.2g} ({pair[0]}, {pair[1]})"
        return Finding(chances[pair] >= BY_CHANCE, text)

    return Claim(text, f"p at least {BY_CHANCE} between each two", judge, note)


def mean_jain(rates: Values) -> float:
    """Return Jain's index of the flows' means over time, mean over seeds (equation 4.1)."""
    return float(np.mean([jain(run.mean(axis=1)) for run in rates]))
