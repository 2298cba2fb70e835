"""What a sweep varies: axes, their values, and conditions.

An axis sets one key, or several that go together (zip); several axes multiply. Values are lists
or ranges, linear or logarithmic, with units as in scenarios. An axis with a condition, `when`,
counts only where it holds; `skip` leaves combinations out.
"""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .._multihop import base_units
from ..engine.errors import SweepError

QUANTITY = re.compile(r"([-+]?[\d.]+(?:e[-+]?\d+)?)\s*(\S*)", re.IGNORECASE)
RANGE_KEYS = ("from", "to", "step", "count", "scale")
SCALES = ("linear", "log")
# More is a slip of the pen, as in a step of 1 ms through an hour.
VALUES_LIMIT = 100_000
RUNS_LIMIT = 1_000_000
# Digits of a value of a range: enough for anybody, and without the noise of binary fractions.
DIGITS = 9
# Beyond it, not every whole number is one in binary floating point.
EXACT = 2**53
# So many values of a key are said in an error.
SHOWN = 10

Row = dict[str, Any]


class Quantity(NamedTuple):
    """A number, its unit ("" if it has none), and whether it was written without a point."""

    number: float
    unit: str
    whole: bool

    def like(self, number: float, *, whole: bool) -> Any:
        """Write another number as this one was written: with its unit, whole if it can be."""
        rounded = float(f"{number:.{DIGITS}g}")
        value = int(rounded) if whole and rounded.is_integer() else rounded
        if not self.unit:
            return value
        return f"{int(rounded) if rounded.is_integer() else rounded} {self.unit}"


def quantity(value: Any) -> Quantity | None:
    """Read a number with or without a unit; `None` if it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    found = QUANTITY.fullmatch(str(value).strip())
    try:
        number = float(found[1]) if found else math.nan
    except ValueError:
        return None
    if found is None or not math.isfinite(number):
        return None
    whole = isinstance(value, int) or (isinstance(value, str) and found[1].lstrip("+-").isdecimal())
    return Quantity(number, found[2], whole)


@dataclass(frozen=True)
class Axis:
    """Rows of values, one after another; counts only where its condition holds."""

    rows: tuple[Row, ...]
    when: Condition | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that every row sets."""
        return tuple(self.rows[0])


@dataclass(frozen=True)
class Condition:
    """What keys must have: a value, one of several, or a number within bounds."""

    wanted: Mapping[str, Any]

    def holds(self, row: Mapping[str, Any]) -> bool:
        """Whether all keys are varied here and are as they must be."""
        return all(key in row and _fits(row[key], want) for key, want in self.wanted.items())


def _fits(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, Mapping):
        found, unit = _measured(value)
        ends = {name: _measured(end) for name, end in wanted.items()}
        if found is None or any(end[1] != unit or end[0] is None for end in ends.values()):
            return False
        low, high = (ends.get(name, (found, unit))[0] for name in ("from", "to"))
        return bool(low <= found <= high)
    if isinstance(wanted, list):
        return any(_same(value, one) for one in wanted)
    return _same(value, wanted)


def _same(value: Any, other: Any) -> bool:
    return meaning(value) == meaning(other)


def meaning(value: Any) -> str:
    """Write a value so that equal texts mean the same: 0.1 Mbit/s as 100 kbit/s, 1.0 as 1."""
    if isinstance(value, Mapping):
        return json.dumps({key: meaning(inner) for key, inner in value.items()})
    if isinstance(value, list | tuple):
        return json.dumps([meaning(inner) for inner in value])
    number, unit = _measured(value)
    return json.dumps(value if number is None else [number, unit], default=str)


def _measured(value: Any) -> tuple[Any, str]:
    """Return a number and the base unit that it is in; `None` if it is no number."""
    if isinstance(value, str) and (found := base_units(value)):
        return found
    number = quantity(value)
    if number is None or (isinstance(value, str) and not number.unit):
        return None, ""
    # A seed beyond the exact numbers stays the whole number that it is.
    exact = isinstance(value, str) or abs(number.number) < EXACT
    return (number.number, number.unit) if exact else (value, "")


def axis(given: Mapping[str, Any], where: str) -> Axis:
    """Read an axis: keys with their values, and perhaps `when`; errors begin with `where`."""
    columns = {key: values(key, v, where) for key, v in given.items() if key != "when"}
    if not columns:
        raise SweepError(f'{where}: no key is varied; write one, as in "seed" = [1, 2]')
    lengths = {key: len(column) for key, column in columns.items()}
    if len(set(lengths.values())) > 1:
        counts = ", ".join(f"'{key}' has {count}" for key, count in lengths.items())
        raise SweepError(
            f"{where}: keys of one axis go together and need as many values each: {counts}; "
            "keys that are to multiply are axes of their own"
        )
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    _refuse_twins(rows, where)
    when = condition(given["when"], f"{where}: when") if "when" in given else None
    return Axis(tuple(rows), when)


