"""Sweep files: a scenario, what is varied, and with how many seeds, as data.

scenario = "chain.toml"        # beside this file; or a scenario's tables in its place
seeds = { until = "5 %" }

[[axis]]
"scheme.name" = ["udp", "cxcc"]

[[axis]]
"traffic.load" = { from = "25 kbit/s", to = "200 kbit/s", count = 8 }
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .._multihop import ScenarioError
from ..engine.errors import SweepError
from ..engine.texts import parsed
from ..scenario.form import FORMATS, Base, Scenario, ScenarioFile, read_text
from ..scenario.noting import announce
from . import axes
from .axes import Axis, Condition, known_keys
from .collecting import Swept
from .plans import Point
from .schema import KEYS
from .seeds import Until, read_seeds
from .sweeps import TABLES, Means, Wanted, sweep_points


@dataclass(frozen=True)
class Sweep:
    """A sweep to run: a scenario, axes that multiply, combinations to leave out, seeds.

    >>> Sweep.from_file("sweep.toml").run("results/sweep").result().runs
    """

    base: Base
    axes: tuple[Axis, ...] = ()
    skip: tuple[Condition, ...] = ()
    seeds: Sequence[int] | Until | None = None
    title: str = ""
    tables: Sequence[str] = TABLES
    # What the values were given with, for messages.
    option: str = "axis"

    @classmethod
    def from_file(cls, path: str | Path) -> Sweep:
        """Read a sweep file, `.toml` or `.json`."""
        path = Path(path)
        return cls.from_dict(_read(path), path)

    @classmethod
    def from_dict(cls, given: Mapping[str, Any], path: Path = Path("sweep")) -> Sweep:
        """Make a sweep from a file's tables; names of files are relative to the file at `path`."""
        known_keys(given, KEYS, str(path))
        found = _Reader(given, path)
        varied, skip = found.axes(), found.skip()
        axes.check(varied, skip, f"{path}: ")
        seeds = read_seeds(given["seeds"], f"{path}: seeds") if "seeds" in given else None
        if seeds is not None and "seed" in axes.all_keys(varied):
            raise SweepError(f"{path}: `seeds` and an axis both choose the seeds; leave one out")
        base = found.base()
        keys = [*axes.all_keys(varied), *(["seed"] if seeds is not None else [])]
        if twice := axes.replaced(given.get("set", {}), keys):
            raise SweepError(f"{path}: '{twice}' is in `set` and varied; leave one of them out")
        title = given.get("name", path.stem)
        if not isinstance(title, str):
            raise SweepError(f"{path}: name: {title!r} is no text; write one in quotes")
        return cls(base, varied, skip, seeds, title, found.tables())

    def vary(self, values: Mapping[str, Sequence[Any]]) -> Sweep:
        """Return the sweep with one more axis for each key; the key `seed` replaces its seeds."""
        more = [axes.axis({key: given}, "--vary") for key, given in values.items() if key != "seed"]
        if twice := next((key for key in values if key in axes.all_keys(self.axes)), None):
            raise SweepError(f"'{twice}' is varied by the file and by --vary; leave one out")
        seeds = values.get("seed", self.seeds)
        option = self.option if self.axes else "--vary"
        return replace(self, axes=(*self.axes, *more), seeds=seeds, option=option)

    def until(self, rule: Until, option: str) -> Sweep:
        """Return the sweep with as many seeds as the precision of a mean takes."""
        if "seed" in axes.all_keys(self.axes):
            raise SweepError(f"{option} and an axis both choose the seeds; leave one out")
        if self.seeds is not None and not isinstance(self.seeds, Until):
            raise SweepError(f"{option} and `seeds` both choose the seeds; leave one out")
        return replace(self, seeds=rule)

    def set(self, values: Mapping[str, Any], option: str) -> Sweep:
        """Return the sweep with keys of its scenario replaced."""
        keys = [*axes.all_keys(self.axes), *(["seed"] if self.seeds is not None else [])]
        if twice := axes.replaced(values, keys):
            raise SweepError(f"'{twice}' is given with {option} and varied; leave one of them out")
        if not isinstance(self.base, ScenarioFile):
            return replace(self, base=self.base.override(values, option))
        return replace(self, base=self.base.with_(values, option))

    def points(self) -> list[Point]:
        """List the runs of a sweep; with a rule of seeds (`Until`), its combinations."""
        rows = axes.combinations(self.axes, self.skip)
        if not rows:
            raise SweepError("`skip` leaves out every combination; leave it out, or some of it")
        numbers = [] if isinstance(self.seeds, Until) or self.seeds is None else self.seeds
        if numbers:
            rows = axes.combinations([Axis(tuple(rows)), axes.axis({"seed": numbers}, "seeds")])
        keys = [*axes.all_keys(self.axes), *(["seed"] if numbers else [])]
        return [Point({key: row.get(key) for key in keys}, self._scenario(row)) for row in rows]

    def _scenario(self, row: Mapping[str, Any]) -> Scenario:
        try:
            return self.base.override(row, self.option)
        except ScenarioError as error:
            at = ", ".join(
                f"{key} = {json.dumps(value, default=str)}" for key, value in row.items()
            )
            named = ScenarioError(f"{error} (with {at})" if error.key in row else str(error))
            named.key = error.key
            raise named from None

    def run(
        self,
        out: str | Path,
        means: Means = Means(),
        tell: Callable[[str], None] | None = None,
    ) -> Swept:
        """Make the sweep's missing runs in the store `out`, after warnings about its scenarios."""
        until = self.seeds if isinstance(self.seeds, Until) else None
        wanted = Wanted(self.title, self.tables, until)
        points = self.points()
        announce((point.scenario for point in points), tell)
        return sweep_points(points, out, wanted=wanted, means=means)


