"""Student's t distribution: how likely a value is exceeded, and quantiles, for all degrees.

The probability is a regularised incomplete beta function (Abramowitz, Stegun: Handbook of
Mathematical Functions, 26.7.1), which a continued fraction gives (NIST Digital Library of
Mathematical Functions, 8.17.22) by the method of Lentz (Press et al.: Numerical Recipes, 2007,
5.2 and 6.4). Quantiles are found by bisection.
"""

from __future__ import annotations

import math
from functools import cache

# How far from its limit a continued fraction may end, and how many terms it may take.
CLOSE = 1e-15
TERMS = 100_000
TINY = 1e-300
# Quantiles have so many decimals, so they are the same on every machine.
DECIMALS = 9


def beyond(t: float, degrees: float) -> float:
    """Return how likely |T| exceeds |`t`|: the two-sided p of a t test."""
    square = t * t
    if math.isinf(square):
        return 0.0
    return _beta(degrees / 2, 0.5, degrees / (degrees + square), square / (degrees + square))


@cache
def student_t(degrees: float, level: float = 0.95) -> float:
    """Return the two-sided quantile: |T| lies below it with the probability `level`."""
    outside = 1 - level
    low, high = 0.0, 1.0
    while beyond(high, degrees) > outside:
        low, high = high, 2 * high
    while high - low > 10.0 ** -(DECIMALS + 2):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if beyond(middle, degrees) > outside else (low, middle)
    return round((low + high) / 2, DECIMALS)


def _beta(a: float, b: float, x: float, rest: float) -> float:
    """Return the regularised incomplete beta function; `rest` is 1 - x, with all its digits."""
    if x <= 0 or rest <= 0:
        return 0.0 if x <= 0 else 1.0
    front = math.exp(
        math.lgamma(a + b)
        - math.lgamma(a)
        - math.lgamma(b)
        + a * (math.log(x) if x < 0.5 else math.log1p(-rest))
        + b * (math.log(rest) if rest < 0.5 else math.log1p(-x))
    )
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(a, b, x) / a
    return 1 - front * _fraction(b, a, rest) / b


def _fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function."""
    c, d = 1.0, _inverse(1 - (a + b) * x / (a + 1))
    found = d
    for m in range(1, TERMS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = _inverse(1 + term * d)
            c = 1 + term / c
            c = c if abs(c) > TINY else TINY
            found *= c * d
        if abs(c * d - 1) < CLOSE:
            break
    return found


def _inverse(value: float) -> float:
    return 1 / (value if abs(value) > TINY else TINY)
