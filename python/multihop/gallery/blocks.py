"""What a lesson embeds, as TOML in fenced blocks: networks that its reader runs, and exercises."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..engine.errors import GalleryError, ScenarioError
from ..engine.texts import read_text
from ..results.columns import COLUMNS
from ..scenario.form import Scenario
from ..scenario.keys import is_key
from .markdown import Piece, html

NETWORK, EXERCISE = "network", "exercise"
KEYS = {
    NETWORK: ("scenario", "run", "change", "show", "view"),
    EXERCISE: ("question", "answer"),
}
# More replays cannot be seen together.
MOST_RUNS = 3
# What is shown of a run if a lesson does not say it.
SHOWN = ("goodput_bit_s", "end_to_end_delay_mean_s")
# Tables of which a lesson may show a column, and which is meant without its name.
TABLES = ("runs", "flows", "nodes")


@dataclass(frozen=True)
class Network:
    """A scenario in a lesson, which its reader changes and runs.

    `runs` are what stands above each replay and the keys that it changes; `change` are the keys
    that the reader may change, with the values to choose from, or none for any; `show` are columns
    of results; `view` is where the replay begins, as in the part of a link behind "#".
    """

    path: Path
    text: str
    runs: tuple[tuple[str, Mapping[str, Any]], ...]
    change: Mapping[str, tuple[Any, ...]]
    show: tuple[str, ...]
    view: str

    def scenarios(self) -> list[Scenario]:
        """Return the scenarios of its runs."""
        return [Scenario.from_toml(self.text).override(changes) for _, changes in self.runs]

    def told(self) -> dict[str, Any]:
        """Return what the page is told."""
        network = {
            "text": self.text,
            "runs": [{"title": title, "set": changes} for title, changes in self.runs],
            "change": [{"key": key, "values": values} for key, values in self.change.items()],
            "show": self.show,
            "view": self.view,
        }
        return {"network": network}


@dataclass(frozen=True)
class Exercise:
    """A question for a class and its answer, both in Markdown."""

    question: str
    answer: str

    def told(self) -> dict[str, Any]:
        """Return what the page is told."""
        return {"exercise": {"question": html(self.question), "answer": html(self.answer)}}


@dataclass(frozen=True)
class Block:
    """An embedded block as it stands in a file."""

    path: Path
    piece: Piece

    def error(self, what: str) -> GalleryError:
        """Return an error that names the place."""
        return GalleryError(f"{self.path}, line {self.piece.line}: {self.piece.kind}: {what}")

    def table(self) -> dict[str, Any]:
        """Return what stands in the block."""
        # As many lines before it as in the file, so that the parser counts like its reader.
        text = "\n" * self.piece.line + self.piece.content
        try:
            table = tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            raise GalleryError(f"{self.path}: {self.piece.kind}: not valid TOML: {error}") from None
        known = KEYS[self.piece.kind]
        if unknown := [key for key in table if key not in known]:
            raise self.error(f"'{unknown[0]}' is no key; there are {', '.join(known)}")
        return table

    def text(self, table: Mapping[str, Any], key: str, default: str | None = None) -> str:
        """Return a text of the table."""
        value = table.get(key, default)
        if not isinstance(value, str) or (default is None and not value.strip()):
            raise self.error(f"'{key}' has to be a text, as in {key} = \"...\"")
        return value

    def network(self) -> Network:
        """Return the block as a network; each of its runs is checked."""
        table = self.table()
        path = self.path.parent / self.text(table, "scenario", f"{self.path.stem}.toml")
        if not path.resolve().is_relative_to(self.path.parent.resolve()):
            raise self.error(f"scenario: '{path}' lies outside the lessons' folder; copy it there")
        try:
            text = read_text(path)
        except ValueError as error:
            raise self.error(f"scenario: {error}") from None
        runs = tuple(self._run(run) for run in self._listed(table, "run", [{}]))
        if not 1 <= len(runs) <= MOST_RUNS:
            raise self.error(f"write 1 to {MOST_RUNS} tables [[run]]; there are {len(runs)}")
        change = self._changes(table)
        show = self._shown(table)
        network = Network(path, text, runs, change, show, self.text(table, "view", ""))
        self._check(network)
        return network

    def _run(self, run: Any) -> tuple[str, Mapping[str, Any]]:
        if not isinstance(run, dict) or set(run) - {"title", "set"}:
            raise self.error("a [[run]] has 'title' and 'set', and nothing else")
        changes = run.get("set", {})
        if not isinstance(changes, dict):
            raise self.error('\'set\' has to be a table, as in set = { "scheme.name" = "udp" }')
        return self.text(run, "title", ""), changes

    def _listed(self, table: Mapping[str, Any], key: str, default: list[Any]) -> list[Any]:
        found = table.get(key, default)
        if not isinstance(found, list):
            raise self.error(f"'{key}' has to be a list")
        return found

    def _changes(self, table: Mapping[str, Any]) -> dict[str, tuple[Any, ...]]:
        change = table.get("change", {})
        if not isinstance(change, dict) or not all(isinstance(v, list) for v in change.values()):
            raise self.error(
                "'change' has keys with values to choose from, and [] for any value, as in "
                'change = { "traffic.load" = [] }'
            )
        for key in change:
            if not is_key(key):
                raise self.error(f"change: '{key}' is no key of a scenario; see 'multihop schema'")
        return {key: tuple(values) for key, values in change.items()}

    def _shown(self, table: Mapping[str, Any]) -> tuple[str, ...]:
        shown = self._listed(table, "show", list(SHOWN))
        for name in shown:
            of, _, column = str(name).rpartition(".")
            if (of or TABLES[0]) not in TABLES or column not in COLUMNS[of or TABLES[0]]:
                tables = ", ".join(TABLES)
                raise self.error(
                    f"show: '{name}' is no column of {tables}; see 'multihop list columns'"
                )
        return tuple(map(str, shown))

    def _check(self, network: Network) -> None:
        try:
            for scenario in network.scenarios():
                for key, values in network.change.items():
                    for value in values:
                        scenario.override({key: value})
        except ScenarioError as error:
            raise self.error(f"{network.path.name}: {error}") from None

    def exercise(self) -> Exercise:
        """Return the block as an exercise."""
        table = self.table()
        return Exercise(self.text(table, "question"), self.text(table, "answer"))
