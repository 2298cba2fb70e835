"""Running figures of papers again and judging what the papers say of them."""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import polars as pl

from ..charting.figure import BARS, Canvas, canvas
from ..engine.errors import SweepError, UnknownFigureError
from ..reporting.report import Page, Table, write_page
from ..reporting.standing import Cost, Standing, standings, time_needed
from ..reporting.verdicts import (
    MISSING,
    OF_CLAIMS,
    PARTLY,
    Flip,
    RowVerdict,
    Score,
    Verdict,
    figure_of,
    paper_of,
    scores,
)
from ..results.result import make_folder, replacing
from ..statistics.stats import require_scipy
from ..sweeping.batches import engine
from ..sweeping.seeds import Decided, Until, check, options_of
from . import stored
from .efforts import begun, grown, levels
from .judging import spending
from .measuring import collect, needed_studies, write_data
from .registry import ABOUT, CITATIONS, FIGURES, ROWS, require_papers
from .spec import NO_SETTINGS, Data, Effort, FigureSpec, Panel, Row, Settings

# Every claim is judged once, with all of the error probability.
ALL_AT_ONCE: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True)
class Reproduction:
    """A reproduction of papers: verdicts, pictures, tables, effort in words, and the files' folder.

    `flips` has the verdicts of every claim by default and with the reading, if one was given.
    """

    verdicts: tuple[Verdict, ...]
    rows: tuple[RowVerdict, ...]
    flips: tuple[Flip, ...]
    about: str
    runs: int
    seconds: float
    files: tuple[Path, ...]
    page: Path
    tables: tuple[Table, ...] = ()
    standings: tuple[Standing, ...] = ()
    costs: Mapping[str, Cost] = field(default_factory=dict)
    command: str = ""

    @property
    def scores(self) -> list[Score]:
        """The number of rows and claims of each paper by verdict."""
        return scores(self.rows, self.verdicts)

    def to_dict(self) -> dict[str, Any]:
        """Return the scores of papers, the verdicts on rows and claims, the reading's, and tables.

        The processor time of papers is that without the reading's runs.
        """
        return {
            "command": self.command,
            "engine": engine(),
            "about": self.about,
            "papers": [asdict(standing) for standing in self.standings],
            "rows": [row._asdict() for row in self.rows],
            "claims": [verdict._asdict() for verdict in self.verdicts],
            "with": [flip.reading._asdict() for flip in self.flips],
            "tables": [asdict(table) for table in self.tables],
        }


def select(ids: Sequence[str]) -> list[FigureSpec]:
    """Return the figures, reduced to the panels that are named; those of all papers if nothing is.

    A name is a paper (`cxcc`), a figure (`cxcc/fig8`) or a panel (`cxcc/fig8b`). Without its
    paper (`fig8`) it stands for that of every paper. What is no paper (`wake`, `compare`) is named.
    """
    require_papers()
    wanted = set(ids) or set(CITATIONS)
    known = {name for figure in FIGURES for name in _names(figure)}
    known |= {name for row in ROWS for name in _row_names(row)}
    if unknown := sorted(wanted - known):
        figures = ", ".join(figure.id for figure in FIGURES)
        raise UnknownFigureError(f"there is no figure '{unknown[0]}'; there are: {figures}")
    chosen = []
    for figure in FIGURES:
        panels = tuple(panel for panel in figure.panels if wanted & _names(figure, panel))
        if panels:
            chosen.append(replace(figure, panels=panels))
    return chosen


def select_rows(ids: Sequence[str]) -> list[Row]:
    """Return the rows of the checklists that have one of the names, run or not."""
    return [row for row in ROWS if not ids or set(ids) & _row_names(row)]


def _row_names(row: Row) -> set[str]:
    full = {*row.ids, *map(figure_of, row.ids)}
    return {paper_of(row.ids[0])} | full | {name.split("/")[1] for name in full}


def _names(figure: FigureSpec, only: Panel | None = None) -> set[str]:
    panels = figure.panels if only is None else (only,)
    full = {figure.id, *(panel.id for panel in panels)}
    return full | {figure.id.split("/")[0]} | {name.split("/")[1] for name in full}


