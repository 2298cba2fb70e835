"""Results as a notebook shows them: what was measured, and which tables there are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from ..comparing.comparison import spanned
from ..comparing.measures import END_TO_END_DELAY, GOODPUT, MEASURES, NETWORK_DELAY, Measure
from ..engine.templates import rendered
from ..statistics.intervals import POSITIVE, interval
from .naming import labels, short

if TYPE_CHECKING:
    from ..results.result import Result

# More rows than that are better looked at in the data frame.
MOST_ROWS = 20
FLOW = (
    *("name", "hops", "offered", "lost", "delivered"),
    *(measure.column for measure in (GOODPUT, NETWORK_DELAY, END_TO_END_DELAY)),
)


class Shown(NamedTuple):
    """A table: titles, cells, and how many rows there are beside those."""

    titles: Sequence[str]
    rows: Sequence[Sequence[str]]
    more: int


def html(result: Result) -> str:
    """Return what a notebook shows of one run or of many."""
    runs = result.runs
    about, shown = "", None
    if not runs.is_empty():
        about, shown = _one(result) if runs.height == 1 else _many(runs)
    tables = [(name, table.height) for name, table in result.tables.items()]
    return rendered(__package__, "result.html", about=about, shown=shown, tables=tables)


def _one(result: Result) -> tuple[str, Shown]:
    """Show a run: what it was, and its flows."""
    row = result.runs.row(0, named=True)
    measured = ", ".join(f"{m.name} {_written([row[m.column]], m)} {m.unit}" for m in MEASURES)
    about = f"{row['name']}, {row['scheme']}, seed {row['seed']}: {measured}"
    columns = [name for name in FLOW if name in result.flows.columns]
    known = {measure.column: measure for measure in MEASURES}
    rows = [
        [_written([v], known[k]) if k in known else v for k, v in flow.items()]
        for flow in result.flows.head(MOST_ROWS).select(columns).iter_rows(named=True)
    ]
    titles = [known[name].title if name in known else name for name in columns]
    return about, _table(titles, rows, result.flows.height)


def _many(runs: pl.DataFrame) -> tuple[str, Shown]:
    """Show means over the seeds for each combination of what was varied."""
    keys = [key for key in labels("runs", runs.columns) if key != "seed"]
    if "scheme.name" not in keys and runs["scheme"].n_unique() > 1:
        keys = ["scheme", *keys]
    parts = runs.group_by(keys, maintain_order=True) if keys else [((), runs)]
    rows: list[list[Any]] = []
    for values, part in parts:
        if len(rows) == MOST_ROWS:
            break
        rows.append([*values, part.height, *(_written(part[m.column], m) for m in MEASURES)])
    count = runs.select(keys).n_unique() if keys else 1
    titles = [*map(_title, keys), "runs", *(measure.title for measure in MEASURES)]
    seeds = "mean [95 % confidence interval] over the runs"
    return f"{runs.height:,} runs; {seeds}", _table(titles, rows, count)


def _title(key: str) -> str:
    return key.removesuffix(".name") if key == "scheme.name" else short(key)


def _written(values: Iterable[Any], measure: Measure) -> str:
    """Write the mean of a measure, with its interval if there are several values."""
    known = [float(value) for value in values if value is not None and math.isfinite(value)]
    if not known:
        return "-"
    low, high = interval(known, POSITIVE._replace(high=measure.most)) or (None, None)
    return spanned(sum(known) / len(known), low, high, measure)


def _table(titles: Sequence[str], rows: Sequence[Sequence[Any]], height: int) -> Shown:
    texts = [["-" if value is None else str(value) for value in row] for row in rows]
    return Shown(titles, texts, height - len(rows))
