"""One page of HTML with everything in it: contents, scores, figures and their verdicts.

A page is for a narrow screen as for a wide one, light or dark: the panels of a figure are pictures
of their own, each with its verdicts below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from ..engine.templates import offer, rendered
from ..results.result import make_folder, replacing
from . import glossary
from .standing import Difference, Standing, minutes
from .verdict_look import FOLDED, SIGNS, long, short
from .verdicts import (
    CALIBRATED,
    DIFFERS,
    MISSING,
    OF_CLAIMS,
    PARTLY,
    REPRODUCED,
    UNDECIDED,
    VERDICTS,
    RowVerdict,
    Score,
    Verdict,
    counts,
    paper_of,
)

# What a figure with several verdicts gets: the first of these that it has.
WORST_FIRST = (DIFFERS, MISSING, PARTLY, UNDECIDED, CALIBRATED, REPRODUCED)

# A table's cell of more characters is a sentence.
SENTENCE = 24


@dataclass(frozen=True)
class Drawing:
    """A panel of a figure as inline SVG; `title` stands above it.

    `curves` are those whose values can be asked for, as JSON for report.js; `x` is what their
    first value is.
    """

    id: str
    title: str
    svg: str
    curves: str = ""
    x: str = ""


@dataclass(frozen=True)
class LegendEntry:
    """How a curve looks, as inline SVG, and what it is."""

    swatch: str
    label: str


@dataclass(frozen=True)
class Picture:
    """A figure: its panels, one legend for all, and what it shows, a paragraph each."""

    id: str
    title: str
    drawings: Sequence[Drawing]
    legend: Sequence[LegendEntry] = ()
    about: Sequence[str] = ()


@dataclass(frozen=True)
class Table:
    """Numbers: every row as long as the header."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Page:
    """What a page shows; `papers` has the citation of each paper of the verdicts."""

    title: str
    lead: str
    command: str
    engine: str
    papers: Mapping[str, str] = field(default_factory=dict)
    scores: Sequence[Score] = ()
    rows: Sequence[RowVerdict] = ()
    standings: Sequence[Standing] = ()
    verdicts: Sequence[Verdict] = ()
    pictures: Sequence[Picture] = ()
    tables: Sequence[Table] = ()
    # How to read it: a paragraph each.
    notes: Sequence[str] = ()


def write_page(page: Page, path: Path) -> Path:
    """Write the page, whole or not at all."""
    make_folder(path.parent)
    with replacing(path) as temporary:
        temporary.write_text(render(page), encoding="utf-8")
    return path


def render(page: Page) -> str:
    """Return the page's HTML."""
    everything = [_figure(page, picture) for picture in page.pictures]
    return rendered(
        __package__,
        "page.html",
        page=page,
        style=files(__package__).joinpath("report.css").read_text(encoding="utf-8"),
        script=files(__package__).joinpath("report.js").read_text(encoding="utf-8"),
        cards=[_card(page, score) for score in page.scores],
        sections=[_section(page, score) for score in page.scores],
        # A page without verdicts only shows its figures.
        alone=() if page.scores else everything,
    )


def _reasons(differs: Iterable[Difference]) -> dict[str, list[str]]:
    """Return what does not hold under each reason."""
    claims: dict[str, list[str]] = {}
    for difference in differs:
        claims.setdefault(difference.reason, []).append(
            f"{short(difference.id)}: {difference.claim}"
        )
    return claims


offer(
    __package__,
    signs=SIGNS,
    folded=FOLDED,
    sentence=SENTENCE,
    verdicts=VERDICTS,
    of_claims=OF_CLAIMS,
    missing=MISSING,
    counts=counts,
    long=long,
    minutes=minutes,
    names=lambda ids: ", ".join(map(short, ids)),
    reasons=_reasons,
    short=short,
)


# ---- contents and scores ---------------------------------------------------------------------


def _card(page: Page, score: Score) -> dict[str, Any]:
    """Link to every figure of a paper, with its verdict, under its score."""
    links = [(p.id, _verdict_of(page, p)) for p in page.pictures if paper_of(p.id) == score.paper]
    links += [
        (row.ids[0], MISSING)
        for row in page.rows
        if row.paper == score.paper and row.verdict == MISSING
    ]
    for row in page.rows:
        if row.paper == score.paper and row.elsewhere:
            links.append((row.elsewhere.id, _worst(page, {row.elsewhere.id}) or MISSING))
    totals = (("rows", score.rows), ("claims", score.claims))
    return {
        "paper": score.paper,
        "name": glossary.written(score.paper),
        "bars": [(what, total) for what, total in totals if total],
        "links": links,
    }


def _verdict_of(page: Page, picture: Picture) -> str:
    """Return the worst verdict of a figure's rows; without rows, of its claims; "" if of none."""
    panels = {drawing.id for drawing in picture.drawings}
    found = {row.verdict for row in page.rows if panels.intersection(row.ids)}
    return next((verdict for verdict in WORST_FIRST if verdict in found), "") or _worst(
        page, panels
    )


def _worst(page: Page, panels: set[str]) -> str:
    """Return the worst verdict of these panels' claims; "" if they have none."""
    found = {verdict.verdict for verdict in page.verdicts if verdict.id in panels}
    return next((verdict for verdict in WORST_FIRST if verdict in found), "")


# ---- figures and claims ----------------------------------------------------------------------


def _section(page: Page, score: Score) -> dict[str, Any]:
    """Return what the section of a paper shows."""
    pictures = [p for p in page.pictures if paper_of(p.id) == score.paper]
    rows = [row for row in page.rows if row.paper == score.paper]
    return {
        "paper": score.paper,
        "name": glossary.written(score.paper),
        "citation": page.papers.get(score.paper, ""),
        "forms": glossary.used(_texts(page, pictures, rows)),
        "standings": [one for one in page.standings if one.paper == score.paper],
        "figures": [_figure(page, picture) for picture in pictures],
        "elsewhere": [
            (row, [verdict for verdict in page.verdicts if verdict.id == row.elsewhere.id])
            for row in rows
            if row.elsewhere
        ],
        "missing": [row for row in rows if row.verdict == MISSING],
    }


def _texts(page: Page, pictures: Iterable[Picture], rows: Iterable[RowVerdict]) -> Iterator[str]:
    panels: set[str] = set()
    for picture in pictures:
        yield picture.title
        yield from (entry.label for entry in picture.legend)
        yield from (drawing.title for drawing in picture.drawings)
        panels.update(drawing.id for drawing in picture.drawings)
    for verdict in page.verdicts:
        if verdict.id in panels:
            yield from (verdict.claim, verdict.expected, verdict.measured, verdict.note)
    yield from (text for row in rows for text in (row.artifact, row.note))


def _figure(page: Page, picture: Picture) -> dict[str, Any]:
    """Return what a figure shows: its panels, each with its verdicts."""
    panels = {drawing.id for drawing in picture.drawings}
    name = f"{long(picture.id)}. " if "/" in picture.id else ""
    return {
        "picture": picture,
        "heading": name + picture.title,
        "notes": [row for row in page.rows if row.note and panels.intersection(row.ids)],
        "panels": [
            (drawing, [verdict for verdict in page.verdicts if verdict.id == drawing.id])
            for drawing in picture.drawings
        ],
        # At most three panels in a row, and no panel alone in the last one if that can be.
        "columns": 2 if len(picture.drawings) == 4 else min(len(picture.drawings), 3),
    }