def reproduce(
    ids: Sequence[str] = (),
    *,
    quick: bool = False,
    seeds: int | Until | Decided | None = None,
    reading: Settings = NO_SETTINGS,
    out: str | Path = "results/reproduce",
    workers: int | None = None,
    progress: bool = True,
) -> Reproduction:
    """Run figures again, judge their claims, and write pictures, tables and a page into `out`.

    `quick` takes fewer loads and seeds and shorter runs. Stored runs are not made again.
    With a `reading`, keys and values as in a scenario, all runs are also made with these, where
    a scenario takes them; keys that a figure sweeps stay. `seeds` is the number of each point,
    or a rule: `Until` the mean of every point is known, or until every claim is
    `Decided`. All points of a study have the same seeds.

    >>> reproduce(["cxcc/fig8"], quick=True).verdicts
    >>> reproduce(["cxcc"], reading={"radio.reception": "message-in-message"}).flips
    """
    begin = time.monotonic()
    require_scipy()
    if "seed" in reading:
        raise SweepError("'seed' is varied by the figures; say with --seeds how many they take")
    figures = select(ids)
    number, rule = (None, seeds) if isinstance(seeds, Until | Decided) else (seeds, None)
    efforts: Mapping[str, Effort] = {
        study.name: study.effort(quick=quick, seeds=number) for study in needed_studies(figures)
    }
    if rule is not None:
        check(rule)
        efforts = begun(efforts, figures, rule)
    out = make_folder(out)
    while True:
        data, other, runs, costs = collect(
            figures, efforts, out, reading=reading, workers=workers, progress=progress
        )
        shares = levels(efforts, figures, rule)
        verdicts = tuple(judge(figures, data, shares))
        more = efforts if rule is None else grown(efforts, figures, rule, data, verdicts)
        if more == efforts:
            break
        efforts = more
    about = "; ".join(dict.fromkeys(effort.about for effort in efforts.values())) or "single runs"
    flips = tuple(map(Flip, verdicts, judge(figures, other, shares))) if reading else ()
    chosen = select_rows(ids)
    verdicts += tuple(verdict for row in chosen for verdict in stored.found_elsewhere(row))
    rows = tuple(judge_rows(chosen, verdicts))
    files: list[Path] = []
    pictures = []
    for figure in figures:
        write_data(figure, data, out)
        with canvas(
            figure.id.replace("/", "-"),
            len(figure.panels),
            columns=figure.columns,
            size=figure.size,
        ) as drawing:
            draw(figure, data, drawing)
            files += drawing.save(out / "figures")
            panels = [panel.id for panel in figure.panels]
            pictures.append(drawing.picture(figure.id, figure.title, panels))
    numbers = tuple(table for figure in figures if figure.tables for table in figure.tables(data))
    said = partial(command, quick=quick, seeds=seeds, reading=reading)
    standing = standings(rows, verdicts, costs, said)
    page = Page(
        title="multihop: the papers' figures, run again",
        lead=f"{len(rows)} rows of the papers' checklists, {len(verdicts)} claims: what the papers "
        f"say of their figures, and what {runs} runs of them here measured.",
        command=said(ids),
        engine=engine(),
        papers=ABOUT,
        scores=scores(rows, verdicts, also=(paper_of(figure.id) for figure in figures)),
        rows=rows,
        standings=standing,
        verdicts=verdicts,
        pictures=tuple(pictures),
        tables=(*numbers, *((flips_table(flips, reading),) if reading else ())),
        notes=(
            f"Each point of a curve is the mean over its seeds: {about}.",
            BARS,
            f"It was {time_needed(costs.values(), quick=quick)}, runs that were there already "
            "included.",
        ),
    )
    path = write_page(page, out / "report.html")
    done = Reproduction(
        verdicts,
        rows,
        flips,
        about,
        runs,
        time.monotonic() - begin,
        tuple(files),
        path,
        numbers,
        standing,
        costs,
        said(ids),
    )
    with replacing(out / "verdicts.json") as temporary:
        temporary.write_text(json.dumps(done.to_dict(), indent=2) + "\n")
    return done


def command(
    ids: Iterable[str], *, quick: bool, seeds: int | Until | Decided | None, reading: Settings
) -> str:
    """Return the command line that does the same again."""
    parts = ["multihop reproduce", *ids]
    if quick:
        parts.append("--quick")
    if isinstance(seeds, Until | Decided):
        parts += options_of(seeds)
    elif seeds is not None:
        parts.append(f"--seeds {seeds}")
    parts += (shlex.join(["--with", f"{key}={value}"]) for key, value in reading.items())
    return " ".join(parts)


def flips_table(flips: Sequence[Flip], reading: Settings) -> Table:
    """List the claims that hold by default and not with the reading, or the other way round."""
    rows = [
        (
            flip.default.id,
            flip.default.claim,
            flip.default.measured,
            flip.reading.measured,
            "breaks" if flip.default.holds else "repairs",
        )
        for flip in flips
        if flip.flips
    ]
    title = "What flips with " + ", ".join(f"{key} = {value}" for key, value in reading.items())
    return Table(title, ("id", "the paper says", "by default", "with it", "verdict"), rows)


def judge(
    figures: Sequence[FigureSpec], data: Data, shares: Mapping[str, float] = ALL_AT_ONCE
) -> Iterator[Verdict]:
    """Judge every claim; `shares` say which part of the error probability a panel may spend."""
    for figure in figures:
        for panel in figure.panels:
            for claim in panel.claims:
                with spending(shares.get(panel.id, 1.0)):
                    found = claim.found(data)
                yield claim.verdict(panel.id, found)


def judge_rows(rows: Iterable[Row], verdicts: Iterable[Verdict]) -> Iterator[RowVerdict]:
    """Judge rows of the checklists by their claims; not those of which only a part was chosen."""
    by_panel: dict[str, set[str]] = {}
    for verdict in verdicts:
        by_panel.setdefault(verdict.id, set()).add(verdict.verdict)
    claimed = {panel.id for figure in FIGURES for panel in figure.panels if panel.claims}
    for row in rows:
        found = set().union(*(by_panel.get(name, ()) for name in row.ids))
        if row.missing:
            yield RowVerdict(row.ids, row.artifact, MISSING, row.missing)
        elif row.partly:
            note, other = row.partly, row.elsewhere
            if other and other.id not in by_panel:
                note += f"; `{other.command}` was not run"
            yield RowVerdict(row.ids, row.artifact, PARTLY, note, other)
        elif claimed.intersection(row.ids) <= by_panel.keys():
            worst = next(verdict for verdict in reversed(OF_CLAIMS) if verdict in found)
            yield RowVerdict(row.ids, row.artifact, worst)


def draw(figure: FigureSpec, data: Data, drawing: Canvas) -> None:
    """Draw every panel."""
    for panel, axes in zip(figure.panels, drawing.axes, strict=True):
        panel.draw(axes, data)
        letter = panel.id.removeprefix(figure.id).lstrip("-")
        axes.set_title(f"({letter}) {panel.title}" if letter else panel.title)
    drawing.legend()


def figures_table() -> pl.DataFrame:
    """List every panel there is."""
    require_papers()
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
