from pathlib import Path

import polars as pl
import pytest

from multihop import OutputError, Result, Scenario, Shard, sweep, sweeps
from multihop._multihop import Cancel
from multihop.runner import simulate

VARY = {"traffic.load": ["20 kbit/s", "40 kbit/s"], "seed": range(3)}


def parts(out: Path) -> set[str]:
    return {path.name for path in (out / "parts").iterdir()}


def test_every_combination_is_run_once_and_labelled(base: Scenario, tmp_path: Path) -> None:
    result = sweep(base, VARY, tmp_path, progress=False)
    assert result.runs["traffic.load"].to_list() == ["20 kbit/s"] * 3 + ["40 kbit/s"] * 3
    assert result.runs["seed"].to_list() == [0, 1, 2] * 2
    assert len(parts(tmp_path)) == 6
    assert pl.read_parquet(tmp_path / "runs.parquet").equals(result.runs)
    assert set(result.flows["traffic.load"]) == set(VARY["traffic.load"])


def test_an_interrupted_sweep_continues_with_what_is_missing(
    base: Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = []

    def interrupted(scenario: Scenario, *, cancel: Cancel) -> Result:
        if len(ran) == 3:
            raise KeyboardInterrupt
        ran.append(scenario)
        return simulate(scenario, cancel=cancel)

    monkeypatch.setattr(sweeps, "simulate", interrupted)
    with pytest.raises(KeyboardInterrupt):
        sweep(base, VARY, tmp_path, workers=1, progress=False)
    assert len(parts(tmp_path)) == 3
    assert not (tmp_path / "runs.parquet").exists()

    again = []
    monkeypatch.setattr(
        sweeps, "simulate", lambda scenario, **rest: again.append(scenario) or simulate(scenario)
    )
    resumed = sweep(base, VARY, tmp_path, progress=False)
    assert len(again) == 3
    assert not set(again) & set(ran)
    fresh = sweep(base, VARY, tmp_path / "fresh", progress=False)
    assert resumed.runs.equals(fresh.runs)


def test_shards_share_the_work_and_the_last_one_combines(base: Scenario, tmp_path: Path) -> None:
    first = sweep(base, VARY, tmp_path, shard=Shard(1, 2), progress=False)
    assert first.runs.height == 3
    assert not (tmp_path / "runs.parquet").exists()
    both = sweep(base, VARY, tmp_path, shard=Shard(2, 2), progress=False)
    assert both.runs.height == 6
    assert (tmp_path / "runs.parquet").exists()


def test_another_engine_is_another_run(
    base: Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sweeps.key(base)
    monkeypatch.setattr(sweeps, "engine", lambda: "another")
    assert sweeps.key(base) != before


def test_the_same_run_under_two_labels_is_run_once(base: Scenario, tmp_path: Path) -> None:
    grid = [sweeps.Point({"which": name}, base) for name in ("a", "b")]
    result = sweeps.sweep_points(grid, tmp_path, progress=False)
    assert result.runs["which"].to_list() == ["a", "b"]
    assert len(parts(tmp_path)) == 1


@pytest.mark.parametrize("schemes", [["cxcc", "udp", "cxcc"], ["udp", "cxcc", "udp"]])
def test_a_counter_of_one_scheme_is_null_in_the_runs_of_others(
    base: Scenario, tmp_path: Path, schemes: list[str]
) -> None:
    grid = [
        sweeps.Point({"which": at}, base.with_(**{"scheme.name": scheme, "seed": at}))
        for at, scheme in enumerate(schemes)
    ]
    tables = ("runs", "flows", "nodes")
    on_disk = sweeps.sweep_points(grid, tmp_path, tables=tables, progress=False)
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


def test_a_table_that_only_some_runs_have_is_kept(base: Scenario, tmp_path: Path) -> None:
    vary = {"measure.congestion_potential": [True, False]}
    result = sweep(base, vary, tmp_path, progress=False)
    assert result.congestion["measure.congestion_potential"].unique().to_list() == [True]
    assert (tmp_path / "congestion.parquet").exists()
    without = sweep(base, {"seed": [1]}, tmp_path / "without", progress=False)
    assert "congestion" not in without.tables


def test_labels_in_memory_and_on_disk_are_alike(base: Scenario, tmp_path: Path) -> None:
    grid = sweeps.points(base, VARY)
    on_disk = sweeps.sweep_points(grid, tmp_path, progress=False)
    in_memory = sweeps.stack(grid, [simulate(point.scenario) for point in grid])
    for name, table in on_disk.tables.items():
        assert in_memory.tables[name].equals(table), name


def test_a_folder_that_cannot_be_written_is_named(base: Scenario, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(OutputError, match="cannot write to"):
        sweep(base, VARY, tmp_path / "file", progress=False)


def test_a_point_may_keep_a_table_that_others_do_not(base: Scenario, tmp_path: Path) -> None:
    grid = [
        sweeps.Point({"seed": 1}, base.with_(seed=1)),
        sweeps.Point({"seed": 2}, base.with_(seed=2), ("series",)),
    ]
    result = sweeps.sweep_points(grid, tmp_path, tables=("runs",), progress=False)
    assert result.runs["seed"].to_list() == [1, 2]
    assert set(result.series["seed"]) == {2}
    assert "flows" not in result.tables
