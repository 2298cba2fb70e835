"""How many seeds figures of papers take: until means are precise, or until claims are decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..reporting.verdicts import UNDECIDED, Verdict
from ..statistics.intervals import SPENT
from ..sweeping.seeds import Decided, Until
from .spec import Data, Effort, FigureSpec, StudyData

Efforts = Mapping[str, Effort]


def begun(efforts: Efforts, figures: Sequence[FigureSpec], rule: Until | Decided) -> Efforts:
    """Return the efforts with the seeds that the rule begins with.

    A study whose runs differ in their networks has one for each, and keeps its seeds.
    """
    seeded = _seeded(figures)
    return {
        name: replace(effort, seeds=rule.least) if name in seeded else effort
        for name, effort in efforts.items()
    }


def grown(
    efforts: Efforts,
    figures: Sequence[FigureSpec],
    rule: Until | Decided,
    data: Data,
    verdicts: Sequence[Verdict],
) -> Efforts:
    """Return the efforts with more seeds for studies that are not sure; the same if all are."""
    if isinstance(rule, Until):
        wanted = {name: _wanted(data.studies[name], rule) for name in _seeded(figures)}
    else:
        open_ = {verdict.id for verdict in verdicts if verdict.verdict == UNDECIDED}
        studies = {
            study.name: rule.next(efforts[study.name].seeds)
            for figure in figures
            for panel in figure.panels
            for study in panel.studies
            if panel.id in open_
        }
        wanted = {name: studies[name] for name in _seeded(figures) if name in studies}
    return {
        name: replace(effort, seeds=max(effort.seeds, wanted.get(name, 0)))
        for name, effort in efforts.items()
    }


def levels(
    efforts: Efforts, figures: Sequence[FigureSpec], rule: Until | Decided | None
) -> dict[str, float]:
    """Return which part of the error probability each panel may spend, by its id.

    A panel is looked at as often as the one of its studies that has most seeds.
    """
    if not isinstance(rule, Decided):
        return {}
    looks = {name: (efforts[name].seeds // rule.least).bit_length() - 1 for name in efforts}
    return {
        panel.id: SPENT * (1 - SPENT) ** max((looks[s.name] for s in panel.studies), default=0)
        for figure in figures
        for panel in figure.panels
    }


def _seeded(figures: Sequence[FigureSpec]) -> list[str]:
    """List the studies whose runs differ in their seed."""
    panels = [panel for figure in figures for panel in figure.panels]
    studies = {study.name: study for panel in panels for study in panel.studies}
    return [name for name, study in studies.items() if study.unit == "seed"]


def _wanted(study: StudyData, rule: Until) -> int:
    """Return how many seeds a study should have: as many as its widest interval takes."""
    if rule.of not in study.runs.columns:
        return 0
    rows = (row for variant in study.variants for row in study.values(variant, rule.of).tolist())
    return max((rule.wanted(row) for row in rows), default=0)
