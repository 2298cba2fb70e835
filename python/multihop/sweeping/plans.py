"""What a sweep consists of: its points as a table, and more of them as long as means are unsure."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import polars as pl

from ..engine.errors import SweepError
from ..scenario.form import Scenario
from .axes import RUNS_LIMIT
from .batches import Job, engine
from .seeds import Rule
from .store import OWN, Store, run_name


class Point(NamedTuple):
    """One run of a sweep: what it is called in the tables, and what is run.

    `keep` are tables that are kept of this run beside those of all.
    """

    labels: dict[str, Any]
    scenario: Scenario
    keep: tuple[str, ...] = ()


class Plan:
    """The points of a sweep. With `until`, each is a combination that gets seeds of its own."""

    def __init__(
        self,
        grid: Sequence[Point],
        tables: Sequence[str],
        until: Rule | None = None,
        title: str = "",
    ) -> None:
        self.grid = grid
        self.tables = tables
        self.until = until
        # Places of one combination in the order of the whole.
        self.stride = until.most if until else 1
        self.seeds = [until.least if until else 1] * len(grid)
        # How many combinations have the most seeds, and are still unsure.
        self.unsure = 0
        if sum(self.seeds) > RUNS_LIMIT:
            raise SweepError(f"there are more than {RUNS_LIMIT} runs; vary less, or fewer seeds")
        self.name = self._name(title)
        self.table = self._table()

    def _name(self, title: str) -> str:
        """Name the sweep after its title and what is in it."""
        runs = [(run_name(p.scenario.json), p.labels, p.keep) for p in self.grid]
        what = json.dumps([engine(), runs, list(self.tables), self.until], default=str)
        digest = hashlib.blake2b(what.encode(), digest_size=4).hexdigest()
        slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:40]
        return f"{slug or 'sweep'}-{digest}"

    def _table(self) -> pl.DataFrame:
        """Return a row for each run: the columns `store.OWN`, and the labels."""
        rows = [
            {
                "sweep": self.name,
                "engine": engine(),
                "place": place,
                "run": run_name(point.scenario.json),
                "tables": ",".join(dict.fromkeys((*self.tables, *point.keep))),
                "until": str(self.until or ""),
                "scenario": point.scenario.json,
                **point.labels,
            }
            for place, point in self._runs()
        ]
        own = {name: pl.Int64 if name == "place" else pl.String for name in OWN}
        schema = None if rows else own
        return pl.DataFrame(rows, schema, infer_schema_length=None, strict=False)

    def _runs(self) -> list[tuple[int, Point]]:
        if self.until is None:
            return list(enumerate(self.grid))
        return [
            (
                number * self.stride + at,
                Point(
                    point.labels | {"seed": self.until.first + at},
                    point.scenario.with_(seed=self.until.first + at),
                    point.keep,
                ),
            )
            for number, point in enumerate(self.grid)
            for at in range(self.seeds[number])
        ]

    def shard(self, part: int, of: int) -> pl.DataFrame:
        """Return every `of`-th run, or combination if each has seeds of its own."""
        return self.table.filter(pl.col("place") // self.stride % of == part - 1)

    def values(self, store: Store, column: str) -> list[list[float] | None]:
        """Return a number of the runs of every combination; `None` where runs are missing."""
        runs = self.table["run"].to_list()
        known = store.values(runs, column)
        found: list[list[float] | None] = []
        begin = 0
        for count in self.seeds:
            there = [known[run] for run in runs[begin : begin + count] if run in known]
            found.append(there if len(there) == count else None)
            begin += count
        return found

    def grow(self, store: Store) -> bool:
        """Give combinations more seeds that are unsure; whether there are any."""
        if self.until is None:
            return False
        before = self.seeds
        self.seeds, self.unsure = self.until.grown(self, store)
        if self.seeds == before:
            return False
        self.table = self._table()
        return True


def jobs(points: pl.DataFrame, store: Store) -> dict[str, Job]:
    """List the runs that are not in the store, as it was at its last refresh, each once."""
    found: dict[str, Job] = {}
    for run, scenario, tables in points.select("run", "scenario", "tables").iter_rows():
        wanted = tuple(tables.split(","))
        if run in found:
            wanted = tuple(dict.fromkeys((*found[run].tables, *wanted)))
        if store.lacking(run, wanted):
            found[run] = Job(run, scenario, wanted)
    return found
