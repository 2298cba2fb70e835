"""The keys of scenario files, as the JSON Schema has them: what each takes and means."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from .._multihop import schema
from ..engine.errors import ScenarioError

Section = dict[str, Any]
ARRAY = "[]"
# Upper ends from here on are those of the numbers of the machine.
UNBOUNDED = 2**31


@dataclass(frozen=True)
class Key:
    """A key of a scenario, for the parts that take it.

    Its `name` is dotted, as in `mac.cw_min`; that of a table that may occur several times has
    brackets, as in `flow[].load`. `parts` are the values of the table's `kind`, `name` or
    `propagation` with which it applies; none if it always does. `kind` is a type or the units that
    are allowed, `allowed` a range or a choice, `default` what it is if it is left out.
    """

    name: str
    parts: tuple[str, ...]
    kind: str
    allowed: str
    default: str
    about: str

    @property
    def table(self) -> str:
        """The table that it stands in; empty for keys of the scenario itself."""
        return self.name.rpartition(".")[0]


def keys() -> list[Key]:
    """Return all keys, those of a table next to each other."""
    parts: dict[Key, list[str]] = {}
    for key in _all(json.loads(schema())):
        parts.setdefault(Key(key.name, (), *_values(key)), []).extend(key.parts)
    return [Key(key.name, tuple(found), *_values(key)) for key, found in parts.items()]


@cache
def is_key(name: str) -> bool:
    """Return whether a scenario can have a key, such as `seed` or `topology.hops`."""
    return any(key.name == name for key in keys())


def explain(name: str) -> list[Key]:
    """Return the keys that are meant: by a whole name, its last word, or the name of a table.

    Raises:
        ScenarioError: If there is none; the message names those that are written alike.

    """
    plain = name.strip("[]").replace(ARRAY, "")
    found = [
        key
        for key in keys()
        if plain in (bare := key.name.replace(ARRAY, ""), bare.rpartition(".")[2])
        or plain == key.table.replace(ARRAY, "")
    ]
    if found:
        return found
    known = {key.name.replace(ARRAY, "") for key in keys()}
    words = known | {one.rpartition(".")[2] for one in known}
    alike = difflib.get_close_matches(plain, sorted(words))
    hint = f"did you mean {', '.join(alike)}?" if alike else "`multihop list keys` has them all"
    raise ScenarioError(f"no key of a scenario is called '{name}'; {hint}")


def _values(key: Key) -> tuple[str, str, str, str]:
    return key.kind, key.allowed, key.default, key.about


def _all(tree: Section) -> Iterator[Key]:
    tables = {}
    for name, value in tree["properties"].items():
        target = _target(value, tree)
        if "properties" in target:
            tables[name + ARRAY if value.get("type") == "array" else name] = target
        elif "additionalProperties" in value and isinstance(value["additionalProperties"], dict):
            tables[f"{name}.NAME"] = _target(value["additionalProperties"], tree)
        else:
            yield _key(name, "", value, tree)
    for name, table in tables.items():
        yield from _of_table(name, table, tree)


def _of_table(name: str, table: Section, tree: Section) -> Iterator[Key]:
    for key, value in table["properties"].items():
        # What chooses the part is what the table is about.
        described = value if "anyOf" not in table else {"description": table["description"]} | value
        yield _key(f"{name}.{key}", "", described, tree, key in table.get("required", []))
    for part in table.get("anyOf", []):
        if "properties" not in part:
            continue
        chosen = next((v["const"] for v in part["properties"].values() if "const" in v), "")
        for key, value in part["properties"].items():
            if "const" not in value:
                required = key in part.get("required", [])
                yield _key(f"{name}.{key}", chosen or part["title"], value, tree, required)


def _target(value: Section, tree: Section) -> Section:
    """Return what a value is or refers to; of an array, what its items are."""
    if value.get("type") == "array" and "$ref" in value.get("items", {}):
        value = value["items"]
    for reference in (value, *value.get("anyOf", [])):
        if "$ref" in reference:
            found: Section = tree["$defs"][reference["$ref"].rpartition("/")[2]]
            return found
    return value


def _key(name: str, part: str, value: Section, tree: Section, required: bool = False) -> Key:
    target = _target(value, tree)
    text = value.get("description") or target.get("description", "")
    about, _, said = text.replace("\n", " ").partition("Default: ")
    default = "required" if required else json.dumps(value["default"]) if "default" in value else ""
    return Key(
        name,
        (part,) if part else (),
        _kind(value, target),
        _allowed(value, target),
        default or said.strip().removesuffix("."),
        about.strip(),
    )


def _kind(value: Section, target: Section) -> str:
    if "x-units" in value:
        return ", ".join(value["x-units"])
    types = value.get("type") or target.get("type") or [one.get("type") for one in _any(target)]
    listed = [types] if isinstance(types, str) else [one for one in types if one and one != "null"]
    return str(value.get("x-unit") or " or ".join(dict.fromkeys(listed)) or "string")


def _any(target: Section) -> list[Section]:
    found: list[Section] = target.get("anyOf", [])
    return found


def _allowed(value: Section, target: Section) -> str:
    choices = value.get("enum") or [one["const"] for one in target.get("oneOf", [])]
    if choices:
        return ", ".join(json.dumps(choice) for choice in choices)
    low, high = value.get("minimum"), value.get("maximum")
    if low is None:
        return ""
    ends = high is not None and high < UNBOUNDED
    return f"{low:g} to {high:g}" if ends else f"at least {low:g}"
