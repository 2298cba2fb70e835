"""The store of a sweep: a folder of Parquet files that only grows.

    OUT/store.json                  the form of the store
    OUT/points/SWEEP-1.parquet ...  what a sweep consists of: names of runs, labels, scenarios
    OUT/parts/ID/...                finished runs, see `parts`
    OUT/claims/ID.json, ID/         what is being done, and by whom, see `claims`
    OUT/failed/RUN.json             what went wrong
    OUT/runs.parquet ...            all runs of a sweep, with their labels, once none is missing

A run's name is a hash of what its scenario means (in base units, with every default), of the
engine, of its scheme if that is in Python, and of the program that runs it if that is ns-3. What
is in `parts` counts, and a run is in there once: whatever changes the store holds its lock for that
moment, and looks again before.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import socket
import time
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import polars as pl

from .._multihop import identity
from ..engine.errors import IncompleteError, OutputError
from ..engine.texts import read_json
from ..prototype.identity import digest_of
from ..results.result import explained, first_line, make_folder, refuse_other_results, replacing
from ..running import ns3
from ..scenario.form import simulator_of
from . import claims, parts
from .batches import Batch, Job, Product, engine
from .claims import Claim
from .parts import Part

FORMAT = 1
ABOUT = "store.json"
FOLDERS = ("points", "parts", "claims", "failed")
# Columns of `points` that are no labels.
OWN = ("sweep", "engine", "place", "run", "tables", "until", "scenario")


def labels_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that a row of a plan has, without what is the store's own."""
    return {key: value for key, value in row.items() if key not in OWN}


def said(labels: Mapping[str, Any]) -> str:
    """Say values in a line: traffic.load = 20 kbit/s, seed = 1."""
    return ", ".join(f"{key} = {value}" for key, value in labels.items())


def run_name(scenario: str) -> str:
    """Return the name of a run: a hash of what the scenario means and of all that runs it."""
    digest = digest_of(scenario)
    # What a scheme in Python has for defaults may change while this process lives.
    meaning = identity(scenario) if digest else _identity(scenario)
    what = f"{engine()}{ns3.program_of(scenario)}\n{meaning}{digest}"
    return hashlib.blake2b(what.encode(), digest_size=12).hexdigest()


_identity = lru_cache(maxsize=1 << 16)(identity)


def read_points(file: Path, *columns: str) -> pl.DataFrame:
    """Read a file of points, or some columns of it; all have a name of a sweep and scenarios."""
    try:
        table = pl.read_parquet(file, columns=list(columns) or None)
        if table.select(columns or ("sweep", "run", "tables", "scenario")).is_empty():
            raise pl.exceptions.NoDataError("there is nothing in it")
    except (OSError, pl.exceptions.PolarsError) as error:
        raise OutputError(
            f"cannot read '{file}': {first_line(error)}; delete it and give the command of the "
            "sweep again"
        ) from error
    return table


def _alike(job: Job, lacking: tuple[str, ...], first: Job) -> bool:
    """Whether a job, of which these tables are lacking, fits into the batch of the first one."""
    here, there = (simulator_of(one.scenario) for one in (job, first))
    return lacking == first.tables and here == there


