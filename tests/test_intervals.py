"""Intervals of means: within their bounds, and as sure as they say, also where results decide."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, strategies as st

from multihop.statistics.intervals import (
    ALPHA,
    ANY,
    FIXED,
    POSITIVE,
    SHARE,
    Bounds,
    Design,
    Estimate,
    Looks,
    Stein,
    holm,
    interval,
)
from multihop.statistics.stats import Values, confidence
from multihop.statistics.student import student_t
from multihop.sweeping.seeds import Until
from tests.null_world import drawn, measured, values, world

positive = st.lists(st.floats(1e-6, 1e6), min_size=2, max_size=30)
shares = st.lists(st.floats(0, 1), min_size=2, max_size=30)


@given(positive)
def test_what_is_not_negative_has_no_negative_end(given: list[float]) -> None:
    low, high = interval(given)
    mean = math.fsum(given) / len(given)
    assert 0 < low <= mean * (1 + 1e-9)
    assert high >= mean * (1 - 1e-9)
    # Never narrower above than Student's t makes it of the logarithm.
    half = confidence(given)
    assert high >= (mean + half) * (1 - 1e-9)


@given(shares, st.integers(2, 20))
def test_a_share_stays_within_its_bounds(given: list[float], flows: int) -> None:
    for bounds in (SHARE, Bounds(1 / flows, 1.0)):
        inside = [bounds.low + value * (bounds.high - bounds.low) for value in given]
        low, high = interval(inside, bounds)
        assert bounds.low - 1e-9 <= low <= high <= bounds.high + 1e-9


@pytest.mark.parametrize("scale", [5e-324, 1e-310, 1e-200, 1e-143, 1e143, 1e200])
def test_numbers_may_be_very_small_or_large(scale: float) -> None:
    low, high = interval([0.0, scale])
    assert 0 <= low <= high
    if 1e-300 < scale < 1e150:
        ends = [end / scale for end in (low, high)]
        assert ends == pytest.approx(interval([0.0, 1.0]))


def test_without_a_deviation_there_is_no_width() -> None:
    assert interval([1.0] * 3, SHARE) == (1.0, 1.0)
    assert interval([0.0] * 3) == (0.0, 0.0)
    assert interval([5.0]) is None
    assert interval([]) is None


def test_what_lies_beyond_its_bounds_has_students_interval() -> None:
    low, high = interval([-1.0, 1.0, 3.0])
    assert (high - low) / 2 == pytest.approx(confidence([-1, 1, 3]))
    assert interval([0.9, 1.1], SHARE) == interval([0.9, 1.1], ANY)


def test_intervals_by_hand() -> None:
    # Mean 10, standard error 1, 3 degrees of freedom, not skewed.
    given = [10 - math.sqrt(3), 10 + math.sqrt(3)] * 2
    low, high = interval(given)
    assert (low, high) == pytest.approx((10 / math.exp(0.31824), 10 * math.exp(0.31824)), rel=1e-4)
    # A share of one half: the logit is 0, its error 4 times as much.
    low, high = interval([0.4, 0.6, 0.4, 0.6], SHARE)
    half = 4 * confidence([0.4, 0.6, 0.4, 0.6])
    assert (low, high) == pytest.approx((1 / (1 + math.exp(half)), 1 / (1 + math.exp(-half))))


def covered(rows: Values, mean: float, bounds: Bounds = POSITIVE, design: Design = FIXED) -> float:
    """Return how often intervals hold the mean."""
    found = (interval(row, bounds, design) for row in rows.tolist())
    return float(np.mean([low <= mean <= high for low, high in found]))


def test_the_stored_seeds_are_what_the_engine_measures() -> None:
    remedy = "python -m tests.null_world"
    assert measured(range(1, 3)).equals(world().head(2)), remedy


@pytest.mark.parametrize(("seeds", "least"), [(3, 0.92), (5, 0.89), (10, 0.90), (20, 0.93)])
def test_intervals_of_delay_hold_its_mean(seeds: int, least: float) -> None:
    rows, mean = drawn("network_delay", 2000, seeds), values("network_delay").mean()
    found = covered(rows, mean)
    student = covered(rows, mean, ANY)
    # Student's interval is much less sure of skewed values.
    assert found > least
    assert found > student + 0.02


@pytest.mark.parametrize("seeds", [3, 5, 10, 20])
def test_intervals_of_goodput_hold_its_mean(seeds: int) -> None:
    assert 0.93 < covered(drawn("goodput", 2000, seeds), values("goodput").mean()) < 0.97


def test_shares_near_one_are_held_better_than_by_student() -> None:
    random = np.random.default_rng(1)
    rows = np.clip(1 - random.exponential(0.05, (2000, 5)), 0.5, 1)
    bounds = Bounds(0.5, 1.0)
    mean = 1 - 0.05 * (1 - math.exp(-10))
    assert covered(rows, mean, bounds) > 0.92
    assert covered(rows, mean, ANY) < 0.90


def stopped(rule: Until, draw: Callable[[int], Values], mean: float, times: int) -> float:
    """Return how often the interval holds the mean when the rule has stopped."""
    held = 0
    for at in range(times):
        row = draw(at).tolist()
        count = rule.least
        while (more := rule.wanted(row[:count])) > count:
            count = more
        low, high = interval(row[:count], design=rule.design)
        held += low <= mean <= high
    return held / times


def normal(deviation: float) -> Callable[[int], Values]:
    return lambda at: np.random.default_rng([at, 1]).normal(1, deviation, 400)


def lognormal(at: int) -> Values:
    return np.exp(np.random.default_rng([at, 2]).normal(0, 0.5, 400))


def stored(measure: str) -> Callable[[int], Values]:
    return lambda at: np.random.default_rng([at, 3]).choice(values(measure), 400)


@pytest.mark.long
@pytest.mark.parametrize("share", [0.03, 0.05, 0.1, 0.2])
@pytest.mark.parametrize(
    ("draw", "mean"),
    [
        (normal(0.1), 1.0),
        (normal(0.3), 1.0),
        (lognormal, math.exp(0.125)),
        (stored("goodput"), values("goodput").mean()),
        (stored("network_delay"), values("network_delay").mean()),
        (stored("end_to_end_delay"), values("end_to_end_delay").mean()),
    ],
)
def test_the_mean_is_held_when_the_rule_stops(
    share: float, draw: Callable[[int], Values], mean: float
) -> None:
    rule = Until(share, most=400)
    # 94 % within two standard errors of 2,000 draws.
    assert stopped(rule, draw, mean, 2000) >= 0.94 - 0.0106


def test_an_ordinary_interval_would_not_hold_it() -> None:
    class Ordinary(Until):
        @property
        def design(self) -> Design:  # type: ignore[override]
            return FIXED

    draw, mean = stored("network_delay"), float(values("network_delay").mean())
    assert stopped(Ordinary(0.05, least=5, most=400), draw, mean, 300) < 0.9
    assert stopped(Until(0.05, most=400), draw, mean, 300) > 0.9


@given(st.lists(st.floats(0.1, 10), min_size=5, max_size=60), st.integers(2, 20))
def test_stein_s_interval_is_that_of_the_first_seeds_and_no_narrower(
    given: list[float], first: int
) -> None:
    (found,) = Stein(first).estimates(given)
    (plain,) = FIXED.estimates(given)
    (begin,) = FIXED.estimates(given[:first])
    assert found.degrees == min(first, len(given)) - 1
    assert found.error >= plain.error
    assert found.error * math.sqrt(len(given)) >= begin.error * math.sqrt(begin.size) * (1 - 1e-12)
    assert found.mean == plain.mean


@given(st.integers(2, 700), st.integers(2, 20))
def test_looks_spend_no_more_than_there_is(count: int, first: int) -> None:
    found = Looks(first).estimates([float(at % 3) for at in range(count)])
    assert sum(one.share for one in found) < 1
    assert [one.size for one in found] == [
        size for k in range(len(found)) if (size := first * 2**k) <= count
    ] or [one.size for one in found] == [count]
    # The same look is the same, however many follow.
    assert found[0] == Looks(first).estimates([float(at % 3) for at in range(min(first, count))])[0]


def test_equal_values_have_the_p_of_the_sign_test() -> None:
    assert Estimate(0.2, 0.0, 10, 9).p() == 2**-9
    assert Estimate(0.0, 0.0, 10, 9).p() == 1
    assert Estimate(0.0, 0.1, 10, 9).p() == 1
    assert Estimate(student_t(9), 1.0, 10, 9).p() == pytest.approx(ALPHA)
    # Two one-sided tests: at the margin nothing is excluded.
    assert Estimate(0.05, 0.01, 10, 9).p_outside(0.05) == 1
    assert Estimate(0.0, 0.01, 10, 9).p_outside(0.05) < 0.001
    assert Estimate(0.0, 0.0, 10, 9).p_outside(0.05) == 2**-9


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=20))
def test_holm_s_p_are_in_order_and_between_the_plain_and_bonferroni_s(given: list[float]) -> None:
    found = holm(given)
    for p, corrected in zip(given, found, strict=True):
        assert p <= corrected <= min(1.0, p * len(given)) + 1e-12
    assert [found[at] for at in sorted(range(len(given)), key=given.__getitem__)] == sorted(found)
