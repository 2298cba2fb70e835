"""Numbers that papers state."""

import math

import pytest

from multihop.reproducing.rules import like, stated
from multihop.reproducing.spec import Data


@pytest.mark.parametrize(
    ("measured", "holds"),
    [((100.0, 4.0), True), ((124.9, 3.01), True), ((126.0, 4.0), False), ((100.0, 2.9), False)],
)
def test_stated_numbers_are_each_within_a_quarter(
    measured: tuple[float, float], holds: bool
) -> None:
    finding = stated("it is", "100.0 4", " kbit/s", lambda _: measured).judge(Data())
    assert finding.holds == holds


def test_they_are_written_as_the_paper_writes_them() -> None:
    claim = stated("it is", "100.0 4", " kbit/s", lambda _: (90.04, 4.4))
    assert claim.expected == "100.0 4 kbit/s, each within 25%"
    assert claim.judge(Data()).measured == "90.0 4 kbit/s, off by at most 10%"
    assert like(0.12345, "0.0018") == "0.1235"


def test_what_could_not_be_measured_does_not_hold() -> None:
    assert not stated("it is", "1", "", lambda _: (math.nan,)).judge(Data()).holds
