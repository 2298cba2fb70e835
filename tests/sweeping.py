"""What the tests of sweeps share: what lies in a store, and which runs were done."""

from pathlib import Path

import polars as pl
import pytest

from multihop import Scenario
from multihop._multihop import Cancel, Runs
from multihop.sweeping import batches
from multihop.sweeping.store import Store, run_name


def stored(out: Path) -> list[str]:
    """List the runs that a reader of `parts/*/runs.parquet` finds, whatever happened before."""
    files = sorted((out / "parts").glob("*/runs.parquet"))
    return pl.read_parquet(files)["run"].to_list() if files else []


def held(out: Path) -> Store:
    """Look into a store."""
    store = Store.open(out)
    store.refresh()
    return store


class Counted:
    """Counts what the engine runs, by name; fails where it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.runs: list[str] = []
        self.failing: dict[str, BaseException] = {}
        real = batches._multihop.Runs
        monkeypatch.setattr(batches._multihop, "Runs", lambda: Watched(self, real()))

    def note(self, name: str) -> None:
        """Count a run, or let it fail."""
        if name in self.failing:
            raise self.failing[name]
        self.runs.append(name)

    def fail(self, scenario: Scenario, error: BaseException) -> None:
        """Let a run fail."""
        self.failing[run_name(scenario.json)] = error


class Watched:
    """The engine's runs of a batch, counted."""

    def __init__(self, counted: Counted, real: Runs) -> None:
        self.counted, self.real = counted, real
        self.tables = real.tables

    def run(self, scenario: str, tables: tuple[str, ...], cancel: Cancel | None = None) -> None:
        self.counted.note(run_name(scenario))
        self.real.run(scenario, tables, cancel)
