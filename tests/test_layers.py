"""The layers of the package: a module uses what lies below it, and no two need each other.

`LAYERS` lists the folders from the bottom up; folders of one layer may use each other. An import in
a function counts as well, unless it is one of `DOORS`: a method of a lower layer that leads to a
higher one, which is loaded when it is called.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

pytestmark = pytest.mark.engine

PACKAGE = Path(__file__).resolve().parent.parent / "python" / "multihop"
# The face of the package; everything else lies in a folder.
FACE = {"__init__.py", "__main__.py", "_multihop.pyi", "py.typed"}
LAYERS = (
    ("_multihop", "engine"),
    ("statistics", "scenario"),
    ("results",),
    ("running", "prototype"),
    ("sweeping",),
    ("charting", "capacity", "comparing", "gym", "searching", "reporting"),
    ("reproducing", "reasons", "tuning"),
    ("viewing", "lab", "meshes", "gallery"),
    ("cli",),
)
# Distributions that need this one, and which it finds by entry points.
PLUGINS = ("multihop_papers", "multihop_validation")
RANK = {folder: rank for rank, folders in enumerate(LAYERS) for folder in folders}
DOORS = {
    # `Result.plot`, and how a notebook shows a result.
    ("results.result", "charting.chart"),
    ("results.result", "charting.stored"),
    ("results.result", "charting.result_html"),
    # `simulator = "ns3"`, and runs with a trace.
    ("running.runner", "running.ns3"),
    ("running.runner", "running.tracing"),
    # A comparison writes its page.
    ("comparing.comparison", "comparing.comparison_page"),
    ("tuning.tuning", "tuning.page"),
}


def module_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def is_for_checkers(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def imported(tree: ast.AST) -> Iterator[ast.ImportFrom]:
    """Yield imports, those in functions too, but not those that only type checkers see."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ImportFrom):
            yield node
        elif not is_for_checkers(node):
            yield from imported(node)


def uses(path: Path, known: set[str]) -> set[str]:
    """Return the modules of the package that a file imports from."""
    found = set()
    for node in imported(ast.parse(path.read_text(encoding="utf-8"))):
        if node.level:
            folder = ("multihop", *path.relative_to(PACKAGE).parts)[: -node.level]
            name = ".".join([*folder, *([node.module] if node.module else [])])
        else:
            name = node.module or ""
        base = name.removeprefix("multihop").removeprefix(".")
        if name.partition(".")[0] != "multihop":
            assert name.partition(".")[0] not in PLUGINS, f"{path} needs {name}"
            continue
        for alias in node.names:
            whole = f"{base}.{alias.name}".strip(".")
            found.add(whole if whole in known or whole == "_multihop" else base)
    return {each for each in found if each}


@pytest.fixture(scope="module")
def needs() -> Mapping[str, set[str]]:
    """What every module uses, but for its doors."""
    paths = [path for path in PACKAGE.rglob("*.py") if "scenarios" not in path.parts]
    known = {module_of(path) for path in paths}
    found: dict[str, set[str]] = {}
    doors = set()
    for path in paths:
        here = module_of(path)
        used = uses(path, known)
        doors |= {(here, there) for there in used} & DOORS
        found[here] = {there for there in used if (here, there) not in DOORS}
    assert doors == DOORS, "a door that leads nowhere"
    return found


def test_the_face_is_all_that_lies_beside_the_folders() -> None:
    loose = {path.name for path in PACKAGE.iterdir() if path.is_file() and path.suffix != ".so"}
    assert loose == FACE
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir()}
    assert folders - {"__pycache__", "scenarios"} == set(RANK) - {"_multihop"}


def test_a_module_uses_what_lies_below_it(needs: Mapping[str, set[str]]) -> None:
    wrong = upward(needs)
    assert not wrong, "\n".join(f"{here} uses {there}, which is above it" for here, there in wrong)


def upward(needs: Mapping[str, set[str]]) -> list[tuple[str, str]]:
    """Return who uses what from a layer above its own."""
    return [
        (here, there)
        for here, used in needs.items()
        if here.partition(".")[0] in RANK
        for there in used
        if RANK[there.partition(".")[0]] > RANK[here.partition(".")[0]]
    ]


def test_no_two_modules_need_each_other(needs: Mapping[str, set[str]]) -> None:
    TopologicalSorter(without_own_folders(needs)).prepare()


def without_own_folders(needs: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Leave out that a module needs the folders around it."""
    return {
        here: {there for there in used if here != there and not here.startswith(f"{there}.")}
        for here, used in needs.items()
    }


def test_what_is_wrong_is_found() -> None:
    assert upward({"engine.texts": {"cli"}, "cli": {"engine"}}) == [("engine.texts", "cli")]
    circle = {"a.b": {"a", "a.c"}, "a.c": {"a.b"}}
    with pytest.raises(CycleError):
        TopologicalSorter(without_own_folders(circle)).prepare()
