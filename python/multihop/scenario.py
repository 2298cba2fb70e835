"""Scenarios: what is simulated. The engine defines and checks them; here they are a value."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ._multihop import ScenarioError, movement, normalize

FORMATS = {".toml": "toml", ".json": "json"}


@dataclass(frozen=True, slots=True)
class Scenario:
    """A checked scenario, immutable.

    It holds the engine's normal form: JSON with only what was given, defaults left out. Two
    scenarios are equal if their normal forms are.
    """

    json: str

    @classmethod
    def from_file(cls, path: str | Path) -> Scenario:
        """Read a scenario from a `.toml` or `.json` file."""
        path = Path(path)
        kind = FORMATS.get(path.suffix)
        if kind is None:
            raise ScenarioError(f"{path}: a scenario file ends in .toml or .json")
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            raise ScenarioError(f"{path}: cannot be read: {reason}; check the path") from None
        try:
            return cls(normalize(text, kind, str(path.parent)))
        except ScenarioError as error:
            raise ScenarioError(f"{path}: {error}") from None

    @classmethod
    def from_toml(cls, text: str) -> Scenario:
        """Read a scenario from TOML text."""
        return cls(normalize(text, "toml"))

    @classmethod
    def from_dict(cls, tables: dict[str, Any]) -> Scenario:
        """Make a scenario from nested dictionaries that look like the TOML file."""
        return cls(normalize(json.dumps(tables), "json"))

    def to_dict(self) -> dict[str, Any]:
        """Return what was given, as nested dictionaries."""
        tables: dict[str, Any] = json.loads(self.json)
        return tables

    def with_(self, **overrides: Any) -> Scenario:
        """Return a copy with keys replaced; a dot leads into a table, `None` takes a key away.

        >>> base.with_(**{"scheme.rfa": True, "traffic.load": "100 kbit/s", "seed": 3})
        """
        tables = self.to_dict()
        if "mobility.file" in overrides and isinstance(tables.get("mobility"), dict):
            # The text of the file before it.
            tables["mobility"].pop("movements", None)
        for key, value in overrides.items():
            _override(tables, key, value)
        return Scenario.from_dict(tables)

    def movement(self) -> str:
        """Return where the nodes are and how they move, as an ns-2 movement file (m, s, m/s)."""
        return movement(self.json)

    @property
    def name(self) -> str:
        """The scenario's name, "" if it has none."""
        return str(self.to_dict().get("name", ""))


def _override(tables: dict[str, Any], key: str, value: Any) -> None:
    *path, last = key.split(".")
    table = tables
    for part in path:
        table = table.setdefault(part, {})
        if not isinstance(table, dict):
            raise ScenarioError(f"'{key}' cannot be set: '{part}' is not a table")
    if value is None:
        table.pop(last, None)
    else:
        table[last] = value