def _refuse_twins(rows: Sequence[Row], where: str) -> None:
    seen: dict[str, Row] = {}
    for row in rows:
        same = meaning(row)
        if same in seen:
            what = _twins(seen[same], row)
            raise SweepError(f"{where}: {what}; a run is done once only".removeprefix(": "))
        seen[same] = row


def _twins(first: Row, row: Row) -> str:
    """Say that two rows mean the same."""
    if len(row) > 1:
        texts = _text(first), _text(row)
        if texts[0] == texts[1]:
            return f"the values {texts[0]} stand there twice"
        return f"the values {texts[1]} are the same as {texts[0]}"
    ((key, value),) = row.items()
    texts = _text(first[key]), _text(value)
    if texts[0] == texts[1]:
        return f"'{key}' has the value {texts[0]} twice"
    return f"'{key}': {texts[1]} is the same value as {texts[0]}"


def values(key: str, given: Any, where: str) -> list[Any]:
    """Read the values of a key: a list, or a range as a table."""
    where = f"{where}: {key}".removeprefix(": ")
    if isinstance(given, Mapping):
        return _range(given, where)
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise SweepError(
            f"{where}: {json.dumps(given, default=str)} is neither a list nor a range; write "
            "[1, 2, 3] or { from = 1, to = 3, step = 1 }"
        )
    found = list(itertools.islice(given, VALUES_LIMIT + 1))
    if not found:
        raise SweepError(f"{where}: there is no value of '{key}' to try; name at least one")
    if len(found) > VALUES_LIMIT:
        raise SweepError(f"{where}: there are more than {VALUES_LIMIT} values; name fewer")
    return found


def _range(given: Mapping[str, Any], where: str) -> list[Any]:
    """List the values from one end to the other."""
    known_keys(given, RANGE_KEYS, where)
    first, last = (_end(given, name, where) for name in ("from", "to"))
    if first.unit != last.unit:
        raise SweepError(
            f"{where}: the range is from '{first.unit}' to '{last.unit}'; write both with one unit"
        )
    if first.number > last.number:
        raise SweepError(
            f"{where}: the range from {given['from']} to {given['to']} is empty; `from` is the "
            "smaller one"
        )
    if ("step" in given) == ("count" in given):
        raise SweepError(f"{where}: a range has a `step` or a `count` of values, one of the two")
    if "step" in given:
        numbers, whole = _steps(given, first, last, where)
    else:
        numbers, whole = _count(given, first, last, where), first.whole and last.whole
    return [first.like(number, whole=whole) for number in numbers]


def _end(given: Mapping[str, Any], name: str, where: str) -> Quantity:
    if name not in given:
        raise SweepError(f"{where}: the range has no `{name}`; it goes from one value to another")
    found = quantity(given[name])
    if found is None:
        raise SweepError(
            f"{where}: `{name}` is {json.dumps(given[name], default=str)}, which is no number, "
            "with or without a unit"
        )
    return found


def _steps(
    given: Mapping[str, Any], first: Quantity, last: Quantity, where: str
) -> tuple[list[float], bool]:
    if "scale" in given:
        raise SweepError(f"{where}: a range with a `scale` has a `count` of values, no `step`")
    step = _end(given, "step", where)
    if step.unit != first.unit or step.number <= 0:
        unit = f" {first.unit}" if first.unit else ""
        raise SweepError(
            f"{where}: the step {given['step']} does not lead from {given['from']} to "
            f"{given['to']}; write a positive one, as in 1{unit}"
        )
    # What lies within a billionth of the end is the end, whatever binary fractions make of it.
    count = (last.number - first.number) / step.number + 1e-9
    if count >= VALUES_LIMIT:
        raise SweepError(f"{where}: the range has more than {VALUES_LIMIT} values; widen the step")
    numbers = [first.number + step.number * at for at in range(math.floor(count) + 1)]
    return numbers, first.whole and step.whole


def _count(given: Mapping[str, Any], first: Quantity, last: Quantity, where: str) -> list[float]:
    count, scale = given["count"], given.get("scale", SCALES[0])
    if isinstance(count, bool) or not isinstance(count, int) or not 2 <= count <= VALUES_LIMIT:
        raise SweepError(
            f"{where}: `count` is {json.dumps(count, default=str)}; a range has 2 to "
            f"{VALUES_LIMIT} values, both ends among them"
        )
    if scale not in SCALES:
        raise SweepError(f"{where}: there is no scale {scale!r}; there are: {', '.join(SCALES)}")
    shares = [at / (count - 1) for at in range(count)]
    if scale == "linear":
        return [first.number + (last.number - first.number) * share for share in shares]
    if first.number <= 0:
        raise SweepError(f"{where}: a log range begins above zero, not at {given['from']}")
    ratio = last.number / first.number
    return [first.number * ratio**share for share in shares]


