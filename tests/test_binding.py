"""The binding of the engine without the package around it: what it takes, refuses and returns."""

from __future__ import annotations

import ast
import inspect
import json
import math
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

from multihop import _multihop
from multihop._multihop import Cancel, Interrupted, ReplayError, Runs, ScenarioError

pytestmark = pytest.mark.engine

STUBS = Path(inspect.getfile(_multihop)).with_name("_multihop.pyi")
CHAIN: dict[str, Any] = {
    "warmup": "0 s",
    "duration": "1 s",
    "topology": {"kind": "chain", "hops": 2},
    "scheme": {"name": "udp"},
    "traffic": {"load": "50 kbit/s", "start": "0.1 s"},
}
SCENARIO = json.dumps(CHAIN)
# Of an hour, which no test waits for.
LONG = json.dumps({**CHAIN, "duration": "3600 s"})
# What takes a scenario first, with the rest of its arguments.
TAKERS: dict[str, tuple[Any, ...]] = {
    "identity": (),
    "conditions": (),
    "movement": (),
    "survey": (),
    "run": (),
    "run_traced": ("nowhere",),
    "run_observed": (),
    "capture": ("nowhere",),
    "network": (),
    "record": ("n0",),
    "replay": ("n0", ""),
}


def declared() -> list[ast.stmt]:
    return ast.parse(STUBS.read_text("utf-8")).body


def test_the_stubs_name_everything_that_there_is() -> None:
    said = {
        node.name for node in declared() if isinstance(node, ast.FunctionDef | ast.ClassDef)
    } | {
        node.target.id
        for node in declared()
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    assert {name for name in vars(_multihop) if not name.startswith("__")} == said


def parameters(function: ast.FunctionDef) -> list[str]:
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [argument.arg for argument in named]


def test_the_stubs_name_arguments_as_they_are() -> None:
    for node in declared():
        if isinstance(node, ast.FunctionDef):
            there = inspect.signature(getattr(_multihop, node.name))
            assert list(there.parameters) == parameters(node), node.name


def test_classes_have_what_their_stubs_say() -> None:
    for node in declared():
        if not isinstance(node, ast.ClassDef):
            continue
        there = getattr(_multihop, node.name)
        members = [one.name for one in node.body if isinstance(one, ast.FunctionDef)]
        missing = [name for name in members if not hasattr(there, name)]
        assert not missing, node.name


@pytest.mark.parametrize("name", TAKERS)
@pytest.mark.parametrize("wrong", [None, 7, math.nan, b"{}", {}, [SCENARIO]])
def test_a_scenario_of_another_type_is_a_type_error(name: str, wrong: Any) -> None:
    with pytest.raises(TypeError):
        getattr(_multihop, name)(wrong, *TAKERS[name])


@pytest.mark.parametrize("name", TAKERS)
@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "NaN", "1e999", "\0", "[" * 100_000, '{"a":' * 100_000, "{}"],
    ids=["empty", "open", "list", "null", "nan", "huge", "zero", "deep list", "deep", "bare"],
)
def test_a_text_that_is_no_scenario_is_refused(name: str, text: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        getattr(_multihop, name)(text, *TAKERS[name])
    assert isinstance(refused.value, ValueError)
    assert str(refused.value)


@pytest.mark.parametrize("name", TAKERS)
def test_a_text_without_an_encoding_is_refused(name: str) -> None:
    with pytest.raises(UnicodeEncodeError):
        getattr(_multihop, name)("\ud800", *TAKERS[name])


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("duration", 1e999),
        ("duration", "1e400 s"),
        ("duration", -1),
        ("seed", 2**70),
        ("seed", -1),
        ("seed", 1.5),
        ("topology", {"kind": "chain", "hops": 2**64}),
        ("topology", {"kind": "chain", "hops": 10**9}),
        ("topology", {"kind": "chain", "hops": -1}),
        ("traffic", {"load": "1e400 kbit/s"}),
        ("traffic", {"payload": "-1 B"}),
        ("scheme", {"name": "udp\0"}),
        ("scheme", {"name": "n" * 1_000_000}),
    ],
)
def test_a_value_out_of_all_bounds_is_refused(key: str, value: Any) -> None:
    text = json.dumps({**CHAIN, key: value})
    with pytest.raises(ScenarioError):
        _multihop.run(text)


LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["", "1e400 s", "-0 s", "NaN", "0x7 B", "1 s s", "\u2028", "everyone"]),
)
TREES = st.recursive(
    LEAVES,
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text(max_size=6), below),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from([*CHAIN, "routing", "mac", "radio", "wired", "node", "flow"]), TREES)
def test_whatever_stands_at_a_key_is_read_or_refused(key: str, value: Any) -> None:
    """Nothing else comes out: a panic would be no `Exception`."""
    text = json.dumps({**CHAIN, key: value})
    try:
        normal = _multihop.normalize(text, "json")
    except ScenarioError:
        return
    assert _multihop.normalize(normal, "json") == normal


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_a_scenario_or_refused(text: str) -> None:
    for form in ("toml", "json"):
        with pytest.raises(ScenarioError):
            _multihop.normalize(text + "\n?", form)


def test_a_form_or_an_override_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="'toml' or 'json', not 'yaml'"):
        _multihop.normalize(SCENARIO, "yaml")
    for number in ("NaN", "Infinity", "1e999"):
        with pytest.raises(ScenarioError, match=r"traffic\.load: .* is not a finite number"):
            _multihop.normalize(SCENARIO, "json", None, [("traffic.load", number, "--set")])
    for wrong in [("traffic.load", "1")], ["traffic.load"], [(1, 2, 3)]:
        with pytest.raises((TypeError, ValueError)):
            _multihop.normalize(SCENARIO, "json", None, wrong)  # type: ignore[arg-type]


def test_an_override_takes_the_place_of_a_key_and_is_blamed() -> None:
    longer = [("duration", '"7 s"', "--duration")]
    read = json.loads(_multihop.normalize(SCENARIO, "json", None, longer))
    assert read["duration"] == "7 s"
    with pytest.raises(ScenarioError, match=r"^--hops ") as refused:
        _multihop.normalize(SCENARIO, "json", None, [("topology.hops", "-3", "--hops")])
    assert (refused.value.key, refused.value.option) == ("topology.hops", "--hops")  # type: ignore[attr-defined]
    assert (ScenarioError.key, ScenarioError.option) == (None, None)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 kbit/s", (2000.0, "bit/s")),
        ("1.5 ms", (1.5e6, "ns")),
        ("3 kB", (3000.0, "B")),
        ("-4 dBm", (-4.0, "dBm")),
        ("-3 s", None),
        ("", None),
        ("s", None),
        ("nan s", None),
        ("inf s", None),
        ("5", None),
        ("1e999 s", None),
    ],
)
def test_a_quantity_has_base_units_or_is_none(text: str, value: tuple[float, str] | None) -> None:
    read = _multihop.base_units(text)
    assert read == value


@pytest.mark.parametrize("at", [math.nan, math.inf, -math.inf, -1e-9, 1e10, 1e308])
def test_places_at_no_time_are_refused(at: float) -> None:
    with pytest.raises(ScenarioError, match="a time is 0 s to"):
        _multihop.survey(SCENARIO, at)


def test_a_survey_has_columns_of_equal_length() -> None:
    found = _multihop.survey(SCENARIO, 0)
    assert set(found) == {"nodes", "signals", "flows", "hops", "mac"}
    for table in found.values():
        assert len({len(column) for column in table.values()}) == 1
    assert list(found["nodes"]["name"]) == ["n0", "n1", "n2"]
    with pytest.raises(ScenarioError, match="wired"):
        _multihop.survey(json.dumps({**CHAIN, "wired": {}}))


def test_columns_have_the_types_of_their_values() -> None:
    tables = _multihop.run(SCENARIO, events=True)
    assert set(tables) == {"runs", "flows", "nodes", "series", "events"}
    events = tables["events"]
    assert isinstance(events["event"], list)
    kinds = {name: events[name].dtype for name in ("time_s", "node", "value")}  # type: ignore[union-attr]
    assert kinds == {"time_s": np.float64, "node": np.int64, "value": np.float64}
    assert "events" not in _multihop.run(SCENARIO)
    assert isinstance(tables["runs"]["fingerprint"], list)


