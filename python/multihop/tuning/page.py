"""The page of a search: how settings did, which are best, and what the test says."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from ..charting.figure import COLORS, canvas
from ..charting.naming import Places, places, scale, title
from ..comparing.pairs import BEFOREHAND, about, readable
from ..reporting.report import Page, Table, write_page
from ..sweeping.batches import engine

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .racing import Target
    from .tuning import Tuned

SIZE = (5.2, 3.6)
BEST, TRIED, STOPPED = COLORS[1], COLORS[0], "#8b949e"
# What a table of settings has beside keys and means.
OWN = ("seeds", "stopped", "best")


def write(found: Tuned, command: str) -> None:
    """Write the page."""
    several = len(found.target.aims) > 1
    name = "front" if several else "search"
    with canvas(name, 1, columns=1, size=SIZE) as drawing:
        _draw(drawing.axes[0], found)
        drawing.legend()
        caption = "Settings by two aims, the best joined" if several else "Settings tried"
        picture = drawing.picture(name, caption)
    write_page(
        Page(
            title=f"multihop: tuned for {' and '.join(aim.words for aim in found.target.aims)}",
            lead=f"{found.about[0].upper()}{found.about[1:]}.",
            command=command,
            engine=engine(),
            pictures=[picture],
            tables=(
                Table("Best settings, on seeds of their own", *tested(found)),
                *_against(found),
                Table("All settings", *tried(found)),
            ),
            notes=(
                "A setting is stopped when Student's paired t test shows it to be worse than the "
                "best so far, seed by seed, or beyond a constraint. It then has fewer seeds, and "
                "its mean is less certain. The best settings were chosen by the means in the table "
                "of all settings, so these are too good by chance; the test's are not.",
                *([f"Verdicts: {about(found.pairs, BEFOREHAND)}."] if found.pairs else []),
                *(f"{note[0].upper()}{note[1:]}." for note in found.notes),
            ),
        ),
        found.page,
    )


def tried(found: Tuned) -> tuple[list[str], list[list[str]]]:
    """Return header and rows of all settings for people, the best first."""
    best = pl.col("best")
    rows = found.settings.sort(best, descending=True, maintain_order=True)
    header, cells = _readable(rows.drop(OWN), found.target)
    return [*header, "seeds", ""], [
        [*row, str(seeds), "best" if is_best else stopped]
        for row, (seeds, stopped, is_best) in zip(cells, rows.select(OWN).rows(), strict=True)
    ]


def tested(found: Tuned) -> tuple[list[str], list[list[str]]]:
    """Return header and rows of the test for people."""
    header, cells = _readable(found.tests.drop("seeds"), found.target)
    names = [f"tuned {at}" for at in range(1, len(found.front) + 1)]
    settings = dict(zip(names if len(names) > 1 else ["tuned"], found.front, strict=True))
    keys = list(found.best)
    return [header[0], *keys, *header[1:]], [
        [row[0], *(str(settings.get(row[0], {}).get(key, "-")) for key in keys), *row[1:]]
        for row in cells
    ]


def _readable(table: pl.DataFrame, target: Target) -> tuple[list[str], list[list[str]]]:
    """Return a table with means in the units in which people say them."""
    header, columns = [], []
    for name in table.columns:
        values = table[name].to_list()
        if name not in target.columns:
            header.append(name)
            columns.append([str(value) for value in values])
            continue
        known = [abs(value) for value in values if math.isfinite(value)]
        unit = scale("runs", name, max(known, default=0.0))
        header.append(title(name, unit.unit))
        columns.append([_number(value * unit.factor) for value in values])
    return header, [list(row) for row in zip(*columns, strict=True)]


def _number(value: float) -> str:
    return f"{value:.4g}" if math.isfinite(value) else "-"


def _against(found: Tuned) -> Sequence[Table]:
    return [Table("Against the scenario as given", *readable(found.pairs))] if found.pairs else []


def _draw(axes: Axes, found: Tuned) -> None:
    """Draw settings: the second aim over the first or, of one aim, its mean over the settings."""
    table, columns = found.settings, [aim.column for aim in found.target.aims]
    y_name = columns[1] if len(columns) > 1 else columns[0]
    y, y_title = _scaled(table, y_name)
    where, x_title, ticks = _places(found) if len(columns) == 1 else (None, "", ())
    if where is None:
        where, x_title = _scaled(table, columns[0])
    rows = list(zip(where, y, table["stopped"], table["best"], strict=True))
    joined = len(columns) > 1
    groups = (
        ("stopped", [(a, b) for a, b, stopped, _ in rows if stopped], STOPPED, "x"),
        ("tried", [(a, b) for a, b, stopped, best in rows if not (stopped or best)], TRIED, "o"),
        ("best", sorted((a, b) for a, b, _, best in rows if best), BEST, "*"),
    )
    for name, points, color, marker in groups:
        if points:
            line = "-" if joined and name == "best" else ""
            axes.plot(*zip(*points, strict=True), line, color=color, marker=marker, label=name)
    if ticks:
        axes.set_xticks(range(len(ticks)), ticks, rotation=30, ha="right")
    axes.set_xlabel(x_title)
    axes.set_ylabel(y_title)


def _scaled(table: pl.DataFrame, column: str) -> tuple[list[float], str]:
    values = table[column].to_list()
    unit = scale("runs", column, max((abs(v) for v in values if math.isfinite(v)), default=0.0))
    return [value * unit.factor for value in values], title(column, unit.unit)


def _places(found: Tuned) -> tuple[list[float], str, tuple[str, ...]]:
    """Return where settings stand: at the value of the only key, or one after another."""
    keys = list(found.best)
    if len(keys) > 1:
        return [float(at) for at in range(1, found.settings.height + 1)], "setting", ()
    values: list[Any] = found.settings[keys[0]].to_list()
    stand: Places = places(values)
    return [stand.at[value] for value in values], title(keys[0], stand.unit), stand.ticks
