"""Comparisons that judge claims, each with the 95 % interval of what it compares.

    holds      the whole interval lies on the claimed side of the bound
    fails      the whole interval lies on the other side
    undecided  the interval reaches over the bound, or a single run gives none

    estimate(), estimates()      any number that is computed from studies: a jackknife over its runs
    mean(), difference()         of values, one for each run: Student's t
    one_run()                    what a further run gives, where a paper shows a single one
    ratio()                      of the means of two paired series: a jackknife of its logarithm
    above(), below(), ...        an estimate against a bound
    stated_within()              an estimate against a number that a paper states
    higher(), falling()          the order of two paired series, and a trend along x
    together(), any_of()         all of some comparisons, or any of them
    share()                      on which part of an axis comparisons hold: surely, and at most
    finding()                    what a judge has found of all comparisons of a claim

Runs with the same seed, or in the same network, are pairs: they are left out together. Delete-one
jackknife: Efron, Tibshirani: An Introduction to the Bootstrap, 1993, chapter 11.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..statistics.intervals import ALPHA
from ..statistics.stats import Mask, Values
from ..statistics.student import student_t
from .spec import Data, Finding, StudyData


class Estimate(NamedTuple):
    """A measured number and the ends of its 95 % interval, which are infinite for a single run."""

    value: float
    low: float
    high: float


# What a claim measures: a number, or several.
Number = Callable[[Data], float]
Numbers = Callable[[Data], "Sequence[float] | Values"]


# Which part of the error probability the intervals may spend: a part where one looks repeatedly.
_share: ContextVar[float] = ContextVar("share", default=1.0)


@contextmanager
def spending(share: float) -> Iterator[None]:
    """Give intervals a part of the error probability, so that those of all looks hold together."""
    token = _share.set(share)
    try:
        yield
    finally:
        _share.reset(token)


# ---- estimates -----------------------------------------------------------------------------------


def mean(values: Sequence[float] | Values) -> Estimate:
    """Return the mean of values, one for each run, with Student's t interval.

    Values that are not finite do not count: a run that delivers nothing has no delay.
    """
    known = np.asarray(values, dtype=float).ravel()
    known = known[np.isfinite(known)]
    if not len(known):
        return Estimate(math.nan, -math.inf, math.inf)
    spread = float(np.std(known, ddof=1)) / math.sqrt(len(known)) if len(known) > 1 else 0.0
    return _around(float(known.mean()), spread, len(known))


def one_run(values: Sequence[float] | Values) -> Estimate:
    """Return what a single run gives: the mean, with the interval in which 95 % of runs lie.

    It is for what a paper says of one run of its own: Student's t interval for a further value.
    """
    found = mean(values)
    count = int(np.isfinite(np.asarray(values, dtype=float)).sum())
    if count < 2:
        return found
    half = (found.high - found.value) * math.sqrt(count + 1)
    return Estimate(found.value, found.value - half, found.value + half)


def difference(one: Sequence[float] | Values, other: Sequence[float] | Values) -> Estimate:
    """Return the mean difference of two series that are paired run by run."""
    return mean(np.asarray(one, dtype=float) - np.asarray(other, dtype=float))


def ratio(one: Sequence[float] | Values, other: Sequence[float] | Values) -> Estimate:
    """Return the mean of one series over that of another, paired run by run.

    0 and infinity if one of the means is nothing in every run, one if both are.
    """
    over, under = (np.asarray(values, dtype=float).ravel() for values in (one, other))
    known = np.isfinite(over) & np.isfinite(under)
    over, under = over[known], under[known]
    if not over.any() or not under.any():
        value = 1.0 if over.any() == under.any() else (math.inf if over.any() else 0.0)
        return Estimate(value, value, value)
    value = float(over.sum() / under.sum())
    tops, bottoms = over.sum() - over, under.sum() - under
    if not tops.all() or not bottoms.all():
        # All of one mean comes from a single run.
        return Estimate(value, 0.0, math.inf)
    return jackknife(value, list(tops / bottoms), len(over), log=True)


def jackknife(value: float, without: Sequence[float], runs: int, *, log: bool = False) -> Estimate:
    """Return a number with its interval from its values `without` each run.

    With `log` the interval is that of the logarithm, for a ratio of positive quantities, so that a
    ratio and its inverse have the same verdict. `runs` counts those of the smallest study.
    """
    parts = np.asarray(without, dtype=float)
    if math.isnan(value):
        return Estimate(value, -math.inf, math.inf)
    if log and (value <= 0 or (parts <= 0).any()):
        log = False
    if log:
        found = jackknife(math.log(value), list(np.log(parts)), runs)
        return Estimate(value, *(float(np.exp(end)) for end in found[1:]))
    if not np.isfinite(parts).all():
        return Estimate(value, -math.inf, math.inf)
    spread = math.sqrt((runs - 1) / runs * float(((parts - parts.mean()) ** 2).sum()))
    return _around(value, spread, runs)


def _around(value: float, spread: float, runs: int) -> Estimate:
    """Return the interval around a value with a standard error from so many runs."""
    half = student_t(runs - 1, 1 - ALPHA * _share.get()) * spread if runs > 1 else math.inf
    return Estimate(value, value - half, value + half)


class _Watched(dict[str, StudyData]):
    """Studies, and which of them were looked at."""

    def __init__(self, studies: dict[str, StudyData]) -> None:
        super().__init__(studies)
        self.used: dict[str, None] = {}

    def __getitem__(self, name: str) -> StudyData:
        self.used[name] = None
        return super().__getitem__(name)


def estimates(data: Data, measure: Numbers, *, log: bool = False) -> list[Estimate]:
    """Return numbers computed from studies, with the jackknife's interval over their units.

    A unit is left out of all studies that `measure` looks at. Numbers that come from traces alone
    are facts, which have no interval: both ends are the number.
    """
    watched = _Watched(data.studies)
    values = list(measure(Data(watched, data.traces)))
    used = {name: data.studies[name] for name in watched.used}
    if not used:
        return [Estimate(value, value, value) for value in values]
    runs = min(len(study.units) for study in used.values())
    if runs < 2:
        return [Estimate(float(value), -math.inf, math.inf) for value in values]
    parts = np.array([list(measure(left)) for left in _left_out(data, used)], dtype=float)
    return [
        jackknife(float(value), list(column), runs, log=log)
        for value, column in zip(values, parts.T, strict=True)
    ]


def _left_out(data: Data, used: dict[str, StudyData]) -> Iterable[Data]:
    """List the data without one unit each."""
    units = sorted({unit for study in used.values() for unit in study.units})
    for unit in units:
        left = {
            name: data.once(f"{name} without {unit}", lambda s=study, u=unit: s.without(u))  # type: ignore[misc]
            for name, study in used.items()
        }
        yield Data({**data.studies, **left}, data.traces)


def estimate(data: Data, measure: Number, *, log: bool = False) -> Estimate:
    """Return a number computed from studies, with the jackknife's interval over their units."""
    return estimates(data, lambda part: [measure(part)], log=log)[0]


