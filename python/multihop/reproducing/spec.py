"""What a figure of a paper is: the runs behind it, how it is drawn, and what must hold.

    Figure -> Panels -> Studies (runs) and Claims (what the paper says of them)

A claim's judge looks at the measured data and finds whether it holds; it never sees the engine.
What it compares has an interval: `judging.py` has the comparisons.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import numpy as np
import polars as pl
from matplotlib.axes import Axes

from .._multihop import ScenarioError
from ..charting.figure import Line, scheme_style
from ..engine.failures import summary
from ..reporting.report import Table
from ..reporting.verdicts import CALIBRATED, DIFFERS, REPRODUCED, UNDECIDED, Elsewhere, Verdict
from ..results.result import Result
from ..scenario.form import Scenario
from ..statistics.stats import Values, confidence
from ..sweeping.plans import Point


@dataclass(frozen=True)
class Effort:
    """How much is simulated: each point of a curve is the mean of `seeds` runs.

    `networks` is how many a study whose runs differ in their networks has, 0 for as many as usual.
    """

    quick: bool
    seeds: int
    warmup: str
    duration: str
    networks: int = 0

    @property
    def about(self) -> str:
        """The effort in words."""
        seeds = "1 seed" if self.seeds == 1 else f"{self.seeds} seeds"
        seeds += f" in each of {self.networks} networks" if self.networks else ""
        return f"{seeds}, {self.duration} measured after {self.warmup}"


@dataclass(frozen=True)
class Efforts:
    """How much of a study is simulated: in full, and with `--quick`."""

    full: Effort
    quick: Effort

    def choose(self, *, quick: bool, seeds: int | None) -> Effort:
        """Return the effort that was asked for; `seeds` overrides its number of seeds."""
        chosen = self.quick if quick else self.full
        return chosen if seeds is None else replace(chosen, seeds=seeds)


Settings = Mapping[str, Any]
NO_SETTINGS: Settings = MappingProxyType({})


def key_in(scenario: Scenario, name: str) -> str:
    """Return the key that a setting has in a scenario.

    `scheme.queue_limit` is every scheme's that has it; `hxh.queue_limit` only that of HxH, in whose
    scenarios it is `scheme.queue_limit`.
    """
    scheme, _, parameter = name.partition(".")
    return f"scheme.{parameter}" if scheme == scenario.to_dict()["scheme"]["name"] else name


def value_in(scenario: Scenario, key: str, given: Any) -> Any:
    """Return the value that a setting has in a scenario, `None` where it leaves that as it is.

    A value that can be called makes it of what the scenario gives, `None` where that is nothing.
    """
    if not callable(given):
        return given
    section, _, name = key.partition(".")
    return given((scenario.to_dict().get(section) or {}).get(name))


def accepted(
    scenario: Scenario, settings: Settings, runs: Iterable[Settings] = ()
) -> dict[str, Any]:
    """Return those settings that a scenario takes: not every scheme has every parameter.

    A setting that one of the `runs` refuses, which set further keys, is left out of all of them.
    """
    taken = {}
    runs = (NO_SETTINGS, *runs)
    for name, given in settings.items():
        key = key_in(scenario, name)
        value = value_in(scenario, key, given)
        if value is None:
            continue
        with contextlib.suppress(ScenarioError):
            for own in runs:
                scenario.with_(**{key: value} | dict(own))
            taken[key] = value
    return taken


def load(value: float) -> dict[str, Any]:
    """Set the load of every source, in kbit/s."""
    return {"traffic.load": f"{value:g} kbit/s"}


def hops(value: float) -> dict[str, Any]:
    """Set the length of a chain."""
    return {"topology.hops": int(value)}


def window_limit(value: float) -> dict[str, Any]:
    """Set TCP's window limit, in packets."""
    return {"scheme.window_limit": int(value)}


def payload(value: float) -> dict[str, Any]:
    """Set the payload of every packet, in bytes."""
    return {"traffic.payload": f"{value:g} B"}


