"""What is varied: values, ranges, axes that go together and multiply, conditions."""

import math
from typing import Any

import pytest
from hypothesis import given, strategies as st

from multihop import SweepError
from multihop.sweeping.axes import (
    Axis,
    all_keys,
    axis,
    check,
    combinations,
    condition,
    quantity,
    values,
)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"from": 1, "to": 5, "step": 2}, [1, 3, 5]),
        ({"from": 1, "to": 6, "step": 2}, [1, 3, 5]),
        ({"from": 0.1, "to": 0.3, "step": 0.1}, [0.1, 0.2, 0.3]),
        ({"from": 2, "to": 10, "count": 5}, [2, 4, 6, 8, 10]),
        ({"from": 0, "to": 1, "count": 3}, [0, 0.5, 1]),
        ({"from": 1, "to": 64, "count": 7, "scale": "log"}, [1, 2, 4, 8, 16, 32, 64]),
        ({"from": 1e-6, "to": 1e-4, "count": 3, "scale": "log"}, [1e-6, 1e-5, 1e-4]),
        (
            {"from": "25 kbit/s", "to": "75 kbit/s", "step": "25 kbit/s"},
            ["25 kbit/s", "50 kbit/s", "75 kbit/s"],
        ),
        ({"from": "1 s", "to": "2 s", "count": 3}, ["1 s", "1.5 s", "2 s"]),
        ({"from": 3, "to": 3, "step": 1}, [3]),
        (["a", 1, True, None], ["a", 1, True, None]),
    ],
)
def test_values(given: Any, expected: list[Any]) -> None:
    # Whole numbers stay whole: a count of hops is no 2.0.
    assert repr(values("key", given, "")) == repr(expected)


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.integers(2, 50))
def test_a_range_has_both_ends_and_as_many_values_as_asked(one: int, more: int, count: int) -> None:
    for scale in ("linear", "log"):
        table = {"from": one, "to": one + more, "count": count, "scale": scale}
        found = values("key", table, "")
        assert (found[0], found[-1], len(found)) == (one, one + more, count)
        assert found == sorted(found)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"from": 5, "to": 1, "step": 1}, "the range from 5 to 1 is empty"),
        ({"from": 1, "to": 5, "step": 0}, "the step 0 does not lead from 1 to 5"),
        ({"from": "1 s", "to": "5 s", "step": 1}, "write a positive one, as in 1 s"),
        ({"from": "1 s", "to": "5 ms", "step": "1 s"}, "with one unit"),
        ({"from": 0, "to": 5, "count": 3, "scale": "log"}, "begins above zero"),
        ({"from": 1, "to": 5, "count": 1}, "2 to 100000 values"),
        ({"from": 1, "to": 5, "count": True}, "2 to 100000 values"),
        ({"from": 1, "to": 5, "count": 10**9}, "2 to 100000 values"),
        ({"from": 0, "to": 1e9, "step": 1e-9}, "more than 100000 values"),
        ({"from": 1, "to": 5}, "a `step` or a `count`"),
        ({"from": 1, "to": 5, "step": 1, "count": 5}, "one of the two"),
        ({"from": 1, "to": 5, "step": 1, "scale": "log"}, "has a `count` of values, no `step`"),
        ({"from": 1, "to": 5, "count": 5, "scale": "cubic"}, "there are: linear, log"),
        ({"from": "fast", "to": 5, "step": 1}, '`from` is "fast", which is no number'),
        ({"from": math.inf, "to": 5, "step": 1}, "which is no number"),
        ({"to": 5, "step": 1}, "the range has no `from`"),
        ({"form": 1, "to": 5, "step": 1}, "unknown key 'form', did you mean 'from'?"),
        ([], "there is no value of 'key' to try"),
        ("50 kbit/s", "neither a list nor a range"),
        (7, "neither a list nor a range"),
    ],
)
def test_what_makes_no_values_is_an_error(given: Any, message: str) -> None:
    with pytest.raises(SweepError, match=message) as error:
        values("key", given, "sweep.toml: axis 1")
    assert str(error.value).startswith("sweep.toml: axis 1: key")


def test_keys_of_one_axis_go_together_and_axes_multiply() -> None:
    axes = [axis({"a": [1, 2], "b": ["x", "y"]}, ""), axis({"c": [0, 1]}, "")]
    assert combinations(axes) == [
        {"a": 1, "b": "x", "c": 0},
        {"a": 1, "b": "x", "c": 1},
        {"a": 2, "b": "y", "c": 0},
        {"a": 2, "b": "y", "c": 1},
    ]
    assert all_keys(axes) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (5, (5.0, "", True)),
        (5.0, (5.0, "", False)),
        ("5", (5.0, "", True)),
        ("-5", (-5.0, "", True)),
        ("5.0", (5.0, "", False)),
        (" 5 kB ", (5.0, "kB", True)),
        ("5.5kB", (5.5, "kB", False)),
        ("1e3 s", (1000.0, "s", False)),
        ("1e999 s", None),
        ("1.2.3", None),
        ("s", None),
        (True, None),
        (math.inf, None),
        (None, None),
    ],
)
def test_a_quantity_says_its_unit_and_whether_it_is_whole(given: Any, expected: Any) -> None:
    assert quantity(given) == expected


