"""The scripts of `examples/learned`, and the tables that pages have of learning."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from multihop.gym.controls import KINDS
from multihop.gym.features import features
from multihop.gym.steps import EVENTS
from multihop.reporting.markdown import markdown_table

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "examples" / "learned"
SPEEDS = ROOT / "benches" / "learning.json"


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
    made["learning speed"] = speeds()
    made["gym features"] = markdown_table(
        ("feature", "unit", "known to", "meaning"),
        [(f"`{one.name}`", one.unit, one.known, one.about) for one in features()],
    )
    return made


def speeds() -> str:
    """Make the table of what `benches/learning.py` has kept."""
    kept = json.loads(SPEEDS.read_text(encoding="utf-8"))
    columns = {
        "engine alone": "engine_cpu",
        "64 environments": "many_cpu",
        "64, at events": "events_cpu",
        "one environment": "one_cpu",
    }
    rows = [
        (row["load"], *(f"{float(f'{row[name]:.2g}'):,.0f}" for name in columns.values()))
        for row in kept["rows"]
    ]
    table = markdown_table(("load of the source", *columns), rows).rstrip()
    note = f": {kept['note']}" if kept["note"] else ""
    return (
        f"{table}\n\nMedians of {kept['turns']} turns of {kept['steps']} steps, at a load average "
        f"of {kept['load_average']:g} on {kept['cores']} cores{note}.\n"
    )
