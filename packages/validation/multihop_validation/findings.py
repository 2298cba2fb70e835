"""Notes of experiments beyond the tables, which the pages show.

They are documents, `docs/validation/findings/PAGE.md`, written by whoever has made the experiment.
"""

from __future__ import annotations

from .store import PAGE_FOLDER

FOLDER = PAGE_FOLDER / "findings"


def text(page: str) -> str:
    """Return the list of notes of a page; its links begin at the page, not at the notes."""
    notes = (FOLDER / f"{page}.md").read_text(encoding="utf-8")
    begin = notes.index("\n- ") + 1
    return notes[begin:].strip().replace("](../", "](")
