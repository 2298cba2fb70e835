"""The central claims as they were written down before any run."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("claims.toml")


@dataclass(frozen=True)
class Central:
    """A central claim: the paper's sentence, what is measured, and what has to hold."""

    id: str
    paper: str
    # The section.
    where: str
    sentence: str
    # The set-up whose runs decide (`setups.py`).
    setup: str
    measure: str
    bound: str


CLAIMS = tuple(
    Central(**claim) for claim in tomllib.loads(FILE.read_text(encoding="utf-8"))["claim"]
)
