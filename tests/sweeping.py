"""What the tests of sweeps share: what lies in a store, and which runs were done."""

from pathlib import Path

import polars as pl
import pytest

from multihop import Scenario
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
        self.real = batches._multihop.run
        monkeypatch.setattr(batches._multihop, "run", self.run)

    def run(self, scenario: str, trace: bool = False, cancel: object = None) -> object:
        name = run_name(scenario)
        if name in self.failing:
            raise self.failing[name]
        self.runs.append(name)
        return self.real(scenario, trace, cancel)

    def fail(self, scenario: Scenario, error: BaseException) -> None:
        """Let a run fail."""
        self.failing[run_name(scenario.json)] = error
