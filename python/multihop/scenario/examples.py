"""What to begin with: a commented scenario, and the examples that come with the package."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

from .._multihop import schema
from ..engine.errors import OutputError, PrototypeError, ScenarioError

# In the repository this is a link to the folder `examples`; in a wheel it is a copy.
FOLDER = "scenarios"
# Schemes in Python, in the folder of the examples.
PROTOTYPES = "prototypes"
TEMPLATE = "template.toml"
SCHEMA = "scenario.schema.json"
SCHEMA_LINE = re.compile(r"^#:schema .*\n", re.MULTILINE)
DEFAULT_NAME = Path("scenario.toml")


class Example(NamedTuple):
    """A scenario or a scheme that comes with the package, and its first sentence."""

    name: str
    about: str
    text: str


def examples() -> list[Example]:
    """List the examples by name."""
    found = files("multihop").joinpath(FOLDER).iterdir()
    return sorted(_example(file) for file in found if file.name.endswith(".toml"))


def prototypes() -> list[Example]:
    """List the schemes in Python by name."""
    found = files("multihop").joinpath(FOLDER, PROTOTYPES).iterdir()
    return sorted(_prototype(file) for file in found if file.name.endswith(".py"))


def _prototype(file: Traversable) -> Example:
    text = file.read_text(encoding="utf-8")
    about = (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]
    return Example(file.name.removesuffix(".py"), about.rstrip("."), text)


def _example(file: Traversable) -> Example:
    text = SCHEMA_LINE.sub("", file.read_text(encoding="utf-8"))
    words = " ".join(re.findall(r"^# ?(.*)\n", text[: text.find("\n\n") + 1], re.MULTILINE))
    return Example(file.name.removesuffix(".toml"), words.split(". ")[0].rstrip("."), text)


def write_scenario(path: Path | None = None, example: str = "") -> Path:
    """Write the commented scenario, or an example, and the schema that an editor checks it with.

    No scenario is replaced. Without a path it is named after the example.
    """
    if example:
        found = {known.name: known.text for known in examples()}
        if example not in found:
            raise ScenarioError(f"there is no example '{example}'; there are: {', '.join(found)}")
        text = found[example]
    else:
        text = files(__package__).joinpath(TEMPLATE).read_text(encoding="utf-8")
    return write_text(path or (Path(f"{example}.toml") if example else DEFAULT_NAME), text)


def write_text(path: Path, text: str) -> Path:
    """Write a scenario, and the schema that an editor checks it with. No scenario is replaced."""
    path = _ending(path, ".toml")
    with _explained(path):
        with path.open("x", encoding="utf-8") as file:
            file.write(f"#:schema ./{SCHEMA}\n{text.replace('NAME', str(path))}")
        beside = path.with_name(SCHEMA)
        if not beside.exists():
            beside.write_text(schema() + "\n", encoding="utf-8")
    return path


def write_prototype(path: Path | None, example: str) -> Path:
    """Write a scheme in Python. No file is replaced."""
    found = {known.name: known.text for known in prototypes()}
    if example not in found:
        raise PrototypeError(f"there is no scheme '{example}'; there are: {', '.join(found)}")
    path = path or Path(f"{example}.py")
    path = _ending(path, ".py")
    with _explained(path), path.open("x", encoding="utf-8") as file:
        file.write(found[example])
    return path


def _ending(path: Path, suffix: str) -> Path:
    """Return the file that a path means; its ending is added if it lacks."""
    if not path.name:
        raise OutputError(f"cannot write '{path}': it is a folder; name a file")
    return path if path.suffix == suffix else path.with_name(f"{path.name}{suffix}")


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Say what is in the way of a new file."""
    try:
        yield
    except FileExistsError:
        raise OutputError(f"'{path}' is there already; name another file") from None
    except OSError as error:
        raise OutputError(
            f"cannot write '{path}': {error.strerror}; name another file, or make its folder "
            "writable"
        ) from None
