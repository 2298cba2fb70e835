"""Keep the numbers of a full run for the page: `python -m multihop_papers.lora VERDICTS.json`.

VERDICTS.json is what `multihop reproduce lora` writes. Questions that it has not run keep theirs.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from .page import NUMBERS
from .questions import QUESTIONS


def keep(found: Path, numbers: Path = NUMBERS) -> None:
    """Take the tables of the questions into the file of numbers."""
    known = json.loads(numbers.read_text("utf-8")) if numbers.exists() else {}
    ids = {question.id for question in QUESTIONS}
    tables = json.loads(found.read_text("utf-8"))["tables"]
    known |= {table["title"]: table for table in tables if table["title"] in ids}
    numbers.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    keep(Path(sys.argv[1]))
