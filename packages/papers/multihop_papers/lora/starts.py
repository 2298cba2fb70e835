"""A scenario of each question, for the playground: to look at, to change and to run.

It is the first network of the uniform place, or of the smallest map, with a capture ratio of 6 dB,
and what the question's first claim calls new. Comments say what it compares that with.
`python -m tests.generate questions` writes the files, which multihop carries.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

from .figures import RUN
from .questions import Question
from .setups import places, studies

PLACE, CAPTURE = "uniform", 6


def _value(value: Any) -> str:
    """Return a value as TOML, which strings, numbers and Booleans of JSON are."""
    return json.dumps(value, ensure_ascii=False)


def _is_tables(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, dict) for one in value)


def _table(name: str, table: Mapping[str, Any], brackets: tuple[str, str]) -> Iterator[str]:
    """Write a table with the tables within it; arrays of tables come last."""
    inner = {key: value for key, value in table.items() if isinstance(value, dict)}
    arrays = {key: value for key, value in table.items() if _is_tables(value)}
    own = [key for key in table if key not in inner and key not in arrays]
    if name and (own or not inner):
        yield ""
        yield f"{brackets[0]}{name}{brackets[1]}"
    yield from (f"{key} = {_value(table[key])}" for key in own)
    prefix = f"{name}." if name else ""
    for key, value in inner.items():
        yield from _table(f"{prefix}{key}", value, ("[", "]"))
    for key, values in arrays.items():
        for value in values:
            yield from _table(f"{prefix}{key}", value, ("[[", "]]"))


def toml(tree: Mapping[str, Any]) -> str:
    """Write a scenario."""
    return "\n".join(_table("", tree, ("", ""))).lstrip("\n") + "\n"


def place_of(question: Question) -> str:
    """Return the place of a question's scenario."""
    asked = places(question)
    return PLACE if PLACE in asked else asked[0]


def start(question: Question) -> str:
    """Return the scenario of a question, with comments that say what it asks."""
    place = place_of(question)
    study = studies(question)[place, CAPTURE]
    claim = question.claims[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        points = study.points(study.efforts.full)
    point = next(one for one in points if one.labels["variant"] == claim.new)
    new, old = (study.variants[name] for name in (claim.new, claim.old))
    changed = [
        f"#   {key} = {_value(old.overrides[key]) if key in old.overrides else 'its default'}"
        for key in sorted({*new.overrides, *old.overrides})
        if new.overrides.get(key) != old.overrides.get(key)
    ]
    comments = [
        f"# {question.title}",
        f"# Question {question.number} of multihop's page about LoRa: network 1 of '{place}' with",
        f"# '{new.title}'. The page compares it with '{old.title}', that is, with:",
        *changed,
        f"# `multihop reproduce lora/{question.id}` runs all networks of all places.",
    ]
    return "\n".join(comments) + "\n" + toml(point.scenario.to_dict())


def starts() -> dict[str, str]:
    """Return the scenarios of all questions that are run, by the names of their files."""
    return {f"lora-{question.id}.toml": start(question) for question in RUN}