@dataclass(frozen=True)
class Variant:
    """A curve: a scheme and its settings.

    It looks like the scheme; `secondary` dashes it, and `marker` stands in for the scheme's own.
    """

    title: str
    scheme: str
    settings: Mapping[str, Any]
    secondary: bool = False
    marker: str = ""

    @property
    def overrides(self) -> dict[str, Any]:
        """The keys that make a scenario this variant's."""
        return {"scheme.name": self.scheme, **self.settings}

    def apply(self, base: Scenario) -> Scenario:
        """Return `base` with this variant's scheme and settings."""
        return base.with_(**self.overrides)


@dataclass(frozen=True)
class Study:
    """One set of runs: every variant at every value of x, with several seeds.

    Figures that show other columns of the same runs share a study.
    """

    name: str
    base: Path
    settings: Mapping[str, Any]
    variants: Mapping[str, Variant]
    values: tuple[float, ...]
    quick_values: tuple[float, ...]
    efforts: Efforts
    # What a value of x sets.
    at: Callable[[float], Mapping[str, Any]] = load
    # The variants that `--quick` runs; all if there are none.
    quick_variants: tuple[str, ...] = ()
    # Columns that are computed from those of `runs`, by name.
    derived: Mapping[str, pl.Expr] = field(default_factory=dict)
    # Tables that are kept beside those of every study: `series`, `nodes`.
    tables: tuple[str, ...] = ()
    # What is drawn at random: runs by "seed", or networks by "x". Intervals are over these.
    unit: str = "seed"

    def effort(self, *, quick: bool, seeds: int | None = None) -> Effort:
        """Return the effort that was asked for; `seeds` overrides its number of seeds.

        A study whose runs differ in their networks has one for each, and keeps its seeds.
        """
        return self.efforts.choose(quick=quick, seeds=seeds if self.unit == "seed" else None)

    def varies(self, name: str) -> bool:
        """Whether the variants differ in a key, as it is called in readings (`key_in`)."""
        scheme, _, parameter = name.partition(".")
        own = [variant.overrides for variant in self.variants.values()]
        named = [keys for keys in own if keys["scheme.name"] == scheme]
        key = f"scheme.{parameter}" if named else name
        return len({repr(keys.get(key)) for keys in named or own}) > 1

    def points_at(self, effort: Effort) -> tuple[float, ...]:
        """Return the x of an effort; further networks have the numbers behind the last one."""
        values = self.quick_values if effort.quick else self.values
        more = effort.networks - len(values) if self.unit == "x" else 0
        return (*values, *(max(values) + 1 + number for number in range(more)))

    def points(
        self, effort: Effort, reading: Settings = NO_SETTINGS, first_seed: int = 1
    ) -> list[Point]:
        """List the runs, labelled with study, variant, x and seed.

        A `reading` holds for every variant whose runs all take its keys (`accepted`). Seeds
        count from `first_seed`; so do the networks of a study whose unit is "x".
        """
        base = Scenario.from_file(self.base).with_(
            **self.settings, name=self.name, warmup=effort.warmup, duration=effort.duration
        )
        names = (self.quick_variants if effort.quick else ()) or tuple(self.variants)
        shift = first_seed - 1 if self.unit == "x" else 0
        runs = {x + shift: self.at(x + shift) for x in self.points_at(effort)}
        keys = {name: self.variants[name].overrides for name in names}
        keys = {
            name: own | accepted(base.with_(**own), reading, runs.values())
            for name, own in keys.items()
        }
        return [
            Point(
                {"study": self.name, "variant": name, "x": x, "seed": seed},
                base.with_(**keys[name] | dict(run), seed=seed),
                self.tables,
            )
            for name in names
            for x, run in runs.items()
            for seed in range(first_seed, first_seed + effort.seeds)
        ]


# Columns of the first flow of a run, beside those of the run.
FIRST = "flow0_"
RUN = ("variant", "x", "seed")