def is_sweep(path: Path) -> bool:
    """Whether a file is a sweep's and not a scenario's: it says which scenario it is about."""
    try:
        return path.suffix in FORMATS and path.is_file() and "scenario" in _read(path)
    except SweepError:  # the engine names the line
        return False


def _read(path: Path) -> dict[str, Any]:
    kind, text = read_text(path)
    try:
        found = parsed(text, kind)
    except ValueError as error:
        raise SweepError(f"{path}: {error}") from None
    if not isinstance(found, dict):
        raise SweepError(f"{path}: the file is no table of keys; see `multihop schema sweep`")
    # Which schema an editor checks a JSON file by.
    return {key: value for key, value in found.items() if key != "$schema"}


class _Reader:
    """The parts of a sweep file."""

    def __init__(self, given: Mapping[str, Any], path: Path) -> None:
        self.given = given
        self.path = path

    def base(self) -> ScenarioFile:
        """Read the scenario, or the file that is named, with what `set` replaces."""
        scenario, settings = self.given.get("scenario"), self.given.get("set", {})
        if not isinstance(settings, dict):
            raise SweepError(f'{self.path}: set: write a table, as in {{ "duration" = "20 s" }}')
        if isinstance(scenario, str):
            file = ScenarioFile.read(self.path.parent / scenario)
        elif isinstance(scenario, dict):
            file = ScenarioFile(self.path, "json", json.dumps(scenario, default=str))
        else:
            raise SweepError(
                f'{self.path}: scenario: name its file, as in "chain.toml", or write its tables'
            )
        return file.with_(settings, "set") if settings else file

    def axes(self) -> tuple[Axis, ...]:
        """Read every axis."""
        return tuple(
            axes.axis(one, f"{self.path}: axis {number}")
            for number, one in enumerate(self._list("axis"), 1)
        )

    def skip(self) -> tuple[Condition, ...]:
        """Read what is left out."""
        return tuple(
            axes.condition(one, f"{self.path}: skip {number}")
            for number, one in enumerate(self._list("skip"), 1)
        )

    def _list(self, key: str) -> list[dict[str, Any]]:
        found = self.given.get(key, [])
        if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
            raise SweepError(f"{self.path}: {key}: write a table for each, as in [[{key}]]")
        return found

    def tables(self) -> tuple[str, ...]:
        """Read which tables are kept."""
        found = self.given.get("tables", list(TABLES))
        known = isinstance(found, list) and all(name in TABLES for name in found)
        if not known or "runs" not in found:
            raise SweepError(
                f"{self.path}: tables: {found!r} is no list of tables with `runs` in it; there "
                f"are: {', '.join(TABLES)}"
            )
        return tuple(found)
