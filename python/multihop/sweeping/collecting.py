"""Putting the runs of a sweep together: one table below another, each row with its labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from ..engine.errors import OutputError
from ..results.columns import COLUMNS, COUNTERS, DIFFERING
from ..results.result import Result, explained, replacing, write_table
from . import parts
from .parts import Part
from .store import OWN, Store, read_points


class Swept(NamedTuple):
    """A sweep in a store: its name there, how many runs it has, and how many are missing.

    `unsure` says of how many combinations the interval is too wide, although they have the most
    seeds.
    """

    store: Store
    name: str
    runs: int
    missing: int
    unsure: int = 0

    def result(self) -> Result:
        """Read all that is there, in the order of the sweep."""
        return Result(dict(_tables(self)))

    @property
    def kept(self) -> list[str]:
        """The tables that are kept of any run which has them."""
        return _kept(self.store.sweeps()[self.name])

    def table(self, name: str) -> pl.DataFrame:
        """Read one table; no rows and no columns if no run has it."""
        return next((found for table, found in _tables(self, (name,)) if table == name), _NONE)

    def scenarios(self) -> dict[str, str]:
        """Return the scenario of every run as JSON, by the run's name."""
        files = self.store.point_files(self.name)
        points = pl.concat([read_points(file, "run", "scenario") for file in files])
        return dict(points.iter_rows())

    def write(self) -> list[Path]:
        """Write the tables into the store's folder, one after another, and return their paths."""
        folder = self.store.folder
        paths = []
        for name, table in _tables(self):
            paths.append(folder / f"{name}.parquet")
            with replacing(paths[-1]) as temporary:
                write_table(name, table, temporary)
        with explained(folder):
            for name in COLUMNS:  # of another sweep, which had it
                if folder / f"{name}.parquet" not in paths:
                    (folder / f"{name}.parquet").unlink(missing_ok=True)
        return paths


# Tables that every run has, even if without rows.
ALWAYS = ("runs", "flows", "nodes", "series")
_NONE = pl.DataFrame()


def swept(folder: Path, name: str | None = None) -> Swept:
    """Find a sweep in a store, by its name if there are several."""
    store = Store.open(folder)
    store.refresh()
    sweeps = store.sweeps()
    if not sweeps:
        raise OutputError(f"'{folder}' has no sweep yet; give the command of one")
    if name is None and len(sweeps) > 1:
        raise OutputError(
            f"'{folder}' has several sweeps; choose one with --sweep: {', '.join(sweeps)}"
        )
    name = next(iter(sweeps)) if name is None else name
    if name not in sweeps:
        raise OutputError(
            f"there is no sweep '{name}' in '{folder}'; there are: {', '.join(sweeps)}"
        )
    points = sweeps[name]
    return Swept(store, name, points.height, points.height - _there(store, points).height)


def _there(store: Store, points: pl.DataFrame) -> pl.DataFrame:
    """Return the points of which every table is kept."""
    held = [
        not store.lacking(run, tables.split(","))
        for run, tables in points.select("run", "tables").iter_rows()
    ]
    return points.filter(pl.Series(held, dtype=pl.Boolean))


def _tables(done: Swept, names: Sequence[str] = ()) -> Iterator[tuple[str, pl.DataFrame]]:
    """Yield the tables that any run has; all of them, without rows, if no run is there."""
    store = done.store
    points = store.sweeps()[done.name]
    there = _there(store, points)
    for name in names or _kept(points):
        holding: dict[Path, Part] = {}
        wanted = there.filter(pl.col("tables").str.split(",").list.contains(name))
        for run in wanted["run"]:
            part = store.covered[name][run]
            if name in part.sizes:
                holding[part.folder] = part
        labels = wanted.drop([c for c in OWN if c != "run"], strict=False)
        if holding:
            found = parts.label(labels, parts.read(holding.values(), name))
            of_some = [c for c in (*COUNTERS, *DIFFERING) if c in found.columns]
            found = found.drop([column for column in of_some if _is_null(found[column])])
            if found.height or name in ALWAYS:
                yield name, found
        elif there.is_empty():
            yield name, _NONE


def _kept(points: pl.DataFrame) -> list[str]:
    return list(dict.fromkeys(name for text in points["tables"] for name in text.split(",")))


def _is_null(column: pl.Series) -> bool:
    """Whether no scheme of these runs has a counter."""
    return column.null_count() == len(column)


def merge(into: Path, folders: Iterable[Path]) -> None:
    """Take what other stores have into one: what it has already is left there."""
    store = Store.make(into)
    for folder in folders:
        other = Store.open(folder)
        other.refresh()
        for file in other.point_files():
            store.register(read_points(file))
        for part in other.parts.values():
            store.adopt(part)
        for about in other.failures().values():
            if store.lacking(about["run"], ("runs",)):
                store.note_failure(about)
