"""Tables of runs are Parquet files whose checksums are told."""

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from multihop_validation import store

pytestmark = pytest.mark.engine

CSV = "topo,rate,udp,netdelay_ms,seed,per_flow_kbps\nchain,2Mb,,,1,10.00\nchain,2Mb,,4.5,2,7.25\n"


def test_csv_becomes_parquet_and_nothing_is_lost(tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_text(CSV, encoding="utf-8")
    assert store.record_all(tmp_path) == [tmp_path / "runs.parquet"]
    assert not (tmp_path / "runs.csv").exists()
    first, second = store.rows(tmp_path, "runs")
    # What is a list of numbers in one cell stays text, an empty number is none.
    assert (first["per_flow_kbps"], first["udp"], first["netdelay_ms"]) == ("10.00", "", None)
    assert (second["seed"], second["netdelay_ms"]) == (2, 4.5)


def test_a_table_that_is_not_the_recorded_one_is_refused(tmp_path: Path) -> None:
    store.record(tmp_path, "runs", pl.DataFrame({"seed": [1]}))
    store.record(tmp_path, "others", pl.DataFrame({"seed": [2]}))
    (tmp_path / "others.parquet").replace(tmp_path / "runs.parquet")
    with pytest.raises(store.StoreError, match=r"runs\.parquet has the SHA-256 .* from the same"):
        store.rows(tmp_path, "runs")
    with pytest.raises(store.StoreError, match=r"others\.parquet is missing; CSV files"):
        store.rows(tmp_path, "others")


def test_the_manifest_names_every_recorded_table() -> None:
    recorded = {path.stem for path in store.DATA.glob("*.parquet")}
    assert recorded == set(store.manifest(store.DATA))
    assert not list(store.DATA.glob("*.csv")), "python -m multihop_validation.record"
    for name in recorded:
        assert store.table(store.DATA, name).height > 0


def test_a_table_is_shown_as_csv(tmp_path: Path) -> None:
    store.record(tmp_path, "runs", pl.DataFrame({"seed": [1], "rate": ["2Mb"]}))
    command = [sys.executable, "-m", "multihop_validation.record", str(tmp_path), "--show"]
    shown = subprocess.run([*command, "runs"], capture_output=True, text=True, check=True)
    assert shown.stdout == "seed,rate\n1,2Mb\n"
    missing = subprocess.run([*command, "walks"], capture_output=True, text=True, check=False)
    assert missing.returncode == 2
    assert "walks.parquet is missing" in missing.stderr
