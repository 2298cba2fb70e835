"""Tuning a scenario's keys: races on some seeds, and a test on seeds that no race has seen.

>>> import multihop
>>> found = multihop.tune("chain.toml", {"scheme.window_limit": "1..16"}, "goodput")
>>> found.best, found.pairs[0].words
"""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from ..comparing.measures import MEASURES, Measure
from ..comparing.pairs import Judged, Pair, against
from ..engine.errors import ScenarioError, SearchError
from ..results.result import replacing
from ..running.runner import progress_bar
from ..scenario.form import Base, Given, Scenario, as_base
from ..scenario.noting import announce
from ..sweeping.axes import meaning, replaced
from ..sweeping.plans import Point
from ..sweeping.seeds import SEEDS_LIMIT
from ..sweeping.sweeps import Means, Wanted, combinations, sweep_points
from .aims import aims, limits
from .asking import BATCH, asking
from .racing import Entry, Race, Target, front
from .space import Dimension, dimensions, said, size

TRIALS = 40
# Of a setting: seeds of the first look, and those at most.
LEAST, MOST = 5, 20
TESTS = 20
# Tests have seeds from here on, beyond all that races can have.
FIRST_TEST = SEEDS_LIMIT + 1
AS_GIVEN, TUNED = "as given", "tuned"
TABLES = ("runs",)

World = dict[str, Any]


class Budget(NamedTuple):
    """How much a search may cost: settings, seeds of a race, and seeds of the test."""

    trials: int = TRIALS
    least: int = LEAST
    most: int = MOST
    tests: int = TESTS


@dataclass(frozen=True)
class Tuned:
    """What a search has found: all settings, the best, and what they do on seeds of their own.

    `settings` has a row for each setting that was tried: its keys, on how many `seeds` it ran, the
    mean over seeds and scenarios of every column that is sought or limited, why it was `stopped`
    ("" if it was not), and whether it is one of the best (`best`). With one aim there is one best
    setting; with several, none of the best is beaten by another in everything. `tests` has the
    means of the best settings, and of the scenario as it is given, over the seeds and scenarios of
    the test, and `pairs` the comparison of both, seed by seed.
    """

    settings: pl.DataFrame
    front: tuple[dict[str, Any], ...]
    tests: pl.DataFrame
    pairs: tuple[Pair, ...]
    target: Target
    budget: Budget
    page: Path
    csv: Path
    notes: tuple[str, ...] = ()

    @property
    def best(self) -> dict[str, Any]:
        """The best setting; with several aims, the first of the best."""
        return self.front[0]

    @property
    def options(self) -> list[str]:
        """The best settings as options of the command line."""
        return [
            shlex.join(f"--set={key}={_text(value)}" for key, value in one.items())
            for one in self.front
        ]

    @property
    def about(self) -> str:
        """How the settings were found and tried, in words."""
        stopped = sum(bool(reason) for reason in self.settings["stopped"])
        runs = f"{self.budget.least} to {self.budget.most} seeds"
        return (
            f"{self.settings.height} settings tried on {runs}, {stopped} stopped; tested on "
            f"{self.budget.tests} other seeds"
        )

    def __repr__(self) -> str:
        return f"<Tuned: {said(self.best)}; {self.about}; page: {self.page}>"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "aims": [aim.words for aim in self.target.aims],
            "constraints": [limit.words for limit in self.target.limits],
            "best": list(self.front),
            "settings": self.settings.to_dicts(),
            "tests": self.tests.to_dicts(),
            "pairs": [pair.to_dict() for pair in self.pairs],
            "about": self.about,
            "notes": list(self.notes),
            "page": str(self.page),
            "csv": str(self.csv),
        }


def tune(
    scenario: Given,
    vary: Mapping[str, str | Iterable[Any]],
    aim: str | Sequence[str],
    *,
    constraints: str | Sequence[str] = (),
    over: Mapping[str, Iterable[Any]] | None = None,
    test_over: Mapping[str, Iterable[Any]] | None = None,
    budget: Budget = Budget(),
    out: str | Path | None = None,
    workers: int | None = None,
    progress: bool = True,
    tell: Callable[[str], None] | None = None,
) -> Tuned:
    """Search the setting of the keys in `vary` that has the most, or the least, of each `aim`.

    A key's values are a range as text ("1..16", "10..200 kbit/s", "0.1 ms..1 s log") or a list. An
    aim is a column of `runs`, or "COLUMN=least"; a constraint is "COLUMN<=NUMBER" or
    "COLUMN>=NUMBER". Every setting runs in all combinations of the values in `over`, and the best
    are tested in those of `test_over` (the same unless given), on other seeds in any case.

    Results stay in the folder `out`, which a second call continues: the search is the same again,
    and runs that are there are not repeated. `SearchError` if the search cannot begin, or if no
    setting keeps the constraints.
    """
    search = _Search.of(scenario, vary, (aim, constraints), (over, test_over), _checked(budget))
    folder = search.folder if out is None else Path(out)
    said_before = announce(search.corners(), tell)
    means = Means(workers=workers, progress=False)
    entries = search.race(folder, means, progress=progress)
    best = _best(entries, search.target)
    tests, pairs = search.test(best, folder, means)
    found = Tuned(
        _table(entries, best, search.target),
        tuple(entry.setting for entry in best),
        tests,
        tuple(pairs),
        search.target,
        budget,
        folder / "tuning.html",
        folder / "tuning.csv",
        tuple(said_before),
    )
    with replacing(found.csv) as temporary:
        found.settings.write_csv(temporary)

    # Drawing takes a while to load.
    from .page import write

    write(found, search.command)
    return found