RUNNERS: dict[str, Callable[[Path, Cancel], object]] = {
    "run": lambda _, stop: _multihop.run(LONG, False, stop),
    "record": lambda _, stop: _multihop.record(LONG, "n0", stop),
    "capture": lambda path, stop: _multihop.capture(LONG, str(path / "a.pcapng"), stop),
    "run_traced": lambda path, stop: _multihop.run_traced(LONG, path, cancel=stop),
    "Runs.run": lambda _, stop: Runs().run(LONG, ["runs"], stop),
}


@pytest.mark.parametrize("name", RUNNERS)
def test_a_run_that_is_cancelled_before_it_begins_ends_at_once(name: str, tmp_path: Path) -> None:
    stop = Cancel()
    assert not stop.cancelled
    stop.cancel()
    stop.cancel()
    assert stop.cancelled
    with pytest.raises(Interrupted, match="interrupted") as stopped:
        RUNNERS[name](tmp_path, stop)
    assert not isinstance(stopped.value, ValueError)


def test_a_cancel_takes_nothing_and_has_no_other_attributes() -> None:
    with pytest.raises(TypeError):
        Cancel(True)  # type: ignore[call-arg]
    with pytest.raises(AttributeError):
        Cancel().cancelled = True  # type: ignore[misc]
    with pytest.raises(TypeError):
        _multihop.run(SCENARIO, False, True)  # type: ignore[arg-type]


def test_runs_hand_their_tables_over_once_and_count_those_that_did_not_fail() -> None:
    runs, stop = Runs(), Cancel()
    stop.cancel()
    runs.run(SCENARIO, ["runs", "nodes", "no such table"])
    with pytest.raises(ScenarioError):
        runs.run("{}", ["runs"])
    with pytest.raises(Interrupted):
        runs.run(LONG, ["runs"], stop)
    runs.run(SCENARIO, ["nodes"])
    tables = runs.tables()
    assert set(tables) == {"runs", "nodes"}
    owners, columns = tables["nodes"]
    assert owners.tolist() == [0, 0, 0, 1, 1, 1]
    values, known = columns["mac_served"]
    assert len(values) == len(known) == 6
    assert known.all()
    assert tables["runs"][0].tolist() == [0]
    assert runs.tables() == {}
    runs.run(SCENARIO, ["runs"])
    assert runs.tables()["runs"][0].tolist() == [0], "they are counted anew"


@pytest.mark.parametrize("wrong", ["runs", 1, None, [1], [None]])
def test_the_tables_of_runs_are_a_list_of_names(wrong: Any) -> None:
    with pytest.raises(TypeError):
        Runs().run(SCENARIO, wrong)


def test_runs_that_another_thread_uses_are_refused() -> None:
    runs, stop, refused = Runs(), Cancel(), threading.Event()

    def work() -> None:
        with pytest.raises(Interrupted):
            runs.run(LONG, ["runs"], stop)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        while thread.is_alive() and not refused.is_set():
            try:
                runs.tables()
            except RuntimeError:
                refused.set()
    finally:
        stop.cancel()
        thread.join()
    assert refused.is_set()
    assert runs.tables() == {}


@pytest.mark.parametrize("batch", [0, 1, 7, 2**40])
def test_a_trace_is_the_same_in_batches_of_any_length(batch: int, tmp_path: Path) -> None:
    (tmp_path / "some").mkdir()
    (tmp_path / "usual").mkdir()
    tables, rows = _multihop.run_traced(SCENARIO, tmp_path / "some", batch)
    usual = _multihop.run_traced(SCENARIO, tmp_path / "usual")
    assert rows == usual[1]
    assert tables["runs"]["fingerprint"] == usual[0]["runs"]["fingerprint"]
    for table in rows:
        read = [pl.read_parquet(tmp_path / one / f"{table}.parquet") for one in ("some", "usual")]
        assert read[0].equals(read[1], null_equal=True), table
    assert set(rows) == set(_multihop.trace_tables())