# ---- comparisons ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Compared:
    """An estimate against a bound: whether it is as claimed, and how surely.

    `margin` is how far the estimate lies on the claimed side, in half widths of its interval.
    """

    estimate: Estimate
    holds: bool | None
    margin: float
    what: str = ""

    def __str__(self) -> str:
        """Write the interval, and what it is of."""
        _, low, high = self.estimate
        of = f" ({self.what})" if self.what else ""
        if not math.isfinite(high - low):
            return f"no interval{of}"
        return f"95 % interval {number(low)} to {number(high)}{of}"


def number(value: float) -> str:
    """Write a number with three digits."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _margin(estimate: Estimate, distance: float) -> float:
    half = (estimate.high - estimate.low) / 2
    if math.isnan(distance):
        return -math.inf
    return distance / half if half > 0 else math.copysign(math.inf, distance)


def above(found: Estimate, bound: float, what: str = "", *, strictly: bool = True) -> Compared:
    """Compare: the number lies above the bound."""
    holds: bool | None = None
    if math.isnan(found.value):
        holds = False
    elif found.low > bound or (found.low == bound and not strictly):
        holds = True
    elif found.high < bound or (found.high == bound and strictly):
        holds = False
    return Compared(found, holds, _margin(found, found.value - bound), what)


def below(found: Estimate, bound: float, what: str = "", *, strictly: bool = True) -> Compared:
    """Compare: the number lies below the bound."""
    mirrored = Estimate(-found.value, -found.high, -found.low)
    other = above(mirrored, -bound, strictly=strictly)
    return Compared(found, other.holds, other.margin, what)


def at_least(found: Estimate, bound: float, what: str = "") -> Compared:
    """Compare: the number lies at the bound or above."""
    return above(found, bound, what, strictly=False)


def at_most(found: Estimate, bound: float, what: str = "") -> Compared:
    """Compare: the number lies at the bound or below."""
    return below(found, bound, what, strictly=False)


def between(found: Estimate, low: float, high: float, what: str = "") -> Compared:
    """Compare: the number lies between two bounds."""
    return min((at_least(found, low, what), at_most(found, high, what)), key=lambda one: one.margin)


def stated_within(found: Estimate, stated: float, tolerance: float, what: str = "") -> Compared:
    """Compare: the number is the stated one within a relative tolerance."""
    low, high = sorted((stated * (1 - tolerance), stated * (1 + tolerance)))
    return between(found, low, high, what)


def fact(value: float) -> Estimate:
    """Return a number that does not vary from run to run."""
    return Estimate(value, value, value)


def opposite(compared: Compared) -> Compared:
    """Return the contrary: it holds where the comparison fails."""
    holds = None if compared.holds is None else not compared.holds
    return Compared(compared.estimate, holds, -compared.margin, compared.what)


def share(compared: Sequence[Compared], weigh: Callable[[Mask], float]) -> Estimate:
    """Return on which part of an axis comparisons hold, as `weigh` counts where they do.

    The lower end is where they hold for sure, the upper end where they may.
    """
    by_means = weigh(np.array([part.margin > 0 for part in compared]))
    surely = weigh(np.array([part.holds is True for part in compared]))
    perhaps = weigh(np.array([part.holds is not False for part in compared]))
    return Estimate(by_means, surely, perhaps)


def higher(one: Values, other: Values, what: str = "") -> Compared:
    """Compare two paired series, a value for each run: the mean of `one` is higher.

    What is compared is their ratio; their difference, if one of the means comes from a single run.
    """
    found = ratio(one, other)
    if math.isfinite(found.high):
        return above(found, 1.0, what)
    return above(difference(one, other), 0.0, f"{what}, difference" if what else "difference")


def falling(rows: Sequence[Values], names: Sequence[str] = ()) -> list[Compared]:
    """Compare: each row's mean, paired run by run, lies below that of the row before it."""
    labels = list(names) or [str(at) for at in range(len(rows))]
    return [
        higher(first, second, f"{before} over {after}")
        for (first, second), (before, after) in zip(pairwise(rows), pairwise(labels), strict=True)
    ]


