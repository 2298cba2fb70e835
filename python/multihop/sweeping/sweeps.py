"""Sweeps: many runs that differ in a few keys, kept on disk and resumable.

The results lie in a `store`; a run that is already there is not run again, and a new engine or
another parameter is another run. `plans` say what a sweep consists of, `work` does what is missing,
`collecting` puts it together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from ..engine.errors import FailedError, IncompleteError, Ns3Error, PrototypeError, SweepError
from ..prototype.identity import digest_of, settled
from ..results.columns import in_order
from ..results.result import Result
from ..running.runner import progress_bar
from ..scenario.form import Base, Given, as_base, simulator_of
from ..scenario.noting import announce
from . import axes, parts, plans, repeating
from .collecting import Swept
from .plans import Plan, Point
from .pools import Pool, pool
from .seeds import Rule, Until, check
from .store import Store, labels_of, run_name, said
from .work import Worker

# What a sweep keeps of every run that has it; events would fill the disk.
TABLES = ("runs", "flows", "nodes", "series", "congestion", "messages")


class Shard(NamedTuple):
    """Every `of`-th run, beginning with number `part` (from 1): one job of a job array."""

    part: int = 1
    of: int = 1


class Means(NamedTuple):
    """How a sweep is done: which part, on how many threads, or on which Dask cluster."""

    shard: Shard = Shard()
    workers: int | None = None
    on: str | None = None
    progress: bool = True


class Wanted(NamedTuple):
    """What a sweep is beside its points: its title, the tables it keeps, how many seeds."""

    title: str = ""
    tables: Sequence[str] = TABLES
    until: Rule | None = None


def sweep(
    base: Given,
    vary: Mapping[str, Iterable[Any]],
    out: str | Path,
    *,
    seeds: Until | None = None,
    shard: Shard = Shard(),
    workers: int | None = None,
    on: str | None = None,
    progress: bool = True,
) -> Result:
    """Run `base` with every combination of the values in `vary`, and keep the results in `out`.

    A second call makes only the missing runs; several at once share the work. Every table of the
    result has a column for each key in `vary`. With a `shard`, only that part is run; the call
    after the last run writes the combined tables. With `seeds`, every combination gets as
    many as the precision of its mean takes (`multihop.Until`). The runs are spread over all cores,
    over `workers` of them, or over the workers of the Dask scheduler at the address `on`.

    >>> sweep(base, {"traffic.load": ["50 kbit/s", "100 kbit/s"], "seed": range(10)}, "out")
    """
    if seeds is not None:
        check(seeds)
        if "seed" in vary:
            raise SweepError("`seeds` and `vary` both choose the seeds; leave one of them out")
    means = Means(shard, workers, on, progress)
    wanted = Wanted(until=seeds)
    grid = points(as_base(base), vary)
    announce(point.scenario for point in grid)
    return sweep_points(grid, out, wanted=wanted, means=means).result()


def points(base: Base, vary: Mapping[str, Iterable[Any]], option: str = "") -> list[Point]:
    """List every combination of the values in `vary`, the last key changing fastest.

    Errors of a scenario name the `option` that the values were given with.
    """
    return [Point(given, base.override(given, option)) for given in combinations(vary)]


def combinations(vary: Mapping[str, Iterable[Any]]) -> list[dict[str, Any]]:
    """List every combination of values, the last key changing fastest; each value once."""
    return axes.combinations([axes.axis({key: given}, "") for key, given in vary.items()])


def sweep_points(
    grid: Sequence[Point],
    out: str | Path,
    *,
    wanted: Wanted = Wanted(),
    means: Means = Means(),
) -> Swept:
    """Run what is missing of `grid`; with a rule, points are combinations without a seed.

    Once nothing is missing, of other shards either, the combined tables are written.
    `FailedError` if runs failed, `IncompleteError` if some are missing although none did.
    """
    if means.on is not None:
        _check_cluster(grid)
    store = Store.make(Path(out))
    with settled():
        return _swept(store, grid, wanted, means)


def _swept(store: Store, grid: Sequence[Point], wanted: Wanted, means: Means) -> Swept:
    """Run what is missing, and keep what repeats."""
    plan = Plan(grid, wanted.tables, wanted.until, wanted.title)
    store.refresh()
    there, state = set(store.covered.get("runs", ())), repeating.state(plan.table)
    with pool(means.workers, means.on) as workers:
        while True:
            store.register(plan.table)
            missing = _work(store, plan, workers, means)
            if not plan.grow(store):
                break
    mine = plan.shard(*means.shard)
    repeating.require(store, mine, set(mine["run"]) - there, state)
    done = Swept(store, plan.name, plan.table.height, missing, plan.unsure)
    if not missing:
        done.write()
    return done


def _check_cluster(grid: Sequence[Point]) -> None:
    """Refuse what the workers of a cluster cannot do."""
    if any(digest_of(point.scenario.json) for point in grid):
        raise PrototypeError(
            "a scheme in Python is known to this process only, not to the workers of a cluster; "
            "leave out `on`"
        )
    if any(simulator_of(point.scenario.json) == "ns3" for point in grid):
        raise Ns3Error(
            "runs in ns-3 are done on this machine only, not by the workers of a cluster; leave "
            "out `on`"
        )


def _work(store: Store, plan: Plan, workers: Pool, means: Means) -> int:
    """Run what this call's part of a plan lacks; return how many runs others have not done."""
    mine = plan.shard(*means.shard)
    store.refresh()
    jobs = plans.jobs(mine, store)
    worker = Worker(store, jobs, workers)
    with progress_bar(len(jobs), "runs", shown=means.progress) as show:
        worker.do(show)
    if worker.failed:
        run, error = next(iter(worker.failed.items()))
        values = said(labels_of(mine.filter(pl.col("run") == run).row(0, named=True)))
        raise FailedError(
            f"{len(worker.failed)} of {len(jobs)} runs failed, {values or run} with {error}; "
            f"`multihop status {store.folder}` lists them, and the same command tries them again"
        )
    store.refresh()
    missing = plans.jobs(plan.table, store)
    if lost := missing.keys() & set(mine["run"]):
        raise IncompleteError(
            f"{len(lost)} of {mine.height} runs are missing in '{store.folder}': parts were taken "
            "away or damaged meanwhile; give the same command again"
        )
    return len(missing)


def stack(grid: Sequence[Point], results: Sequence[Result]) -> Result:
    """Put the tables of runs below each other, each row beside its run's labels."""
    names = [run_name(point.scenario.json) for point in grid]
    rows = [{"run": run, **point.labels} for run, point in zip(names, grid, strict=True)]
    labels = pl.DataFrame(rows, infer_schema_length=None, strict=False)
    held = dict.fromkeys(table for result in results for table in result.tables)
    tables = {
        table: pl.concat(
            (
                result.tables[table].with_columns(run=pl.lit(name))
                for name, result in dict(zip(names, results, strict=True)).items()
                if table in result.tables
            ),
            how="diagonal",  # schemes have counters of their own
        )
        for table in held
    }
    return Result(
        {
            name: parts.label(labels, table.select(in_order(name, table.columns)))
            for name, table in tables.items()
        }
    )