@pytest.mark.parametrize("batch", [-1, 2**64, 1.5, "7", math.nan])
def test_a_batch_that_is_no_size_is_refused(batch: Any, tmp_path: Path) -> None:
    with pytest.raises((TypeError, OverflowError)):
        _multihop.run_traced(SCENARIO, tmp_path, batch)
    assert not list(tmp_path.iterdir())


def test_files_that_cannot_be_written_are_errors_of_the_system(tmp_path: Path) -> None:
    absent = tmp_path / "absent"
    with pytest.raises(FileNotFoundError):
        _multihop.capture(SCENARIO, str(absent / "a.pcapng"))
    with pytest.raises(IsADirectoryError):
        _multihop.capture(SCENARIO, str(tmp_path))
    with pytest.raises(FileNotFoundError):
        _multihop.run_traced(SCENARIO, absent)
    with pytest.raises((ValueError, OSError)):
        _multihop.capture(SCENARIO, "a\0b")


def test_rows_that_nobody_keeps_are_made() -> None:
    assert _multihop.run_observed(SCENARIO) is None  # type: ignore[func-returns-value]
    ns3 = json.dumps({**CHAIN, "simulator": "ns3"})
    with pytest.raises(ScenarioError, match="simulator"):
        _multihop.run_observed(ns3)


def test_a_recording_is_replayed_line_by_line_or_refused() -> None:
    recording = _multihop.record(SCENARIO, "n1")
    lines = recording.splitlines(keepends=True)
    assert _multihop.replay(SCENARIO, "n1", recording) == len(lines) > 10
    assert _multihop.replay(SCENARIO, "n1", "") == 0
    wrong = [
        "nonsense\n",
        "\0\n",
        recording[:-5],
        "".join(lines[5:]),
        _multihop.record(SCENARIO, "n2"),
    ]
    for text in wrong:
        with pytest.raises(ReplayError):
            _multihop.replay(SCENARIO, "n1", text)
    for node in ("", "n3", "0", "\0"):
        with pytest.raises(ScenarioError, match="the nodes are n0 to n2"):
            _multihop.record(SCENARIO, node)
    with pytest.raises(TypeError):
        _multihop.record(SCENARIO, 1)  # type: ignore[arg-type]


def test_equal_scenarios_have_one_identity_of_32_digits() -> None:
    again = json.dumps({**CHAIN, "duration": "1000 ms"})
    other = json.dumps({**CHAIN, "duration": "1001 ms"})
    found = [_multihop.identity(text) for text in (SCENARIO, again, other)]
    assert found[0] == found[1] != found[2]
    assert all(len(name) == 32 and int(name, 16) >= 0 for name in found)


def test_words_of_parts_stand_beside_the_common_ones() -> None:
    words = _multihop.vocabulary()
    assert {"coded", "local_repair", "transmit_start"} <= words["events"].keys()
    assert "rfa" in words["frame_classes"]
    assert "lost_no_route" in words["drop_causes"]
    assert all(meaning for table in words.values() for meaning in table.values())


def test_descriptions_of_parts_have_what_their_kinds_have() -> None:
    radios = ("macs", "rates", "propagations")
    lists = ("schemes", "routings", *radios, "mobilities", "traffics", "topologies")
    sections = [getattr(_multihop, one)() for one in ("traffic", "radio", "wired")]
    for part in [*(part for one in lists for part in getattr(_multihop, one)()), *sections]:
        names = [param["name"] for param in part["params"]]
        assert len(names) == len(set(names)), part["name"]
        for param in part["params"]:
            assert param["about"], (part["name"], param["name"])
            assert ("default" in param) != ("example" in param)
            assert ("otherwise" in param) <= ("example" in param)
            assert ("among" in param) == (param["kind"] == "choice")


def test_transitions_lead_between_states_that_are_left_again() -> None:
    arrows = _multihop.wxcp_transitions()
    assert {arrow[0] for arrow in arrows} == {arrow[2] for arrow in arrows}
    assert len({arrow[:2] for arrow in arrows}) == len(arrows), "one way out for each trigger"
    assert all(arrow[3] for arrow in arrows)
