import itertools
import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from multihop.statistics.stats import confidence, jain, sliding_mean, variation, welch
from multihop.statistics.student import beyond, student_t

shares = st.lists(st.floats(0, 1e9), min_size=1, max_size=20)


@given(shares)
def test_jain_lies_between_one_share_and_equal_shares(values: list[float]) -> None:
    if any(values):
        assert 1 / len(values) - 1e-9 <= jain(values) <= 1 + 1e-9
    else:
        assert math.isnan(jain(values))


@given(st.floats(1e-3, 1e9), st.integers(1, 20))
def test_equal_shares_are_fair(value: float, count: int) -> None:
    assert jain([value] * count) == pytest.approx(1)


def test_one_flow_that_has_everything() -> None:
    assert jain([5, 0, 0, 0]) == pytest.approx(0.25)
    assert math.isnan(jain([0, 0])), "nothing was shared"


def test_confidence_by_hand() -> None:
    # Mean 2, deviation 1, three values: 4.3027 / sqrt(3).
    assert confidence([1, 2, 3]) == pytest.approx(2.4841, abs=1e-4)
    assert confidence([7]) == 0


# Two-sided 95 % and 99 % quantiles: Fisher, Yates: Statistical Tables, 1963, table III.
TABLE = {
    1: (12.706, 63.657),
    2: (4.303, 9.925),
    3: (3.182, 5.841),
    5: (2.571, 4.032),
    9: (2.262, 3.250),
    19: (2.093, 2.861),
    30: (2.042, 2.750),
    40: (2.021, 2.704),
    60: (2.000, 2.660),
    120: (1.980, 2.617),
    10**9: (1.960, 2.576),
}


@pytest.mark.parametrize(("degrees", "quantiles"), TABLE.items())
def test_quantiles_are_those_of_the_table(degrees: int, quantiles: tuple[float, float]) -> None:
    assert student_t(degrees) == pytest.approx(quantiles[0], abs=5e-4)
    assert student_t(degrees, 0.99) == pytest.approx(quantiles[1], abs=5e-4)


def test_quantiles_fall_with_every_degree_of_freedom() -> None:
    found = [student_t(degrees) for degrees in range(1, 400)]
    assert all(more > less for more, less in itertools.pairwise(found))
    # The normal distribution's is not reached.
    assert student_t(31) == pytest.approx(2.0395, abs=5e-5)


@given(st.integers(1, 10_000), st.floats(0.01, 0.9999))
def test_a_quantile_is_exceeded_as_often_as_it_says(degrees: int, level: float) -> None:
    assert beyond(student_t(degrees, level), degrees) == pytest.approx(1 - level, abs=1e-8)


@given(st.floats(0, 1e6))
def test_one_degree_is_cauchy_s_distribution(t: float) -> None:
    assert beyond(t, 1) == pytest.approx(1 - 2 / math.pi * math.atan(t), abs=1e-12)
    # Two degrees have a closed form, too.
    assert beyond(t, 2) == pytest.approx(1 - t / math.sqrt(2 + t * t), abs=1e-9)


def test_sliding_means_are_along_the_last_axis() -> None:
    values = np.array([[1.0, 2.0, 3.0, 4.0], [0.0, 0.0, 6.0, 6.0]])
    assert sliding_mean(values, 2).tolist() == [[1.5, 2.5, 3.5], [0.0, 3.0, 6.0]]


def test_variation_is_the_deviation_over_the_mean() -> None:
    assert variation([1, 3]) == pytest.approx(0.5)
    assert variation([0, 0]) == 0


def test_welch_by_hand() -> None:
    # t = 3 / sqrt(1/3 + 4/3) with 2.94 degrees of freedom.
    assert welch([1, 2, 3], [3, 5, 7]) == pytest.approx(0.1045, abs=1e-4)
    # t = 3 / sqrt(1/3 + 1/3) = 3.674 with 4: between the quantiles 3.747 (2 %) and 2.776 (5 %).
    assert 0.02 < welch([1, 2, 3], [4, 5, 6]) < 0.05
    assert welch([1, 2, 3], [1, 2, 3]) == pytest.approx(1)
