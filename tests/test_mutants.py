"""What the tests notice of code that is broken on purpose: enough, and the rest has a reason."""

import importlib.util
import json
import re
from collections import Counter
from types import ModuleType
from typing import Any

import pytest

from tests.generate import ROOT

pytestmark = pytest.mark.engine

# Of the mutants that count, in the crates and in the layers.
NOTICED = 0.85


@pytest.fixture(scope="module")
def program() -> ModuleType:
    spec = importlib.util.spec_from_file_location("mutants", ROOT / "benches" / "mutants.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def outcomes(program: ModuleType) -> list[dict[str, Any]]:
    stored: list[dict[str, Any]] = json.loads(program.STORE.read_text("utf-8"))["mutants"]
    return stored


@pytest.mark.parametrize("where", ["crates/", "python/"])
def test_most_mutants_are_noticed(outcomes: list[dict[str, Any]], where: str) -> None:
    counts = Counter(one["outcome"] for one in outcomes if one["part"].startswith(where))
    noticed = counts["killed"] + counts["timeout"]
    assert noticed >= 10
    assert noticed / (noticed + counts["missed"]) >= NOTICED


def test_what_is_not_noticed_has_a_reason_and_nothing_else_has(
    outcomes: list[dict[str, Any]],
) -> None:
    for one in outcomes:
        assert ("reason" in one) == (one["outcome"] == "missed"), one["mutant"]
        assert one["mutant"].startswith(one["part"])
        assert (ROOT / one["mutant"].partition(":")[0]).is_file(), one["mutant"]
    assert len({one["mutant"] for one in outcomes}) == len(outcomes)


def test_layers_and_crates_are_there_with_their_tests(program: ModuleType) -> None:
    for crate in program.CRATES:
        assert (ROOT / "crates" / crate).is_dir()
    for layer, tests in program.LAYERS.items():
        assert (ROOT / "python" / "multihop" / layer).is_dir()
        assert all((ROOT / "tests" / f"test_{name}.py").is_file() for name in tests), layer


def test_a_mutant_is_found_again_on_any_line(program: ModuleType) -> None:
    name = "crates/core/src/time.rs: replace <impl Mul<u64> for Duration>::mul -> &[u8; N] with ()"
    pattern = program.pattern(name)
    moved = name.replace("time.rs: ", "time.rs:7:25: ")
    assert re.fullmatch(pattern[1:-1], moved)
    assert not re.fullmatch(pattern[1:-1], moved.replace("()", "(1)"))
    outcome = {
        "scenario": {
            "Mutant": {
                "name": moved,
                "file": "crates/core/src/time.rs",
                "package": "multihop-core",
            }
        },
        "summary": "CaughtMutant",
    }
    expected = {"part": "crates/core", "mutant": name, "outcome": "killed"}
    assert program.outcome_of_rust(outcome) == expected


def test_types_are_not_broken(program: ModuleType) -> None:
    text = "def one(a: int | None = 1 | 2) -> str | None:\n    b: int | str = a | 3\n"
    lines = text.splitlines()
    spans = program.where_types_stand(text)
    found = {lines[first[0] - 1][first[1] : last[1]] for first, last in spans}
    assert found == {"int | None", "str | None", "int | str"}
