"""Claims about the tables of HxH's thesis: totals, orders, and tests of significance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

import numpy as np

from multihop.reproducing.judging import finding, higher, one_run, ratio, stated_within
from multihop.reproducing.rules import STATED, like, off, stated
from multihop.reproducing.spec import Claim, Data, Finding, Study, StudyData
from multihop.statistics.stats import Values, jain, welch

from .setup import GOODPUT

SIGNIFICANT = 1e-4
BY_CHANCE = 0.05
DOUBLE = 2.0


def goodputs(data: StudyData, variant: str) -> Values:
    """Return the goodput of each scenario in bit/s, in a study of one point."""
    found: Values = data.values(variant, GOODPUT)[0]
    return found


def megabytes(data: StudyData, variant: str) -> Values:
    """Return how many 10^6 bytes each run delivers, in a study of one point."""
    seconds = data.runs["duration_s"].to_numpy()[0]
    found: Values = goodputs(data, variant) * float(seconds) / 8e6
    return found


def descending(
    text: str,
    groups: Sequence[Sequence[str]],
    measure: Callable[[Data, str], Values],
    note: str = "",
) -> Claim:
    """Claim an order: all of a group above all of the next. `measure` has a value for each run."""

    def judge(data: Data) -> Finding:
        found = {name: measure(data, name) for group in groups for name in group}
        compared = [
            higher(found[one], found[other], f"{one} over {other}")
            for upper, lower in pairwise(groups)
            for one in upper
            for other in lower
        ]
        text = ", ".join(f"{name} {values.mean():.3g}" for name, values in found.items())
        return finding(text, compared)

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


def of_one_run(
    text: str, numbers: str, unit: str, measure: Callable[[Data], Values], note: str = ""
) -> Claim:
    """Claim numbers of a single run of the thesis; `measure` has a row for each, by run."""
    texts = numbers.split()

    def judge(data: Data) -> Finding:
        pairs = list(zip(map(one_run, measure(data)), texts, strict=True))
        misses = [off(one.value, float(stated)) for one, stated in pairs]
        found = " ".join(like(one.value, stated) for one, stated in pairs)
        compared = [
            stated_within(one, float(stated), STATED, f"a run, for {stated}")
            for one, stated in pairs
        ]
        return finding(f"{found}{unit}, off by at most {max(misses):.0%}", compared)

    each = f"each within {STATED:.0%}" if len(texts) > 1 else f"within {STATED:.0%}"
    return Claim(text, f"a run gives {numbers}{unit}, {each}", judge, note)


def double(
    variant: str, others: Sequence[str], measure: Callable[[Data, str], Values], note: str = ""
) -> Claim:
    """Claim that one variant has twice as much as each of others (the thesis's abstract)."""

    def judge(data: Data) -> Finding:
        own = measure(data, variant)
        ratios = {name: ratio(own, measure(data, name)) for name in others}
        text = ", ".join(f"{one.value:.2f} times {name}" for name, one in ratios.items())
        compared = [stated_within(one, DOUBLE, STATED, name) for name, one in ratios.items()]
        return finding(text, compared)

    return Claim(
        "hop-by-hop transport achieves throughputs that are double those of TCP",
        f"{DOUBLE:g} times each, within {STATED:.0%}",
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


def alike_by_chance(
    text: str, study: Study, order: tuple[str, Sequence[str]], note: str = ""
) -> Claim:
    """Claim that no two of some variants differ significantly, where another does from each.

    Without that other, few or uneven scenarios would do.
    """
    beside, variants = order

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        chances = {
            (one, other): welch(goodputs(measured, one), goodputs(measured, other))
            for index, one in enumerate(variants)
            for other in variants[index + 1 :]
        }
        pair = min(chances, key=lambda names: chances[names])
        power = max(welch(goodputs(measured, beside), goodputs(measured, v)) for v in variants)
        text = (
            f"least p = {chances[pair]:.2g} ({pair[0]}, {pair[1]}); "
            f"from {beside} at most p = {power:.2g}"
        )
        return Finding(power < BY_CHANCE <= chances[pair], text)

    expected = f"p at least {BY_CHANCE} between each two, less between {beside} and each"
    return Claim(text, expected, judge, note)


def mean_jain(rates: Values) -> float:
    """Return Jain's index of the flows' means over time, mean over seeds (equation 4.1)."""
    return float(np.mean([jain(run.mean(axis=1)) for run in rates]))
