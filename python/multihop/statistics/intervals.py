"""Confidence intervals of means, also where the results decide how many seeds there are.

A `Design` says how the seeds were chosen, and makes of values the estimates that it allows:

- `Fixed`: a number of seeds that is chosen beforehand; Student's t.
- `Stein`: seeds are added until an interval is narrow. The quantile stays that of the
  first seeds, and the deviation is never below theirs. For normal values this interval holds the
  mean with at least 95 %, whatever rule of the deviations ends it (Stein: A two-sample test for a
  linear hypothesis whose power is independent of the variance, Ann. Math. Statist. 16, 1945).
- `Looks`: seeds are doubled until verdicts are decided. Each look spends a third of the
  error probability that is left, so that all looks together spend 5 % at most (alpha spending:
  Lan, DeMets: Discrete sequential boundaries for clinical trials, Biometrika 70, 1983; spent here
  by Bonferroni's inequality, which holds for t tests as they are).

`interval` adapts an estimate to its measure: means that cannot be negative, shares, other means.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from .student import beyond, student_t

# The error probability of an interval, of one verdict, and of all verdicts of a report.
ALPHA = 0.05
# What share of the error probability that is left a look spends.
SPENT = 1 / 3
# Deviations below this part of the mean are rounding.
ROUNDING = 1e-12


class Estimate(NamedTuple):
    """A mean of `size` values with its standard error, and what Student's t makes of it.

    `share` is the part of `ALPHA` that it may spend, `skewness` that of the values (biased).
    """

    mean: float
    error: float
    size: int
    degrees: int
    share: float = 1.0
    skewness: float = 0.0

    @property
    def quantile(self) -> float:
        """Two-sided quantile of Student's t at this estimate's level."""
        return student_t(self.degrees, 1 - ALPHA * self.share)

    @property
    def half(self) -> float:
        """Half the width of the mean's interval."""
        return self.quantile * self.error if self.error else 0.0

    def p(self, value: float = 0.0) -> float:
        """Return the two-sided p of "the mean is `value`", as a part of what it may spend.

        Equal values have no deviation; the exact sign test stands in for the t test then.
        """
        away = abs(self.mean - value)
        if self.error == 0:
            found = 1.0 if away == 0 else 2.0 ** (1 - self.size)
        else:
            found = beyond(away / self.error, self.degrees)
        return min(found / self.share, 1.0)

    def p_outside(self, margin: float) -> float:
        """Return the p of "the mean is `margin` or more away from 0": two one-sided tests.

        Schuirmann: A comparison of the two one-sided tests procedure and the power approach for
        assessing the equivalence of average bioavailability, J. Pharmacokinet. Biopharm. 15, 1987.
        """
        if abs(self.mean) >= margin:
            return 1.0
        nearest = math.copysign(margin, self.mean)
        return self.p(nearest) / 2 if self.error else self.p(nearest)


class Design(Protocol):
    """How the seeds of a mean were chosen."""

    def estimates(self, values: Sequence[float]) -> list[Estimate]:
        """Return an estimate for each look at the values; none of fewer than two values."""


class Fixed(NamedTuple):
    """A number of seeds that is chosen before anything is seen."""

    def estimates(self, values: Sequence[float]) -> list[Estimate]:
        """Return the mean with its standard error."""
        return [] if len(values) < 2 else [_estimate(values)]


class Stein(NamedTuple):
    """At least `first` seeds, and more until an interval is narrow."""

    first: int

    def estimates(self, values: Sequence[float]) -> list[Estimate]:
        """Return the mean; its error is at least that which the first deviation gives."""
        if len(values) < 2:
            return []
        found, begin = _estimate(values), _estimate(values[: self.first])
        least = begin.error * math.sqrt(begin.size / found.size)
        return [found._replace(error=max(found.error, least), degrees=begin.degrees)]


class Looks(NamedTuple):
    """`first` seeds, and twice as many at each look, until verdicts are decided."""

    first: int

    def estimates(self, values: Sequence[float]) -> list[Estimate]:
        """Return the estimate of every look; fewer values than `first` are the first look."""
        if len(values) < 2:
            return []
        found: list[Estimate] = []
        count, left = self.first, 1.0
        while count <= len(values) or not found:
            found.append(_estimate(values[:count])._replace(share=left * SPENT))
            count, left = 2 * count, left * (1 - SPENT)
        return found


