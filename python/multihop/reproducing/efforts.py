"""How many seeds figures of papers take: until means are precise, or until claims are decided."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
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
    if isinstance(rule, Decided):
        return looked_again(
            efforts, figures, rule, {v.id for v in verdicts if v.verdict == UNDECIDED}
        )
    wanted = {name: _wanted(data.studies[name], rule) for name in _seeded(figures)}
    return _at_least(efforts, wanted)


def looked_again(
    efforts: Efforts, figures: Sequence[FigureSpec], rule: Decided, panels: Collection[str]
) -> Efforts:
    """Return the efforts with the seeds of the next look for the studies of some panels."""
    seeded = _seeded(figures)
    wanted = {
        study.name: rule.next(efforts[study.name].seeds)
        for figure in figures
        for panel in figure.panels
        for study in panel.studies
        if panel.id in panels and study.name in seeded
    }
    return _at_least(efforts, wanted)


def _at_least(efforts: Efforts, wanted: Mapping[str, int]) -> Efforts:
    return {
        name: replace(effort, seeds=max(effort.seeds, wanted.get(name, 0)))
        for name, effort in efforts.items()
    }


def levels(
    efforts: Efforts, figures: Sequence[FigureSpec], rule: Until | Decided | None
) -> dict[str, float]:
    """Return which part of the error probability each panel may spend, by its id.

    A panel is looked at as often as the one of its studies that has most seeds; once, if all of its
    studies keep theirs.
    """
    if not isinstance(rule, Decided):
        return {}
    looks = {
        name: (efforts[name].seeds // rule.least).bit_length() - 1 for name in _seeded(figures)
    }
    counts = {
        panel.id: [looks[study.name] for study in panel.studies if study.name in looks]
        for figure in figures
        for panel in figure.panels
    }
    return {
        name: SPENT * (1 - SPENT) ** max(count) if count else 1.0 for name, count in counts.items()
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
