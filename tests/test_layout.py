"""Crates and their files do not need each other in a circle.

Between crates cargo refuses it. Between the files of a crate this test does, by their `use` lines.
A module that holds others (`mod.rs`, `lib.rs`) hands their names on and may be named by them: these
arrows do not count, but a name is followed through it to the file that defines it.
"""

from __future__ import annotations

import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

pytestmark = pytest.mark.engine

CRATES = Path(__file__).resolve().parents[1] / "crates"

Module = tuple[str, ...]


def modules(crate: Path) -> dict[Module, str]:
    """Return the text of every module of a crate, without tests and comments, by its path."""
    found = {}
    for file in sorted(crate.glob("src/**/*.rs")):
        path = file.relative_to(crate / "src").with_suffix("").parts
        if "tests" not in path:
            text = re.sub(r"//.*", "", file.read_text()).split("#[cfg(test)]\nmod tests {")[0]
            found[path[:-1] if path[-1] in ("lib", "mod") else path] = text
    return found


def names(tree: str) -> list[Module]:
    """Return the paths that a `use` names: `a::{b, c::d}` names a::b and a::c::d."""
    head, brace, rest = tree.strip().partition("{")
    if not brace:
        return [tuple(head.split(" as ")[0].strip().split("::"))] if head else []
    parts, depth, part = [], 0, ""
    for sign in rest.rpartition("}")[0] + ",":
        depth += (sign == "{") - (sign == "}")
        if sign == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += sign
    prefix = tuple(word for word in head.split("::") if word)
    return [prefix + name for part in parts for name in names(part)]


def absolute(here: Module, name: Module) -> Module | None:
    """Return a name within the crate from its root; `None` if it belongs to another crate."""
    ups = sum(word == "super" for word in name)
    if name[0] == "crate":
        return name[1:]
    return here[: len(here) - ups] + name[ups:] if ups else None


def home(known: dict[Module, str], name: Module) -> Module:
    """Return the module that defines what `name` names."""
    module = next(name[:n] for n in range(len(name), -1, -1) if name[:n] in known)
    for tree in re.findall(r"\bpub(?:\([^)]*\))? use ([^;]+);", known[module]):
        for handed_on in names(tree):
            child = module + handed_on[:1]
            if handed_on[-1:] == name[len(module) : len(module) + 1] and child in known:
                return home(known, module + handed_on)
    return module


def needs(known: dict[Module, str], here: Module) -> set[Module]:
    """Return the modules whose names `here` uses, without those around it or in it."""
    trees = re.findall(r"\buse ((?:crate|super)\b[^;]+);", known[here])
    paths = (absolute(here, name) for tree in trees for name in names(tree))
    homes = {home(known, path) for path in paths if path is not None}
    return {there for there in homes if here[: len(there)] != there and there[: len(here)] != here}


@pytest.mark.parametrize("crate", sorted(path.name for path in CRATES.iterdir()))
def test_no_two_files_need_each_other(crate: str) -> None:
    known = modules(CRATES / crate)
    TopologicalSorter({here: needs(known, here) for here in known}).prepare()


def test_a_circle_is_found() -> None:
    known = {
        (): "mod a;\nmod b;\npub use b::{B, c::D};",
        ("a",): "use crate::D;",
        ("b",): "mod c;",
        ("b", "c"): "use super::super::a::A;",
    }
    assert needs(known, ("a",)) == {("b", "c")}
    with pytest.raises(CycleError):
        TopologicalSorter({here: needs(known, here) for here in known}).prepare()


def test_no_two_headers_have_the_same_number() -> None:
    defined = re.compile(
        r"const (\w+): NextHeader = NextHeader::(routing|hop|path|transport)\((\d+)\)"
    )
    found: dict[tuple[str, str], str] = {}
    for crate in ("schemes", "routing"):
        for text in modules(CRATES / crate).values():
            for name, layer, number in defined.findall(text):
                other = found.setdefault((layer, number), name)
                assert other == name, f"{name} and {other} are both {layer}({number})"
    assert len(found) >= 5
