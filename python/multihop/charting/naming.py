"""Which column is meant: names as people say them, and scales that suit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

import polars as pl

from ..engine.errors import ChartError
from ..results.columns import COLUMNS, renamed
from ..sweeping.axes import QUANTITY

# Units behind names of columns, and what a mean is of.
SUFFIX = re.compile(r"(_mean)?_(bit_s|bytes|s|m|w)$")
# A part is called as its section: `scheme` is scheme.name, `topology` topology.kind.
PARTS = ("name", "kind")
PERCENTILE = re.compile(r"_p(\d+)$")
# Larger or smaller units, from which largest value on.
PREFIXES: dict[str, tuple[tuple[float, float, str], ...]] = {
    "bit/s": ((1e7, 1e-6, "Mbit/s"), (1e3, 1e-3, "kbit/s")),
    "s": ((1.0, 1.0, "s"), (1e-3, 1e3, "ms"), (0.0, 1e6, "us")),
    "B": ((1e6, 1e-6, "MB"), (1e3, 1e-3, "kB")),
}


class Scale(NamedTuple):
    """How values are written: times a factor, with a unit."""

    factor: float = 1.0
    unit: str = ""


def short(column: str) -> str:
    """Return what people call a column or a key: `goodput`, `load`, `scheme` for `scheme.name`."""
    section, _, key = column.rpartition(".")
    return section if section and key in PARTS else SUFFIX.sub("", key)


def find(name: str, columns: Sequence[str]) -> str:
    """Return the column that is meant: its whole name, or its end or beginning if there is one."""
    if name in columns:
        return name
    found = [column for column in columns if name in {short(column), column.rpartition(".")[2]}]
    if len(found) == 1:
        return found[0]
    if not found and (now := renamed(name)):
        raise ChartError(now)
    if found:
        raise ChartError(f"'{name}' could be {' or '.join(found)}; write one of them")
    names = {short(column): None for column in columns} | dict.fromkeys(columns)
    near = get_close_matches(name, list(names), 1)
    meant = f", did you mean '{near[0]}'?" if near else ";"
    raise ChartError(
        f"no column '{name}'{meant} there are: {', '.join(dict.fromkeys(map(short, columns)))}"
    )


def scale(table: str, column: str, largest: float) -> Scale:
    """Return how to write a column of the engine whose values are at most so large."""
    known = COLUMNS.get(table, {}).get(column)
    unit = known.unit if known else ""
    for least, factor, name in PREFIXES.get(unit, ()):
        if largest >= least:
            return Scale(factor, name)
    return Scale(1.0, unit)


def title(column: str, unit: str) -> str:
    """Return what stands at an axis."""
    words = PERCENTILE.sub(r", \1th percentile", short(column))
    words = words.replace("end_to_end", "end-to-end").replace("_", " ")
    return f"{words} ({unit})" if unit else words


class Places(NamedTuple):
    """Where the values of a key stand: as numbers with a unit or, if any is none, one by one."""

    at: dict[Any, float]
    unit: str
    # Empty where values are numbers.
    ticks: tuple[str, ...]


def places(values: Iterable[Any]) -> Places:
    """Return where values of a key stand on an axis."""
    given = list(dict.fromkeys(values))
    found = [QUANTITY.fullmatch(str(value).strip()) for value in given]
    units = {match[2] for match in found if match}
    if None in found or len(units) != 1 or any(isinstance(value, bool) for value in given):
        return Places({value: float(at) for at, value in enumerate(given)}, "", _words(given))
    numbers = {value: float(m[1]) for value, m in zip(given, found, strict=True) if m}
    return Places(numbers, units.pop(), ())


def _words(values: Iterable[Any]) -> tuple[str, ...]:
    return tuple("none" if value is None else str(value) for value in values)


def labels(table: str, columns: Iterable[str]) -> list[str]:
    """List the columns that say what was varied; whatever else a table has, the engine gave."""
    own = {*COLUMNS.get(table, {}), "run"}
    return [column for column in columns if column not in own]


def varied(frame: pl.DataFrame, columns: Iterable[str]) -> list[str]:
    """List those of some columns that have several values."""
    return [column for column in columns if frame[column].n_unique() > 1]
