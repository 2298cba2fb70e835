"""What a figure of a paper is: the runs behind it, how it is drawn, and what must hold.

    Figure -> Panels -> Studies (runs) and Claims (what the paper says of them)

A claim's judge looks at the measured data and finds whether it holds; it never sees the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from matplotlib.axes import Axes

from ..figure import Line, scheme_style
from ..results import Result
from ..scenario import Scenario
from ..stats import Values, confidence
from ..sweeps import Point


@dataclass(frozen=True)
class Effort:
    """How much is simulated: each point of a curve is the mean of `seeds` runs."""

    quick: bool
    seeds: int
    warmup: str
    duration: str

    @property
    def about(self) -> str:
        """The effort in words."""
        seeds = "1 seed" if self.seeds == 1 else f"{self.seeds} seeds"
        return f"{seeds}, {self.duration} measured after {self.warmup}"


# CXCC 7.1: ten runs a point. The paper does not say how long they are.
FULL = Effort(quick=False, seeds=10, warmup="10 s", duration="60 s")
QUICK = Effort(quick=True, seeds=5, warmup="5 s", duration="60 s")


@dataclass(frozen=True)
class Variant:
    """A curve: a scheme and its settings."""

    title: str
    scheme: str
    settings: Mapping[str, Any]
    secondary: bool = False

    def apply(self, base: Scenario) -> Scenario:
        """Return `base` with this variant's scheme and settings."""
        return base.with_(**{"scheme.name": self.scheme, **self.settings})


@dataclass(frozen=True)
class Study:
    """One set of runs: every variant at every value of one key, with several seeds.

    Figures that show other columns of the same runs share a study.
    """

    name: str
    base: Path
    settings: Mapping[str, Any]
    variants: Mapping[str, Variant]
    values: tuple[float, ...]
    quick_values: tuple[float, ...]
    key: str = "traffic.load"
    unit: str = "kbit/s"
    # Columns that are computed from those of `runs`, by name.
    derived: Mapping[str, pl.Expr] = field(default_factory=dict)

    def points(self, effort: Effort) -> list[Point]:
        """List the runs, labelled with study, variant, x and seed."""
        base = Scenario.from_file(self.base).with_(
            **self.settings, name=self.name, warmup=effort.warmup, duration=effort.duration
        )
        return [
            Point(
                {"study": self.name, "variant": name, "x": value, "seed": seed},
                variant.apply(base).with_(**{self.key: f"{value:g} {self.unit}", "seed": seed}),
            )
            for name, variant in self.variants.items()
            for value in (self.quick_values if effort.quick else self.values)
            for seed in range(1, effort.seeds + 1)
        ]


class StudyData:
    """What a study measured."""

    def __init__(self, study: Study, runs: pl.DataFrame, flows: pl.DataFrame) -> None:
        self.study = study
        own = runs.filter(study=study.name).sort("x", "seed", maintain_order=True)
        self.runs = own.with_columns(**study.derived)
        self.flows = flows.filter(study=study.name)
        self.x: Values = self.runs["x"].unique().sort().to_numpy()

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

    def line(self, variant: str, column: str, scale: float = 1.0) -> Line:
        """Return a column as a curve, times `scale`."""
        look = self.study.variants[variant]
        values = self.values(variant, column) * scale
        error = np.array([confidence(row[np.isfinite(row)]) for row in values])
        style = scheme_style(look.scheme, look.secondary)
        return Line(look.title, style, self.x, self.mean(variant, column) * scale, error)


@dataclass(frozen=True)
class Trace:
    """A single run with every event, for sequence charts."""

    name: str
    base: Path
    settings: Mapping[str, Any]
    variant: Variant

    def scenario(self) -> Scenario:
        """Return the scenario."""
        base = Scenario.from_file(self.base).with_(**self.settings, name=self.name)
        return self.variant.apply(base)


@dataclass(frozen=True)
class Data:
    """Everything that was measured, by the name of the study or trace."""

    studies: dict[str, StudyData] = field(default_factory=dict)
    traces: dict[str, Result] = field(default_factory=dict)


class Finding(NamedTuple):
    """What a judge found."""

    holds: bool
    measured: str


@dataclass(frozen=True)
class Claim:
    """Something the paper says, what counts as its holding, and who decides."""

    text: str
    expected: str
    judge: Callable[[Data], Finding]
    note: str = ""


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
