"""Whether a receiver can know ahead that it will be deaf: what is asked of runs of WAKE."""

from __future__ import annotations

import numpy as np
import pytest

from multihop_papers.wake import deafness


def test_a_lag_that_tells_is_found() -> None:
    """Frames fail where the third lag warned, and now and then where nothing did."""
    chance = np.random.default_rng(1)
    before = chance.random((2_000, 6)) < 0.3
    failed = before[:, 2] | (chance.random(2_000) < 0.05)
    assert deafness.best_lag(before, failed) == 2


def test_a_warning_is_worth_the_failures_it_tells_of() -> None:
    """Half of the frames are warned of, and all of these fail."""
    told = deafness.judged(
        np.array([True, True, False, False]), np.array([True, True, False, True])
    )
    assert (told.frames, told.failed, told.free, told.failed_free) == (4, 0.75, 0.5, 0.5)


def test_receivers_that_are_deaf_now_lose_more_than_others() -> None:
    """It is so in any network with hidden stations, also in a short run."""
    rows = deafness.measured(((100, 1),), "15 s")
    assert [row["warning"] for row in rows] == ["now", "10 ms ahead", "20 ms ahead"]
    assert rows[0]["failed_free"] < 0.7 * rows[0]["failed"]
    for row in rows:
        assert 0 <= row["failed_free"] <= 1
        assert row["failed"] == pytest.approx(rows[0]["failed"])
