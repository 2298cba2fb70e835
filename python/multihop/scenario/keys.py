"""Which keys a scenario can have, as its JSON Schema says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from .._multihop import schema


def is_key(key: str) -> bool:
    """Return whether a scenario can have a key, such as `seed` or `topology.hops`."""
    return key in _keys()


@cache
def _keys() -> frozenset[str]:
    tree = json.loads(schema())
    names = set(tree["properties"])
    for section, shape in tree["properties"].items():
        names.update(f"{section}.{name}" for name in _names(tree, shape))
    return frozenset(names)


def _names(tree: dict[str, Any], shape: dict[str, Any]) -> Iterator[str]:
    """Yield the keys of a table, those of all its variants."""
    if "$ref" in shape:
        yield from _names(tree, tree["$defs"][shape["$ref"].rpartition("/")[2]])
    yield from shape.get("properties", ())
    for variant in shape.get("anyOf", ()):
        yield from _names(tree, variant)
