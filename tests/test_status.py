"""How far a sweep is, what failed, and putting folders together."""

import json
from pathlib import Path

import polars as pl
import pytest

from multihop import FailedError, IncompleteError, OutputError, Scenario, Shard, sweep
from multihop.cli import app
from multihop.sweeping.batches import Job
from multihop.sweeping.collecting import merge, swept
from multihop.sweeping.progress import duration, status, words
from tests.conftest import Cli
from tests.sweeping import Counted, held, stored

VARY = {"traffic.load": ["20 kbit/s", "40 kbit/s"], "seed": range(2)}


def test_done_running_failed_and_to_do(
    base: Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = Counted(monkeypatch)
    broken = base.with_(**{"traffic.load": "40 kbit/s", "seed": 1})
    counted.fail(broken, RuntimeError("the medium is on fire"))
    which = "traffic.load = 40 kbit/s, seed = 1 with RuntimeError: the medium is on fire"
    with pytest.raises(FailedError, match=f"^1 of 4 runs failed, {which};"):
        sweep(base, VARY, tmp_path, progress=False)
    (found,) = status(tmp_path).sweeps
    assert (found.runs, found.done, found.running, found.missing) == (4, 3, 0, 0)
    (failure,) = found.failed
    assert failure.labels == {"traffic.load": "40 kbit/s", "seed": 1}
    assert failure.error == "RuntimeError: the medium is on fire"
    assert "3 of 4 runs done; 1 failed" in words(found)

    # Somebody takes it, and goes away.
    store = held(tmp_path)
    (row,) = [r for r in pl.read_parquet(store.point_files()).to_dicts() if r["seed"] == 1][1:]
    job = Job(row["run"], row["scenario"], ("runs",))
    claim = store.claim({row["run"]: job}, 1, 2, "threads")
    assert claim is not None
    looked = status(tmp_path)
    assert (looked.sweeps[0].running, looked.sweeps[0].failed) == (1, ())
    assert [(w["runs"], w["workers"]) for w in looked.workers] == [(1, 2)]
    assert looked.sweeps[0].seconds_left == pytest.approx(looked.sweeps[0].work_left_s / 2)
    assert "1 running; about 1 s left" in words(looked.sweeps[0])
    claim.release()

    # The same command tries it again.
    counted.failing.clear()
    assert sweep(base, VARY, tmp_path, progress=False).runs.height == 4
    again = status(tmp_path)
    assert (again.sweeps[0].done, again.sweeps[0].failed, again.workers) == (4, (), ())
    assert not list((tmp_path / "failed").iterdir())


def test_the_command_says_it(cli: Cli, base: Scenario, tmp_path: Path) -> None:
    out = tmp_path / "out"
    sweep(base, VARY, out, shard=Shard(1, 2), progress=False)
    (out / "parts" / "cut").mkdir()
    done = cli("status", "out")
    assert done.returncode == 0, done.stderr
    assert "2 of 4 runs done; 2 to do; no process works on it" in done.stdout
    assert "1 parts are damaged" in done.stderr
    values = json.loads(cli("status", "out", "--json").stdout)
    assert values["sweeps"][0]["missing"] == 2
    assert values["damaged"] == ["cut"]
    nothing = cli("status", "elsewhere")
    assert nothing.returncode == 2
    assert "no store of a sweep" in nothing.stderr


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.1, "1 s"), (90, "90 s"), (120, "2 min"), (7200, "2 h")]
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_folders_of_shards_are_put_together(base: Scenario, tmp_path: Path) -> None:
    shards = [tmp_path / "one", tmp_path / "two"]
    for part, out in enumerate(shards, 1):
        sweep(base, VARY, out, shard=Shard(part, 2), progress=False)
    whole = tmp_path / "all"
    merge(whole, [shards[0]])
    half = swept(whole)
    assert (half.runs, half.missing) == (4, 2)
    assert half.table("runs").height == 2
    # Twice is once.
    merge(whole, [*shards, *shards])
    swept(whole).write()
    assert len(stored(whole)) == len(set(stored(whole))) == 4
    sweep(base, VARY, tmp_path / "serial", progress=False)
    for name in ("runs", "flows", "nodes", "series"):
        file = f"{name}.parquet"
        assert (whole / file).read_bytes() == (tmp_path / "serial" / file).read_bytes()


def test_what_both_have_in_part_is_not_doubled(base: Scenario, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    sweep(base, {"seed": [1, 2]}, one, workers=1, progress=False)
    sweep(base, {"seed": [2, 3, 4, 5, 6, 7]}, two, workers=1, progress=False)
    merge(one, [two])
    assert sorted(stored(one)) == sorted({*stored(one), *stored(two)})
    assert len(stored(one)) == 7
    for name in ("flows", "nodes", "series"):
        runs = pl.read_parquet(one / "parts" / "*" / f"{name}.parquet")["run"]
        assert set(runs) == set(stored(one))
    with pytest.raises(OutputError, match="has several sweeps; choose one with --sweep"):
        swept(one)
    names = list(held(one).sweeps())
    assert {swept(one, name).missing for name in names} == {0}
    with pytest.raises(OutputError, match="there is no sweep 'pigeon'"):
        swept(one, "pigeon")


def test_collect_says_what_is_missing(
    base: Scenario, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    sweep(base, VARY, out, shard=Shard(1, 2), progress=False)
    with pytest.raises(IncompleteError, match=r"2 of 4 runs of .* are missing"):
        app(["collect", str(out)], standalone_mode=False)
    assert pl.read_parquet(out / "runs.parquet").height == 2
    sweep(base, VARY, out, shard=Shard(2, 2), progress=False)
    capsys.readouterr()
    assert not app(["collect", str(out), "--json"], standalone_mode=False)
    values = json.loads(capsys.readouterr().out)
    assert (values["runs"], values["missing"]) == (4, 0)
    assert len(values["files"]) == 4


def test_a_file_of_points_that_is_cut_is_named(base: Scenario, tmp_path: Path) -> None:
    sweep(base, VARY, tmp_path, progress=False)
    (file,) = held(tmp_path).point_files()
    file.write_bytes(file.read_bytes()[:-50])
    with pytest.raises(OutputError, match=rf"cannot read '{file}'.*delete it"):
        status(tmp_path)


def test_duckdb_reads_it_while_it_grows(base: Scenario, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    for part in (1, 2):
        sweep(base, VARY, tmp_path, shard=Shard(part, 2), progress=False)
        rows = duckdb.sql(
            f"""select "traffic.load", count(*), avg(goodput_bit_s)
            from '{tmp_path}/points/*.parquet' join '{tmp_path}/parts/*/runs.parquet' using (run)
            group by all order by all"""
        ).fetchall()
        assert [row[:2] for row in rows] == [("20 kbit/s", part), ("40 kbit/s", part)]