class StudyData:
    """What a study measured.

    `runs` also has the columns of each run's first flow: `flow0_window_mean`, for example.
    """

    def __init__(
        self,
        study: Study,
        runs: pl.DataFrame,
        flows: pl.DataFrame,
        others: Mapping[str, pl.DataFrame] = MappingProxyType({}),
    ) -> None:
        self.study = study
        self.flows = flows.filter(study=study.name)
        # What else was kept: `congestion`, `series`, `nodes`.
        self.others = {
            name: table if table.is_empty() else table.filter(study=study.name)
            for name, table in others.items()
        }
        first = self.flows.filter(flow=0).select(*RUN, pl.exclude(*RUN).name.prefix(FIRST))
        own = runs.filter(study=study.name).join(first, on=RUN, how="left")
        self.runs = own.sort("x", "seed", maintain_order=True).with_columns(**study.derived)
        self.x: Values = self.runs["x"].unique().sort().to_numpy()

    @property
    def units(self) -> list[float]:
        """What the study drew at random: its seeds, or its networks."""
        return self.runs[self.study.unit].unique().sort().to_list()

    def without(self, unit: float) -> StudyData:
        """Return the study without one of its units."""
        other = copy(self)
        name = self.study.unit
        other.runs, other.flows = (
            table.filter(pl.col(name) != unit) for table in (self.runs, self.flows)
        )
        other.others = {
            key: table.filter(pl.col(name) != unit) if name in table.columns else table
            for key, table in self.others.items()
        }
        other.x = other.runs["x"].unique().sort().to_numpy()
        return other

    @property
    def congestion(self) -> pl.DataFrame:
        """How long which node had which congestion potential; empty if it was not measured."""
        return self.others.get("congestion", pl.DataFrame())

    @property
    def variants(self) -> list[str]:
        """Those that were run, in the order of the study."""
        there = set(self.runs["variant"])
        return [variant for variant in self.study.variants if variant in there]

    def values(self, variant: str, column: str) -> Values:
        """Return a column of `runs`: a row for each x, an entry for each seed."""
        rows: Values = self.runs.filter(variant=variant)[column].cast(pl.Float64).to_numpy()
        return rows.reshape(len(self.x), -1)

    def mean(self, variant: str, column: str) -> Values:
        """Return the mean over the seeds for each x; runs without a value do not count."""
        values = self.values(variant, column)
        known = np.isfinite(values)
        count = known.sum(axis=1)
        mean: Values = np.full(len(self.x), np.nan)
        np.divide(np.where(known, values, 0.0).sum(axis=1), count, out=mean, where=count > 0)
        return mean

    def shares(self, variant: str) -> Values:
        """Return the packets delivered: by x, by seed, by flow."""
        flows = self.flows.filter(variant=variant).sort("x", "seed", "flow")
        delivered: Values = flows["delivered"].cast(pl.Float64).to_numpy()
        return delivered.reshape(len(self.x), -1, flows["flow"].n_unique())

    def delivered_bytes(self, variant: str, x: float, interval: float) -> Values:
        """Return what was delivered in the intervals of `series`, in s: by seed, flow, interval."""
        runs = self.runs.filter(variant=variant, x=x)
        seeds = runs["seed"].to_list()
        length = (runs["warmup_s"] + runs["duration_s"]).max()
        shape = (
            len(seeds),
            self.flows["flow"].n_unique(),
            int(np.ceil(float(str(length)) / interval - 1e-9)),
        )
        series = self.others["series"].filter(variant=variant, x=x)
        delivered = np.zeros(shape)
        index = (
            np.array([seeds.index(seed) for seed in series["seed"]], dtype=int),
            series["flow"].to_numpy(),
            np.rint(series["time_s"].to_numpy() / interval).astype(int),
        )
        delivered[index] = series["delivered_bytes"].cast(pl.Float64).to_numpy()
        return delivered

    def line(self, variant: str, column: str, scale: float = 1.0) -> Line:
        """Return a column as a curve, times `scale`."""
        look = self.study.variants[variant]
        values = self.values(variant, column) * scale
        error = np.array([confidence(row[np.isfinite(row)]) for row in values])
        style = scheme_style(look.scheme, look.secondary)
        if look.marker:
            style = replace(style, marker=look.marker)
        return Line(look.title, style, self.x, self.mean(variant, column) * scale, error)


