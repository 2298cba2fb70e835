"""How far the sweeps in a store are: done, running, failed, and how long it will take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import polars as pl

from ..engine.errors import OutputError
from ..results.result import in_words
from . import claims
from .batches import engine
from .store import OWN, Store, labels_of

# So many values of a key are listed.
SHOWN = 6


@dataclass(frozen=True)
class Failure:
    """A run that failed: which, with which values, where, and why."""

    run: str
    labels: dict[str, Any]
    host: str
    error: str


@dataclass(frozen=True)
class Progress:
    """How far a sweep is.

    `varied` has every key that was varied, with its values in their order. `seeds` says what more
    seeds depend on, "" if their number is fixed. `seconds_left` is an estimate: with `slots` runs
    at a time as now; `None` if no process works on it, or nothing is known.
    """

    sweep: str
    engine: str
    seeds: str
    runs: int
    done: int
    running: int
    failed: tuple[Failure, ...]
    slots: int
    seconds_left: float | None
    work_left_s: float | None
    varied: dict[str, list[Any]]

    @property
    def missing(self) -> int:
        """Runs that are neither done nor failed, nor under way."""
        return self.runs - self.done - self.running - len(self.failed)


@dataclass(frozen=True)
class Status:
    """The progress of every sweep of a store, the processes at work, and damaged parts."""

    sweeps: tuple[Progress, ...]
    workers: tuple[dict[str, Any], ...]
    damaged: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        found = asdict(self)
        for values, progress in zip(found["sweeps"], self.sweeps, strict=True):
            values["missing"] = progress.missing
        return found


def status(folder: str | Path) -> Status:
    """Return the progress of the sweeps in a store, which other processes may be writing to."""
    store = Store.open(Path(folder))
    try:
        with store.locked():
            store.refresh()
            living = list(claims.living(store.folder / "claims"))
    except OSError as error:
        raise OutputError(
            f"cannot look into '{folder}': {error.strerror}; its lock must be writable"
        ) from error
    failures = store.failures()
    running = {run for claim in living for run in claim["runs"]}
    sweeps = tuple(
        _progress(store, points, running, failures, living) for points in store.sweeps().values()
    )
    workers = tuple({**claim, "runs": len(claim["runs"])} for claim in living)
    return Status(sweeps, workers, tuple(sorted(store.damaged)))


def _progress(
    store: Store,
    points: pl.DataFrame,
    running: set[str],
    failures: Mapping[str, Mapping[str, Any]],
    living: list[dict[str, Any]],
) -> Progress:
    unique = points.unique("run", maintain_order=True)
    lacking = [
        run
        for run, tables in unique.select("run", "tables").iter_rows()
        if store.lacking(run, tables.split(","))
    ]
    here = {run for run in lacking if run in running}
    failed = [run for run in lacking if run in failures and run not in here]
    own = [claim for claim in living if here.intersection(claim["runs"])]
    slots = sum({(c["host"], c["process"], c["where"]): c["workers"] for c in own}.values())
    seconds = [(part.seconds, len(part.runs)) for part in store.parts.values()]
    each = sum(s for s, _ in seconds) / max(1, sum(n for _, n in seconds)) if seconds else None
    work = None if each is None else each * (len(lacking) - len(failed))
    labels = {
        row["run"]: labels_of(row)
        for row in unique.filter(pl.col("run").is_in(failed)).iter_rows(named=True)
    }
    return Progress(
        sweep=points["sweep"][0],
        engine=points["engine"][0],
        seeds=points["until"][0],
        runs=unique.height,
        done=unique.height - len(lacking),
        running=len(here),
        failed=tuple(
            Failure(run, labels[run], str(failures[run]["host"]), str(failures[run]["error"]))
            for run in failed
        ),
        slots=slots,
        seconds_left=None if work is None or not slots else work / slots,
        work_left_s=work,
        varied=_varied(points),
    )


def _varied(points: pl.DataFrame) -> dict[str, list[Any]]:
    """Return the values of every key that a sweep varies, a missing one as `None`."""
    table = in_words(points.drop(OWN, strict=False))
    return {name: table[name].unique(maintain_order=True).to_list() for name in table.columns}


def varied(progress: Progress) -> str:
    """Say which keys a sweep varies, and their values; "" if it varies none."""
    each = (f"{key} = {_listed(values)}" for key, values in progress.varied.items())
    return "; ".join(each)


def _listed(values: Sequence[Any]) -> str:
    """List values in a line, or say how many there are from which to which."""
    texts = ["none" if value is None else str(value) for value in values]
    if len(texts) <= SHOWN:
        return ", ".join(texts)
    return f"{len(texts)} values from {texts[0]} to {texts[-1]}"


def words(progress: Progress) -> str:
    """Say how far a sweep is, in a sentence."""
    parts = [f"{progress.sweep}: {progress.done} of {progress.runs} runs done"]
    parts += [f"{progress.running} running"] if progress.running else []
    parts += [f"{len(progress.failed)} failed"] if progress.failed else []
    parts += [f"{progress.missing} to do"] if progress.missing else []
    if progress.seeds:
        parts.append(f"seeds until {progress.seeds}")
    if progress.seconds_left:
        parts.append(f"about {duration(progress.seconds_left)} left")
    elif progress.work_left_s and progress.missing:
        work = duration(progress.work_left_s)
        parts.append(f"no process works on it, about {work} of work left; give its command again")
    if progress.engine != engine():
        parts.append(f"of another engine, {progress.engine}")
    return "; ".join(parts)


def duration(seconds: float) -> str:
    """Write how long something takes, as roughly as it is known."""
    for unit, length in (("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{max(1, round(seconds))} s"
