"""Keep the numbers of a full run for the page: `python -m multihop_papers.lora VERDICTS.json`.

VERDICTS.json is what `multihop reproduce lora` writes. Questions and worlds that it has not run
keep theirs.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from .page import NUMBERS, worlds
from .questions import QUESTIONS, Question

Table = dict[str, Any]
# A place and a capture ratio.
World = tuple[str, int]


def keep(found: Path, numbers: Path = NUMBERS) -> None:
    """Take the tables of the questions into the file of numbers, world by world."""
    known = json.loads(numbers.read_text("utf-8")) if numbers.exists() else {}
    by_id = {question.id: question for question in QUESTIONS}
    for table in json.loads(found.read_text("utf-8"))["tables"]:
        if (question := by_id.get(table["title"])) is not None:
            known[question.id] = _merged(question, known.get(question.id), table)
    numbers.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")


def _merged(question: Question, known: Table | None, found: Table) -> Table:
    """Return a table with the rows of both; of a world that both have, those that were found."""
    rows: dict[World, list[list[str]]] = {}
    for table in (known, found):
        own: dict[World, list[list[str]]] = {}
        for row in table["rows"] if table and table["header"] == found["header"] else ():
            own.setdefault((row[0], int(row[1])), []).append(row)
        rows |= own
    return {**found, "rows": [row for world in worlds(question) for row in rows.get(world, ())]}


if __name__ == "__main__":
    keep(Path(sys.argv[1]))
