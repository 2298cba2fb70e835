import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from multihop.stats import confidence, jain, sliding_mean, student_t, variation, welch

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
    # Mean 2, deviation 1, three values: 4.303 / sqrt(3).
    assert confidence([1, 2, 3]) == pytest.approx(2.4844, abs=1e-4)
    assert confidence([7]) == 0
    assert student_t(1000) == 1.960


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
