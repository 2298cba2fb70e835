"""Claims that stand in a file before any run, with a bound in words such as "at least 0.9"."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping
from pathlib import Path

from multihop.reproducing.judging import (
    Compared,
    Estimate,
    Number,
    above,
    at_least,
    at_most,
    below,
    estimate,
    finding,
    number,
)
from multihop.reproducing.spec import Data, Finding

COMPARISONS: Mapping[str, Callable[[Estimate, float], Compared]] = {
    "below": below,
    "above": above,
    "at least": at_least,
    "at most": at_most,
}


def read(bound: str) -> tuple[Callable[[Estimate, float], Compared], float]:
    """Return the comparison that a bound names, and its number; `KeyError` if there is none."""
    words, _, value = bound.rpartition(" ")
    return COMPARISONS[words], float(value)


def judge(measure: Number, bound: str, nothing: str) -> Callable[[Data], Finding]:
    """Return the judge that holds a measure against a bound.

    A measure that is not a number decides nothing: `nothing` says why there is none.
    """
    compare, limit = read(bound)

    def judged(data: Data) -> Finding:
        found = estimate(data, measure)
        if math.isnan(found.value):
            return Finding(None, f"nothing to compare, as {nothing}")
        return finding(number(found.value), [compare(found, limit)])

    return judged


def digest(file: Path) -> str:
    """Return the SHA-256 of a file of claims, which is the same before and after the runs."""
    return hashlib.sha256(file.read_bytes()).hexdigest()
