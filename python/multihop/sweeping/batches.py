"""Runs of milliseconds are done by the hundred: one batch in, Parquet files out.

A batch is what a worker is given, a thread here or a process on another machine. Tables are put
together once for the whole batch, from the engine's columns, because making data frames of a
single run, or files, takes longer than the run.
"""

from __future__ import annotations

import io
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from .. import _multihop
from .._multihop import Cancel, Interrupted
from ..columns import COLUMNS, COUNTERS, in_order
from ..errors import EngineError
from ..results import write_table

Columns = Mapping[str, Any]

# What ends a batch instead of a run.
ENDS = (Interrupted, KeyboardInterrupt, SystemExit)


class Job(NamedTuple):
    """A run that is to be done: its name in the store, the scenario, and the tables to keep."""

    run: str
    scenario: str
    tables: tuple[str, ...]


class Batch(NamedTuple):
    """Runs that one worker does one after another, and the engine that they are meant for."""

    jobs: tuple[Job, ...]
    engine: str


@dataclass(frozen=True)
class Product:
    """What became of a batch: Parquet files by table, the runs that are in them, and errors.

    It took so many seconds, and so many of a processor: less where others wanted it, too.
    """

    files: dict[str, bytes]
    runs: tuple[str, ...]
    seconds: float
    failed: dict[str, str] = field(default_factory=dict)
    cpu_seconds: float = 0.0


def engine() -> str:
    """Return the engine's version and a hash of its sources, so that no two are mixed up."""
    return f"{_multihop.version}+{_multihop.sources}"


def perform(batch: Batch, cancel: Cancel | None = None) -> Product:
    """Do the runs of a batch, all of which keep the same tables.

    A run that fails is noted, and the others go on. If `cancel` stops it, what is finished counts.
    """
    if batch.engine != engine():
        raise EngineError(_other_engine(batch.engine, engine()))
    begin, cpu_begin = time.perf_counter(), time.thread_time()
    keep = _Rows()
    failed: dict[str, str] = {}
    for job in batch.jobs:
        try:
            tables = _multihop.run(job.scenario, False, cancel)
        except Interrupted:
            break
        except ENDS:
            raise
        except BaseException as error:  # a panic of the engine is no Exception
            failed[job.run] = f"{type(error).__name__}: {error}"
        else:
            keep.add(job, tables)
    seconds, cpu_seconds = time.perf_counter() - begin, time.thread_time() - cpu_begin
    return Product(keep.files(), tuple(keep.runs), seconds, failed, cpu_seconds)


def _other_engine(wanted: str, there: str) -> str:
    return (
        f"the engine is {there} there and {wanted} here, and their results may differ; install "
        "the same wheel on both"
    )


def check_engines(found: Mapping[str, str]) -> None:
    """Refuse workers, by address, whose engine is another than ours."""
    for worker, name in found.items():
        if name != engine():
            raise EngineError(f"worker {worker}: {_other_engine(engine(), name)}")


class _Rows:
    """The tables of many runs, each as what the engine gave of every run."""

    def __init__(self) -> None:
        self.runs: list[str] = []
        self.owners: dict[str, list[str]] = defaultdict(list)
        self.tables: dict[str, list[Columns]] = defaultdict(list)

    def add(self, job: Job, tables: Mapping[str, Columns]) -> None:
        """Take the tables of a run that are to be kept."""
        self.runs.append(job.run)
        for name in job.tables:
            if name in tables:
                self.owners[name].append(job.run)
                self.tables[name].append(tables[name])

    def files(self) -> dict[str, bytes]:
        """Write every table that any run has."""
        return {name: _parquet(name, self._table(name)) for name in self.tables}

    def _table(self, name: str) -> pl.DataFrame:
        """Put a table together; it has all columns that there are, so that all parts are alike."""
        heights = [len(next(iter(columns.values()))) for columns in self.tables[name]]
        rows = np.repeat(np.arange(len(heights)), heights)
        columns = {"run": pl.Series(self.owners[name]).gather(rows)}
        keys = dict.fromkeys(key for table in self.tables[name] for key in table)
        for key in in_order(name, [*keys, *(COLUMNS.get(name, {}).keys() & COUNTERS.keys())]):
            columns[key] = _joined([table.get(key) for table in self.tables[name]], heights)
        return pl.DataFrame(columns)


def _joined(given: Sequence[Any], heights: Sequence[int]) -> Any:
    """Put a column together; a counter that the schemes of some runs do not have is null there."""
    lacking = [part is None for part in given]
    if all(lacking):
        return pl.repeat(None, sum(heights), dtype=pl.Int64, eager=True)
    if any(lacking):
        # One column with holes: a Polars column for each run would take as long as a run.
        parts = zip(given, heights, strict=True)
        filled = np.concatenate(
            [np.zeros(n, np.int64) if part is None else part for part, n in parts]
        )
        known = pl.Series(np.repeat(np.logical_not(lacking), heights))
        return pl.select(pl.when(known).then(pl.Series(filled))).to_series()
    if isinstance(given[0], list):
        return pl.Series([value for part in given for value in part], dtype=pl.String)
    return np.concatenate(given)


def _parquet(name: str, table: pl.DataFrame) -> bytes:
    file = io.BytesIO()
    write_table(name, table, file)
    return file.getvalue()
