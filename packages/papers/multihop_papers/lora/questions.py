"""The questions as they were written down before any run."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("questions.toml")


@dataclass(frozen=True)
class Claimed:
    """What has to hold for a yes: a measure of one variant over that of another."""

    id: str
    sentence: str
    measure: str
    new: str
    old: str
    bound: str


@dataclass(frozen=True)
class Question:
    """A question, where it is argued about, and its claims; or why it is not decided."""

    id: str
    number: int
    mesh: str
    title: str
    sources: tuple[str, ...]
    claims: tuple[Claimed, ...]
    undecided: str


def _question(read: dict) -> Question:  # type: ignore[type-arg]
    claims = tuple(Claimed(**claim) for claim in read.pop("claim", ()))
    sources = tuple(read.pop("sources"))
    return Question(sources=sources, claims=claims, undecided=read.pop("undecided", ""), **read)


QUESTIONS = tuple(
    _question(question) for question in tomllib.loads(FILE.read_text("utf-8"))["question"]
)
