"""A scenario with another scheme: keys that only others take are left out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from .._multihop import schemes as known_schemes
from ..engine.errors import ScenarioError
from .form import Base, Scenario


def fitting(
    base: Base,
    values: Mapping[str, Any],
    schemes: Iterable[str],
    option: str,
    keep: Collection[str] = (),
) -> tuple[Scenario, list[str]]:
    """Return `base` with `values`, which name a scheme, and the keys that were left out for it.

    A key is left out if that scheme refuses it, and another one of `schemes` takes it. Keys to
    `keep` are not: who gives them means this scheme. Raises `ScenarioError`, which names the
    `option` that `values` come from, for whatever else is wrong.
    """
    settings = dict(values)
    scheme = str(settings["scheme.name"])
    left_out: list[str] = []
    while True:
        try:
            return base.override(settings, option), left_out
        except ScenarioError as error:
            key = error.key or ""
            others = [name for name in schemes if name != scheme and _differ(name, scheme, key)]
            taken = any(_takes(base, settings | {"scheme.name": name}, key) for name in others)
            if key in left_out or key in keep or not taken:
                raise
            settings[key] = None
            left_out.append(key)


def _differ(other: str, scheme: str, key: str) -> bool:
    """Whether a scheme may take a key that another one refuses."""
    known = {entry["name"]: entry for entry in known_schemes()}
    if not {other, scheme} <= set(known):
        return False
    table, _, name = key.partition(".")
    if table == "mac":
        return bool(known[other]["mac"] != known[scheme]["mac"])
    has, lacks = (
        any(param["name"] == name for param in known[one]["params"]) for one in (other, scheme)
    )
    return table == "scheme" and has and not lacks


def _takes(base: Base, settings: Mapping[str, Any], key: str) -> bool:
    """Whether a key is not what is wrong with a scenario."""
    try:
        base.override(settings)
    except ScenarioError as error:
        return error.key != key
    return True
