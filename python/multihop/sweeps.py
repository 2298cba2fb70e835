"""Sweeps: many runs that differ in a few keys, kept on disk and resumable.

    OUT/parts/<key>/...     one finished run each; see `parts`
    OUT/runs.parquet ...    all of them below each other, once none is missing

The key is a hash of the scenario and of the engine: a run that is already there is not run
again, and a new engine or another parameter is another run.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from . import _multihop, parts
from ._multihop import Cancel
from .errors import IncompleteError, SweepError
from .parts import Part
from .results import Result, make_folder
from .runner import simulate, spread
from .scenario import Base, Scenario

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
    base: Base,
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


def points(base: Base, vary: Mapping[str, Iterable[Any]], option: str = "") -> list[Point]:
    """List every combination of the values in `vary`, the last key changing fastest.

    Errors of a scenario name the `option` that the values were given with.
    """
    return [Point(given, base.override(given, option)) for given in combinations(vary)]


def combinations(vary: Mapping[str, Iterable[Any]]) -> list[dict[str, Any]]:
    """List every combination of values, the last key changing fastest; each value once."""
    values = {key: list(given) for key, given in vary.items()}
    for key, given in values.items():
        if not given:
            raise SweepError(f"there is no value of '{key}' to try; name at least one")
        written = [json.dumps(value, default=str) for value in given]
        if twice := next((text for text in written if written.count(text) > 1), None):
            raise SweepError(f"'{key}' has the value {twice} twice; a run is done once only")
    return [dict(zip(values, row, strict=True)) for row in itertools.product(*values.values())]


def sweep_points(
    grid: Sequence[Point],
    out: str | Path,
    *,
    tables: Sequence[str] = TABLES,
    shard: Shard = Shard(),
    workers: int | None = None,
    progress: bool = True,
) -> Result:
    """Run what is missing of `grid` and return all that is there, in the order of the grid.

    Without a `shard` that is everything; `IncompleteError` if a run of this call is missing still.
    """
    out = Path(out)
    store = make_folder(out / "parts")
    folders = [store / key(point.scenario) for point in grid]
    wanted: dict[Path, set[str]] = {folder: set(tables) for folder in folders}
    for folder, point in zip(folders, grid, strict=True):
        wanted[folder].update(point.keep)
    mine = dict(list(zip(folders, grid, strict=True))[shard.part - 1 :: shard.of])
    jobs = [item for item in mine.items() if not Part(item[0]).holds(wanted[item[0]])]

    def job(index: int, cancel: Cancel) -> None:
        folder, point = jobs[index]
        Part(folder).write(simulate(point.scenario, cancel=cancel), wanted[folder])

    spread(job, len(jobs), workers=workers, progress=progress)
    found = {folder: Part(folder) for folder in wanted}
    there = [
        (found[folder], point.labels)
        for folder, point in zip(folders, grid, strict=True)
        if found[folder].holds(wanted[folder])
    ]
    if lacking := [folder for folder in mine if not found[folder].holds(wanted[folder])]:
        raise IncompleteError(
            f"{len(lacking)} of {len(mine)} runs are missing in '{store}', as their folders there "
            f"are damaged and cannot be replaced; delete them, as '{lacking[0].name}', and give "
            "the same command again"
        )
    # Some tables only some runs have, or none; without any run, all are there and empty.
    names = dict.fromkeys((*tables, *(name for point in grid for name in point.keep)))
    having = {name: [run for run in there if run[0].has(name)] for name in names}
    combined = Result(
        {name: _combine(runs, name) for name, runs in having.items() if runs or not there}
    )
    if len(there) == len(grid):
        combined.write(out)
    return combined


def key(scenario: Scenario) -> str:
    """Return the name of a run on disk: a hash of the scenario and of the engine."""
    return hashlib.blake2b(f"{engine()}\n{scenario.json}".encode(), digest_size=12).hexdigest()


def engine() -> str:
    """Return the engine's version and a hash of its sources, so that no two are mixed up."""
    return f"{_multihop.version}+{_multihop.sources}"


def stack(grid: Sequence[Point], results: Sequence[Result]) -> Result:
    """Put the tables of runs below each other, each row beside its run's labels."""
    names = [key(point.scenario) for point in grid]
    tables = {
        table: pl.concat(
            (
                result.tables[table].with_columns(run=pl.lit(name))
                for name, result in dict(zip(names, results, strict=True)).items()
            ),
            how="diagonal",  # schemes have counters of their own
        )
        for table in (results[0].tables if results else ())
    }
    labels = [point.labels for point in grid]
    return Result({name: parts.label(names, labels, table) for name, table in tables.items()})


def _combine(there: Sequence[tuple[Part, dict[str, Any]]], table: str) -> pl.DataFrame:
    """Read a table of many runs, each row beside its run's labels."""
    if not there:
        return pl.DataFrame()
    data = parts.read(list(dict.fromkeys(part for part, _ in there)), table)
    names = [part.folder.name for part, _ in there]
    return parts.label(names, [labels for _, labels in there], data)