def test_a_condition_lets_an_axis_count_for_some_only() -> None:
    axes = [
        axis({"scheme": ["udp", "cxcc", "hxh"]}, ""),
        axis({"rfa": [True, False], "when": {"scheme": "cxcc"}}, ""),
        axis({"quantum": [1], "when": {"scheme": ["hxh", "atp"]}}, ""),
    ]
    check(axes, [])
    assert combinations(axes) == [
        {"scheme": "udp"},
        {"scheme": "cxcc", "rfa": True},
        {"scheme": "cxcc", "rfa": False},
        {"scheme": "hxh", "quantum": 1},
    ]


def test_a_key_may_have_other_values_elsewhere_but_not_two_at_once() -> None:
    one = axis({"scheme": ["a", "b"]}, "")
    of_a = axis({"limit": [1], "when": {"scheme": "a"}}, "")
    of_b = axis({"limit": [2], "when": {"scheme": "b"}}, "")
    assert [row["limit"] for row in combinations([one, of_a, of_b])] == [1, 2]
    with pytest.raises(SweepError, match="'limit' is varied by two axes at once"):
        combinations([one, of_a, axis({"limit": [3]}, "")])


@pytest.mark.parametrize(
    ("wanted", "left"),
    [
        (4, [2, 8]),
        ([2, 8], [4]),
        ({"from": 4}, [2]),
        ({"from": 3, "to": 5}, [2, 8]),
        ({"to": 3}, [4, 8]),
    ],
)
def test_what_is_skipped(wanted: Any, left: list[int]) -> None:
    skip = condition({"hops": wanted}, "skip 1")
    rows = combinations([axis({"hops": [2, 4, 8]}, "")], [skip])
    assert [row["hops"] for row in rows] == left


def test_bounds_of_quantities() -> None:
    skip = condition({"load": {"to": "60 kbit/s"}}, "skip 1")
    loads = axis({"load": ["0.06 Mbit/s", "0.1 Mbit/s", "61000 bit/s", "50 kB"]}, "")
    # Other units are converted, and other quantities are not compared.
    left = [row["load"] for row in combinations([loads], [skip])]
    assert left == ["0.1 Mbit/s", "61000 bit/s", "50 kB"]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"a": [1, 2], "b": [1]}, "'a' has 2, 'b' has 1"),
        ({"when": {"a": 1}}, "no key is varied"),
        ({"a": [1, 1]}, "'a' has the value 1 twice"),
        ({"a": [1, 1], "b": [2, 2]}, "stand there twice"),
        ({"a": [1], "when": []}, "a condition is a table"),
        ({"a": [1], "when": {"b": {"above": 3}}}, "unknown key 'above'"),
    ],
)
def test_what_makes_no_axis_is_an_error(table: dict[str, Any], message: str) -> None:
    with pytest.raises(SweepError, match=message):
        axis(table, "axis 1")


def test_conditions_are_about_what_is_varied() -> None:
    one, two = axis({"a": [1]}, ""), axis({"b": [1], "when": {"c": 1}}, "")
    with pytest.raises(SweepError, match="axis 2: when: 'c' is not varied by an axis before it"):
        check([one, two], [])
    with pytest.raises(SweepError, match="skip 1: 'd' is not varied by an axis; varied are: a"):
        check([one], [condition({"d": 1}, "")])


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ("x", "'a' is never \"x\"; its values are: 1, 2"),
        ("1", "'a' is never \"1\""),
        (3, "'a' is never 3"),
        ([3, 4], r"'a' is never \[3, 4\]"),
        ([], r"'a' is never \[\]"),
        ({"from": 3}, "'a' is never {\"from\": 3}"),
        ({"from": 2, "to": 1}, "'a' is never"),
        ({"from": "1 s"}, "'a' is never"),
    ],
)
def test_conditions_that_never_hold_are_refused(wanted: Any, message: str) -> None:
    never = condition({"a": wanted}, "")
    with pytest.raises(SweepError, match=f"skip 1: {message}"):
        check([axis({"a": [1, 2]}, "")], [never])
    with pytest.raises(SweepError, match=f"axis 2: when: {message}"):
        check([axis({"a": [1, 2]}, ""), Axis(({"b": 1},), never)], [])
    with pytest.raises(SweepError, match="skip 1: it holds for no combination"):
        combinations([axis({"a": [1, 2]}, "")], [never])


def test_conditions_hold_for_some_combination() -> None:
    axes = [axis({"a": [1, 2]}, ""), axis({"b": [3], "when": {"a": 1}}, "")]
    later = axis({"c": [4], "when": {"a": 2, "b": 3}}, "")
    check([*axes, later], [])
    with pytest.raises(SweepError, match="axis 3: when: it holds for no combination"):
        combinations([*axes, later])


def test_a_table_does_not_replace_what_varies_within_it() -> None:
    inner, table = axis({"mac.cw_min": [1, 2]}, ""), axis({"mac": [{"rts_cts": True}]}, "")
    assert len(combinations([table, inner])) == 2
    with pytest.raises(SweepError, match=r"'mac.cw_min' is varied, and a later axis replaces"):
        combinations([inner, table])


def test_a_million_combinations_are_too_many() -> None:
    axes = [axis({key: list(range(200))}, "") for key in "abc"]
    with pytest.raises(SweepError, match="more than 1000000 combinations"):
        combinations(axes)
