"""How many seeds: a fixed number, or until the mean is known well enough."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..errors import SweepError
from ..stats import student_t
from .axes import known_keys, quantity

LEAST = 5
MOST = 100
# Beyond this a sweep with one combination would be refused anyway.
SEEDS_LIMIT = 1_000_000
KEYS = ("until", "of", "first", "min", "max")


class Until(NamedTuple):
    """Seeds until half the mean's 95 % confidence interval is at most `share` of the mean.

    `of` is the column of `runs` whose mean it is. There are `least` to `most` seeds from `first`.
    """

    share: float
    of: str = "goodput_bit_s"
    first: int = 1
    least: int = LEAST
    most: int = MOST

    def __str__(self) -> str:
        return f"±{self.share * 100:g} % of {self.of}, at most {self.most} seeds"

    def width(self, values: Sequence[float]) -> float:
        """Return half the interval's width over the mean; it is exact on every machine."""
        found = [value for value in values if math.isfinite(value)]
        count = len(found)
        if count < 2:
            return math.inf
        mean = math.fsum(found) / count
        square = math.fsum((value - mean) ** 2 for value in found) / (count - 1)
        half = student_t(count - 1) * math.sqrt(square / count)
        if half == 0:
            return 0.0
        return half / abs(mean) if mean else math.inf

    def wanted(self, values: Sequence[float]) -> int:
        """Return how many seeds there should be after these; the same number if they do."""
        count, width = len(values), self.width(values)
        if width <= self.share or count >= self.most:
            return count
        # The width falls with the root of the number; twice as many at a time are enough.
        needed = count * min((width / self.share) ** 2, 2.0)
        return min(max(math.ceil(needed), count + 1), self.most)


def read_seeds(given: Any, where: str) -> list[int] | Until:
    """Read `seeds` of a sweep file: a number, a list, or what the interval must come to."""
    if isinstance(given, Mapping):
        return _until(given, where)
    if isinstance(given, list) and given and all(map(_is_seed, given)):
        return given
    if _is_seed(given) and 1 <= given <= SEEDS_LIMIT:
        return list(range(1, given + 1))
    raise SweepError(
        f"{where}: {given!r} are no seeds; write how many, as in 10, a list of them, or "
        '{ until = "5 %" }'
    )


def _is_seed(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _until(given: Mapping[str, Any], where: str) -> Until:
    from ..columns import COLUMNS, renamed

    known_keys(given, KEYS, where)
    share = quantity(given.get("until"))
    if share is None or share.unit != "%" or not 0 < share.number < 100:
        raise SweepError(
            f'{where}: `until` is {given.get("until")!r}; write a share of the mean, as in "5 %"'
        )
    of = given.get("of", "goodput_bit_s")
    numbers = [name for name in COLUMNS["runs"] if name not in ("name", "scheme", "fingerprint")]
    if of not in numbers and (now := renamed(str(of))):
        raise SweepError(f"{where}: `of`: {now}")
    if of not in numbers:
        raise SweepError(
            f"{where}: `of` is {of!r}, which is no number of a run; there are: {', '.join(numbers)}"
        )
    least, most, first = given.get("min", LEAST), given.get("max", MOST), given.get("first", 1)
    if not all(map(_is_seed, (least, most, first))) or not 2 <= least <= most <= SEEDS_LIMIT:
        raise SweepError(
            f"{where}: from `min` = {least!r} to `max` = {most!r} seeds, the `first` {first!r}; "
            "write whole numbers, two seeds at least, and `min` not above `max`"
        )
    return Until(share.number / 100, of, first, least, most)