FIXED = Fixed()


class Bounds(NamedTuple):
    """Between which values a measure lies; both ends can be reached."""

    low: float = -math.inf
    high: float = math.inf

    def hold(self, values: Sequence[float]) -> bool:
        """Whether values lie between them."""
        return all(self.low <= value <= self.high for value in values)


ANY = Bounds()
POSITIVE = Bounds(0.0)
SHARE = Bounds(0.0, 1.0)


def interval(
    values: Sequence[float], bounds: Bounds = POSITIVE, design: Design = FIXED
) -> tuple[float, float] | None:
    """Return the 95 % confidence interval of the mean, within `bounds`; `None` of one value.

    Values beyond the bounds have an interval without bounds.
    """
    found = design.estimates(values)
    if not found:
        return None
    last = found[-1]
    if not bounds.hold(values):
        bounds = ANY
    if last.half == 0:
        return last.mean, last.mean
    if math.isinf(bounds.low):
        return last.mean - last.half, last.mean + last.half
    if math.isinf(bounds.high):
        return _above(last, bounds.low)
    return _between(last, bounds)


def _estimate(values: Sequence[float]) -> Estimate:
    """Return the mean and its standard error, the same on every machine."""
    count = len(values)
    mean = math.fsum(values) / count
    largest = max(map(abs, values))
    # Squares of what is very small or large are no numbers: powers of two change no digit.
    _, power = math.frexp(largest)
    apart = [math.ldexp(value - mean, -power) for value in values]
    second = math.fsum(value**2 for value in apart)
    third = math.fsum(value**3 for value in apart) / count
    deviation = math.ldexp(math.sqrt(second / (count - 1)), power)
    if deviation <= max(ROUNDING * largest, sys.float_info.min):
        return Estimate(mean, 0.0, count, count - 1)
    skewness = third / (second / count) ** 1.5
    return Estimate(mean, deviation / math.sqrt(count), count, count - 1, skewness=skewness)


def _above(found: Estimate, low: float) -> tuple[float, float]:
    """Return the interval of a mean that cannot be below `low`.

    Its ends are those of the logarithm's (delta method). Where values are skewed to the right, the
    upper end is at least that of Hall's transformation (Hall: On the removal of skewness by
    transformation, J. R. Statist. Soc. B 54, 1992).
    """
    mean = found.mean - low
    factor = math.exp(found.half / mean)
    return low + mean / factor, low + max(mean * factor, mean + _hall(found))


def _hall(found: Estimate) -> float:
    """Return how far Hall's upper end lies above the mean; 0 unless skewed to the right."""
    skewness = found.skewness
    if skewness <= 0:
        return 0.0
    root = math.sqrt(found.size)
    inside = 1 - skewness * (found.quantile / root + skewness / (6 * found.size))
    return 3 / skewness * (1 - math.cbrt(inside)) * found.error * root


def _between(found: Estimate, bounds: Bounds) -> tuple[float, float]:
    """Return the interval of a mean between two bounds: that of its logit (delta method).

    Agresti: Categorical Data Analysis, 2002, 3.1.5 and 14.1.2.
    """
    width = bounds.high - bounds.low
    share = (found.mean - bounds.low) / width
    half = found.half / width / (share * (1 - share))
    logit = math.log(share / (1 - share))
    low, high = (_logistic(logit + side * half) for side in (-1, 1))
    return bounds.low + width * low, bounds.low + width * high


def _logistic(value: float) -> float:
    """Return the inverse of the logit, without overflow."""
    if value >= 0:
        return 1 / (1 + math.exp(-value))
    return math.exp(value) / (1 + math.exp(value))


def holm(values: Sequence[float]) -> list[float]:
    """Return p values that hold for all of them together.

    Holm: A simple sequentially rejective multiple test procedure, Scand. J. Statist. 6, 1979.
    """
    found = [1.0] * len(values)
    largest = 0.0
    for rank, at in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        largest = max(largest, min((len(values) - rank) * values[at], 1.0))
        found[at] = largest
    return found