class _Search(NamedTuple):
    """What is searched, in which scenarios."""

    base: Base
    space: list[Dimension]
    target: Target
    worlds: list[World]
    test_worlds: list[World]
    budget: Budget
    command: str

    @classmethod
    def of(
        cls,
        scenario: Given,
        vary: Mapping[str, str | Iterable[Any]],
        wanted: tuple[str | Sequence[str], str | Sequence[str]],
        worlds: tuple[Mapping[str, Iterable[Any]] | None, Mapping[str, Iterable[Any]] | None],
        budget: Budget,
    ) -> _Search:
        vary = {key: v if isinstance(v, str) else list(v) for key, v in vary.items()}
        over, test_over = ({k: list(v) for k, v in (one or {}).items()} for one in worlds)
        space = dimensions(vary)
        target = Target(tuple(aims(wanted[0])), tuple(limits(wanted[1])))
        for name, axes in (("over", over), ("test_over", test_over)):
            if "seed" in axes:
                raise SearchError(f"{name}: seeds are chosen apart from scenarios; leave seed out")
            if twice := replaced(dict.fromkeys(vary, 0), axes):
                raise SearchError(f"{name}: '{twice}' is tuned; leave one of them out")
        tuning, testing = combinations(over), combinations(test_over or over)
        if test_over and (both := _common(tuning, testing)):
            raise SearchError(
                f"the test has a scenario that settings were tuned in ({said(both)}); test in "
                "others, or leave test_over out"
            )
        command = _command(vary, target, (over, test_over), budget)
        search = cls(as_base(scenario), space, target, tuning, testing, budget, command)
        search.check()
        return search

    def check(self) -> None:
        """Refuse ends of ranges that a scenario cannot have, before anything is run."""
        for scenario in (*self.worlds, *self.test_worlds):
            for setting in self._ends():
                self.base.override(setting | scenario | {"seed": 1}, "--vary")

    def _ends(self) -> list[dict[str, Any]]:
        """Return settings that have every end of every range, and every listed value."""
        first = {one.key: one.ends()[0] for one in self.space}
        others = [first | {one.key: end} for one in self.space for end in one.ends()[1:]]
        return [first, *others]

    def corners(self) -> list[Scenario]:
        """Return scenarios that settings are tried in, for notes on them."""
        return [
            self.base.override(setting | world, "--vary")
            for world in self.worlds
            for setting in self._ends()[:1]
        ]

    @property
    def folder(self) -> Path:
        """Where results stay unless a folder is given."""
        tables = self.corners()[0].to_dict()
        keys = [one.key.rpartition(".")[2] for one in self.space]
        name = str(tables.get("name") or tables["topology"]["kind"])
        slug = re.sub(r"[^a-z0-9]+", "-", "-".join((name, *keys)).lower()).strip("-")
        return Path("results") / f"tune-{slug[:60]}"

    def race(self, folder: Path, means: Means, *, progress: bool) -> list[Entry]:
        """Try settings, by the batch, and return all that were tried."""
        known: dict[str, Entry] = {}
        asked, most = 0, int(min(self.budget.trials, size(self.space)))
        asker = asking(self.space, self.target, self.budget.trials)
        with progress_bar(most, "settings", shown=progress) as show:
            while asked < most:
                batch = asker.ask(min(BATCH, most - asked))
                named = [(meaning(setting), setting) for setting in batch]
                new = {name: Entry(one) for name, one in named if name not in known}
                if new:
                    self._run(list(new.values()), list(known.values()), folder, means)
                known |= new
                asker.tell([known[name] for name, _ in named])
                asked += len(batch)
                show(asked)
        return list(known.values())

    def _run(self, entries: list[Entry], finished: list[Entry], folder: Path, means: Means) -> None:
        """Let settings race."""
        grid = [
            Point(
                entry.setting | world,
                self.base.override(entry.setting | world | {"seed": 1}, "--vary"),
            )
            for entry in entries
            for world in self.worlds
        ]
        least, most = self.budget.least, self.budget.most
        race = Race(entries, len(self.worlds), self.target, least, most, finished)
        wanted = Wanted(f"race {len(finished) // BATCH + 1}", TABLES, race)
        sweep_points(grid, folder, wanted=wanted, means=means)

    def test(
        self, best: Sequence[Entry], folder: Path, means: Means
    ) -> tuple[pl.DataFrame, list[Pair]]:
        """Try the best settings, and the scenario as it is, on other seeds."""
        names = [TUNED] if len(best) == 1 else [f"{TUNED} {at}" for at in range(1, len(best) + 1)]
        given = dict(zip(names, (entry.setting for entry in best), strict=True))
        tried = given if self._given() is None else {AS_GIVEN: {}} | given
        seeds = range(FIRST_TEST, FIRST_TEST + self.budget.tests)
        grid = [
            Point(
                {"scheme": name, "world": at, "seed": seed},
                self.base.override(setting | world | {"seed": seed}, "--vary"),
            )
            for name, setting in tried.items()
            for at, world in enumerate(self.test_worlds)
            for seed in seeds
        ]
        done = sweep_points(grid, folder, wanted=Wanted("test", TABLES), means=means)
        columns = self.target.columns
        runs = done.table("runs").select("scheme", "seed", *columns)
        # A mean over scenarios of which one has no value is none.
        mean = [pl.col(column).cast(pl.Float64).fill_null(math.nan).mean() for column in columns]
        by_seed = runs.group_by("scheme", "seed", maintain_order=True).agg(mean)
        tests = by_seed.group_by("scheme", maintain_order=True).agg(pl.len().alias("seeds"), *mean)
        tests = tests.rename({"scheme": "setting"})
        if AS_GIVEN not in tried:
            return tests, []
        return tests, against(by_seed, AS_GIVEN, [], [_measure(one) for one in columns], Judged())

    def _given(self) -> Scenario | None:
        """Return the scenario as it is; `None` where it lacks what is tuned."""
        try:
            return self.base.override(self.test_worlds[0])
        except ScenarioError:
            return None


