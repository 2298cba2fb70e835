"""Results as a notebook shows them: what was measured, and which tables there are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import polars as pl

from ..comparing.comparison import spanned
from ..comparing.measures import END_TO_END_DELAY, GOODPUT, MEASURES, NETWORK_DELAY, Measure
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
NUMBER = "text-align:right"


def html(result: Result) -> str:
    """Return what a notebook shows of one run or of many."""
    runs = result.runs
    if runs.is_empty():
        return "<p>no runs</p>"
    shown = _one(result) if runs.height == 1 else _many(runs)
    sizes = (
        f"<code>{escape(name)}</code> ({table.height:,} rows)"
        for name, table in result.tables.items()
    )
    return f"{shown}<p>Tables: {', '.join(sizes)}</p>"


def _one(result: Result) -> str:
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
    return f"<p>{escape(about)}</p>{_table(titles, rows, result.flows.height)}"


def _many(runs: pl.DataFrame) -> str:
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
    return f"<p>{runs.height:,} runs; {seeds}</p>{_table(titles, rows, count)}"


def _title(key: str) -> str:
    return key.removesuffix(".name") if key == "scheme.name" else short(key)


def _written(values: Iterable[Any], measure: Measure) -> str:
    """Write the mean of a measure, with its interval if there are several values."""
    known = [float(value) for value in values if value is not None and math.isfinite(value)]
    if not known:
        return "-"
    low, high = interval(known, POSITIVE._replace(high=measure.most)) or (None, None)
    return spanned(sum(known) / len(known), low, high, measure)


def _table(titles: Sequence[str], rows: Sequence[Sequence[Any]], height: int) -> str:
    head = "".join(f"<th>{escape(title)}</th>" for title in titles)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    more = f"<p>... and {height - len(rows):,} more</p>" if height > len(rows) else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _cell(value: Any) -> str:
    text = "-" if value is None else str(value)
    style = "" if text[:1].isalpha() else f' style="{NUMBER}"'
    return f"<td{style}>{escape(text)}</td>"
