"""The lessons that come with multihop, each with one network that the command line shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from ..engine.errors import GalleryError
from ..scenario.form import Scenario
from .blocks import Network
from .course import Course, Page, read_course

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Lesson:
    """One thing to learn: up to three runs of a scenario, and a paragraph beside them."""

    page: Page
    network: Network

    @property
    def name(self) -> str:
        """The name of its file."""
        return self.page.name

    @property
    def title(self) -> str:
        """The title."""
        return self.page.title

    @property
    def text(self) -> str:
        """The paragraph that says what to look for."""
        return self.page.lead

    @property
    def view(self) -> str:
        """Where the replay begins, as in the part of a link behind "#"."""
        return self.network.view

    @property
    def runs(self) -> tuple[tuple[str, Mapping[str, Any]], ...]:
        """What stands above each run, and the keys that it changes."""
        return self.network.runs

    @property
    def path(self) -> Path:
        """The scenario file."""
        return self.network.path

    @property
    def titles(self) -> list[str]:
        """What stands above each run; that of a run with "" is its scheme."""
        return [title for title, _ in self.runs]

    def scenarios(self) -> list[Scenario]:
        """Return the scenarios of its runs."""
        return self.network.scenarios()


@cache
def course() -> Course:
    """Return all lessons as the playground has them."""
    return read_course(FOLDER)


@cache
def lessons() -> tuple[Lesson, ...]:
    """Return all lessons, in the order in which to show them."""
    return tuple(Lesson(page, page.networks[0]) for page in course().pages)


def lesson(name: str) -> Lesson:
    """Return a lesson; raises `GalleryError` if there is none of this name."""
    found = {one.name: one for one in lessons()}
    if name in found:
        return found[name]
    close = get_close_matches(name, found, 1)
    hint = f"did you mean '{close[0]}'?" if close else f"there are {', '.join(found)}"
    raise GalleryError(f"'{name}' is no lesson of the gallery; {hint}")
