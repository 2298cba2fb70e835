"""Every claim of the threat model names a test, which there is (docs/guides/threat-model.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tests.test_docs import ROOT

PAGE = ROOT / "docs" / "guides" / "threat-model.md"
# A link whose text is a function's name, to the file that has it.
TEST = re.compile(r"\[`(\w+)`\]\(([^)#]+)\)")
# What is said of an attack against which there is nothing.
NONE = "not prevented"
# A head of a table, and its line below.
NO_CLAIM = ("| attack |", "|---")


def claims(text: str) -> Iterator[str]:
    """Yield the rows of tables and the points of lists, each as one line."""
    for paragraph in re.split(r"\n\s*\n", text):
        for one in re.split(r"^(?=- |\|)", paragraph, flags=re.MULTILINE):
            if one.startswith(("- ", "|")) and not one.startswith(NO_CLAIM):
                yield " ".join(one.split())


def unproven(text: str) -> list[str]:
    """Return the claims that name no test."""
    return [one for one in claims(text) if not TEST.search(one) and NONE not in one]


def absent(text: str) -> list[str]:
    """Return the tests that are named, but are no function of their file, or no test."""
    return [name for name, file in TEST.findall(text) if not is_test(name, PAGE.parent / file)]


def is_test(name: str, file: Path) -> bool:
    """Return whether a file has this test, which runs with the others."""
    if not file.is_file():
        return False
    code = file.read_text(encoding="utf-8")
    if file.suffix == ".py":
        return name.startswith("test_") and f"\ndef {name}(" in code
    # its attribute, perhaps others, and then the function; tests at random stand in a macro
    return bool(re.search(rf"#\[test\]\s+(?:#\[[^\n]*\]\s+)*fn {name}\(", code))


def test_every_claim_of_the_threat_model_names_a_test_that_there_is() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert len(list(claims(text))) > 30
    assert unproven(text) == []
    assert absent(text) == []


def test_a_claim_without_a_test_and_a_test_that_there_is_not_are_seen() -> None:
    file = "../../tests/test_threat_model.py"
    mine = "test_every_claim_of_the_threat_model_names_a_test_that_there_is"
    good = f"- It holds\n  ([`{mine}`]({file})).\n"
    assert (unproven(good), absent(good)) == ([], [])
    assert unproven(f"{good}- It holds, too.\n") == ["- It holds, too."]
    assert unproven(
        f"{good}\n| attack | effect |\n|---|---|\n| a | b |\n| c | not prevented |\n"
    ) == ["| a | b |"]
    for name, where in (("claims", file), ("test_gone", file), ("test_gone", "gone.py")):
        assert absent(f"- It holds ([`{name}`]({where})).") == [name]
    rust = "../../crates/linux/src/seal/tests.rs"
    assert absent(f"[`seal`]({rust}) [`a_fingerprint_is_the_keys`]({rust})") == ["seal"]
