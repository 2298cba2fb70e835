"""The meshes of Meshtasticator: what is kept is what comes out, and the page counts it rightly."""

import polars as pl
import pytest

from multihop_validation import meshtasticator, store
from multihop_validation.meshes import TARGET, differences
from multihop_validation.store import DATA

pytestmark = pytest.mark.engine


def test_a_mesh_gives_again_what_was_kept() -> None:
    first = meshtasticator.cases(DATA)[0]
    again = meshtasticator.measure(DATA, seeds=1, workers=1, progress=False, names=[first.name])
    kept = store.table(DATA, meshtasticator.RUNS).filter(
        (pl.col("name") == first.name) & (pl.col("seed") == first.seeds[0])
    )
    assert again.rows(named=True) == kept.rows(named=True)


def test_most_comparisons_are_within_tolerance_with_both_rules_and_not_with_less() -> None:
    kept = store.table(DATA, meshtasticator.RUNS)
    reference = store.table(DATA, meshtasticator.REFERENCE)
    inside = {
        less: [one.inside for one in meshtasticator.compared(kept, reference, less)]
        for less in meshtasticator.LESS
    }
    whole = inside.pop(meshtasticator.WHOLE)
    assert len(whole) == len(meshtasticator.cases(DATA)) * len(meshtasticator.METRICS)
    assert sum(whole) >= TARGET * len(whole)
    assert all(sum(less) < TARGET * len(whole) for less in inside.values()), "every rule counts"


def test_a_difference_may_be_as_large_as_two_standard_errors() -> None:
    reference = store.table(DATA, meshtasticator.REFERENCE).head(1)
    ours = pl.DataFrame(
        [
            {"name": reference["name"][0], "seed": seed}
            | {metric.name: reference[metric.name][0] * by for metric in meshtasticator.METRICS}
            for seed, by in enumerate((0.5, 1.5))
        ]
    )
    found = differences(ours, reference, meshtasticator.METRICS)
    assert all(one.inside for one in found)
    far = ours.with_columns(reach_pct=pl.lit(10.0))
    outside = differences(far, reference, meshtasticator.METRICS)
    assert [one.metric.name for one in outside if not one.inside] == ["reach_pct"]
