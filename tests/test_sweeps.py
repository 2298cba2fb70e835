"""Many runs, kept: which, with which labels, and what a second call does."""

from pathlib import Path

import polars as pl
import pytest

from multihop import OutputError, Scenario, Shard, sweep
from multihop.running.runner import simulate
from multihop.sweeping import sweeps
from multihop.sweeping.batches import Batch, Job, engine, perform
from multihop.sweeping.plans import Plan, Point
from multihop.sweeping.store import run_name
from multihop.sweeping.sweeps import Means, Wanted, sweep_points
from tests.sweeping import Counted, held, stored

VARY = {"traffic.load": ["20 kbit/s", "40 kbit/s"], "seed": range(3)}
QUIET = Means(progress=False)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    return Counted(monkeypatch)


def test_every_combination_is_run_once_and_labelled(base: Scenario, tmp_path: Path) -> None:
    result = sweep(base, VARY, tmp_path, progress=False)
    assert result.runs["traffic.load"].to_list() == ["20 kbit/s"] * 3 + ["40 kbit/s"] * 3
    assert result.runs["seed"].to_list() == [0, 1, 2] * 2
    assert sorted(stored(tmp_path)) == sorted(result.runs["run"])
    assert pl.read_parquet(tmp_path / "runs.parquet").equals(result.runs)
    assert set(result.flows["traffic.load"]) == set(VARY["traffic.load"])


