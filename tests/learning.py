"""The scripts of `examples/learned`, and the tables that pages have of learning."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from multihop.gym.controls import KINDS
from multihop.gym.features import features
from multihop.gym.steps import EVENTS
from multihop.reporting.markdown import markdown_table

FOLDER = Path(__file__).resolve().parent.parent / "examples" / "learned"


@contextmanager
def scripts(*names: str) -> Iterator[list[ModuleType]]:
    """Load scripts of the folder, which find each other as when they are run."""
    sys.path.insert(0, str(FOLDER))
    try:
        yield [importlib.import_module(name) for name in names]
    finally:
        sys.path.remove(str(FOLDER))
        for path in FOLDER.glob("*.py"):
            sys.modules.pop(path.stem, None)


def tables() -> dict[str, str]:
    """Make the tables by name."""
    with scripts("page") as (page,):
        made: dict[str, str] = page.tables()
    made["gym controls"] = markdown_table(
        ("control", "unit", "ends", "meaning"),
        [
            (f"`{name}`", unit, f"{low:g} to {high:g}", about)
            for name, (unit, low, high, about) in KINDS.items()
        ],
    )
    made["gym events"] = markdown_table(
        ("event", "what happens at the agent's node"),
        [(f"`{name}`", about) for name, (about, _) in EVENTS.items()],
    )
    made["gym features"] = markdown_table(
        ("feature", "unit", "known to", "meaning"),
        [(f"`{one.name}`", one.unit, one.known, one.about) for one in features()],
    )
    return made
