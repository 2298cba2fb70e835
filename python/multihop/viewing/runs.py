"""Runs that are made to be shown: scenarios, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..gallery import Lesson
from ..running.runner import run
from ..scenario.form import Scenario
from ..scenario.noting import told_before
from .folder import TraceFolder, manifest


def trace_all(scenarios: Sequence[Scenario], folder: Path) -> list[TraceFolder]:
    """Run scenarios with a trace each, in folders within `folder`."""
    shown = []
    for number, scenario in enumerate(scenarios):
        place = folder / str(number)
        run(scenario, trace=place, tell=told_before)
        shown.append(TraceFolder.read(place, number))
    return shown


def trace_lesson(lesson: Lesson, folder: Path) -> tuple[dict[str, Any], list[TraceFolder]]:
    """Run a lesson; return what its page is told, and the traces."""
    runs = trace_all(lesson.scenarios(), folder)
    titled = [
        replace(run, title=title or run.title)
        for run, title in zip(runs, lesson.titles, strict=True)
    ]
    told = manifest(titled, title=lesson.title, lesson=lesson.text, view=lesson.view)
    return told, titled
