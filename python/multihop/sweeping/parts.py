"""The parts of a store on disk: each a folder with the tables of many finished runs.

    parts/ID/runs.parquet, flows.parquet ...   the tables that are kept, with a column `run`
    parts/ID/part.json                         which runs, which tables, how large each file is

The folder appears whole or not at all. If a file is gone or has another size later, after a crash
of the machine or by somebody's hand, the part counts as missing, and its runs are done again.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from ..engine.errors import OutputError
from ..engine.texts import read_json
from ..results.result import first_line, write_table
from .batches import Product

MANIFEST = "part.json"


@dataclass(frozen=True)
class Part:
    """Finished runs: `tables` are kept of each that has them, with these sizes in bytes."""

    folder: Path
    runs: tuple[str, ...]
    tables: tuple[str, ...]
    sizes: Mapping[str, int]
    seconds: float
    cpu_seconds: float

    @classmethod
    def load(cls, folder: Path) -> Part | None:
        """Read what a part says of itself; `None` if it is damaged."""
        try:
            known = read_json(folder / MANIFEST)
            part = cls(
                folder,
                tuple(map(str, known["runs"])),
                tuple(map(str, known["tables"])),
                {str(name): int(size) for name, size in known["sizes"].items()},
                float(known["seconds"]),
                # Not written down before there was this key.
                float(known.get("cpu_seconds", known["seconds"])),
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError):
            return None
        whole = all(_size(part.file(name)) == size for name, size in part.sizes.items())
        return part if whole else None

    def file(self, table: str) -> Path:
        """Return where a table is."""
        return self.folder / f"{table}.parquet"


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None


def name_of(runs: Iterable[str], tables: Iterable[str]) -> str:
    """Name a part by what is in it."""
    text = json.dumps([sorted(runs), sorted(tables)])
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def write(folder: Path, product: Product, tables: Sequence[str]) -> None:
    """Write a part into a folder that does not count yet; after this it is on the disk."""
    folder.mkdir()
    for name, data in product.files.items():
        _write(folder / f"{name}.parquet", data)
    manifest = {
        "runs": product.runs,
        "tables": tables,
        "sizes": {name: len(data) for name, data in product.files.items()},
        "seconds": product.seconds,
        "cpu_seconds": product.cpu_seconds,
    }
    _write(folder / MANIFEST, json.dumps(manifest).encode())


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def load(part: Part) -> Product:
    """Read a part as it was written."""
    files = {name: part.file(name).read_bytes() for name in part.sizes}
    return Product(files, part.runs, part.seconds, cpu_seconds=part.cpu_seconds)


def only(product: Product, runs: Collection[str], tables: Collection[str]) -> Product:
    """Return some runs of a product, and some of their tables."""
    files = {}
    for name in product.files.keys() & tables:
        file = io.BytesIO()
        table = pl.read_parquet(io.BytesIO(product.files[name]))
        write_table(name, table.filter(pl.col("run").is_in(list(runs))), file)
        files[name] = file.getvalue()
    share = len(runs) / len(product.runs)
    cpu_seconds = product.cpu_seconds * share
    return Product(files, tuple(runs), product.seconds * share, cpu_seconds=cpu_seconds)


def read(parts: Iterable[Part], table: str, columns: Sequence[str] | None = None) -> pl.DataFrame:
    """Read a table of many runs; the column `run` is the name of each."""
    files = [part.file(table) for part in parts]
    try:
        return pl.read_parquet(files, columns=None if columns is None else list(columns))
    except (OSError, pl.exceptions.PolarsError) as error:
        raise _unreadable(files, error) from error


def _unreadable(files: Sequence[Path], error: Exception) -> OutputError:
    """Find the file that is to blame: its bytes have changed although its size has not."""
    for file in files:
        try:
            pl.read_parquet(file)
        except (OSError, pl.exceptions.PolarsError) as reason:
            return OutputError(
                f"cannot read '{file}': {first_line(reason)}; delete the folder "
                f"'{file.parent}' and give the same command again"
            )
    return OutputError(f"cannot read the parts in '{files[0].parent.parent}': {first_line(error)}")


def label(points: pl.DataFrame, data: pl.DataFrame) -> pl.DataFrame:
    """Join points, which have a column `run` beside their labels, and the rows of their runs.

    A label stands in for the run's own column of that name.
    """
    own = [name for name in data.columns if name not in points.columns]
    return points.join(data.select("run", *own), on="run", maintain_order="left_right")
