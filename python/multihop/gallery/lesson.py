"""Lessons: what `lessons.toml` has, checked, and their scenarios."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from ..engine.errors import GalleryError
from ..scenario.form import Scenario

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Lesson:
    """One thing to learn: up to two runs of a scenario, and a paragraph beside them."""

    name: str
    title: str
    text: str
    # Where the replay begins, as in the part of a link behind "#".
    view: str
    # What stands above each run, and the keys that it changes; a run with "" shows its scheme.
    runs: tuple[tuple[str, Mapping[str, Any]], ...]

    @property
    def path(self) -> Path:
        """The scenario file."""
        return FOLDER / f"{self.name}.toml"

    @property
    def titles(self) -> list[str]:
        """What stands above each run."""
        return [title for title, _ in self.runs]

    def scenarios(self) -> list[Scenario]:
        """Return the scenarios of its runs."""
        return [Scenario.from_file(self.path, changes) for _, changes in self.runs]


@cache
def lessons() -> tuple[Lesson, ...]:
    """Return all lessons, in the order in which to show them."""
    tables = tomllib.loads((FOLDER / "lessons.toml").read_text(encoding="utf-8"))["lesson"]
    return tuple(
        Lesson(
            name=table["name"],
            title=table["title"],
            text=" ".join(table["text"].split()),
            view=table["view"],
            runs=tuple((run["title"], run["set"]) for run in table.get("runs", [ALONE])),
        )
        for table in tables
    )


ALONE: dict[str, Any] = {"title": "", "set": {}}


def lesson(name: str) -> Lesson:
    """Return a lesson; raises `GalleryError` if there is none of this name."""
    found = {one.name: one for one in lessons()}
    if name in found:
        return found[name]
    close = get_close_matches(name, found, 1)
    hint = f"did you mean '{close[0]}'?" if close else f"there are {', '.join(found)}"
    raise GalleryError(f"'{name}' is no lesson of the gallery; {hint}")
