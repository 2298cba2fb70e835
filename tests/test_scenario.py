import dataclasses
from pathlib import Path

import pytest

from multihop import Scenario, ScenarioError


def test_equal_scenarios_have_equal_normal_forms(base: Scenario) -> None:
    assert Scenario.from_dict(base.to_dict()) == base
    assert base.name == "tiny"


def test_json_and_toml_files_say_the_same(base: Scenario, tiny: Path) -> None:
    as_json = tiny.with_suffix(".json")
    as_json.write_text(base.json)
    assert Scenario.from_file(as_json) == Scenario.from_file(tiny) == base


def test_with_overrides_by_dotted_key_and_leaves_the_original(base: Scenario) -> None:
    changed = base.with_(**{"scheme.rfa": False, "traffic.load": "100 kbit/s", "seed": 3})
    tables = changed.to_dict()
    assert tables["scheme"] == {"name": "cxcc", "rfa": False}
    assert tables["traffic"]["load"] == "100 kbit/s"
    assert tables["seed"] == 3
    assert "seed" not in base.to_dict()


def test_with_makes_missing_tables_and_none_takes_a_key_away(base: Scenario) -> None:
    changed = base.with_(**{"radio.propagation": "log-normal-shadowing"})
    assert changed.to_dict()["radio"] == {"propagation": "log-normal-shadowing"}
    assert changed.with_(radio=None) == base


def test_a_key_below_a_value_is_refused(base: Scenario) -> None:
    with pytest.raises(ScenarioError, match="'name' is not a table"):
        base.with_(**{"name.first": "x"})


def test_a_scenario_is_immutable(base: Scenario) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        base.json = "{}"  # type: ignore[misc]


def test_an_unknown_key_is_named(base: Scenario) -> None:
    with pytest.raises(ScenarioError, match="laod"):
        base.with_(**{"traffic.laod": "100 kbit/s"})


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("missing.toml", None, "cannot be read"),
        ("scenario.yaml", "a: 1", r"\.toml or \.json"),
        ("bad.toml", "seed = = 1", "bad.toml"),
        ("binary.toml", b"\xff\xfe", "UTF-8"),
    ],
)
def test_a_bad_file_is_named(
    tmp_path: Path, name: str, content: str | bytes | None, message: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ScenarioError, match=message):
        Scenario.from_file(path)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_a_number_that_is_not_finite_is_named_with_its_key(base: Scenario, value: float) -> None:
    with pytest.raises(ScenarioError, match=r"^scheme\.queue_limit: .* finite number$"):
        base.with_(**{"scheme.queue_limit": value})
    tables = base.to_dict() | {"node": [{"x": "1 m"}, {"x": value}]}
    with pytest.raises(ScenarioError, match=r"^node\[1\]\.x: .* expected a finite number$"):
        Scenario.from_dict(tables)
