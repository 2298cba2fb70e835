"""Rows that a command of this package has measured, kept beside the papers' verdicts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from multihop.results.result import replacing
from multihop.sweeping.batches import engine

Rows = Sequence[Mapping[str, Any]]


def keep(path: Path, command: str, rows: Rows) -> None:
    """Write rows with the command that has measured them, and the engine."""
    kept = {"command": command, "engine": engine(), "rows": rows}
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def stored(path: Path) -> Rows:
    """Return the rows that are kept in a file."""
    return list(json.loads(path.read_text(encoding="utf-8"))["rows"])