def _checked(budget: Budget) -> Budget:
    trials, least, most, tests = budget
    if trials < 1:
        raise SearchError(f"{trials} settings are none to try; allow one at least")
    if not 2 <= least <= most <= SEEDS_LIMIT:
        raise SearchError(
            f"from {least} to {most} seeds: a race begins with two at least, and ends with no "
            "fewer than it begins with"
        )
    if tests < 2:
        raise SearchError(f"{tests} seeds are too few for a test; allow two at least")
    return budget


def _common(one: Sequence[World], other: Sequence[World]) -> World | None:
    known = {meaning(world) for world in one}
    return next((world for world in other if meaning(world) in known), None)


def _best(entries: Sequence[Entry], target: Target) -> list[Entry]:
    """Return the best settings; refuse that there is none, and say what comes nearest."""
    found = front(entries, target)
    if found:
        first = target.aims[0]
        return sorted(found, key=lambda entry: -first.sign * entry.mean(first.column))
    known = [entry for entry in entries if entry.has_values(target)]
    if not known:
        empty = [
            column
            for column in target.columns
            if not any(math.isfinite(entry.mean(column)) for entry in entries)
        ]
        raise SearchError(
            f"in some run of every setting, {' or '.join(empty or target.columns)} has no value, "
            "as a mean over no packets; seek another column, or give runs more time or load"
        )
    nearest = min(
        known,
        key=lambda entry: max(limit.beyond(entry.mean(limit.column)) for limit in target.limits),
    )
    means = (f"{limit.column} = {nearest.mean(limit.column):.4g}" for limit in target.limits)
    wanted = " and ".join(limit.words for limit in target.limits)
    raise SearchError(
        f"none of {len(entries)} settings keeps {wanted}; nearest is {said(nearest.setting)} with "
        f"{', '.join(means)}; relax the constraint, or widen the ranges"
    )


def _table(entries: Sequence[Entry], best: Sequence[Entry], target: Target) -> pl.DataFrame:
    rows = [
        {
            **entry.setting,
            "seeds": entry.seeds,
            **{column: entry.mean(column) for column in target.columns},
            "stopped": entry.stopped,
            "best": any(entry is one for one in best),
        }
        for entry in entries
    ]
    return pl.DataFrame(rows, infer_schema_length=None, strict=False)


def _measure(column: str) -> Measure:
    known = next((one for one in MEASURES if one.column == column), None)
    return known or Measure(column, column, "", 1, 3)


def _command(
    vary: Mapping[str, Any],
    target: Target,
    worlds: tuple[Mapping[str, Sequence[Any]], Mapping[str, Sequence[Any]]],
    budget: Budget,
) -> str:
    """Return the command line that does the same again."""
    parts = ["multihop", "tune", "SCENARIO"]
    for option, axes in zip(("--vary", "--over", "--test-over"), (vary, *worlds), strict=True):
        for key, values in axes.items():
            listed = values if isinstance(values, str) else ",".join(map(_text, values))
            parts += [option, f"{key}={listed}"]
    for aim in target.aims:
        parts += ["--for", aim.column if aim.sign > 0 else f"{aim.column}=least"]
    for limit in target.limits:
        parts += ["--constraint", limit.words]
    usual = Budget()
    options = ("--trials", "--seeds", "--max-seeds", "--test-seeds")
    for option, value, default in zip(options, budget, usual, strict=True):
        parts += [option, str(value)] if value != default else []
    return shlex.join(parts)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
