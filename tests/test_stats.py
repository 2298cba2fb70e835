import pytest
from hypothesis import given
from hypothesis import strategies as st

from multihop.stats import confidence, jain, student_t

shares = st.lists(st.floats(0, 1e9), min_size=1, max_size=20)


@given(shares)
def test_jain_lies_between_one_share_and_equal_shares(values: list[float]) -> None:
    assert 1 / len(values) - 1e-9 <= jain(values) <= 1 + 1e-9


@given(st.floats(1e-3, 1e9), st.integers(1, 20))
def test_equal_shares_are_fair(value: float, count: int) -> None:
    assert jain([value] * count) == pytest.approx(1)


def test_one_flow_that_has_everything() -> None:
    assert jain([5, 0, 0, 0]) == pytest.approx(0.25)
    assert jain([0, 0]) == 1


def test_confidence_by_hand() -> None:
    # Mean 2, deviation 1, three values: 4.303 / sqrt(3).
    assert confidence([1, 2, 3]) == pytest.approx(2.4844, abs=1e-4)
    assert confidence([7]) == 0
    assert student_t(1000) == 1.960