def condition(given: Any, where: str) -> Condition:
    """Read a condition; errors begin with `where`."""
    if not isinstance(given, Mapping) or not given:
        raise SweepError(
            f'{where}: a condition is a table of keys, as in {{ "scheme.name" = "cxcc" }}'
        )
    for key, wanted in given.items():
        if isinstance(wanted, Mapping):
            known_keys(wanted, ("from", "to"), f"{where}: {key}")
            if not wanted:
                raise SweepError(f"{where}: {key}: an empty table; write `from`, `to` or both")
            for name in wanted:
                _end(wanted, name, f"{where}: {key}")
    return Condition(dict(given))


def known_keys(given: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    """Refuse a key that nobody knows."""
    from difflib import get_close_matches

    names = list(known)
    for key in given:
        if key not in names:
            near = get_close_matches(key, names, 1)
            meant = f", did you mean '{near[0]}'" if near else ""
            raise SweepError(
                f"{where}: unknown key '{key}'{meant}? known: {', '.join(names)}".removeprefix(": ")
            )


def check(axes: Sequence[Axis], skip: Sequence[Condition], where: str = "") -> None:
    """Refuse conditions on what no axis varies, or only a later one: keys, and values of them."""
    before: dict[str, list[Any]] = {}
    for number, one in enumerate(axes, 1):
        if one.when is not None:
            _require(one.when, before, f"{where}axis {number}: when", "an axis before it")
        for key in one.keys:
            before.setdefault(key, []).extend(row[key] for row in one.rows)
    for number, left_out in enumerate(skip, 1):
        _require(left_out, before, f"{where}skip {number}", "an axis")


def _require(given: Condition, varied: Mapping[str, list[Any]], where: str, who: str) -> None:
    for key, wanted in given.wanted.items():
        if key not in varied:
            there = f"; varied are: {', '.join(varied)}" if varied else ""
            raise SweepError(f"{where}: '{key}' is not varied by {who}{there}")
        if not any(_fits(value, wanted) for value in varied[key]):
            more = ", ..." if len(varied[key]) > SHOWN else ""
            there = ", ".join(map(_text, varied[key][:SHOWN]))
            raise SweepError(
                f"{where}: '{key}' is never {_text(wanted)}; its values are: {there}{more}"
            )


def _text(value: Any) -> str:
    return json.dumps(value, default=str)


def combinations(axes: Sequence[Axis], skip: Sequence[Condition] = ()) -> list[Row]:
    """List every combination of the axes' rows, the last axis changing fastest."""
    found = list(itertools.islice(_combine(axes, {}), RUNS_LIMIT + 1))
    if len(found) > RUNS_LIMIT:
        raise SweepError(f"there are more than {RUNS_LIMIT} combinations; vary less")
    whens = ((f"axis {number}: when", one.when) for number, one in enumerate(axes, 1))
    skips = ((f"skip {number}", one) for number, one in enumerate(skip, 1))
    for where, given in (*whens, *skips):
        if given is not None and not any(map(given.holds, found)):
            raise SweepError(f"{where}: it holds for no combination; leave it out, or correct it")
    return [row for row in found if not any(left_out.holds(row) for left_out in skip)]


def _combine(axes: Sequence[Axis], row: Row) -> Iterator[Row]:
    if not axes:
        yield row
        return
    first, rest = axes[0], axes[1:]
    if first.when is not None and not first.when.holds(row):
        yield from _combine(rest, row)
        return
    if twice := next((key for key in first.keys if key in row), None):
        raise SweepError(f"'{twice}' is varied by two axes at once; give one of them a condition")
    starts = tuple(f"{key}." for key in first.keys)
    if lost := next((key for key in row if key.startswith(starts)), None):
        raise SweepError(
            f"'{lost}' is varied, and a later axis replaces the table that it is in; let that axis "
            "stand before it"
        )
    for more in first.rows:
        yield from _combine(rest, row | more)


def replaced(values: Mapping[str, Any], varied: Iterable[str]) -> str | None:
    """Return the first key that is given, perhaps within a table, and replaced by what varies."""
    keys = list(varied)
    for key in _leaves(values):
        if any(f"{key}.".startswith(f"{other}.") for other in keys):
            return key
    return None


def _leaves(values: Mapping[str, Any]) -> Iterator[str]:
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from (f"{key}.{inner}" for inner in _leaves(value))
        else:
            yield key


def all_keys(axes: Sequence[Axis]) -> list[str]:
    """List every key that is varied, in the order of the axes."""
    return list(dict.fromkeys(key for one in axes for key in one.keys))
