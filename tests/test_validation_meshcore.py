"""The meshes of meshcore_simv2: what is kept is what comes out, and enough of it is as there."""

import polars as pl
import pytest

from multihop_validation import meshcore, store
from multihop_validation.meshes import differences
from multihop_validation.store import DATA

pytestmark = pytest.mark.engine

# One of each kind: a chain, a fan of hidden relays, messages to one node in a grid.
AGAIN = ("chain3-channel", "fan3-txdelay1", "grid5-dm-60s")


@pytest.mark.parametrize("name", AGAIN)
def test_a_mesh_gives_again_what_was_kept(name: str) -> None:
    again = meshcore.measure(DATA, seeds=1, workers=1, progress=False, names=[name])
    kept = store.table(DATA, meshcore.RUNS).filter((pl.col("name") == name) & (pl.col("seed") == 1))
    assert again.rows(named=True) == kept.rows(named=True)


def test_nine_of_ten_comparisons_are_within_tolerance() -> None:
    found = differences(
        store.table(DATA, meshcore.RUNS),
        store.table(DATA, meshcore.REFERENCE),
        meshcore.METRICS,
    )
    assert {one.case for one in found} == {case.name for case in meshcore.cases(DATA)}
    assert sum(one.inside for one in found) >= 0.9 * len(found)
