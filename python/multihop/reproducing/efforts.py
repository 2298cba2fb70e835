"""How many seeds figures of papers take: until means are precise, or until claims are decided.

A study whose runs differ in their networks keeps its seeds, and takes more networks instead.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from ..reporting.verdicts import UNDECIDED, Verdict
from ..statistics.intervals import SPENT
from ..sweeping.seeds import Decided, Until
from .spec import Data, Effort, FigureSpec, Panel, Study, StudyData

Efforts = Mapping[str, Effort]


def begun(efforts: Efforts, figures: Sequence[FigureSpec], rule: Until | Decided) -> Efforts:
    """Return the efforts with the seeds, or the networks, that the rule begins with.

    Networks are at first as many as usual. What no claim is judged by stays as it is, unless means
    are to be precise.
    """
    judged = isinstance(rule, Decided)
    studies = _studies([panel for panel in _panels(figures) if panel.claims or not judged])
    seeded = {name for name, study in studies.items() if study.unit == "seed"}
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
    """Return greater efforts for studies that are not sure; the same if all are."""
    if isinstance(rule, Decided):
        return looked_again(
            efforts, figures, rule, {v.id for v in verdicts if v.verdict == UNDECIDED}
        )
    return {
        name: _sized(study, efforts[name], _wanted(data.studies[name], rule))
        if study.unit == "seed"
        else efforts[name]
        for name, study in _studies(_panels(figures)).items()
    }


def looked_again(
    efforts: Efforts, figures: Sequence[FigureSpec], rule: Decided, panels: Collection[str]
) -> Efforts:
    """Return the efforts of the next look for the studies of some panels."""
    wanted = {
        study.name: rule.next(_size(study, efforts[study.name]))
        for panel in _panels(figures)
        for study in panel.studies
        if panel.id in panels and panel.claims
    }
    studies = _studies(_panels(figures))
    return {
        name: _sized(studies[name], effort, wanted.get(name, 0)) for name, effort in efforts.items()
    }


def levels(
    efforts: Efforts, figures: Sequence[FigureSpec], rule: Until | Decided | None
) -> dict[str, float]:
    """Return which part of the error probability each panel may spend, by its id.

    A panel is looked at as often as the one of its studies that has grown most; once, if the rule
    lets none of its studies grow.
    """
    if not isinstance(rule, Decided):
        return {}
    found = {}
    for panel in _panels(figures):
        if not panel.claims:
            continue
        looks = [_looks(study, efforts[study.name], rule) for study in panel.studies]
        counts = [count for count in looks if count is not None]
        found[panel.id] = SPENT * (1 - SPENT) ** max(counts) if counts else 1.0
    return found


def _looks(study: Study, effort: Effort, rule: Decided) -> int | None:
    """Return how often a study was looked at again; `None` if it cannot grow."""
    least = rule.least if study.unit == "seed" else _usual(study, effort)
    if study.unit == "x" and rule.next(least) == least:
        return None
    return (_size(study, effort) // least).bit_length() - 1


def _usual(study: Study, effort: Effort) -> int:
    """Return how many networks a study has by itself."""
    return len(study.points_at(replace(effort, networks=0)))


def _size(study: Study, effort: Effort) -> int:
    """Return how many seeds or networks a study has, whichever it is drawn over."""
    return effort.seeds if study.unit == "seed" else len(study.points_at(effort))


def _sized(study: Study, effort: Effort, size: int) -> Effort:
    """Give a study so many seeds or networks, if it has fewer."""
    if study.unit == "seed":
        return replace(effort, seeds=max(effort.seeds, size))
    grown = size > _size(study, effort)
    return replace(effort, networks=size) if grown else effort


def _panels(figures: Sequence[FigureSpec]) -> list[Panel]:
    return [panel for figure in figures for panel in figure.panels]


def _studies(panels: Sequence[Panel]) -> dict[str, Study]:
    """Return the studies of some panels by name."""
    return {study.name: study for panel in panels for study in panel.studies}


def _wanted(study: StudyData, rule: Until) -> int:
    """Return how many seeds a study should have: as many as its widest interval takes."""
    if rule.of not in study.runs.columns:
        return 0
    rows = (row for variant in study.variants for row in study.values(variant, rule.of).tolist())
    return max((rule.wanted(row) for row in rows), default=0)
