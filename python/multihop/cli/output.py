"""What the command line prints: JSON, lines, and tables that are never cut.

Names come from files, so nothing is read as markup, and no control character gets through.
"""

from __future__ import annotations

import itertools
import json
import math
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ..engine.errors import StoppedError

if TYPE_CHECKING:
    from rich.console import Console

# A cell that is set right and never broken: 12, -3.5, 1e-06, 12.0 ± 0.3, 12.0 [11.7, 12.4], or
# nothing.
NUMBER = re.compile(r"([-+]?[\d.]+(e[-+]?\d+)?( ± [\d.]+| \[[-\d., ]+\])?|-)?")
# What is written for a value that there is not, as a mean over no packets.
NOTHING = "-"
# A column of text is at least so wide if its text is; a table that does not fit is a list.
TEXT_WIDTH = 10
# Between columns: the frame, and a blank where there is room.
GAPS = (2, 1)


@contextmanager
def keeping(folder: Path) -> Iterator[None]:
    """Say on Ctrl-C that finished runs are kept in a folder."""
    try:
        yield
    except KeyboardInterrupt:
        raise StoppedError(
            f"interrupted; what was finished is kept in '{folder}', and the same command continues"
        ) from None


@cache
def console(*, error: bool = False) -> Console:
    """Return the console on standard output or standard error."""
    # Loading it takes longer than many commands do.
    from rich.console import Console

    return Console(stderr=error, markup=False, emoji=False, highlight=False, soft_wrap=error)


def say(text: str, style: str = "") -> None:
    """Print a line to standard output, broken between words where it is too long."""
    console().print(clean(text), style=style or None)


def warn(text: str, word: str = "warning", style: str = "bold yellow") -> None:
    """Print one line to standard error."""
    from rich.text import Text

    console(error=True).print(Text.assemble((f"{word}:", style), f" {clean(text)}"))


def clean(text: str) -> str:
    """Show what would change the terminal, such as an escape, as Python writes it."""
    return "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text)


def print_json(value: Any) -> None:
    """Print JSON; numbers that it does not have, NaN and the infinities, are null."""
    json.dump(_finite(value), sys.stdout, indent=2, default=str, allow_nan=False)
    sys.stdout.write("\n")


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def fixed(value: float | None, digits: int = 1) -> str:
    """Write a number with so many digits behind the point."""
    return NOTHING if value is None or not math.isfinite(value) else f"{value:.{digits}f}"


def print_table(
    header: Sequence[str], rows: Iterable[Sequence[Any]], title: str | None = None, keys: int = 0
) -> None:
    """Print a table as wide as the terminal; text is wrapped, numbers are not.

    Where the terminal is too narrow for it, the columns behind the first `keys` stand in several
    tables, each with these before them; without `keys`, every row becomes a list of its cells.
    """
    cells = [[clean(str(cell)) for cell in row] for row in rows]
    if title:
        say(title)
    layout = _layout(header, cells)
    if layout is not None:
        _print_columns(layout, cells)
        return
    for part in _parts(header, cells, keys):
        chosen = [[row[at] for at in part] for row in cells]
        names = [header[at] for at in part]
        layout = _layout(names, chosen) if keys else None
        if layout is None:
            _print_list(names, chosen)
        else:
            _print_columns(layout, chosen)


class _Layout(NamedTuple):
    """How a table is printed: titles, widths and kinds of its columns, and the gap between them."""

    titles: list[str]
    widths: list[int]
    numeric: list[bool]
    gap: int


def _layout(header: Sequence[str], cells: Sequence[Sequence[str]]) -> _Layout | None:
    """Return how a table fits the terminal; nothing if it does not."""
    columns = list(zip(*cells, strict=True)) if cells else [()] * len(header)
    numeric = [bool(column) and all(map(NUMBER.fullmatch, column)) for column in columns]
    # "overhead (B/B)" stands on two lines, and what has one on the lower of them.
    titles = [
        name.replace(" ", "\n", 1) if is_number else name
        for name, is_number in zip(header, numeric, strict=True)
    ]
    lines = max(name.count("\n") for name in titles)
    titles = ["\n" * (lines - name.count("\n")) + name for name in titles]
    natural = [_width((name, *column)) for name, column in zip(titles, columns, strict=True)]
    words = [_longest_word(column) for column in columns]
    # Words stay whole where there is room for that.
    for gap, whole in itertools.product(GAPS, (words, [0] * len(header))):
        room = console().width - gap * len(header)
        if widths := _widths(header, natural, numeric, whole, room):
            return _Layout(titles, widths, numeric, gap)
    return None


def _longest_word(column: Iterable[str]) -> int:
    return max((len(word) for cell in column for word in cell.split()), default=0)


def _parts(
    header: Sequence[str], cells: Sequence[Sequence[str]], keys: int
) -> Iterator[Sequence[int]]:
    """Go through the columns of tables that fit the terminal, each with the first `keys`."""
    if not keys:
        yield range(len(header))
        return
    part = list(range(keys))
    for column in range(keys, len(header)):
        wider = [*part, column]
        fits = _layout([header[at] for at in wider], [[row[at] for at in wider] for row in cells])
        if fits is None and len(part) > keys:
            yield part
            part = list(range(keys))
        part.append(column)
    yield part


def _print_columns(layout: _Layout, cells: Sequence[Sequence[str]]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    padding = (0, layout.gap - 1, 0, 0)
    table = Table(box=SIMPLE_HEAD, padding=padding, show_edge=False, pad_edge=False)
    for name, width, is_number in zip(layout.titles, layout.widths, layout.numeric, strict=True):
        justify: Literal["right", "left"] = "right" if is_number else "left"
        table.add_column(Text(name), justify=justify, width=width, overflow="fold")
    for row in cells:
        table.add_row(*map(Text, row))
    console().print(table)


def _width(texts: Iterable[str]) -> int:
    from rich.cells import cell_len

    return max(cell_len(line) for text in texts for line in text.split("\n"))


def _widths(
    header: Sequence[str], natural: list[int], numeric: list[bool], words: list[int], room: int
) -> list[int] | None:
    """Share the room between the columns of text; `None` if there is too little.

    A column of text has at least as many characters as its entry in `words`.
    """
    least = [
        width if is_number else min(width, max(TEXT_WIDTH, len(name), word))
        for name, width, is_number, word in zip(header, natural, numeric, words, strict=True)
    ]
    if sum(least) > room:
        return None
    widths = list(natural)
    while (excess := sum(widths) - room) > 0:
        # The widest gives way, down to the next one.
        at = max((at for at, w in enumerate(widths) if w > least[at]), key=widths.__getitem__)
        widths[at] = max(least[at], widths[at] - max(1, excess // len(widths)))
    return widths


def _print_list(header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print every row as lines of a name and a cell."""
    from rich.table import Table
    from rich.text import Text

    for number, row in enumerate(rows):
        if number:
            console().print()
        table = Table(box=None, show_header=False, padding=(0, 1, 0, 0), pad_edge=False)
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        for name, cell in zip(header, row, strict=True):
            table.add_row(Text(name), Text(cell))
        console().print(table)