# ---- findings ------------------------------------------------------------------------------------


# Where there is nothing to compare, nothing holds.
NOTHING = Compared(Estimate(math.nan, math.nan, math.nan), holds=False, margin=-math.inf)


def together(compared: Iterable[Compared]) -> Compared:
    """Return the comparison that decides whether all hold: one that fails before one that may."""
    parts = list(compared)
    for holds in (False, None, True):
        own = [part for part in parts if part.holds is holds]
        if own:
            return min(own, key=lambda part: part.margin)
    return NOTHING


def any_of(compared: Iterable[Compared]) -> Compared:
    """Return the comparison that decides whether any holds: one that does before one that may."""
    parts = list(compared)
    for holds in (True, None, False):
        own = [part for part in parts if part.holds is holds]
        if own:
            return max(own, key=lambda part: part.margin)
    return NOTHING


def _digits(value: float) -> float:
    """Round to six digits: an end of an interval is not known better."""
    return float(f"{value:.6g}")


def finding(text: str, compared: Iterable[Compared]) -> Finding:
    """Find whether all comparisons hold, with the interval of the one that decides."""
    deciding = together(compared)
    _, low, high = deciding.estimate
    if low == high or math.isnan(high):
        # A fact: nothing varies.
        return Finding(deciding.holds, text)
    interval = (_digits(low), _digits(high)) if math.isfinite(high - low) else None
    return Finding(deciding.holds, f"{text}; {deciding}" if text else str(deciding), interval)
