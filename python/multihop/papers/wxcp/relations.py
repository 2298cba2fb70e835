"""What WXCP says of its curves and tables, as claims about measured ones.

Beside the rules of all papers (`papers/rules.py`) there are those that only these need:

- the coefficient of variation of two flows is the deviation of what they get over its mean,
  averaged over runs. WXCP takes it from Jain, Chiu and Hawe (DEC TR-301, 1984), who compare with
  the mean of all shares there are: it is the deviation of a population, not of a sample;
- "by far" is three times any other.
"""

from __future__ import annotations

import numpy as np

from ...stats import Values, variation
from ..rules import kbit, stated
from ..spec import Claim, Data, Finding, Study, StudyData
from .setup import GOODPUT, TABLE_HOPS, TCP, TWO_FLOWS

BY_FAR = 3.0
UNFAIR = 3


def variations(data: StudyData, variant: str) -> Values:
    """Return the mean coefficient of variation of the flows' shares for each x."""
    shares = data.shares(variant)
    return np.array([np.mean([variation(run) for run in runs]) for runs in shares])


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


def coefficient(hops: int, paper: str, note: str = "") -> Claim:
    """Claim the coefficient of variation of two flows over a chain of one length."""

    def measure(data: Data) -> list[float]:
        measured = data.studies[TWO_FLOWS.name]
        return [float(variations(measured, TCP)[measured.x == hops][0])]

    return stated(
        f"coefficient of variation of two flows over {hops} hop{'s' * (hops > 1)}",
        paper,
        "",
        measure,
        note,
    )
