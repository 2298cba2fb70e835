"""Comparisons of measured numbers with bounds: whole intervals decide."""

import math
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from multihop.reproducing import judging
from multihop.reproducing.judging import (
    Estimate,
    above,
    any_of,
    at_least,
    at_most,
    below,
    between,
    difference,
    estimate,
    falling,
    finding,
    higher,
    mean,
    opposite,
    ratio,
    share,
    stated_within,
)
from multihop.reproducing.spec import Data, StudyData
from multihop.statistics.stats import Values
from multihop_papers.cxcc.setup import CHAIN


def drawn(center: float, spread: float, runs: int = 10, seed: int = 1) -> Values:
    """Draw values whose mean and deviation are exactly as asked for."""
    values = np.random.default_rng(seed).normal(size=runs)
    values = (values - values.mean()) / values.std(ddof=1)
    return center + spread * values


@pytest.mark.parametrize(
    ("found", "holds"),
    [
        (Estimate(2.0, 1.5, 2.5), True),
        (Estimate(1.2, 0.9, 1.5), None),
        (Estimate(0.8, 0.5, 1.1), None),
        (Estimate(0.5, 0.2, 0.8), False),
        (Estimate(1.0, 1.0, 1.0), False),
        (Estimate(2.0, -math.inf, math.inf), None),
        (Estimate(math.nan, -math.inf, math.inf), False),
    ],
)
def test_the_whole_interval_lies_on_one_side_or_decides_nothing(
    found: Estimate, holds: bool | None
) -> None:
    assert above(found, 1.0).holds is holds
    mirrored = Estimate(-found.value, -found.high, -found.low)
    assert below(mirrored, -1.0).holds is holds


def test_a_tie_is_at_the_bound_and_not_beyond_it() -> None:
    tie = Estimate(1.0, 1.0, 1.0)
    assert (at_least(tie, 1.0).holds, at_most(tie, 1.0).holds) == (True, True)
    assert (above(tie, 1.0).holds, below(tie, 1.0).holds) == (False, False)


@pytest.mark.parametrize(
    ("low", "high", "holds"),
    [(8, 12, True), (7.0, 11, None), (11, 13, None), (3, 7, False), (13, 14, False), (6, 14, None)],
)
def test_a_stated_number_is_met_by_the_whole_interval(
    low: float, high: float, holds: bool | None
) -> None:
    found = Estimate((low + high) / 2, low, high)
    assert stated_within(found, 10, 0.25).holds is holds
    negative = Estimate(-found.value, -found.high, -found.low)
    assert stated_within(negative, -10, 0.25).holds is holds
    assert between(found, 7.5, 12.5).holds is holds


def test_the_mean_has_students_interval() -> None:
    value, low, high = mean(drawn(5.0, 2.0))
    half = 2.262157 * 2.0 / math.sqrt(10)
    assert (value, low, high) == pytest.approx((5.0, 5.0 - half, 5.0 + half))
    assert mean([3.0]).high == math.inf
    assert mean([1.0, math.nan, 1.0]) == Estimate(1.0, 1.0, 1.0)


def test_pairs_are_compared_as_pairs() -> None:
    """What both runs of a pair share is no doubt about their difference."""
    shared = drawn(100.0, 30.0)
    own, other = shared + drawn(2.0, 1.0, seed=2), shared
    assert higher(own, other).holds is True
    assert higher(other, own).holds is False
    assert higher(own, drawn(100.0, 30.0, seed=3)).holds is None
    assert difference(own, other) == mean(own - other)


def test_a_ratio_and_its_inverse_have_one_verdict() -> None:
    one, other = drawn(3.0, 0.4), drawn(2.0, 0.3, seed=2)
    over, under = ratio(one, other), ratio(other, one)
    assert over.value == pytest.approx(1.5)
    assert (over.low, over.high) == pytest.approx((1 / under.high, 1 / under.low))
    # The delta method: the relative errors of both means, which are not correlated much.
    relative = one / one.mean() - other / other.mean()
    half = 2.262 * relative.std(ddof=1) / math.sqrt(10)
    assert over.low == pytest.approx(1.5 * math.exp(-half), rel=0.03)


@pytest.mark.parametrize(
    ("one", "other", "value"),
    [((0, 0), (1, 2), 0), ((1, 2), (0, 0), math.inf), ((0, 0), (0, 0), 1)],
)
def test_nothing_is_less_than_something(
    one: tuple[float, ...], other: tuple[float, ...], value: float
) -> None:
    assert ratio(one, other) == Estimate(value, value, value)


def test_rare_events_are_compared_by_their_difference() -> None:
    often, once = drawn(10.0, 1.0), np.zeros(10)
    once[3] = 0.5
    assert ratio(often, once).high == math.inf
    found = higher(often, once, "losses")
    assert (found.holds, found.what) == (True, "losses, difference")
    assert higher(once, often).holds is False


