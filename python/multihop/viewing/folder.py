"""A folder with a trace, as the page is told of it: what there is, and what is missing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..engine.errors import OutputError
from ..engine.texts import read_json
from ..results.columns import TRACE

# The tables that the page reads; other files of a folder are never served.
TABLES = tuple(TRACE)
DESCRIPTION = "run.json"


@dataclass(frozen=True)
class TraceFolder:
    """One run to be shown: its description and the files of its tables.

    `name` is that of the scenario, `title` what tells the run from the one beside it; `files` are
    by the paths under which the page asks for them, as in `0/frames.parquet`.
    """

    name: str
    title: str
    run: Any
    tables: dict[str, list[str]]
    files: dict[str, Path]
    troubles: tuple[str, ...] = ()

    @classmethod
    def read(cls, folder: Path, number: int = 0) -> TraceFolder:
        """Look into a folder; `number` is that of the run on the page.

        Raises `OutputError` if it holds nothing of a trace.
        """
        if not folder.is_dir():
            raise OutputError(f"{folder}: there is no such folder; check the path")
        tables: dict[str, list[str]] = {}
        files: dict[str, Path] = {}
        for table in TABLES:
            # At the end of a run the parts become one file; what is left of them is not the trace.
            whole = folder / f"{table}.parquet"
            found = [whole] if whole.is_file() else sorted((folder / table).glob("*.parquet"))
            paths = [f"{number}/{path.relative_to(folder).as_posix()}" for path in found]
            tables[table] = paths
            files.update(zip(paths, found, strict=True))
        run, troubles = _description(folder / DESCRIPTION)
        if not files and run is None:
            raise OutputError(
                f"{folder}: holds no trace; write one with 'multihop run scenario.toml --trace "
                f"{folder}'"
            )
        name, scheme = _named(run)
        return cls(name or folder.name, scheme or folder.name, run, tables, files, troubles)

    def source(self) -> dict[str, Any]:
        """Return what the page is told."""
        return {
            "title": self.title,
            "run": self.run,
            "tables": self.tables,
            "troubles": list(self.troubles),
        }


def _description(path: Path) -> tuple[Any, tuple[str, ...]]:
    """Read `run.json`; what is wrong with it is a sentence for the page."""
    if not path.exists():
        return None, ()  # the page says that, and what it means
    try:
        run = read_json(path)
    except (OSError, ValueError):
        return None, (f"{DESCRIPTION} cannot be read: it is cut off or damaged.",)
    return (run, ()) if isinstance(run, dict) else (None, (f"{DESCRIPTION} is no description.",))


def _named(run: Any) -> tuple[str, str]:
    """Return the names of the scenario and of the scheme, "" for what is not known."""
    if not isinstance(run, dict):
        return "", ""
    scenario = run.get("scenario")
    name = scenario.get("name") if isinstance(scenario, dict) else None
    return str(name or ""), str(run.get("scheme") or "")


def manifest(
    folders: list[TraceFolder], *, title: str = "", lesson: str = "", view: str = ""
) -> dict[str, Any]:
    """Return all that the page is told; a lesson is a paragraph beside the replay.

    `view` is where it begins, as in the part of a link behind "#".
    """
    if len(folders) > 1 and len({folder.title for folder in folders}) == 1:
        folders = [replace(one, title=f"{one.name} ({n})") for n, one in enumerate(folders, 1)]
    names = dict.fromkeys(folder.name for folder in folders)
    return {
        "title": title or " · ".join(names),
        "runs": [folder.source() for folder in folders],
        "lesson": lesson,
        "view": view,
    }


def app(name: str) -> bytes:
    """Return a file of the built page."""
    return Path(__file__).with_name("app").joinpath(name).read_bytes()
