"""Running figures of papers again and judging what the papers say of them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from .figure import Canvas, canvas
from .papers import FIGURES
from .papers.spec import Data, Effort, FigureSpec, Panel, Study, StudyData
from .report import Page, Picture, Verdict, write_page
from .results import make_folder, replacing
from .runner import run_many
from .sweeps import engine, sweep_points

# What figures and claims look at; some studies keep more.
TABLES = ("runs", "flows", "congestion")


class UnknownFigureError(ValueError):
    """There is no figure of this name; the message lists those there are."""


@dataclass(frozen=True)
class Reproduction:
    """Verdicts and pictures, how much was simulated in words, and where the files are."""

    verdicts: tuple[Verdict, ...]
    about: str
    runs: int
    seconds: float
    files: tuple[Path, ...]
    page: Path

    @property
    def reproduced(self) -> int:
        """How many claims hold."""
        return sum(verdict.verdict == "reproduced" for verdict in self.verdicts)


def select(ids: Sequence[str]) -> list[FigureSpec]:
    """Return the figures, reduced to the panels that are named; everything if nothing is.

    A name is a paper (`cxcc`), a figure (`cxcc/fig8`) or a panel (`cxcc/fig8b`). Without its
    paper (`fig8`) it stands for that of every paper.
    """
    wanted = set(ids)
    known = {name for figure in FIGURES for name in _names(figure)}
    if unknown := sorted(wanted - known):
        figures = ", ".join(figure.id for figure in FIGURES)
        raise UnknownFigureError(f"there is no figure '{unknown[0]}'; there are: {figures}")
    chosen = []
    for figure in FIGURES:
        panels = tuple(
            panel for panel in figure.panels if not wanted or wanted & _names(figure, panel)
        )
        if panels:
            chosen.append(replace(figure, panels=panels))
    return chosen


def _names(figure: FigureSpec, only: Panel | None = None) -> set[str]:
    panels = figure.panels if only is None else (only,)
    full = {figure.id, *(panel.id for panel in panels)}
    return full | {figure.id.split("/")[0]} | {name.split("/")[1] for name in full}


def reproduce(
    ids: Sequence[str] = (),
    *,
    quick: bool = False,
    seeds: int | None = None,
    out: str | Path = "results/reproduce",
    workers: int | None = None,
    progress: bool = True,
) -> Reproduction:
    """Run figures again, judge their claims, and write pictures, tables and a page into `out`.

    `quick` takes fewer loads and seeds and shorter runs. What was run before is not run again.

    >>> reproduce(["cxcc/fig8"], quick=True).verdicts
    """
    begin = time.monotonic()
    figures = select(ids)
    efforts = {
        study.name: study.efforts.choose(quick=quick, seeds=seeds)
        for study in needed_studies(figures)
    }
    out = make_folder(out)
    data, runs = collect(figures, efforts, out, workers=workers, progress=progress)
    about = "; ".join(dict.fromkeys(effort.about for effort in efforts.values())) or "single runs"
    verdicts = tuple(judge(figures, data))
    files: list[Path] = []
    pictures = []
    for figure in figures:
        with canvas(
            figure.id.replace("/", "-"),
            len(figure.panels),
            columns=figure.columns,
            size=figure.size,
        ) as drawing:
            draw(figure, data, drawing)
            files += drawing.save(out / "figures")
            pictures.append(Picture(figure.id, figure.title, drawing.inline_svg()))
    seconds = time.monotonic() - begin
    page = Page(
        title="multihop: the papers' figures, run again",
        lead=f"{sum(v.verdict == 'reproduced' for v in verdicts)} of {len(verdicts)} claims "
        f"reproduced. Each curve: {about}; {runs} runs. Bars: 95 % confidence.",
        command=command(ids, quick=quick, seeds=seeds),
        engine=engine(),
        verdicts=verdicts,
        pictures=tuple(pictures),
    )
    with replacing(out / "verdicts.json") as temporary:
        temporary.write_text(json.dumps([v._asdict() for v in verdicts], indent=2) + "\n")
    return Reproduction(
        verdicts, about, runs, seconds, tuple(files), write_page(page, out / "report.html")
    )


def command(ids: Iterable[str], *, quick: bool, seeds: int | None) -> str:
    """Return the command line that does the same again."""
    parts = ["multihop reproduce", *ids]
    if quick:
        parts.append("--quick")
    if seeds is not None:
        parts.append(f"--seeds {seeds}")
    return " ".join(parts)


def needed_studies(figures: Sequence[FigureSpec]) -> list[Study]:
    """List the studies behind the figures, each once."""
    panels = [panel for figure in figures for panel in figure.panels]
    return list({study.name: study for panel in panels for study in panel.studies}.values())


def collect(
    figures: Sequence[FigureSpec],
    efforts: Mapping[str, Effort],
    out: Path,
    *,
    workers: int | None,
    progress: bool,
) -> tuple[Data, int]:
    """Run what the figures need, each study once, and return it with the number of runs.

    `efforts` has an entry for the name of every study.
    """
    studies = needed_studies(figures)
    traces = {
        trace.name: trace for figure in figures for panel in figure.panels for trace in panel.traces
    }
    grid = [point for study in studies for point in study.points(efforts[study.name])]
    data = Data()
    if grid:
        result = sweep_points(grid, out, tables=TABLES, workers=workers, progress=progress)
        others = {name: result.tables[name] for name in result.tables.keys() - {"runs", "flows"}}
        for study in studies:
            data.studies[study.name] = StudyData(study, result.runs, result.flows, others)
    traced = run_many(
        [trace.scenario() for trace in traces.values()],
        trace=True,
        workers=workers,
        progress=progress,
    )
    data.traces.update(zip(traces, traced, strict=True))
    return data, len(grid) + len(traced)


def judge(figures: Sequence[FigureSpec], data: Data) -> Iterable[Verdict]:
    """Judge every claim."""
    for figure in figures:
        for panel in figure.panels:
            for claim in panel.claims:
                finding = claim.judge(data)
                yield Verdict(
                    id=panel.id,
                    claim=claim.text,
                    expected=claim.expected,
                    measured=finding.measured,
                    verdict="reproduced" if finding.holds else "differs",
                    note="" if finding.holds else claim.note,
                )


def draw(figure: FigureSpec, data: Data, drawing: Canvas) -> None:
    """Draw every panel."""
    for panel, axes in zip(figure.panels, drawing.axes, strict=True):
        panel.draw(axes, data)
        letter = panel.id.removeprefix(figure.id)
        axes.set_title(f"({letter}) {panel.title}" if letter else panel.title)
    drawing.legend()


def figures_table() -> pl.DataFrame:
    """List every panel there is."""
    return pl.DataFrame(
        [
            {
                "id": panel.id,
                "figure": figure.title,
                "panel": panel.title,
                "claims": len(panel.claims),
            }
            for figure in FIGURES
            for panel in figure.panels
        ]
    )