def test_an_interrupted_sweep_continues_with_what_is_missing(
    base: Scenario, tmp_path: Path, counted: Counted
) -> None:
    grid = sweeps.points(base, VARY)
    counted.fail(grid[3].scenario, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        sweep(base, VARY, tmp_path, workers=1, progress=False)
    kept = stored(tmp_path)
    assert 0 < len(kept) <= 3
    assert not (tmp_path / "runs.parquet").exists()
    assert not list((tmp_path / "claims").iterdir())

    counted.failing.clear()
    counted.runs.clear()
    resumed = sweep(base, VARY, tmp_path, progress=False)
    assert set(counted.runs) == set(resumed.runs["run"]) - set(kept)
    assert len(stored(tmp_path)) == len(set(stored(tmp_path))) == 6
    fresh = sweep(base, VARY, tmp_path / "fresh", progress=False)
    assert resumed.runs.equals(fresh.runs)


def test_shards_share_the_work_and_the_last_one_combines(base: Scenario, tmp_path: Path) -> None:
    first = sweep(base, VARY, tmp_path, shard=Shard(1, 2), progress=False)
    assert first.runs.height == 3
    assert not (tmp_path / "runs.parquet").exists()
    both = sweep(base, VARY, tmp_path, shard=Shard(2, 2), progress=False)
    assert both.runs.height == 6
    assert (tmp_path / "runs.parquet").exists()


def test_another_engine_is_another_run(base: Scenario, monkeypatch: pytest.MonkeyPatch) -> None:
    before = run_name(base.json)
    monkeypatch.setattr("multihop.sweeping.store.engine", lambda: "another")
    assert run_name(base.json) != before


def test_the_same_run_under_two_labels_is_run_once(base: Scenario, tmp_path: Path) -> None:
    grid = [Point({"which": name}, base) for name in ("a", "b")]
    result = sweep_points(grid, tmp_path, means=QUIET).result()
    assert result.runs["which"].to_list() == ["a", "b"]
    assert len(stored(tmp_path)) == 1


@pytest.mark.parametrize("schemes", [["cxcc", "udp", "cxcc"], ["udp", "cxcc", "udp"]])
def test_a_counter_of_one_scheme_is_null_in_the_runs_of_others(
    base: Scenario, tmp_path: Path, schemes: list[str]
) -> None:
    grid = [
        Point({"which": at}, base.with_(**{"scheme.name": scheme, "seed": at}))
        for at, scheme in enumerate(schemes)
    ]
    on_disk = sweep_points(grid, tmp_path, means=QUIET).result()
    in_memory = sweeps.stack(grid, [simulate(point.scenario) for point in grid])
    for result in (on_disk, in_memory):
        assert result.runs["which"].to_list() == [0, 1, 2]
        for table in (result.runs, result.nodes):
            known = table.group_by("which").agg(pl.col("retransmissions_lost_data").is_not_null())
            assert {schemes[which]: set(values) for which, values in known.rows()} == {
                "cxcc": {True},
                "udp": {False},
            }
    assert on_disk.runs.equals(in_memory.runs)
    # Where no scheme counts it, there is no such column.
    without = sweep(base, {"scheme.name": ["udp"]}, tmp_path, progress=False)
    assert "retransmissions_lost_data" not in without.runs.columns


@pytest.mark.parametrize("schemes", [["cxcc", "udp"], ["udp", "udp"]])
def test_a_batch_of_all_and_a_batch_for_each_are_alike(base: Scenario, schemes: list[str]) -> None:
    jobs = tuple(
        Job(str(at), base.with_(**{"scheme.name": scheme, "seed": at}).json, ("runs", "nodes"))
        for at, scheme in enumerate(schemes)
    )
    together = perform(Batch(jobs, engine())).files
    alone = [perform(Batch((job,), engine())).files for job in jobs]
    for name in ("runs", "nodes"):
        apart = pl.concat(pl.read_parquet(files[name]) for files in alone)
        assert pl.read_parquet(together[name]).equals(apart)


def test_a_table_that_only_some_runs_have_is_kept(base: Scenario, tmp_path: Path) -> None:
    vary = {"measure.congestion_potential": [True, False]}
    result = sweep(base, vary, tmp_path, progress=False)
    assert result.congestion["measure.congestion_potential"].unique().to_list() == [True]
    assert (tmp_path / "congestion.parquet").exists()
    # Another sweep in the same folder, which does not have it.
    without = sweep(base, {"measure.congestion_potential": [False]}, tmp_path, progress=False)
    assert "congestion" not in without.tables
    assert not (tmp_path / "congestion.parquet").exists()


def test_labels_in_memory_and_on_disk_are_alike(base: Scenario, tmp_path: Path) -> None:
    grid = sweeps.points(base, VARY)
    on_disk = sweep_points(grid, tmp_path, means=QUIET).result()
    in_memory = sweeps.stack(grid, [simulate(point.scenario) for point in grid])
    for name, table in on_disk.tables.items():
        assert in_memory.tables[name].equals(table), name


def test_a_folder_that_cannot_be_written_is_named(base: Scenario, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(OutputError, match="cannot write to"):
        sweep(base, VARY, tmp_path / "file", progress=False)


def test_a_point_may_keep_a_table_that_others_do_not(base: Scenario, tmp_path: Path) -> None:
    grid = [
        Point({"seed": 1}, base.with_(seed=1)),
        Point({"seed": 2}, base.with_(seed=2), ("series",)),
    ]
    result = sweep_points(grid, tmp_path, wanted=Wanted(tables=("runs",)), means=QUIET).result()
    assert result.runs["seed"].to_list() == [1, 2]
    assert set(result.series["seed"]) == {2}
    assert "flows" not in result.tables


def test_a_table_that_was_not_kept_before_is_run_again(
    base: Scenario, tmp_path: Path, counted: Counted
) -> None:
    grid = sweeps.points(base, VARY)
    first = sweep_points(grid, tmp_path, wanted=Wanted(tables=("runs",)), means=QUIET).result()
    assert "flows" not in first.tables
    wanted = Wanted(tables=("runs", "flows"))
    more = sweep_points(grid, tmp_path, wanted=wanted, means=QUIET).result()
    assert more.flows["seed"].to_list() == [0, 1, 2] * 2
    # What was kept before is neither lost nor doubled by that.
    assert len(counted.runs) == 12
    assert len(stored(tmp_path)) == 6
    assert more.runs.equals(first.runs)


def test_the_tables_are_the_same_bytes_however_they_were_put_together(
    base: Scenario, tmp_path: Path
) -> None:
    sweep(base, VARY, tmp_path / "one", workers=1, progress=False)
    for part in (3, 1, 2):
        sweep(base, VARY, tmp_path / "two", shard=Shard(part, 3), progress=False)
    tables = sorted(path.name for path in (tmp_path / "one").glob("*.parquet"))
    assert tables == ["flows.parquet", "nodes.parquet", "runs.parquet", "series.parquet"]
    for name in tables:
        one, two = (tmp_path / folder / name for folder in ("one", "two"))
        assert one.read_bytes() == two.read_bytes(), name


def test_a_sweep_without_any_point_is_none(base: Scenario) -> None:
    assert Plan([], ("runs",)).table.is_empty()


def test_the_store_says_which_scenario_was_run(base: Scenario, tmp_path: Path) -> None:
    sweep(base, {"seed": [4]}, tmp_path, progress=False)
    (file,) = held(tmp_path).point_files()
    (row,) = pl.read_parquet(file).to_dicts()
    assert Scenario(row["scenario"]) == base.with_(seed=4)
    assert row["run"] == run_name(row["scenario"])
