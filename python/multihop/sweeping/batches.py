"""Runs of milliseconds are done by the hundred: one batch in, Parquet files out.

A batch is what a worker is given, a thread here or a process on another machine. The engine puts
tables together for the whole batch, because making columns of a single run for Python, or data
frames, or files, takes as long as a run or longer. Runs in ns-3, which take seconds, come one by
one.
"""

from __future__ import annotations

import io
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from .. import _multihop, ns3
from .._multihop import Cancel, Interrupted
from ..columns import COLUMNS, COUNTERS, in_order
from ..errors import EngineError
from ..failures import summary
from ..results import Result, write_table
from ..scenario import Scenario, simulator_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .._multihop import Stacked

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
    engine_runs = _multihop.Runs()
    done: list[str] = []
    in_ns3: dict[str, Result] = {}
    # A run in ns-3 is a process of its own, which keeps a processor busy all the time.
    ns3_seconds = 0.0
    failed: dict[str, str] = {}
    for job in batch.jobs:
        try:
            if simulator_of(job.scenario) == "ns3":
                started = time.perf_counter()
                in_ns3[job.run] = ns3.simulate(Scenario(job.scenario), cancel=cancel)
                ns3_seconds += time.perf_counter() - started
                continue
            engine_runs.run(job.scenario, job.tables, cancel)
        except Interrupted:
            break
        except ENDS:
            raise
        except BaseException as error:  # a panic of the engine is no Exception
            failed[job.run] = summary(error)
        else:
            done.append(job.run)
    frames = {
        name: [_table(name, done, *stacked)] for name, stacked in engine_runs.tables().items()
    }
    for job in batch.jobs:
        found = in_ns3[job.run].tables if job.run in in_ns3 else {}
        for name in found.keys() & job.tables:
            frames.setdefault(name, []).append(_whole(name, job.run, found[name]))
    files = {name: _parquet(name, pl.concat(tables)) for name, tables in frames.items()}
    seconds, cpu_seconds = time.perf_counter() - begin, time.thread_time() - cpu_begin
    return Product(files, (*done, *in_ns3), seconds, failed, cpu_seconds + ns3_seconds)


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


def _table(
    name: str, runs: Sequence[str], owners: NDArray[np.uint32], columns: Mapping[str, Stacked]
) -> pl.DataFrame:
    """Put a table together; it has all columns that there are, so that all parts are alike."""
    # By index: `gather` and `repeat` are queries, which take longer than their work.
    found = {"run": pl.Series(runs, dtype=pl.String)[owners]}
    unknown = pl.Series([None], dtype=pl.Int64).new_from_index(0, len(owners))
    counters = COLUMNS.get(name, {}).keys() & COUNTERS.keys()
    for key in in_order(name, [*columns, *counters]):
        found[key] = _column(*columns[key]) if key in columns else unknown
    return pl.DataFrame(found)


def _whole(name: str, run: str, table: pl.DataFrame) -> pl.DataFrame:
    """Return the table of a run in ns-3, which does not count everything, with all columns."""
    lacking = {
        key: pl.lit(None, pl.Float64 if about.unit == "s" else pl.Int64)
        for key, about in COLUMNS[name].items()
        if key not in table.columns
    }
    order = in_order(name, [*table.columns, *lacking])
    return table.with_columns(run=pl.lit(run), **lacking).select("run", *order)


def _column(values: NDArray[np.generic] | list[str], known: NDArray[np.bool_]) -> pl.Series:
    """Return a column; a counter that the schemes of some runs do not have is null there."""
    column = pl.Series(values, dtype=pl.String if isinstance(values, list) else None)
    return column if known.all() else column.set(pl.Series(~known), None)


def _parquet(name: str, table: pl.DataFrame) -> bytes:
    file = io.BytesIO()
    write_table(name, table, file)
    return file.getvalue()
