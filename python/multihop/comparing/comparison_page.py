"""The page of a comparison: a figure for every measure, and the numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from matplotlib.axes import Axes

from ..charting.figure import Line, Style, canvas, draw_bound, draw_lines, scheme_style
from ..reporting.report import Page, Table, write_page
from ..sweeping.axes import QUANTITY
from ..sweeping.batches import engine
from .comparison import Comparison, columns_of, groups
from .entries import scheme_of
from .measures import BOUND, GOODPUT, Measure
from .pairs import readable

if TYPE_CHECKING:
    from ..statistics.stats import Values


def write(found: Comparison, keys: Sequence[str], command: str) -> None:
    """Write the page; the first of `keys` is on the axis, each value of the others a figure."""
    axis, others = list(keys[:1]) or ["scheme"], list(keys[1:])
    pictures = []
    for number, (about, part) in enumerate(groups(found.table, others), 1):
        name = f"figure-{number}"
        columns = min(len(found.measures), 2)
        with canvas(name, len(found.measures), columns=columns, size=(4.4, 3.2)) as drawing:
            for axes, measure in zip(drawing.axes, found.measures, strict=True):
                _draw(axes, part, axis[0], measure)
            pictures.append(drawing.picture(name, about or _title(found)))
    write_page(
        Page(
            title=f"multihop: {_title(found)}",
            lead=f"{found.about.capitalize()}.",
            command=command,
            engine=engine(),
            pictures=pictures,
            tables=(Table("Numbers", *found.readable()), *_against(found), *_conditions(found)),
            notes=(
                "The network delay is from the source's first transmission to the reception (CXCC "
                "7.1), the end-to-end delay from application to application; overhead is bytes on "
                "the medium per payload byte and hop; fairness is Jain's index of the flows' "
                "goodput, which does not exist where nothing was delivered. Means over packets "
                "leave out flows that have delivered none (starved flows). Bars are "
                "95 % confidence intervals.",
                *([f"Verdicts: {found.test}."] if found.test else []),
                *(f"Left out: {note}." for note in found.skipped),
                *(f"{note[0].upper()}{note[1:]}." for note in found.notes),
                *(f"{sentence[0].upper()}{sentence[1:]}." for sentence in found.reached),
            ),
        ),
        found.page,
    )


def _against(found: Comparison) -> list[Table]:
    """Make the table of the pairs, if there is a baseline."""
    if not found.pairs:
        return []
    return [Table(f"Against {found.pairs[0].baseline}, in pairs of seeds", *readable(found.pairs))]


def _conditions(found: Comparison) -> list[Table]:
    """Make the table of what the schemes' MACs, queues and headers are like."""
    if not found.conditions.height:
        return []
    return [Table("Conditions, what differs first", *found.readable_conditions())]


def _title(found: Comparison) -> str:
    schemes = found.table["scheme"].unique(maintain_order=True)
    return f"{found.result.runs['name'][0]}: {', '.join(schemes)}"


def _draw(axes: Axes, part: pl.DataFrame, key: str, measure: Measure) -> None:
    """Draw a measure of every scheme over the values of a key."""
    values = part[key].unique(maintain_order=True).to_list()
    where, label, ticks = _axis(key, values)
    at = dict(zip(values, where, strict=True))
    lines: list[Line] = []
    for (scheme,), rows in part.group_by(["scheme"], maintain_order=True):
        known = rows.filter(pl.col(measure.column).is_not_null())
        if known.height:
            lines.append(
                Line(
                    str(scheme),
                    _style(str(scheme), lines),
                    np.array([at[value] for value in known[key]]),
                    _numbers(known[measure.column], measure),
                    _reach(known, measure),
                )
            )
    axes.set_title(measure.name)
    if measure is GOODPUT and BOUND in part.columns:
        for (scheme,), rows in part.group_by(["scheme"], maintain_order=True):
            x = np.array([at[value] for value in rows[key]])
            draw_bound(
                axes, x, _numbers(rows[BOUND], measure), scheme_style(scheme_of(str(scheme))).color
            )
    draw_lines(axes, lines, x=label, y=measure.title)
    if ticks:
        axes.set_xticks(list(where), ticks)
        axes.set_xlim(-0.5, len(ticks) - 0.5)


def _style(name: str, before: Sequence[Line]) -> Style:
    """Return the look of a scheme; dashed if it has been drawn with other settings already."""
    scheme = scheme_of(name)
    return scheme_style(scheme, any(scheme_of(line.title) == scheme for line in before))


def _numbers(column: pl.Series, measure: Measure) -> Values:
    return np.asarray(column.to_list(), dtype=float) * measure.scale


def _reach(rows: pl.DataFrame, measure: Measure) -> Values:
    """Return how far intervals reach below and above their means; 0 where there is none."""
    mean, low, high = (rows[name] for name in columns_of(measure))
    down = _numbers((mean - low.cast(pl.Float64)).fill_null(0.0), measure)
    up = _numbers((high.cast(pl.Float64) - mean).fill_null(0.0), measure)
    reach: Values = np.maximum(np.array([down, up]), 0.0)
    return reach


def _axis(key: str, values: Sequence[Any]) -> tuple[list[float], str, list[str]]:
    """Return where values stand, what the axis is called, and names where they are no numbers."""
    found = [QUANTITY.fullmatch(str(value)) for value in values]
    units = {match[2] for match in found if match}
    if None in found or len(units) > 1 or any(isinstance(value, bool) for value in values):
        return [float(at) for at in range(len(values))], key, [str(value) for value in values]
    unit = units.pop() if units else ""
    return [float(m[1]) for m in found if m], f"{key} ({unit})" if unit else key, []
