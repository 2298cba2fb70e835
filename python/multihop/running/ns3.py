"""Runs in ns-3: the scenario's nodes, sources and books, on ns-3's MAC, channel and clock.

The program `multihop-ns3` (`make ns3`) does it, a process for each run.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from .._multihop import Cancel, Interrupted, ScenarioError
from ..engine.errors import Ns3Error
from ..engine.programs import find
from ..prototype.identity import digest_of
from ..results.result import Result
from ..scenario.form import Scenario, simulator_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .._multihop import Stacked

PROGRAM = "multihop-ns3"
# The column with the number of a row's run, while tables are put together.
OWNER = "<owner>"
# How the program says that the scenario is wrong.
WRONG_INPUT = 2
MISSING = (
    f"there is no {PROGRAM}: build it (apt-get install g++ libns3-dev; make ns3), or set "
    "MULTIHOP_BIN to its folder"
)
# How often it is asked whether a run is to be stopped.
POLL_S = 0.2
# With which keys this simulator does as ns-3 (`docs/validation/ns3.md`): its receiver, and its MAC.
RECEIVER = {"radio.reception": "first-decodable", "radio.capture_ratio": 1}
RULES = {"mac.rules": "ns3", "mac.header": "36 B", "radio.interference": "dsss"}


def by_its_rules(scenario: Scenario) -> Scenario:
    """Return a scenario for ns-3 (`simulator = "ns3"`) with ns-3's rules for this simulator."""
    if simulator_of(scenario.json) != "ns3":
        return scenario
    return scenario.override({"simulator": None, **RECEIVER, **RULES})


def simulate(scenario: Scenario, *, cancel: Cancel | None = None) -> Result:
    """Run one scenario in ns-3 in this thread; only `cancel` stops it.

    Raises `ScenarioError` if ns-3's 802.11b cannot be as the scenario asks, and `Ns3Error` if
    the program is nowhere, or fails.
    """
    if digest_of(scenario.json):
        raise Ns3Error("a scheme in Python cannot be run in ns-3; use one that is built in")
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([_program()], text=True, **pipes) as process:
        told, errors = _communicate(process, scenario.json, cancel)
    if process.returncode == WRONG_INPUT:
        raise ScenarioError(errors.strip())
    if process.returncode != 0:
        said = errors.strip().splitlines()
        raise Ns3Error(
            f"ns-3 has failed ({process.returncode}): {said[-1] if said else 'silently'}"
        )
    return Result.from_columns({name: _table(table) for name, table in json.loads(told).items()})


class Runs:
    """Runs one after another, whose tables are put together: the engine's `Runs`, in ns-3."""

    def __init__(self) -> None:
        self._found: list[dict[str, pl.DataFrame]] = []

    def run(self, scenario: str, tables: Sequence[str], cancel: Cancel | None = None) -> None:
        """Run a scenario (JSON) and keep some of its tables; a run that fails leaves nothing."""
        found = simulate(Scenario(scenario), cancel=cancel).tables
        self._found.append({name: found[name] for name in found.keys() & tables})

    def tables(self) -> dict[str, tuple[NDArray[np.uint32], dict[str, Stacked]]]:
        """Return the tables that have rows: the number of every row's run, and the columns."""
        names = {name for found in self._found for name in found}
        stacked = {}
        for name in sorted(names):
            frames = [
                found[name].with_columns(pl.lit(number, pl.UInt32).alias(OWNER))
                for number, found in enumerate(self._found)
                if name in found and found[name].height
            ]
            if frames:
                table = pl.concat(frames, how="diagonal")  # schemes have counters of their own
                owners = table[OWNER].to_numpy()
                columns = {one.name: _stacked(one) for one in table.drop(OWNER)}
                stacked[name] = (owners, columns)
        return stacked


def _stacked(column: pl.Series) -> Stacked:
    """Return a column's values, and which of them are known."""
    known = column.is_not_null().to_numpy()
    if column.dtype == pl.String:
        return column.to_list(), known
    return column.fill_null(0).to_numpy(), known


def program_of(scenario: str) -> str:
    """Return what tells the program that runs a scenario (JSON) from what it may be tomorrow.

    It is "" for scenarios that are not run in ns-3. Raises `Ns3Error` if the program is nowhere.
    """
    if simulator_of(scenario) != "ns3":
        return ""
    program = Path(_program())
    about = program.stat()
    return _digest(program, about.st_size, about.st_mtime_ns)


@cache
def _digest(program: Path, _size: int, _changed: int) -> str:
    return hashlib.blake2b(program.read_bytes(), digest_size=8).hexdigest()


def _program() -> str:
    program = find(PROGRAM)
    if program is None:
        raise Ns3Error(MISSING)
    return program


def _communicate(
    process: subprocess.Popen[str], scenario: str, cancel: Cancel | None
) -> tuple[str, str]:
    """Give the process its input, and wait for what it says."""
    given: str | None = scenario
    while True:
        try:
            return process.communicate(given, timeout=POLL_S)
        except subprocess.TimeoutExpired:
            given = None
        if cancel is not None and cancel.cancelled:
            process.kill()
            raise Interrupted("the run was interrupted")


def _table(columns: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Return columns in which what is no number is one that is none."""
    return {
        name: [float("nan") if value is None else value for value in values]
        for name, values in columns.items()
    }
