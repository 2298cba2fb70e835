"""Sweeps: many runs that differ in a few keys, kept on disk and resumable.

    OUT/parts/<key>/runs.parquet ...   one finished run; the folder appears whole or not at all
    OUT/runs.parquet ...               all of them below each other, once none is missing

The key is a hash of the scenario and of the engine: a run that is already there is not run
again, and a new engine or another parameter is another run.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from . import _multihop
from ._multihop import Cancel
from .results import Result, make_folder, replacing
from .runner import simulate, spread
from .scenario import Scenario

# What a sweep keeps of every run that has it; events would fill the disk.
TABLES = ("runs", "flows", "nodes", "series", "congestion")


class Point(NamedTuple):
    """One run of a sweep: what it is called in the tables, and what is run.

    `keep` are tables that are kept of this run beside those of all.
    """

    labels: dict[str, Any]
    scenario: Scenario
    keep: tuple[str, ...] = ()


class Shard(NamedTuple):
    """Every `of`-th run, beginning with number `part` (from 1): one job of a job array."""

    part: int = 1
    of: int = 1


def sweep(
    base: Scenario,
    vary: Mapping[str, Iterable[Any]],
    out: str | Path,
    *,
    shard: Shard = Shard(),
    workers: int | None = None,
    progress: bool = True,
) -> Result:
    """Run `base` with every combination of the values in `vary`, and keep the results in `out`.

    A second call runs only what is missing. Every table of the result has a column for each key
    in `vary`. With a `shard`, only that part is run; the call that finds nothing missing writes
    the combined tables.

    >>> sweep(base, {"traffic.load": ["50 kbit/s", "100 kbit/s"], "seed": range(10)}, "out")
    """
    return sweep_points(points(base, vary), out, shard=shard, workers=workers, progress=progress)


def points(base: Scenario, vary: Mapping[str, Iterable[Any]]) -> list[Point]:
    """List every combination of the values in `vary`, the last key changing fastest."""
    combinations = itertools.product(*vary.values())
    overrides = [dict(zip(vary, values, strict=True)) for values in combinations]
    return [Point(override, base.with_(**override)) for override in overrides]


def sweep_points(
    grid: Sequence[Point],
    out: str | Path,
    *,
    tables: Sequence[str] = TABLES,
    shard: Shard = Shard(),
    workers: int | None = None,
    progress: bool = True,
) -> Result:
    """Run what is missing of `grid` and return all that is there, in the order of the grid."""
    out = Path(out)
    parts = make_folder(out / "parts")
    folders = [parts / key(point.scenario) for point in grid]
    missing = {
        folder: point
        for folder, point in list(zip(folders, grid, strict=True))[shard.part - 1 :: shard.of]
        if not folder.exists()
    }
    jobs = list(missing.items())

    def job(index: int, cancel: Cancel) -> None:
        folder, point = jobs[index]
        result = simulate(point.scenario, cancel=cancel)
        wanted = {*tables, *point.keep}
        with replacing(folder) as temporary:
            kept = {name: table for name, table in result.tables.items() if name in wanted}
            Result(kept).write(temporary)

    spread(job, len(jobs), workers=workers, progress=progress)
    there = [
        (folder, point.labels)
        for folder, point in zip(folders, grid, strict=True)
        if folder.exists()
    ]
    # Some tables only some runs have, or none; without any run, all are there and empty.
    names = dict.fromkeys((*tables, *(name for point in grid for name in point.keep)))
    having = {name: _having(there, name) for name in names}
    combined = Result(
        {name: _combine(runs, name) for name, runs in having.items() if runs or not there}
    )
    if len(there) == len(grid):
        combined.write(out)
    return combined


def key(scenario: Scenario) -> str:
    """Return the name of a run on disk: a hash of the scenario and of the engine."""
    return hashlib.blake2b(f"{engine()}\n{scenario.json}".encode(), digest_size=12).hexdigest()


@cache
def engine() -> str:
    """Return the engine's version and a hash of its code, so that no two builds are mixed up."""
    module = getattr(_multihop, "__file__", None)
    code = Path(module).read_bytes() if module else b""
    return f"{_multihop.version}+{hashlib.blake2b(code, digest_size=4).hexdigest()}"


def stack(grid: Sequence[Point], results: Sequence[Result]) -> Result:
    """Put the tables of runs below each other, each row beside its run's labels."""
    names = [key(point.scenario) for point in grid]
    tables = {
        table: pl.concat(
            result.tables[table].with_columns(run=pl.lit(name))
            for name, result in dict(zip(names, results, strict=True)).items()
        )
        for table in (results[0].tables if results else ())
    }
    labels = [point.labels for point in grid]
    return Result({name: _label(names, labels, table) for name, table in tables.items()})


Finished = Sequence[tuple[Path, dict[str, Any]]]


def _having(there: Finished, table: str) -> Finished:
    """Select the runs that have a table."""
    return [(folder, labels) for folder, labels in there if (folder / f"{table}.parquet").exists()]


def _combine(there: Finished, table: str) -> pl.DataFrame:
    """Read a table of many runs, each row beside its run's labels."""
    if not there:
        return pl.DataFrame()
    names = [folder.name for folder, _ in there]
    files = [folder / f"{table}.parquet" for folder in dict.fromkeys(folder for folder, _ in there)]
    data = pl.read_parquet(files, include_file_paths="run").with_columns(
        pl.col("run").str.extract(r"([^/\\]+)[/\\][^/\\]+$")
    )
    return _label(names, [labels for _, labels in there], data)


def _label(names: list[str], labels: list[dict[str, Any]], data: pl.DataFrame) -> pl.DataFrame:
    """Join runs and their labels; a label stands in for the run's own column of that name."""
    rows = [{"run": name, **label} for name, label in zip(names, labels, strict=True)]
    left = pl.DataFrame(rows, infer_schema_length=None, strict=False)
    own = [name for name in data.columns if name not in left.columns]
    return left.join(data.select("run", *own), on="run", maintain_order="left_right")
