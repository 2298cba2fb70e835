"""Runs of milliseconds are done by the hundred: one batch in, Parquet files out.

A batch is what a worker is given, a thread here or a process on another machine. The engine puts
tables together for the whole batch, because making columns of a single run for Python, or data
frames, or files, takes as long as a run or longer.
"""

from __future__ import annotations

import io
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from .. import _multihop
from .._multihop import Cancel, Interrupted
from ..engine.errors import EngineError
from ..engine.failures import summary
from ..results.columns import COLUMNS, MEANS_OF_MESSAGES, Column, in_order
from ..results.result import write_table
from ..running import ns3
from ..scenario.form import simulator_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .._multihop import Stacked

# What ends a batch instead of a run.
ENDS = (Interrupted, KeyboardInterrupt, SystemExit)
# Units of columns that are no counts.
MEASURED = ("s", "m", "W", "dBi", "dBm")


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
    """Do the runs of a batch, in one simulator, all of which keep the same tables.

    A run that fails is noted, and the others go on. If `cancel` stops it, what is finished counts.
    """
    if batch.engine != engine():
        raise EngineError(_other_engine(batch.engine, engine()))
    begin, cpu_begin = time.perf_counter(), time.thread_time()
    in_ns3 = any(simulator_of(job.scenario) == "ns3" for job in batch.jobs[:1])
    runs = ns3.Runs() if in_ns3 else _multihop.Runs()
    done: list[str] = []
    failed: dict[str, str] = {}
    for job in batch.jobs:
        try:
            runs.run(job.scenario, job.tables, cancel)
        except Interrupted:
            break
        except ENDS:
            raise
        except BaseException as error:  # a panic of the engine is no Exception
            failed[job.run] = summary(error)
        else:
            done.append(job.run)
    files = {
        name: _parquet(name, _table(name, done, *stacked))
        for name, stacked in runs.tables().items()
    }
    seconds, cpu_seconds = time.perf_counter() - begin, time.thread_time() - cpu_begin
    # A run in ns-3 is a process of its own, which keeps a processor busy all the time.
    return Product(files, tuple(done), seconds, failed, seconds if in_ns3 else cpu_seconds)


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
    known = COLUMNS.get(name, {})
    for key in in_order(name, [*columns, *known]):
        if key in columns:
            found[key] = _column(*columns[key])
        else:  # what other runs have alone, and what ns-3 does not measure
            missing = pl.Series([None], dtype=_kind(key, known[key]))
            found[key] = missing.new_from_index(0, len(owners))
    return pl.DataFrame(found)


def _kind(key: str, column: Column) -> type[pl.DataType]:
    """Return the type of a column that no run of a batch has."""
    if column.is_text:
        return pl.String
    measured = column.unit in MEASURED or key in MEANS_OF_MESSAGES
    return pl.Float64 if measured else pl.Int64


def _column(values: NDArray[np.generic] | list[str], known: NDArray[np.bool_]) -> pl.Series:
    """Return a column; a counter that the schemes of some runs do not have is null there."""
    column = pl.Series(values, dtype=pl.String if isinstance(values, list) else None)
    return column if known.all() else column.set(pl.Series(~known), None)


def _parquet(name: str, table: pl.DataFrame) -> bytes:
    file = io.BytesIO()
    write_table(name, table, file)
    return file.getvalue()
