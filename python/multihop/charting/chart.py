"""What a chart shows: one column over another, a line for each value of a third.

A point stands for runs that differ in their seed alone. Of several rows of one run, as in `flows`,
the mean counts: runs are independent of each other, rows of a run are not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from ..engine.errors import ChartError
from ..results.result import in_words, word
from ..statistics.intervals import FIXED, Design, interval
from ..statistics.stats import Values
from .naming import Places, Scale, find, labels, places, scale, short, title, varied

STATISTICS = ("mean", "median")
# How likely the interval holds what it is of.
CONFIDENCE = 0.95
AXES = ("x", "y")


class Wanted(NamedTuple):
    """What to show; columns by their names or by what people call them.

    `by` makes lines, `facet` panels; `where` keeps runs whose keys have these values.
    """

    x: str
    y: str
    by: tuple[str, ...] = ()
    facet: str | None = None
    statistic: str = STATISTICS[0]
    table: str = "runs"
    where: Mapping[str, Any] = {}
    log: tuple[str, ...] = ()
    # How the seeds were chosen.
    design: Design = FIXED


@dataclass(frozen=True)
class Line:
    """A line of a panel: its name, its values of `by`, and its points in the order of x.

    `low` and `high` are a 95 % confidence interval; NaN where there is none.
    """

    name: str
    keys: tuple[Any, ...]
    x: Values
    y: Values
    low: Values
    high: Values
    runs: Values
    # What cannot be exceeded, if it was asked for.
    bound: Values | None = None


@dataclass(frozen=True)
class Panel:
    """One of the panels; without facets there is one without a title."""

    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Chart:
    """Everything that is drawn, in the units in which it is drawn."""

    wanted: Wanted
    x: str
    y: str
    by: tuple[str, ...]
    x_title: str
    y_title: str
    # Where x is no number, the names of its places.
    ticks: tuple[str, ...]
    panels: tuple[Panel, ...]
    bound: str | None = None
    # A title of one's own.
    caption: str = ""

    @property
    def title(self) -> str:
        """What is shown, in words."""
        if self.caption:
            return self.caption
        by = f" by {', '.join(map(short, self.by))}" if self.by else ""
        return f"{self.wanted.statistic} {title(self.y, '')} over {short(self.x)}{by}"

    @property
    def table(self) -> pl.DataFrame:
        """The numbers: a row for each point, in the units of the axes."""
        return pl.DataFrame(list(self.rows()), infer_schema_length=None, strict=False)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Go through the points; what there is not is `None`."""
        for panel in self.panels:
            for line in panel.lines:
                for at, x in enumerate(line.x):
                    row: dict[str, Any] = {"panel": panel.title} if panel.title else {}
                    row |= {"line": line.name} if self.by else {}
                    row["x"] = self.ticks[int(x)] if self.ticks else float(x)
                    row |= {
                        name: _known(values[at])
                        for name, values in (("y", line.y), ("low", line.low), ("high", line.high))
                    }
                    row["runs"] = int(line.runs[at])
                    if line.bound is not None:
                        row["bound"] = _known(line.bound[at])
                    yield row

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "title": self.title,
            "x": {"column": self.x, "title": self.x_title},
            "y": {"column": self.y, "title": self.y_title},
            "by": list(self.by),
            "statistic": self.wanted.statistic,
            "confidence": CONFIDENCE,
            "bound": self.bound,
            "points": list(self.rows()),
        }


