"""How many seeds: a fixed number, until a mean is known well enough, or until verdicts are decided.

What a sweep keeps of a rule is its text, which `rule_in` reads.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ..engine.errors import SweepError
from ..statistics.intervals import Design, Looks, Stein, interval
from .axes import known_keys, quantity

if TYPE_CHECKING:
    from .plans import Plan
    from .store import Store

# So many see what happens in one run of ten: fewer take skewed measures for narrow ones.
LEAST = 20
# The fewest seeds of a verdict.
LEAST_DECIDED = 10
MOST = 160
MARGIN = 0.05
# Beyond this a sweep with one combination would be refused anyway.
SEEDS_LIMIT = 1_000_000
KEYS = ("until", "of", "first", "min", "max")
GOODPUT = "goodput_bit_s"
PRECISE = re.compile(r"±(\S+) % of (\w+), seeds (\d+) on, (\d+) to (\d+)")
DECIDED = re.compile(r"verdicts with a margin of (\S+) %, seeds (\d+) on, (\d+) to (\d+)")


class Growth(NamedTuple):
    """How many seeds each combination should have, and how many stay unsure although they do."""

    seeds: list[int]
    unsure: int


class Rule(Protocol):
    """Gives combinations `least` to `most` seeds from `first`, as results demand it."""

    @property
    def first(self) -> int:
        """The first seed."""

    @property
    def least(self) -> int:
        """How many seeds a combination has at least."""

    @property
    def most(self) -> int:
        """How many seeds a combination has at most."""

    @property
    def design(self) -> Design:
        """What the rule means for intervals."""

    def grown(self, plan: Plan, store: Store) -> Growth:
        """Return how many seeds there should be after those that are in the store."""


class Until(NamedTuple):
    """Seeds until the mean's 95 % confidence interval lies within `share` of the mean.

    `of` is the column of `runs` with the mean. There are `least` to `most` seeds from `first`. The
    interval holds for this rule (`intervals.Stein`).

    >>> multihop.sweep(base, {"traffic.load": loads}, "out", seeds=multihop.Until(0.02))
    """

    share: float
    of: str = GOODPUT
    first: int = 1
    least: int = LEAST
    most: int = MOST

    def __str__(self) -> str:
        return f"±{self.share * 100:g} % of {self.of}, {_numbers(self)}"

    @property
    def design(self) -> Stein:
        """The quantile is that of the first `least` seeds."""
        return Stein(self.least)

    def width(self, values: Sequence[float]) -> float:
        """Return the half width of the interval over the mean, equal on every machine."""
        found = [value for value in values if math.isfinite(value)]
        ends = interval(found, design=self.design)
        if ends is None:
            return math.inf
        mean = math.fsum(found) / len(found)
        if ends[0] == ends[1]:
            return 0.0
        return max(ends[1] - mean, mean - ends[0]) / mean if mean > 0 else math.inf

    def wanted(self, values: Sequence[float]) -> int:
        """Return the number of seeds to run next; the present number if these suffice."""
        count, width = len(values), self.width(values)
        if width <= self.share or count >= self.most:
            return count
        # The width falls with the root of the number; twice as many at a time are enough.
        needed = count * min((width / self.share) ** 2, 2.0)
        return min(max(math.ceil(needed), count + 1), self.most)

    def grown(self, plan: Plan, store: Store) -> Growth:
        """Give more seeds to combinations whose interval is too wide."""
        seeds, unsure = list(plan.seeds), 0
        for number, values in enumerate(plan.values(store, self.of)):
            if values is not None:
                seeds[number] = self.wanted(values)
                unsure += self.width(values) > self.share
        return Growth(seeds, unsure)


class Decided(NamedTuple):
    """Seeds until every verdict against a baseline is decided (`intervals.Looks`).

    A difference is shown, or one of `margin` and more is excluded: 0.05 is a ratio of 1.05 or its
    inverse. There are `least` seeds from `first`, then twice as many at each look, up to `most`.

    >>> multihop.compare(base, ["udp", "cxcc"], baseline="udp", seeds=multihop.Decided(0.02))
    """

    margin: float = MARGIN
    first: int = 1
    least: int = LEAST_DECIDED
    most: int = MOST

    def __str__(self) -> str:
        return f"verdicts with a margin of {self.margin * 100:g} %, {_numbers(self)}"

    @property
    def design(self) -> Looks:
        """Each look spends a part of the error probability."""
        return Looks(self.least)

    def next(self, count: int) -> int:
        """Return the number of seeds of the next look; the present number after the last look."""
        return 2 * count if 2 * count <= self.most else count


def check(rule: Until | Decided, where: str = "seeds") -> None:
    """Refuse numbers of a rule that make no sense."""
    from ..results.columns import renamed

    first, least, most = rule.first, rule.least, rule.most
    if not all(map(_is_seed, (least, most, first))) or not 2 <= least <= most <= SEEDS_LIMIT:
        raise SweepError(
            f"{where}: from `min` = {least!r} to `max` = {most!r} seeds, the `first` {first!r}; "
            "write whole numbers, two seeds at least, and `min` not above `max`"
        )
    if isinstance(rule, Decided):
        if least < LEAST_DECIDED:
            raise SweepError(
                f"{where}: a verdict takes {LEAST_DECIDED} seeds at least, and there are to be "
                f"{least}; begin with more"
            )
        if not 0 < rule.margin < 1:
            raise SweepError(
                f"{where}: the margin is {rule.margin!r}; write a share between 0 and 1, as in 0.05"
            )
        return
    if not 0 < rule.share < 1:
        raise SweepError(
            f"{where}: the precision is {rule.share!r}; write a share between 0 and 1, as in 0.02"
        )
    numbers = number_columns()
    if rule.of not in numbers and (now := renamed(str(rule.of))):
        raise SweepError(f"{where}: `of`: {now}")
    if rule.of not in numbers:
        raise SweepError(
            f"{where}: '{rule.of}' is no number of a run; there are: {', '.join(numbers)}"
        )


def number_columns() -> list[str]:
    """List the columns of `runs` that are numbers which runs of one scenario differ in."""
    from ..results.columns import COLUMNS

    return [name for name in COLUMNS["runs"] if name not in ("name", "scheme", "fingerprint")]


def _numbers(rule: Until | Decided) -> str:
    return f"seeds {rule.first} on, {rule.least} to {rule.most}"


def rule_in(text: str) -> Until | Decided | None:
    """Read what is kept of a sweep's rule; `None` if its seeds were chosen beforehand."""
    if found := PRECISE.fullmatch(text):
        return Until(float(found[1]) / 100, found[2], *map(int, found.groups()[2:]))
    if found := DECIDED.fullmatch(text):
        return Decided(float(found[1]) / 100, *map(int, found.groups()[1:]))
    return None


def options_of(rule: Rule | Until | Decided) -> list[str]:
    """Return the options of the command line that ask for a rule."""
    asked = rule_in(str(rule))
    numbers = ["--seeds", str(rule.least), "--max-seeds", str(rule.most)]
    if isinstance(asked, Until):
        return ["--precision", f"{asked.of}={asked.share * 100:g}%", *numbers]
    margin = MARGIN if asked is None else asked.margin
    usual = margin == MARGIN
    return ["--until-decided", *([] if usual else ["--margin", f"{margin * 100:g}%"]), *numbers]


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
    known_keys(given, KEYS, where)
    share = quantity(given.get("until"))
    if share is None or share.unit != "%" or not 0 < share.number < 100:
        raise SweepError(
            f'{where}: `until` is {given.get("until")!r}; write a share of the mean, as in "5 %"'
        )
    rule = Until(
        share.number / 100,
        given.get("of", GOODPUT),
        given.get("first", 1),
        given.get("min", LEAST),
        given.get("max", MOST),
    )
    check(rule, where)
    return rule
