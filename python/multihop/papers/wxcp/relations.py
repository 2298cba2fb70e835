"""What WXCP says of its curves and tables, as claims about measured ones.

Beside the rules of all papers (`papers/rules.py`) there are those that only these need:

- a gain "of 10 to 25 %" holds if it is nowhere below three quarters of the lesser number, nor above
  five quarters of the greater one. That WXCP is ahead at all is a claim of its own;
- "the same in short chains" is within 10 % at each of these lengths, and the ratio is nearer to
  one there than beyond them;
- the coefficient of variation of two flows is the deviation of what they get over its mean,
  averaged over runs. WXCP takes it from Jain, Chiu and Hawe (DEC TR-301, 1984), who compare with
  the mean of all shares there are: it is the deviation of a population, not of a sample;
- "by far" is three times any other.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...stats import Values, confidence, variation
from ..rules import CLOSE, STATED, kbit, stated
from ..spec import Claim, Data, Finding, Study, StudyData
from .setup import GOODPUT, TABLE_HOPS, TCP, TWO_FLOWS, WXCP

BY_FAR = 3.0
UNFAIR = 3
# "short chain scenarios (less than 3 hops)", "medium length (3 to 7 hops)", "long chains (more
# than 8 hops)" (4.2).
SHORT = (1, 2)
MEDIUM = (3, 4, 5, 6, 7)
LONG = tuple(range(9, 17))


def surely(differences: Values) -> bool:
    """Whether the mean of differences, one a seed, is above zero with 95 % confidence."""
    return float(np.mean(differences)) > confidence(differences) and len(differences) > 1


def variations(data: StudyData, variant: str) -> Values:
    """Return the mean coefficient of variation of the flows' shares for each x."""
    shares = data.shares(variant)
    return np.array([np.mean([variation(run) for run in runs]) for runs in shares])


def at_table_hops(data: StudyData, values: Values) -> Values:
    """Select the lengths that stand in the paper's tables."""
    chosen: Values = values[np.isin(data.x, TABLE_HOPS)]
    return chosen


def ratios(data: StudyData, column: str = GOODPUT) -> Values:
    """Return WXCP's mean over TCP's at each x."""
    found: Values = data.mean(WXCP, column) / data.mean(TCP, column)
    return found


def _percent(values: Values) -> str:
    return " ".join(f"{100 * (value - 1):+.0f}" for value in values) + " %"


def _at(data: StudyData, chosen: Sequence[float]) -> Values:
    """Return the ratios of throughput at those of some x that were run."""
    found: Values = ratios(data)[np.isin(data.x, chosen)]
    return found


# ---- throughput (figures 2, 5 and 8) -------------------------------------------------------------


def falls(study: Study, note: str = "") -> Claim:
    """Claim that TCP loses throughput with every further hop of the tables."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        rates = at_table_hops(measured, measured.mean(TCP, GOODPUT))
        text = f"{' '.join(f'{rate / 1e3:.0f}' for rate in rates[:-1])} {kbit(rates[-1])}"
        return Finding(bool((np.diff(rates) < 0).all()), text)

    lengths = " ".join(map(str, TABLE_HOPS))
    return Claim(
        "TCP experiences serious performance degradation over many hops",
        f"less at every further length of {lengths} hops",
        judge,
        note,
    )


def same_in_short_chains(study: Study, note: str = "") -> Claim:
    """Claim that both have the same throughput over fewer than three hops."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        near = _at(measured, SHORT)
        beyond = _at(measured, (*MEDIUM, *LONG))
        contrast = np.abs(near - 1).max() < np.abs(beyond - 1).mean()
        holds = bool((np.abs(near - 1) <= 1 - CLOSE).all()) and bool(contrast)
        return Finding(
            holds, f"{_percent(near)}; beyond on average {_percent(beyond.mean()[None])}"
        )

    return Claim(
        "WXCP achieves the same throughput as TCP in short chains (less than 3 hops)",
        f"within {1 - CLOSE:.0%} over 1 and 2 hops, and nearer than on average beyond",
        judge,
        note,
    )


def gains(
    text: str, study: Study, chosen: Sequence[float], stated: tuple[float, float], note: str = ""
) -> Claim:
    """Claim that WXCP's gain over TCP, in percent, lies in a range at each of some x."""
    low, high = stated[0] * (1 - STATED), stated[1] * (1 + STATED)

    def judge(data: Data) -> Finding:
        found = _at(data.studies[study.name], chosen)
        inside = (found - 1 >= low / 100) & (found - 1 <= high / 100)
        return Finding(bool(inside.all()), _percent(found))

    return Claim(text, f"each gain {low:.1f} to {high:.0f} %", judge, note)


def ahead(text: str, study: Study, chosen: Sequence[float], note: str = "") -> Claim:
    """Claim that WXCP delivers more than TCP at each of some x, whatever the gain."""

    def judge(data: Data) -> Finding:
        found = _at(data.studies[study.name], chosen)
        return Finding(bool((found > 1).all()), _percent(found))

    return Claim(text, "more at each", judge, note)


def more_with_length(study: Study, note: str = "") -> Claim:
    """Claim that the gain is larger over medium chains than short ones, and largest over long."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        found = np.array([_at(measured, chosen).mean() for chosen in (SHORT, MEDIUM, LONG)])
        return Finding(bool((np.diff(found) > 0).all()), _percent(found))

    return Claim(
        "the longer the chain, the more WXCP gains: short, medium, long",
        "the mean gain over 1 and 2, 3 to 7, and 9 to 16 hops rises",
        judge,
        note,
    )


# ---- fairness of two flows (table 2) -------------------------------------------------------------


def unfair_at_three(note: str = "") -> Claim:
    """Claim that two flows over three hops share least."""

    def judge(data: Data) -> Finding:
        measured = data.studies[TWO_FLOWS.name]
        values = at_table_hops(measured, variations(measured, TCP))
        at = TABLE_HOPS.index(UNFAIR)
        others = float(np.delete(values, at).max())
        text = f"{values[at]:.4f}, at other lengths at most {others:.4f}"
        return Finding(bool(values[at] > BY_FAR * others), text)

    return Claim(
        "by far the least fair are two flows of TCP over 3 hops",
        f"more than {BY_FAR:g} times the coefficient of variation at any other length",
        judge,
        note,
    )


def fairer(note: str = "") -> Claim:
    """Claim that WXCP's two flows share better than TCP's at every length of the table."""

    def judge(data: Data) -> Finding:
        measured = data.studies[TWO_FLOWS.name]
        own, other = (at_table_hops(measured, variations(measured, name)) for name in (WXCP, TCP))
        text = ", ".join(f"{a:.4f} against {b:.4f}" for a, b in zip(own, other, strict=True))
        return Finding(bool((own < other).all()), text)

    return Claim(
        "WXCP guarantees better fairness among two flows than TCP",
        "a lower coefficient of variation at every length of the table",
        judge,
        note,
    )


def coefficient(variant: str, hops: int, paper: str, note: str = "") -> Claim:
    """Claim the coefficient of variation of two flows over a chain of one length."""

    def measure(data: Data) -> list[float]:
        measured = data.studies[TWO_FLOWS.name]
        return [float(variations(measured, variant)[measured.x == hops][0])]

    title = TWO_FLOWS.variants[variant].title
    return stated(
        f"{title}'s coefficient of variation of two flows over {hops} hop{'s' * (hops > 1)}",
        paper,
        "",
        measure,
        note,
    )
