"""What WAKE's rule 10 changes on radios of OFDM: the command that measures it."""

from __future__ import annotations

import pytest

from multihop_papers.wake import steep


def test_the_rule_changes_runs_on_a_steep_radio(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every group and kind has its row, and goodput is another one."""
    monkeypatch.setattr(steep, "HOPS", {"4 to 8 hops": (4,)})
    monkeypatch.setattr(steep, "RANDOM_PLACES", range(61, 63))
    rows = steep.measured(["n65_82"], "1 s")
    names = [row["networks"] for row in rows]
    kinds = [f"4 to 8 hops, {kind}" for kind in steep.KINDS]
    assert names == ["4 to 8 hops", *kinds, "random", "random, five flows"]
    assert all(row["goodput_ratio"] != pytest.approx(1) for row in rows)
    assert steep.table(rows).count("\n") == 4, "a title, a line, and two rows"
