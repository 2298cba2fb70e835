"""Running what figures of papers need: each study once, by default and with another reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from .._multihop import ScenarioError
from ..prototype.identity import settled
from ..reporting.standing import Cost, data_file
from ..reporting.verdicts import paper_of
from ..results.result import make_folder, replacing
from ..running.runner import run_many
from ..scenario.form import Scenario
from ..scenario.noting import told_before
from ..sweeping.plans import Point
from ..sweeping.store import Store, run_name
from ..sweeping.sweeps import Means, Wanted, sweep_points
from .spec import (
    NO_SETTINGS,
    Data,
    Effort,
    FigureSpec,
    Settings,
    Study,
    StudyData,
    Trace,
    accepted,
    key_in,
)

# What figures and claims look at; some studies keep more.
TABLES = ("runs", "flows", "congestion")
# The label of the runs with another reading of the paper.
WITH = "with"


def needed_studies(figures: Sequence[FigureSpec]) -> list[Study]:
    """List the studies behind the figures, each once."""
    panels = [panel for figure in figures for panel in figure.panels]
    return list({study.name: study for panel in panels for study in panel.studies}.values())


def needed_traces(figures: Sequence[FigureSpec]) -> list[Trace]:
    """List the single runs with traces behind the figures, each once."""
    panels = [panel for figure in figures for panel in figure.panels]
    return list({trace.name: trace for panel in panels for trace in panel.traces}.values())


def studied(studies: Sequence[Study], tables: Mapping[str, pl.DataFrame]) -> dict[str, StudyData]:
    """Return what each study has measured, of the tables of all."""
    others = {name: table for name, table in tables.items() if name not in ("runs", "flows")}
    return {
        study.name: StudyData(study, tables["runs"], tables["flows"], others) for study in studies
    }


class Collected(NamedTuple):
    """What was measured by default and with a reading, the number of runs, and what papers cost."""

    data: Data
    other: Data
    runs: int
    costs: Mapping[str, Cost]


@settled()
def collect(
    figures: Sequence[FigureSpec],
    efforts: Mapping[str, Effort],
    out: Path,
    *,
    reading: Settings = NO_SETTINGS,
    first_seed: int = 1,
    workers: int | None,
    progress: bool,
) -> Collected:
    """Run what the figures need, each study once, by default and with the reading.

    Without a reading, its data are empty. `efforts` has an entry for the name of every study. Seeds
    count from `first_seed`, and so do networks that are drawn at random.
    """
    studies = needed_studies(figures)
    traces = {trace.name: trace for trace in needed_traces(figures)}
    readings = {"": NO_SETTINGS} | ({WITH: reading} if reading else {})
    grid = [
        Point({"reading": name, **point.labels}, point.scenario, point.keep)
        for name, settings in readings.items()
        for study in studies
        for point in study.points(efforts[study.name], settings, first_seed)
    ]
    scenarios = {
        name: [trace.scenario(settings, first_seed) for trace in traces.values()]
        for name, settings in readings.items()
    }
    if reading:
        _require_effect(reading, grid, scenarios)
    sets = {name: Data() for name in (*readings, WITH)}
    costs: dict[str, Cost] = {}
    if grid:
        means = Means(workers=workers, progress=progress)
        swept = sweep_points(grid, out, wanted=Wanted(tables=TABLES), means=means)
        result = swept.result()
        default = [point for point in grid if not point.labels["reading"]]
        costs = costs_of(default, swept.store, papers_of(figures))
        for name in readings:
            tables = {
                key: table if table.is_empty() else table.filter(reading=name).drop("reading")
                for key, table in result.tables.items()
            }
            sets[name].studies.update(studied(studies, tables))
    for name, chosen in scenarios.items():
        traced = run_many(chosen, events=True, workers=workers, progress=progress, tell=told_before)
        sets[name].traces.update(zip(traces, traced, strict=True))
    return Collected(sets[""], sets[WITH], len(grid) + len(readings) * len(traces), costs)


def papers_of(figures: Sequence[FigureSpec]) -> dict[str, str]:
    """Return the paper of every study."""
    return {
        study.name: paper_of(figure.id) for figure in figures for study in needed_studies([figure])
    }


def costs_of(grid: Sequence[Point], store: Store, papers: Mapping[str, str]) -> dict[str, Cost]:
    """Return what the runs of each paper have cost; single runs with traces are left out."""
    found: dict[str, Cost] = dict.fromkeys(papers.values(), Cost())
    counted = set()
    for point in grid:
        run = run_name(point.scenario.json)
        if run not in counted:
            part = store.covered["runs"][run]
            paper = papers[point.labels["study"]]
            found[paper] += Cost(1, part.cpu_seconds / len(part.runs))
            counted.add(run)
    return found


def write_data(figure: FigureSpec, data: Data, out: Path) -> None:
    """Write the table `runs` of the studies behind a figure into a file of its own."""
    tables = [data.studies[study.name].runs for study in needed_studies([figure])]
    if tables:
        path = out / data_file(figure.id)
        make_folder(path.parent)
        with replacing(path) as temporary:
            pl.concat(tables, how="diagonal_relaxed").write_parquet(temporary)


def _require_effect(
    reading: Settings, grid: Sequence[Point], traces: Mapping[str, Sequence[Scenario]]
) -> None:
    """Refuse a reading of which no run takes a key, with what the first run says of it."""
    default = [p.scenario for p in grid if p.labels["reading"] != WITH] + [*traces[""]]
    other = [p.scenario for p in grid if p.labels["reading"] == WITH] + [*traces[WITH]]
    for name, value in reading.items():
        if not any(takes(scenario, name, value) for scenario in default):
            # The scenario that knows most of it says what is wrong.
            first = next((s for s in default if key_in(s, name) != name), default[0])
            first.with_(**{key_in(first, name): value})
    if default == other:
        raise ScenarioError(f"{', '.join(reading)}: nothing changes in these figures")


def takes(scenario: Scenario, name: str, value: Any) -> bool:
    """Whether a scenario can have this key with that value."""
    return bool(accepted(scenario, {name: value}))
