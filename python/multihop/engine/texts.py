"""Files of text that anybody may have changed: whatever is wrong with one is a `ValueError`."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

READERS = {"toml": tomllib.loads, "json": json.loads}


def read_text(path: Path) -> str:
    """Return a file's text; the error names the file and a remedy."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ValueError(f"{path}: cannot be read: {reason}; check the path") from None


def parsed(text: str, kind: str = "json") -> Any:
    """Return what a text in JSON or TOML holds."""
    try:
        return READERS[kind](text)
    except RecursionError:
        raise ValueError("its lists and tables are nested too deeply") from None


def read_json(path: Path) -> Any:
    """Return what a file in JSON holds; `OSError` if it cannot be read."""
    return parsed(path.read_text(encoding="utf-8"))