def test_a_trend_holds_at_every_step() -> None:
    falls = [drawn(10.0 - step, 0.5, seed=step) for step in range(4)]
    assert [part.holds for part in falling(falls)] == [True] * 3
    assert finding("", falling([*falls, falls[-1] * 1.5])).holds is False
    assert finding("", falling([*falls, drawn(7.0, 0.5, seed=9)])).holds is None


HOLDS = above(Estimate(2, 1.5, 2.5), 1, "sure")
CLOSE = above(Estimate(1.3, 1.1, 1.5), 1, "close")
OPEN = above(Estimate(1.1, 0.8, 1.4), 1, "open")
FAILS = above(Estimate(0.5, 0.2, 0.8), 1, "failing")


@pytest.mark.parametrize(
    ("parts", "holds", "interval", "of"),
    [
        ((HOLDS, CLOSE), True, (1.1, 1.5), "close"),
        ((HOLDS, OPEN), None, (0.8, 1.4), "open"),
        ((HOLDS, OPEN, FAILS), False, (0.2, 0.8), "failing"),
    ],
)
def test_a_claim_is_as_good_as_its_worst_part(
    parts: tuple[judging.Compared, ...],
    holds: bool | None,
    interval: tuple[float, float],
    of: str,
) -> None:
    found = finding("measured", parts)
    assert (found.holds, found.interval) == (holds, interval)
    low, high = interval
    assert found.measured == f"measured; 95 % interval {low:g} to {high:g} ({of})"


def test_any_of_some_is_as_good_as_the_best() -> None:
    assert any_of((OPEN, FAILS)) is OPEN
    assert any_of((HOLDS, FAILS, CLOSE)) is HOLDS
    assert any_of((FAILS,)) is FAILS
    assert any_of(()).holds is False


def test_the_contrary_holds_where_a_comparison_fails() -> None:
    assert [opposite(part).holds for part in (HOLDS, OPEN, FAILS)] == [False, None, True]


def test_a_share_of_an_axis_is_where_comparisons_hold_for_sure_and_where_they_may() -> None:
    found = share([HOLDS, CLOSE, OPEN, FAILS], lambda where: float(where.mean()))
    assert found == Estimate(0.75, 0.5, 0.75)
    assert above(found, 0.6).holds is None


def test_where_nothing_is_compared_nothing_holds() -> None:
    assert finding("nothing", ()) == (False, "nothing", None)


# ---- numbers computed from studies ---------------------------------------------------------------


def study(rates: dict[str, list[float]], unit: str = "seed") -> StudyData:
    rows = [
        {
            "study": CHAIN.name,
            "variant": variant,
            "x": float(at) if unit == "x" else 100.0,
            "seed": 1 if unit == "x" else at,
            "goodput_bit_s": rate,
            "overhead": 1.0,
            "medium_bytes": 1.0,
            "transmissions": 1.0,
        }
        for variant, own in rates.items()
        for at, rate in enumerate(own, 1)
    ]
    flows = pl.DataFrame([{**row, "flow": 0} for row in rows]).select(
        "study", "variant", "x", "seed", "flow"
    )
    own = StudyData(CHAIN, pl.DataFrame(rows), flows)
    if unit == "x":
        own.study = replace(CHAIN, unit="x")
    return own


def over(data: Data) -> float:
    measured = data.studies[CHAIN.name]
    rates = [measured.values(name, "goodput_bit_s").mean() for name in ("udp", "udp-rts")]
    return float(rates[0] / rates[1])


@pytest.mark.parametrize("unit", ["seed", "x"])
def test_any_number_has_the_interval_of_the_runs_or_networks_behind_it(unit: str) -> None:
    one, other = drawn(3.0, 0.4), drawn(2.0, 0.3, seed=2)
    data = Data({CHAIN.name: study({"udp": one.tolist(), "udp-rts": other.tolist()}, unit)})
    assert estimate(data, over, log=True) == pytest.approx(ratio(one, other))


def test_a_single_run_has_no_interval() -> None:
    data = Data({CHAIN.name: study({"udp": [3.0], "udp-rts": [2.0]})})
    found = above(estimate(data, over), 1.0)
    assert found.holds is None
    decided = finding("1.5 times", [found])
    assert (decided.holds, decided.interval) == (None, None)
    assert decided.measured == "1.5 times; no interval"


def test_what_no_study_measures_is_a_fact() -> None:
    assert estimate(Data(), lambda _: 2.0) == Estimate(2.0, 2.0, 2.0)
    assert finding("two", [above(estimate(Data(), lambda _: 2.0), 1.0)]) == (True, "two", None)


def test_intervals_cover_what_they_claim_to() -> None:
    """Ratios of exponential runs, ten each: 95 % of the intervals hold the true ratio."""
    draw = np.random.default_rng(7)
    found = [ratio(draw.gamma(4, 1, 10), draw.gamma(4, 2, 10)) for _ in range(2000)]
    covered = np.mean([one.low <= 0.5 <= one.high for one in found])
    assert 0.92 <= covered <= 0.97