@dataclass(frozen=True)
class Trace:
    """A single run with every event, for sequence charts."""

    name: str
    base: Path
    settings: Mapping[str, Any]
    variant: Variant

    def scenario(self, reading: Settings = NO_SETTINGS, first_seed: int = 1) -> Scenario:
        """Return the scenario, with the keys of a reading that it takes; seed 1 is `first_seed`."""
        base = Scenario.from_file(self.base).with_(**self.settings, name=self.name)
        own = self.variant.apply(base)
        own = own.with_(**accepted(own, reading))
        return own if first_seed == 1 else own.with_(seed=own.to_dict()["seed"] + first_seed - 1)


Made = TypeVar("Made")


@dataclass(frozen=True)
class Data:
    """Everything that was measured, by the name of the study or trace."""

    studies: dict[str, StudyData] = field(default_factory=dict)
    traces: dict[str, Result] = field(default_factory=dict)
    _made: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def once(self, name: str, make: Callable[[], Made]) -> Made:
        """Return what `make` finds in the data, found once for all that draw it or judge it."""
        if name not in self._made:
            self._made[name] = make()
        made: Made = self._made[name]
        return made


# What a judge raises of runs that brought nothing which it could compare.
UNCOMPARABLE = (ArithmeticError, LookupError, TypeError, ValueError, pl.exceptions.PolarsError)


class Finding(NamedTuple):
    """What a judge found: whether the claim holds, `None` where the runs do not decide it.

    `interval` is the 95 % interval of what decides (`judging.py`), `None` for a plain fact.
    """

    holds: bool | None
    measured: str
    interval: tuple[float, float] | None = None


@dataclass(frozen=True)
class Claim:
    """Something the paper says, what counts as its holding, and who decides."""

    text: str
    expected: str
    judge: Callable[[Data], Finding]
    note: str = ""
    # What of the set-up was fitted to what the claim says; empty if nothing was.
    calibrated: str = ""

    def found(self, data: Data) -> Finding:
        """Return what the judge finds; where it has nothing to compare, the claim is undecided.

        With a reading under which nothing arrives, a share has no whole, and a mean no values.
        """
        try:
            # what is not a number decides nothing either, and needs no warning
            with np.errstate(divide="ignore", invalid="ignore"):
                return self.judge(data)
        except UNCOMPARABLE as error:
            return Finding(None, f"nothing to compare: {summary(error)}")

    def verdict(self, panel: str, finding: Finding) -> Verdict:
        """Return the verdict on the claim, given what its judge found in a panel."""
        holds = CALIBRATED if self.calibrated else REPRODUCED
        verdict = {True: holds, None: UNDECIDED, False: DIFFERS}[finding.holds]
        notes = {CALIBRATED: self.calibrated, DIFFERS: self.note}
        return Verdict(
            id=panel,
            claim=self.text,
            expected=self.expected,
            measured=finding.measured,
            verdict=verdict,
            note=notes.get(verdict, ""),
            interval=finding.interval,
        )


@dataclass(frozen=True)
class Row:
    """An artifact of a paper that has to be run again: a row of its checklist.

    `partly` says which part of it is judged, if not all; `missing` what it lacks to be run.
    Of one that is judged partly, another command may run a panel.
    """

    ids: tuple[str, ...]
    artifact: str
    partly: str = ""
    missing: str = ""
    elsewhere: Elsewhere | None = None


@dataclass(frozen=True)
class Panel:
    """One part of a figure, a row of the checklist."""

    id: str
    title: str
    draw: Callable[[Axes, Data], None]
    claims: tuple[Claim, ...]
    studies: tuple[Study, ...] = ()
    traces: tuple[Trace, ...] = ()


@dataclass(frozen=True)
class FigureSpec:
    """A figure of a paper."""

    id: str
    title: str
    panels: tuple[Panel, ...]
    columns: int = 2
    size: tuple[float, float] = (4.6, 3.1)
    # What is also shown as numbers.
    tables: Callable[[Data], Sequence[Table]] | None = None
