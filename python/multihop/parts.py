"""The parts of a sweep on disk: one folder for each finished run.

    parts/KEY/runs.parquet, flows.parquet ...   the tables that are kept
    parts/KEY/tables.json                       their sizes in bytes; null: not kept

The folder appears whole or not at all. If a file is gone or has another size later, after a crash
of the machine or by somebody's hand, the part counts as missing, and its run is done again.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from .errors import OutputError
from .results import Result, replacing, write_table

MANIFEST = "tables.json"


@dataclass(frozen=True)
class Part:
    """A finished run's folder, or where it will be."""

    folder: Path

    @cached_property
    def sizes(self) -> dict[str, int | None]:
        """Return the size of every table that the run has, as it was written; {} if unknown."""
        try:
            sizes = json.loads((self.folder / MANIFEST).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return sizes if isinstance(sizes, dict) else {}

    def holds(self, wanted: Iterable[str]) -> bool:
        """Whether all is there, and every table that is wanted and that the run has is kept."""
        kept = {name: size for name, size in self.sizes.items() if size is not None}
        known = bool(self.sizes) and all(name in kept for name in wanted if name in self.sizes)
        return known and all(_size(self.file(name)) == size for name, size in kept.items())

    def has(self, table: str) -> bool:
        """Whether the run has a table, and it is kept."""
        return self.sizes.get(table) is not None

    def file(self, table: str) -> Path:
        """Return where a table is."""
        return self.folder / f"{table}.parquet"

    def write(self, result: Result, wanted: Iterable[str]) -> None:
        """Keep those tables of a run that are wanted or were kept before a file was damaged."""
        keep = {*wanted, *filter(self.has, self.sizes)}
        if self.folder.exists() and not Part(self.folder).holds(wanted):
            shutil.rmtree(self.folder, ignore_errors=True)
        with replacing(self.folder) as temporary:
            temporary.mkdir()
            sizes: dict[str, int | None] = {}
            for name, table in result.tables.items():
                path = temporary / f"{name}.parquet"
                if name in keep:
                    write_table(name, table, path)
                sizes[name] = _size(path)
            (temporary / MANIFEST).write_text(json.dumps(sizes), encoding="utf-8")


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None


def read(parts: Sequence[Part], table: str) -> pl.DataFrame:
    """Read a table of many runs; the column `run` is the name of each one's folder.

    A column that some runs lack, as another scheme's counter, is null there.
    """
    files = [part.file(table) for part in parts]
    try:
        data = _together(files)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise _unreadable(files, error) from error
    return data.with_columns(pl.col("run").str.extract(r"([^/\\]+)[/\\][^/\\]+$"))


def _together(files: Sequence[Path]) -> pl.DataFrame:
    try:
        return pl.read_parquet(files, include_file_paths="run")
    except (pl.exceptions.SchemaError, pl.exceptions.ColumnNotFoundError):
        alike: dict[tuple[str, ...], list[Path]] = {}
        for file in files:
            alike.setdefault(tuple(pl.read_parquet_schema(file)), []).append(file)
        tables = [pl.read_parquet(group, include_file_paths="run") for group in alike.values()]
        return pl.concat(tables, how="diagonal")


def _unreadable(files: Sequence[Path], error: Exception) -> OutputError:
    """Find the file that is to blame: its bytes have changed although its size has not."""
    for file in files:
        try:
            pl.read_parquet(file)
        except (OSError, pl.exceptions.PolarsError) as reason:
            return OutputError(
                f"cannot read '{file}': {reason}; delete the folder '{file.parent}' and give the "
                "same command again"
            )
    return OutputError(f"cannot read the parts in '{files[0].parent.parent}': {error}")


def label(names: list[str], labels: list[dict[str, Any]], data: pl.DataFrame) -> pl.DataFrame:
    """Join runs and their labels; a label stands in for the run's own column of that name."""
    rows = [{"run": name, **label} for name, label in zip(names, labels, strict=True)]
    left = pl.DataFrame(rows, infer_schema_length=None, strict=False)
    own = [name for name in data.columns if name not in left.columns]
    return left.join(data.select("run", *own), on="run", maintain_order="left_right")
