"""The runs of this simulator that the pages compare, kept beside the reference data.

`make validate` measures them anew and keeps them; `make generate` writes the pages from what is
kept.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

import polars as pl

from . import store

CaseT = TypeVar("CaseT")
# Before the names of what makes a case: a window may be set, and measured.
OF_CASE = "case."


def keep(folder: Path, name: str, runs: Mapping[Any, Iterable[Mapping[str, Any]]]) -> Path:
    """Record the runs of cases, which are data classes: a row for each run."""
    rows = [
        {**{OF_CASE + field.name: getattr(case, field.name) for field in fields(case)}, **run}
        for case, own in runs.items()
        for run in own
    ]
    folder.mkdir(parents=True, exist_ok=True)
    return store.record(folder, name, pl.DataFrame(rows, infer_schema_length=None))


def kept(folder: Path, name: str, kind: type[CaseT]) -> dict[CaseT, list[dict[str, Any]]]:
    """Read the runs of cases of a kind, in the order in which they were kept."""
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    found: dict[CaseT, list[dict[str, Any]]] = defaultdict(list)
    for row in store.rows(folder, name):
        found[kind(**{key: row.pop(OF_CASE + key) for key in names})].append(row)
    return dict(found)