class Store:
    """A folder of results; its index is as new as the last `refresh`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.parts: dict[str, Part] = {}
        self.damaged: set[str] = set()
        # For every table, the runs of which it is kept, and where.
        self.covered: dict[str, dict[str, Part]] = {}

    @classmethod
    def make(cls, folder: Path) -> Store:
        """Open a store to write to; make it where there is none."""
        refuse_other_results(folder, ABOUT)
        make_folder(folder)
        store = cls(folder)
        with explained(folder), store.locked():
            about = folder / ABOUT
            if not about.exists() and not (folder / "parts").exists():
                with replacing(about) as temporary:
                    temporary.write_text(json.dumps({"format": FORMAT}) + "\n", encoding="utf-8")
            store._check()
            for name in FOLDERS:
                (folder / name).mkdir(exist_ok=True)
        return store

    @classmethod
    def open(cls, folder: Path) -> Store:
        """Open a store that is there, to read."""
        if not (folder / ABOUT).exists() and not (folder / "parts").exists():
            raise OutputError(
                f"'{folder}' is no store of a sweep; name the folder that a sweep had with --out"
            )
        store = cls(folder)
        store._check()
        return store

    def _check(self) -> None:
        """Refuse a store of another form."""
        try:
            form = read_json(self.folder / ABOUT)["format"]
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            form = "unknown"
        except OSError as error:
            raise OutputError(
                f"cannot read '{self.folder / ABOUT}': {error.strerror}; make it readable, or name "
                "another folder"
            ) from None
        if form != FORMAT:
            raise OutputError(
                f"'{self.folder}' has results of another version of multihop (form {form}, this "
                f"one writes {FORMAT}); name another folder with --out, or delete this one"
            )

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep every other process out for a moment."""
        path = self.folder / "lock"
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            claims.flock(handle, fcntl.LOCK_EX, path)
            yield
        finally:
            os.close(handle)

    def refresh(self) -> None:
        """Look at the parts that have come since the last time."""
        names = {path.name for path in (self.folder / "parts").glob("*")}
        if self.parts.keys() - names:  # somebody has deleted some
            self.parts.clear()
            self.covered.clear()
        self.damaged &= names
        for name in sorted(names - self.parts.keys() - self.damaged):
            part = Part.load(self.folder / "parts" / name)
            if part is None:
                self.damaged.add(name)
                continue
            self.parts[name] = part
            for table in part.tables:
                self.covered.setdefault(table, {}).update(dict.fromkeys(part.runs, part))

    def heal(self) -> None:
        """Take damaged parts away, so that their runs are done again; the lock must be held."""
        for name in sorted(self.damaged):
            shutil.rmtree(self.folder / "parts" / name, ignore_errors=True)
        self.refresh()
        if self.damaged:
            raise IncompleteError(
                f"runs are missing: {len(self.damaged)} parts in '{self.folder / 'parts'}' are "
                f"damaged and cannot be replaced; delete them, as '{min(self.damaged)}', and give "
                "the same command again"
            )

    def lacking(self, run: str, tables: Iterable[str]) -> tuple[str, ...]:
        """Return those of some tables that are not kept of a run."""
        covered = self.covered
        # A list is built in half the time of a generator, and this is asked of every run and table.
        return tuple([name for name in tables if run not in covered.get(name, ())])

    def values(self, runs: Iterable[str], column: str) -> dict[str, float]:
        """Return a number of each run that is there; NaN where it has none."""
        covered = self.covered.get("runs", {})
        wanted = {run: covered[run] for run in runs if run in covered}
        if not wanted:
            return {}
        holding = {part.folder: part for part in wanted.values()}
        table = parts.read(holding.values(), "runs", ("run", column))
        values = table.with_columns(pl.col(column).cast(pl.Float64).fill_null(float("nan")))
        return {run: value for run, value in values.iter_rows() if run in wanted}

    def claim(
        self, pending: MutableMapping[str, Job], size: int, workers: int, where: str
    ) -> Claim | None:
        """Take up to `size` of the pending runs; `None` if there are none that nobody has taken.

        Runs that are there by now are no longer pending.
        """
        with explained(self.folder), self.locked():
            self.refresh()
            self.heal()
            claims.clear(self.folder / "claims")
            taken = {r for c in claims.living(self.folder / "claims") for r in c["runs"]}
            chosen: list[Job] = []
            there: list[str] = []
            for run, job in pending.items():
                lacking = self.lacking(run, job.tables)
                if not lacking:
                    there.append(run)
                elif run not in taken:
                    if len(chosen) == size or (chosen and not _alike(job, lacking, chosen[0])):
                        break
                    chosen.append(job._replace(tables=lacking))
            for run in (*there, *(job.run for job in chosen)):
                del pending[run]
            if not chosen:
                return None
            name = parts.name_of((job.run for job in chosen), chosen[0].tables)
            path = self.folder / "claims" / f"{name}.json"
            return claims.take(path, Batch(tuple(chosen), engine()), workers, where)

    def commit(self, claim: Claim, product: Product) -> None:
        """Keep what became of a claim; the whole of it appears at once."""
        with explained(self.folder):
            parts.write(claim.folder, product, claim.tables)
            with self.locked():
                self._add(product, claim.tables, claim.folder)
                claim.release()
            for run, error in product.failed.items():
                about = {"run": run, "error": error, "host": socket.gethostname()}
                self.note_failure(about | {"when": time.time()})
            for path in list((self.folder / "failed").iterdir()):
                if path.stem in product.runs:
                    path.unlink(missing_ok=True)

    def adopt(self, part: Part) -> None:
        """Take a part of another store; what is here already stays as it is."""
        with explained(self.folder), self.locked():
            product = parts.load(part)
            temporary = self.folder / "claims" / part.folder.name
            shutil.rmtree(temporary, ignore_errors=True)
            parts.write(temporary, product, part.tables)
            self._add(product, part.tables, temporary)
            shutil.rmtree(temporary, ignore_errors=True)

    def _add(self, product: Product, tables: tuple[str, ...], folder: Path) -> None:
        """Let the runs of a folder count, without what is there; the lock must be held."""
        self.refresh()
        groups: dict[tuple[str, ...], list[str]] = {}
        for run in product.runs:
            groups.setdefault(self.lacking(run, tables), []).append(run)
        if groups.pop((), None) is not None or groups.keys() - {tables}:
            # Put here by `collect`, or by a machine that does not see our locks.
            shutil.rmtree(folder)
            for lacking, runs in groups.items():
                parts.write(folder, parts.only(product, runs, lacking), lacking)
                folder.rename(self.folder / "parts" / parts.name_of(runs, lacking))
        elif groups:
            folder.rename(self.folder / "parts" / parts.name_of(product.runs, tables))

    def forget(self, runs: Iterable[str]) -> None:
        """Take runs out, because what they are cannot be told; other runs of their parts stay."""
        away = set(runs)
        with explained(self.folder), self.locked():
            self.refresh()
            for part in [part for part in self.parts.values() if away & set(part.runs)]:
                rest = [run for run in part.runs if run not in away]
                if rest:
                    temporary = self.folder / "claims" / part.folder.name
                    shutil.rmtree(temporary, ignore_errors=True)
                    parts.write(
                        temporary, parts.only(parts.load(part), rest, part.tables), part.tables
                    )
                    temporary.rename(self.folder / "parts" / parts.name_of(rest, part.tables))
                shutil.rmtree(part.folder)
            self.refresh()

    def note_failure(self, about: Mapping[str, Any]) -> None:
        """Write down why a run failed, and where and when."""
        with replacing(self.folder / "failed" / f"{about['run']}.json") as temporary:
            temporary.write_text(json.dumps(about) + "\n", encoding="utf-8")

    def failures(self) -> dict[str, dict[str, Any]]:
        """Return what is known of the runs that failed, by name."""
        found = {}
        for path in sorted((self.folder / "failed").glob("*.json")):
            with contextlib.suppress(OSError, ValueError):
                about = read_json(path)
                if isinstance(about, dict) and "run" in about:
                    found[path.stem] = about
        return found

    def register(self, points: pl.DataFrame) -> None:
        """Write down the points of a sweep that are not there yet."""
        sweep = points["sweep"][0]
        with explained(self.folder), self.locked():
            files = self.point_files(sweep)
            known = pl.concat(
                [points.select("place").clear(), *(read_points(file, "place") for file in files)]
            )
            new = points.join(known, on="place", how="anti", maintain_order="left")
            if new.height:
                with replacing(
                    self.folder / "points" / f"{sweep}-{len(files) + 1}.parquet"
                ) as temporary:
                    new.rechunk().write_parquet(temporary)

    def point_files(self, sweep: str = "") -> list[Path]:
        """List the files of points, of one sweep or of all."""
        return sorted((self.folder / "points").glob(f"{sweep}-*.parquet" if sweep else "*.parquet"))

    def sweeps(self) -> dict[str, pl.DataFrame]:
        """Return the points of every sweep in the store by its name, in their order."""
        found: dict[str, list[pl.DataFrame]] = {}
        for file in self.point_files():
            table = read_points(file)
            found.setdefault(table["sweep"][0], []).append(table.drop("scenario"))
        return {
            sweep: pl.concat(tables, how="diagonal_relaxed").sort("place")
            for sweep, tables in found.items()
        }
