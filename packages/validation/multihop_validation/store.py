"""Tables of runs as compressed Parquet files, with a manifest of their checksums."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from multihop.engine.errors import OutputError
from multihop.results.result import replacing

ROOT = Path(__file__).resolve().parents[3]
PAGE_FOLDER = ROOT / "docs" / "validation"
DATA = PAGE_FOLDER / "data"
MANIFEST = "manifest.json"
# Columns that hold text, although some of their cells look like numbers.
TEXT = ("case", "tcp", "udp", "lose", "rate", "per_flow_kbps", "per_flow_cwnd", "per_flow_timeouts")

# Columns of numbers in which every cell may be empty.
NUMBERS = ("delay_ms", "netdelay_ms")


class StoreError(OutputError):
    """A table of runs that is missing, or is not the one that was recorded."""


def table(folder: Path, name: str) -> pl.DataFrame:
    """Read a recorded table.

    Raises `StoreError` if the file is missing or its checksum is not that of the manifest.
    """
    path = folder / f"{name}.parquet"
    if not path.is_file():
        raise StoreError(
            f"{path} is missing; CSV files of runs are recorded by "
            f"`python -m multihop_validation.record {folder}`"
        )
    recorded = manifest(folder).get(name, "no checksum")
    found = _checksum(path.read_bytes())
    if found != recorded:
        raise StoreError(
            f"{path} has the SHA-256 {found}, but {MANIFEST} beside it has {recorded}; "
            "take both from the same commit, or record the runs again"
        )
    return pl.read_parquet(path)


def is_kept(folder: Path, *names: str) -> bool:
    """Whether all of these tables are recorded."""
    return set(names) <= set(manifest(folder))


def rows(folder: Path, name: str) -> list[dict[str, Any]]:
    """Read a recorded table row by row; cells without a number are None."""
    return table(folder, name).rows(named=True)


def record(folder: Path, name: str, frame: pl.DataFrame) -> Path:
    """Write a table and its checksum."""
    path = folder / f"{name}.parquet"
    with replacing(path) as temporary:
        frame.write_parquet(temporary, compression="zstd", compression_level=19, statistics=False)
    _write_manifest(folder, manifest(folder) | {name: _checksum(path.read_bytes())})
    return path


def manifest(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every recorded table of a folder, by the table's name."""
    path = folder / MANIFEST
    if not path.is_file():
        return {}
    checksums: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return checksums


def from_csv(path: Path) -> pl.DataFrame:
    """Read a CSV file as the scripts of `benches/ns2` write it."""
    header = path.read_text(encoding="utf-8").partition("\n")[0].split(",")
    types = dict.fromkeys(TEXT, pl.String) | dict.fromkeys(NUMBERS, pl.Float64)
    frame = pl.read_csv(
        path,
        infer_schema_length=None,
        schema_overrides={name: kind for name, kind in types.items() if name in header},
    )
    return frame.with_columns(pl.col(pl.String).fill_null(""))


def record_all(folder: Path) -> list[Path]:
    """Record every CSV file of a folder, and remove it."""
    written = []
    for path in sorted(folder.glob("*.csv")):
        written.append(record(folder, path.stem, from_csv(path)))
        path.unlink()
    return written


def _write_manifest(folder: Path, checksums: Mapping[str, str]) -> None:
    with replacing(folder / MANIFEST) as temporary:
        text = json.dumps(dict(sorted(checksums.items())), indent=1)
        temporary.write_text(f"{text}\n", encoding="utf-8")


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
