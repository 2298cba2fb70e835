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

from multihop.reproducing.judging import (
    Estimate,
    above,
    between,
    estimate,
    estimates,
    falling,
    finding,
    higher,
    ratio,
)
from multihop.reproducing.rules import CLOSE, STATED, kbit
from multihop.reproducing.spec import Claim, Data, Finding, Study, StudyData
from multihop.statistics.stats import Values, variation

from .setup import GOODPUT, TABLE_HOPS, TCP, TWO_FLOWS, WXCP

BY_FAR = 3.0
# "short chain scenarios (less than 3 hops)", "medium length (3 to 7 hops)", "long chains (more
# than 8 hops)" (4.2).
SHORT = (1, 2)
MEDIUM = (3, 4, 5, 6, 7)
LONG = tuple(range(9, 17))


def variations(data: StudyData, variant: str) -> Values:
    """Return the coefficient of variation of the flows' shares: by x, by seed."""
    return np.array([[variation(run) for run in runs] for runs in data.shares(variant)])


def at_table_hops(data: StudyData, values: Values) -> Values:
    """Select the rows of the lengths that stand in the paper's tables."""
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


def _each(data: Data, study: Study, chosen: Sequence[float]) -> list[tuple[Estimate, str]]:
    """Return WXCP's throughput over TCP's at each of some x that were run, and what it is of."""
    measured = data.studies[study.name]
    own, other = (measured.values(name, GOODPUT) for name in (WXCP, TCP))
    return [
        (ratio(a, b), f"the ratio at {x:g}")
        for a, b, x in zip(own, other, measured.x, strict=True)
        if x in chosen
    ]


# ---- throughput (figures 2, 5 and 8) -------------------------------------------------------------


def falls(study: Study, note: str = "") -> Claim:
    """Claim that TCP loses throughput with every further hop of the tables."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        rows = list(at_table_hops(measured, measured.values(TCP, GOODPUT)))
        *rates, last = (float(row.mean()) for row in rows)
        text = f"{' '.join(f'{rate / 1e3:.0f}' for rate in rates)} {kbit(last)}"
        lengths = [f"{hops} hops" for hops in TABLE_HOPS]
        return finding(text, falling(rows, lengths))

    lengths = " ".join(map(str, TABLE_HOPS))
    return Claim(
        "TCP experiences serious performance degradation over many hops",
        f"less at every further length of {lengths} hops",
        judge,
        note,
    )


def same_in_short_chains(study: Study, note: str = "") -> Claim:
    """Claim that both have the same throughput over fewer than three hops."""

    def contrast(data: Data) -> float:
        measured = data.studies[study.name]
        near, beyond = (_at(measured, chosen) for chosen in (SHORT, (*MEDIUM, *LONG)))
        return float(np.abs(beyond - 1).mean() - np.abs(near - 1).max())

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        near = _at(measured, SHORT)
        beyond = _at(measured, (*MEDIUM, *LONG))
        text = f"{_percent(near)}; beyond on average {_percent(beyond.mean()[None])}"
        compared = [
            *(between(one, CLOSE, 2 - CLOSE, name) for one, name in _each(data, study, SHORT)),
            above(estimate(data, contrast), 0, "how much nearer"),
        ]
        return finding(text, compared)

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
        compared = [
            between(one, 1 + low / 100, 1 + high / 100, name)
            for one, name in _each(data, study, chosen)
        ]
        return finding(_percent(_at(data.studies[study.name], chosen)), compared)

    return Claim(text, f"each gain {low:.1f} to {high:.0f} %", judge, note)


def ahead(text: str, study: Study, chosen: Sequence[float], note: str = "") -> Claim:
    """Claim that WXCP delivers more than TCP at each of some x, whatever the gain."""

    def judge(data: Data) -> Finding:
        compared = [above(one, 1, name) for one, name in _each(data, study, chosen)]
        return finding(_percent(_at(data.studies[study.name], chosen)), compared)

    return Claim(text, "more at each", judge, note)


def more_with_length(study: Study, note: str = "") -> Claim:
    """Claim that the gain is larger over medium chains than short ones, and largest over long."""

    def means(data: Data) -> Values:
        measured = data.studies[study.name]
        return np.array([_at(measured, chosen).mean() for chosen in (SHORT, MEDIUM, LONG)])

    def judge(data: Data) -> Finding:
        steps = [above(one, 0) for one in estimates(data, lambda part: np.diff(means(part)))]
        return finding(_percent(means(data)), steps)

    return Claim(
        "the longer the chain, the more WXCP gains: short, medium, long",
        "the mean gain over 1 and 2, 3 to 7, and 9 to 16 hops rises",
        judge,
        note,
    )


# ---- fairness of two flows (table 2) -------------------------------------------------------------


def fairer(note: str = "") -> Claim:
    """Claim that WXCP's two flows share better than TCP's at every length of the table."""

    def judge(data: Data) -> Finding:
        measured = data.studies[TWO_FLOWS.name]
        own, other = (at_table_hops(measured, variations(measured, name)) for name in (WXCP, TCP))
        pairs = list(zip(own, other, strict=True))
        text = ", ".join(f"{a.mean():.4f} against {b.mean():.4f}" for a, b in pairs)
        compared = [
            higher(b, a, f"TCP's over WXCP's, length {hops}")
            for (a, b), hops in zip(pairs, TABLE_HOPS, strict=True)
        ]
        return finding(text, compared)

    return Claim(
        "WXCP guarantees better fairness among two flows than TCP",
        "a lower coefficient of variation at every length of the table",
        judge,
        note,
    )
