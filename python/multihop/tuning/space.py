"""Which values a key may have while it is tuned: numbers from one end to the other, or a list.

A range is written `LOW..HIGH`, with a unit at the upper end or at both, and with `log` behind it if
ratios matter rather than differences: `1..16`, `10..200 kbit/s`, `0.1 ms..1 s log`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from ..engine.errors import SearchError
from ..scenario.keys import keys
from ..sweeping.axes import DIGITS, Quantity, quantity, values

# Digits of a value that is tried: finer differences than these are lost in the noise of seeds.
TRIED_DIGITS = 4
BETWEEN = ".."
LOG = "log"
# What the schema calls a key that takes numbers with a point.
REAL = "number"


@dataclass(frozen=True)
class Span:
    """Numbers of a key from `low` to `high`, both allowed, in `unit` ("" if it has none).

    `whole` allows whole numbers only; with `log`, equal ratios are equally likely.
    """

    key: str
    low: float
    high: float
    unit: str = ""
    whole: bool = False
    log: bool = False

    @property
    def size(self) -> float:
        """How many values there are."""
        return self.high - self.low + 1 if self.whole else math.inf

    def ends(self) -> tuple[Any, Any]:
        """Return the first and the last value, as a scenario has them."""
        return self.value(self.low), self.value(self.high)

    def all(self) -> list[Any]:
        """List the values of a span of whole numbers."""
        return [self.value(number) for number in range(int(self.low), int(self.high) + 1)]

    def value(self, number: float) -> Any:
        """Return a number as a scenario has it: with its unit."""
        rounded = min(max(float(f"{number:.{TRIED_DIGITS}g}"), self.low), self.high)
        if self.whole:
            rounded = float(round(number))
        return Quantity(rounded, self.unit, self.whole).like(rounded, whole=self.whole)


@dataclass(frozen=True)
class Choice:
    """Values of a key that have no order."""

    key: str
    values: tuple[Any, ...]

    @property
    def size(self) -> float:
        """How many values there are."""
        return len(self.values)

    def ends(self) -> tuple[Any, ...]:
        """Return all values: any of them may be refused."""
        return self.values

    def all(self) -> list[Any]:
        """List the values."""
        return list(self.values)


Dimension: TypeAlias = Span | Choice


def dimensions(vary: Mapping[str, str | Iterable[Any]]) -> list[Dimension]:
    """Read which values each key may have: a text is a range, anything else lists values."""
    if not vary:
        raise SearchError(
            "there is no key to tune; name at least one, as in --vary scheme.window_limit=1..16"
        )
    if "seed" in vary:
        raise SearchError("the seed is no setting: seeds are what settings are tried on; leave it")
    return [_dimension(key, given) for key, given in vary.items()]


def _dimension(key: str, given: str | Iterable[Any]) -> Dimension:
    if isinstance(given, str):
        return span(key, given)
    listed = tuple(values(key, given, ""))
    if len(set(map(str, listed))) < len(listed):
        raise SearchError(f"{key}: a value is listed twice; list each once")
    if len(listed) < 2:
        raise SearchError(f"{key}: {listed[0]} alone is no choice; use --set, or list more values")
    return Choice(key, listed)


def span(key: str, text: str) -> Span:
    """Read a range of a key, as in 1..16 or 10..200 kbit/s log."""
    body, log = text.strip(), False
    if body.endswith(f" {LOG}"):
        body, log = body.removesuffix(LOG).strip(), True
    low_text, _, high_text = body.partition(BETWEEN)
    low, high = quantity(low_text), quantity(high_text)
    if low is None or high is None:
        raise SearchError(
            f"{key}: '{text}' is no range of numbers; write LOW..HIGH, as in 1..16 or "
            "10..200 kbit/s, or list values, as in 1,2,4"
        )
    if low.unit not in ("", high.unit):
        raise SearchError(
            f"{key}: '{text}' is from '{low.unit}' to '{high.unit}'; write both with one unit"
        )
    if low.number >= high.number:
        raise SearchError(
            f"{key}: there is nothing between {low_text.strip()} and {high_text.strip()}; write "
            "the lower end first, and another one behind it"
        )
    if log and low.number <= 0:
        raise SearchError(f"{key}: '{text}': ratios need ends above 0; leave `log` out")
    whole = low.whole and high.whole and not high.unit and not _is_real(key)
    return Span(key, low.number, high.number, high.unit, whole, log)


def _is_real(name: str) -> bool:
    return any(key.name == name and key.kind.startswith(REAL) for key in keys())


def settings(space: Iterable[Dimension]) -> Iterator[dict[str, Any]]:
    """Go through all settings of a space that has finitely many."""
    lists = {one.key: one.all() for one in space}
    for row in itertools.product(*lists.values()):
        yield dict(zip(lists, row, strict=True))


def size(space: Iterable[Dimension]) -> float:
    """Return how many settings a space has."""
    return math.prod(one.size for one in space)


def said(setting: Mapping[str, Any]) -> str:
    """Say a setting in a line: scheme.window_limit = 3, mac.cw_min = 63."""
    return ", ".join(f"{key} = {_text(value)}" for key, value in setting.items())


def _text(value: Any) -> str:
    return f"{value:.{DIGITS}g}" if isinstance(value, float) else str(value)
