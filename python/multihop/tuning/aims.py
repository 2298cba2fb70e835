"""What is sought of a setting, and what must hold: columns of the table `runs`.

An aim is written `COLUMN`, as much of it as possible, or `COLUMN=least`. A limit is written
`COLUMN<=NUMBER` or `COLUMN>=NUMBER`, in the column's own unit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from ..charting.naming import find
from ..engine.errors import SearchError
from ..sweeping.seeds import number_columns

LIMIT = re.compile(r"\s*(\w+)\s*(<=|>=)\s*(\S+)\s*")
MOST, LEAST = "most", "least"


class Aim(NamedTuple):
    """A column of which a setting is to have the most (`sign` 1) or the least (-1)."""

    column: str
    sign: int = 1

    @property
    def words(self) -> str:
        """Say it: least network_delay_mean_s."""
        return f"{MOST if self.sign > 0 else LEAST} {self.column}"


class Limit(NamedTuple):
    """A bound of a column's mean: at most (`sign` 1) or at least (-1) `bound`."""

    column: str
    bound: float
    sign: int = 1

    @property
    def words(self) -> str:
        """Say it as it is written."""
        return f"{self.column}{'<=' if self.sign > 0 else '>='}{self.bound:g}"

    def beyond(self, mean: float) -> float:
        """Return how far a mean lies beyond the bound, as a part of it; at most 0 if it holds."""
        return self.sign * (mean - self.bound) / (abs(self.bound) or 1.0)


def aims(given: str | Sequence[str]) -> list[Aim]:
    """Read what is sought."""
    found = [_aim(text) for text in ([given] if isinstance(given, str) else given)]
    if not found:
        raise SearchError("there is no aim; name one, as in --for goodput")
    columns = [aim.column for aim in found]
    if twice := next((column for column in columns if columns.count(column) > 1), None):
        raise SearchError(f"{twice} is an aim twice; name it once")
    return found


def _aim(text: str) -> Aim:
    name, equals, wanted = text.partition("=")
    if equals and wanted.strip() not in (MOST, LEAST):
        raise SearchError(
            f"--for {text}: '{wanted.strip()}' is neither {MOST} nor {LEAST}; write "
            f"{name.strip()}={LEAST} or {name.strip()}"
        )
    return Aim(_column(name.strip()), -1 if wanted.strip() == LEAST else 1)


def limits(given: str | Sequence[str]) -> list[Limit]:
    """Read what must hold."""
    return [_limit(text) for text in ([given] if isinstance(given, str) else given)]


def _limit(text: str) -> Limit:
    found = LIMIT.fullmatch(text)
    try:
        bound = float(found[3]) if found else math.nan
    except ValueError:
        bound = math.nan
    if found is None or not math.isfinite(bound):
        raise SearchError(
            f"--constraint '{text}' is none; write a column, <= or >=, and a number in the "
            "column's unit, as in network_delay_mean_s<=0.1"
        )
    return Limit(_column(found[1]), bound, 1 if found[2] == "<=" else -1)


def _column(name: str) -> str:
    return find(name, [column for column in number_columns() if column != "seed"])
