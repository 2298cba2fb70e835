"""Pieces of a store by themselves: claims with and without their lock, and parts of parts."""

import fcntl
import io
import json
import os
from pathlib import Path

import polars as pl
import pytest

from multihop import Scenario, sweep
from multihop.sweeping.batches import Product
from multihop.sweeping.claims import clear, living
from multihop.sweeping.parts import only
from tests.sweeping import held, stored


def claim(folder: Path, process: int) -> Path:
    path = folder / f"{process}.json"
    path.write_text(json.dumps({"process": process}), encoding="utf-8")
    path.with_suffix("").mkdir()
    return path


def test_what_a_dead_process_has_left_goes_and_what_a_living_one_has_stays(tmp_path: Path) -> None:
    lives, dead = claim(tmp_path, 1), claim(tmp_path, 2)
    (tmp_path / "without a claim").mkdir()
    handle = os.open(lives, os.O_RDWR)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        assert [known["process"] for known in living(tmp_path)] == [1]
        clear(tmp_path)
    finally:
        os.close(handle)
    assert sorted(tmp_path.iterdir()) == [lives.with_suffix(""), lives]
    assert not dead.exists()
    clear(tmp_path)
    assert not list(tmp_path.iterdir())


def table(runs: list[str]) -> bytes:
    file = io.BytesIO()
    pl.DataFrame({"run": runs, "value": range(len(runs))}).write_parquet(file)
    return file.getvalue()


def test_some_runs_of_a_product_have_their_rows_and_their_share_of_the_time() -> None:
    files = {"flows": table(["a", "a", "b", "c", "d"]), "nodes": table(["a"])}
    product = Product(files, ("a", "b", "c", "d"), 8.0, cpu_seconds=6.0)
    some = only(product, ["a"], ["flows", "series"])
    assert (some.runs, some.seconds, some.cpu_seconds) == (("a",), 2.0, pytest.approx(1.5))
    assert list(some.files) == ["flows"]
    rows = pl.read_parquet(io.BytesIO(some.files["flows"]))
    assert rows.rows() == [("a", 0), ("a", 1)]


def test_runs_that_are_forgotten_leave_the_others_of_their_part(
    base: Scenario, tmp_path: Path
) -> None:
    sweep(base, {"seed": range(4)}, tmp_path, workers=1, progress=False)
    runs, parts = stored(tmp_path), len(held(tmp_path).parts)
    assert parts < 4, "several runs are in one part"
    held(tmp_path).forget(runs[:1])
    assert sorted(stored(tmp_path)) == sorted(runs[1:])
    left = held(tmp_path).parts.values()
    assert sorted(run for part in left for run in part.runs) == sorted(runs[1:])
    assert not list((tmp_path / "claims").iterdir())
    held(tmp_path).forget(runs)
    assert stored(tmp_path) == []
