"""Pages have short sentences, and the terms of the field (docs/guides/glossary.md)."""

from pathlib import Path

import pytest

from tests.language import long_sentences, sentences, wrong_terms
from tests.test_docs import ROOT

RECORDS = sorted((ROOT / "docs" / "adr").glob("*.md"))
# A record is one page; tables and code are not counted.
WORDS_OF_A_RECORD = 450
READ = [
    *(ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "benches" / "tried.md"),
    *sorted((ROOT / "docs").rglob("*.md")),
]


@pytest.mark.parametrize("page", READ, ids=lambda page: str(page.relative_to(ROOT)))
def test_sentences_are_short_and_terms_are_those_of_the_field(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert long_sentences(text) == []
    assert wrong_terms(text) == []


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.stem)
def test_a_record_is_one_page(record: Path) -> None:
    text = record.read_text(encoding="utf-8")
    assert sum(len(one.split()) for one in sentences(text)) <= WORDS_OF_A_RECORD
    for part in ("Context", "Decision", "Consequence"):
        assert f"\n## {part}\n" in text


def test_a_long_sentence_is_seen_and_what_is_no_sentence_is_not() -> None:
    words = "a word " * 21
    assert long_sentences(f"{words}.") == [f"{words}."]
    assert long_sentences(f"| {words} |\n\n```text\n{words}\n```\n\n# {words}\n") == []
    assert list(sentences("One, e.g. this. Two:\n- three\n- four [five six](seven)")) == [
        *("One, eg this.", "Two:", "three", "four five six"),
    ]


def test_a_wrong_term_is_seen_but_in_code() -> None:
    assert wrong_terms("It keeps to its bar.") == [("keeps to its bar", "tolerance, or target")]
    assert wrong_terms('`seam`, "a seam", [code](seam.md)\n\n```text\nseams\n```\n') == []
    assert wrong_terms("The progress bar shows time, error bars show intervals.") == []
