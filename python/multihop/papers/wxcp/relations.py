"""What WXCP says of its curves and tables, as claims about measured ones.

Beside the rules of all papers (`papers/rules.py`) there are those that only these need. The
coefficient of variation of two flows is the sample deviation of what they get over its mean,
averaged over runs. In a table of means of ten such small differences

- "nearly the same" is below 0.05,
- "by far" is three times any other,
- "around" a number is within a factor of two of it.
"""

from __future__ import annotations

import numpy as np

from ...stats import Values
from ..rules import kbit
from ..spec import Claim, Data, Finding, Study, StudyData
from .setup import GOODPUT, TABLE_HOPS, TCP, TWO_FLOWS

NEARLY = 0.05
BY_FAR = 3.0
AROUND = 2.0
UNFAIR = 3
SHORT = 2


def variation(data: StudyData, variant: str) -> Values:
    """Return the mean coefficient of variation of the flows' shares for each x."""
    shares = data.shares(variant)
    mean: Values = (shares.std(axis=2, ddof=1) / shares.mean(axis=2)).mean(axis=1)
    return mean


def at_table_hops(data: StudyData, values: Values) -> Values:
    """Select the lengths that stand in the paper's tables."""
    chosen: Values = values[np.isin(data.x, TABLE_HOPS)]
    return chosen


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


def unfair_at_three(note: str = "") -> Claim:
    """Claim that two flows over three hops share least."""

    def judge(data: Data) -> Finding:
        measured = data.studies[TWO_FLOWS.name]
        values = at_table_hops(measured, variation(measured, TCP))
        at = TABLE_HOPS.index(UNFAIR)
        others = float(np.delete(values, at).max())
        text = f"{values[at]:.4f}, at other lengths at most {others:.4f}"
        return Finding(bool(values[at] >= BY_FAR * others), text)

    return Claim(
        "by far the least fair are two flows of TCP over 3 hops",
        f"{BY_FAR:g} times the coefficient of variation at any other length",
        judge,
        note,
    )


def fair_when_short(note: str = "") -> Claim:
    """Claim that two flows over one and two hops share nearly equally."""

    def judge(data: Data) -> Finding:
        measured = data.studies[TWO_FLOWS.name]
        values = variation(measured, TCP)[measured.x <= SHORT]
        return Finding(bool((values < NEARLY).all()), " ".join(f"{v:.4f}" for v in values))

    return Claim(
        "over 1 and 2 hops two flows of TCP get nearly the same: 0.0007 0.0018",
        f"each coefficient of variation below {NEARLY}",
        judge,
        note,
    )


def around_when_long(paper: str, note: str = "") -> Claim:
    """Claim the mean coefficient of variation over four and more hops."""
    expected = float(np.mean([float(number) for number in paper.split()]))

    def judge(data: Data) -> Finding:
        measured = data.studies[TWO_FLOWS.name]
        values = at_table_hops(measured, variation(measured, TCP))[TABLE_HOPS.index(UNFAIR) + 1 :]
        mean = float(values.mean())
        text = f"{mean:.3f}: {' '.join(f'{value:.4f}' for value in values)}"
        return Finding(1 / AROUND <= mean / expected <= AROUND, text)

    return Claim(
        f"coefficients of variation over 4 to 16 hops: {paper}",
        f"the mean around {expected:.3f}, within a factor of {AROUND:g}",
        judge,
        note,
    )