def _known(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


class Columns(NamedTuple):
    """The columns of a table that are meant."""

    x: str
    y: str
    by: tuple[str, ...]
    facet: str | None

    @property
    def apart(self) -> list[str]:
        """What tells points apart."""
        return list(dict.fromkeys([self.x, *self.by, *([self.facet] if self.facet else [])]))


def chart(frame: pl.DataFrame, wanted: Wanted, bounds: Mapping[str, float] | None = None) -> Chart:
    """Make a chart of the rows of many runs; `bounds` say what a run cannot exceed, by its name."""
    _check(wanted)
    frame = _kept(in_words(frame), wanted)
    columns = Columns(
        find(wanted.x, frame.columns),
        find(wanted.y, frame.columns),
        tuple(dict.fromkeys(find(name, frame.columns) for name in wanted.by)),
        find(wanted.facet, frame.columns) if wanted.facet else None,
    )
    if not frame[columns.y].dtype.is_numeric():
        raise ChartError(f"'{columns.y}' is no number, so it cannot be on the y axis")
    _refuse_mixtures(frame, columns, wanted.table)
    runs = _per_run(frame, columns, bounds)
    largest = float(np.nanmax(np.abs(runs["_y"].to_numpy()), initial=0.0))
    y_scale = scale(wanted.table, columns.y, largest)
    x_places, x_scale = _x(runs, columns.x, wanted.table)
    found = Chart(
        wanted,
        columns.x,
        columns.y,
        columns.by,
        title(columns.x, x_scale.unit),
        title(columns.y, y_scale.unit),
        x_places.ticks,
        tuple(_panels(runs, columns, wanted, (x_places, x_scale.factor, y_scale.factor))),
    )
    _refuse_logarithms(found)
    return found


def _check(wanted: Wanted) -> None:
    if wanted.statistic not in STATISTICS:
        raise ChartError(
            f"there is no statistic '{wanted.statistic}'; there are: {', '.join(STATISTICS)}"
        )
    if unknown := next((name for name in wanted.log if name not in AXES), None):
        raise ChartError(f"'{unknown}' is no axis; a logarithmic one is x, y or both, as in x,y")


def _kept(frame: pl.DataFrame, wanted: Wanted) -> pl.DataFrame:
    """Keep the runs that are asked for."""
    for name, value in wanted.where.items():
        column = find(name, frame.columns)
        there = frame[column].unique(maintain_order=True).to_list()
        kept = frame.filter(pl.Series([str(one) == word(value) for one in frame[column]]))
        if kept.is_empty():
            shown = ", ".join(map(str, there[:10]))
            raise ChartError(f"no run has {column} = {value}; there are: {shown}")
        frame = kept
    if frame.is_empty():
        raise ChartError(f"the table '{wanted.table}' has no rows; give the command of the sweep")
    return frame


def _refuse_mixtures(frame: pl.DataFrame, columns: Columns, table: str) -> None:
    """Refuse to throw together runs that differ in more than their seed."""
    keys = [key for key in labels(table, frame.columns) if key != "seed"]
    others = [
        key
        for key in varied(frame, [*keys, "scheme"] if "scheme" in frame.columns else keys)
        if key not in columns.apart
    ]
    for key in others:
        most = frame.group_by(columns.apart).agg(pl.col(key).n_unique())[key].max()
        if int(most or 0) > 1:  # type: ignore[arg-type]
            values = ", ".join(map(str, frame[key].unique(maintain_order=True).to_list()[:4]))
            raise ChartError(
                f"'{key}' was varied as well ({values}), and runs that differ in it would be "
                f"thrown together; give it as --by or --facet, or choose one, as in --where "
                f'"{key}={frame[key][0]}"'
            )


def _per_run(
    frame: pl.DataFrame, columns: Columns, bounds: Mapping[str, float] | None
) -> pl.DataFrame:
    """Return one row for each run and place, with its value as `_y`."""
    one = frame.with_row_index("_row")
    runs = "run" if "run" in frame.columns else "_row"
    apart = list(dict.fromkeys([runs, *columns.apart]))
    cut = one.select(pl.col(columns.y).cast(pl.Float64).alias("_y"), *apart)
    kept = cut.filter(pl.col("_y").is_finite())
    if kept.is_empty():
        raise ChartError(f"'{columns.y}' has no number in any run, so there is nothing to draw")
    each = kept.group_by(apart, maintain_order=True).agg(pl.col("_y").mean())
    if bounds is None:
        return each
    limits = [bounds.get(run, math.nan) for run in each[runs]]
    return each.with_columns(pl.Series("_bound", limits, dtype=pl.Float64))


def _x(runs: pl.DataFrame, column: str, table: str) -> tuple[Places, Scale]:
    """Return where the values of x stand, and in which unit."""
    found = places(runs[column])
    if found.ticks or column in labels(table, [column]):
        return found, Scale(1.0, found.unit)
    return found, scale(table, column, max(map(abs, found.at.values())))


def _panels(
    runs: pl.DataFrame, columns: Columns, wanted: Wanted, axes: tuple[Places, float, float]
) -> Iterator[Panel]:
    if columns.facet is None:
        yield Panel("", tuple(_lines(runs, columns, wanted, axes)))
        return
    for (value,), part in runs.group_by([columns.facet], maintain_order=True):
        name = f"{short(columns.facet)} = {value}"
        yield Panel(name, tuple(_lines(part, columns, wanted, axes)))


def _lines(
    runs: pl.DataFrame, columns: Columns, wanted: Wanted, axes: tuple[Places, float, float]
) -> Iterator[Line]:
    if not columns.by:
        yield _line("", (), runs, columns, wanted, axes)
        return
    for keys, part in runs.group_by(columns.by, maintain_order=True):
        name = ", ".join(_word(key, value) for key, value in zip(columns.by, keys, strict=True))
        yield _line(name, keys, part, columns, wanted, axes)


def _word(key: str, value: Any) -> str:
    """Say which line it is: a name says it alone, a number needs its key."""
    return str(value) if isinstance(value, str) else f"{short(key)} = {value}"


def _line(
    name: str,
    keys: tuple[Any, ...],
    runs: pl.DataFrame,
    columns: Columns,
    wanted: Wanted,
    axes: tuple[Places, float, float],
) -> Line:
    where, x_factor, y_factor = axes
    found = []
    for (value,), part in runs.group_by([columns.x], maintain_order=True):
        numbers = part["_y"].to_numpy()
        bound = part["_bound"].mean() if "_bound" in part.columns else math.nan
        found.append((where.at[value], *summary(numbers, wanted), bound, len(numbers)))
    x, y, low, high, bound, count = np.array(sorted(found), dtype=float).T
    limits = bound * y_factor if "_bound" in runs.columns else None
    scaled = (y * y_factor, low * y_factor, high * y_factor)
    return Line(name, keys, x * x_factor, *scaled, count, limits)


def summary(values: Values, wanted: Wanted) -> tuple[float, float, float]:
    """Return a mean or a median, and its 95 % confidence interval; NaN where there is none."""
    if wanted.statistic == "mean":
        ends = interval(values.tolist(), design=wanted.design) or (math.nan, math.nan)
        return float(np.mean(values)), *ends
    low, high = median_interval(values)
    return float(np.median(values)), low, high


def median_interval(values: Sequence[float] | Values) -> tuple[float, float]:
    """Return an interval that holds the median with at least 95 %, whatever the distribution.

    Its ends are values themselves (Conover: Practical Nonparametric Statistics, 1999, 3.2); fewer
    than six cannot be that sure.
    """
    count = len(values)
    below = accumulate(math.comb(count, at) for at in range(count))
    tail = (1 - CONFIDENCE) / 2 * 2.0**count
    outside = sum(1 for mass in below if mass <= tail)
    if outside == 0:
        return math.nan, math.nan
    ordered = np.sort(np.asarray(values, dtype=float))
    return float(ordered[outside - 1]), float(ordered[count - outside])


def _refuse_logarithms(found: Chart) -> None:
    """Refuse logarithms of what has none."""
    lines = [line for panel in found.panels for line in panel.lines]
    for axis, name in (("x", found.x), ("y", found.y)):
        if axis not in found.wanted.log:
            continue
        if axis == "x" and found.ticks:
            raise ChartError(f"'{name}' is no number, so its axis cannot be logarithmic")
        least = min(float((line.x if axis == "x" else line.y).min()) for line in lines)
        if least <= 0:
            raise ChartError(
                f"'{name}' is {least:g} somewhere, which has no logarithm; leave {axis} out of "
                "--log, or leave these runs out with --where"
            )
