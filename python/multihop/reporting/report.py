"""One page of HTML with everything in it: contents, scores, figures and their verdicts.

A page is for a narrow screen as for a wide one, light or dark: the panels of a figure are pictures
of their own, each with its verdicts below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files
from pathlib import Path

from ..results.result import make_folder, replacing
from . import glossary
from .standing import Standing
from .standing_html import summary
from .verdict_html import SIGNS, badge, bar, claim, lines, long, not_run, run_elsewhere, short
from .verdicts import (
    CALIBRATED,
    DIFFERS,
    MISSING,
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
    style = files(__package__).joinpath("report.css").read_text(encoding="utf-8")
    script = files(__package__).joinpath("report.js").read_text(encoding="utf-8")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(page.title)}</title>
<style>{style}</style>
</head>
<body>
<header id="top">
<h1>{escape(page.title)}</h1>
<p class="lead">{escape(page.lead)}</p>
</header>
{_contents(page)}
<main>
{lines(_sections(page))}
{_notes(page.notes)}
{lines(map(_table, page.tables))}
<section id="again">
<h2>Run it again</h2>
<pre tabindex="0"><code>{escape(page.command)}</code></pre>
<p class="small">Engine <code>{escape(page.engine)}</code>. The same engine gives the same numbers
on every machine.</p>
</section>
</main>
<script>{script}</script>
</body>
</html>
"""


def _notes(notes: Sequence[str]) -> str:
    return f"<section><h2>How to read it</h2>\n{_paragraphs(notes)}\n</section>" if notes else ""


def _paragraphs(texts: Iterable[str]) -> str:
    return lines(f"<p>{escape(text)}</p>" for text in texts)


# ---- contents and scores ---------------------------------------------------------------------


def _contents(page: Page) -> str:
    """Link to every figure, with its verdict, under the score of its paper."""
    if not page.scores:
        return ""
    cards = lines(_card(page, score) for score in page.scores)
    key = " ".join(badge(verdict) for verdict in VERDICTS)
    return f"""<nav aria-label="Contents">
<div class="cards">
{cards}
</div>
<p class="small key">{key}. A row is a figure, a table or a number of the paper. It is calibrated
if something of the set-up was fitted to what it says, undecided if the 95 % interval of what it
compares reaches over its bound, partly if only a part of it is judged, and missing if it was not
run. How far a claim may be off was written down before the first run, where
the guide does not say otherwise.</p>
</nav>"""


def _card(page: Page, score: Score) -> str:
    bars = lines(
        f'<p class="count"><b>{total.total()} {what}</b> {counts(total)}</p>\n{bar(total)}'
        for what, total in (("rows", score.rows), ("claims", score.claims))
        if total
    )
    shown = [(p.id, _verdict_of(page, p)) for p in page.pictures if paper_of(p.id) == score.paper]
    shown += [
        (row.ids[0], MISSING)
        for row in page.rows
        if row.paper == score.paper and row.verdict == MISSING
    ]
    for row in page.rows:
        if row.paper == score.paper and row.elsewhere:
            shown.append((row.elsewhere.id, _worst(page, {row.elsewhere.id}) or MISSING))
    links = lines(_link(name, verdict) for name, verdict in shown)
    paper = escape(glossary.written(score.paper))
    return f"""<section class="card">
<h2><a href="#{escape(score.paper)}">{paper}</a></h2>
{bars}
<ul class="links">{links}</ul>
</section>"""


def _link(name: str, verdict: str) -> str:
    """Link to a figure, with its verdict if it has one."""
    if not verdict:
        return f'<li><a href="#{escape(name)}">{escape(short(name))}</a></li>'
    return (
        f'<li><a class="{verdict}" href="#{escape(name)}" title="{verdict}">'
        f'<span aria-hidden="true">{SIGNS[verdict]}</span> {escape(short(name))}'
        f'<span class="hidden">: {verdict}</span></a></li>'
    )


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


def _sections(page: Page) -> Iterator[str]:
    """Give a section to each paper; a page without verdicts only shows its figures."""
    if not page.scores:
        yield from (_figure(page, picture) for picture in page.pictures)
    for score in page.scores:
        pictures = [p for p in page.pictures if paper_of(p.id) == score.paper]
        rows = [row for row in page.rows if row.paper == score.paper]
        body = lines(_figure(page, picture) for picture in pictures)
        body += run_elsewhere(rows, page.verdicts) + not_run(rows)
        name = escape(glossary.written(score.paper))
        yield f"""<section class="paper" id="{escape(score.paper)}">
<h2>{name}</h2>
<p class="lead">{escape(page.papers.get(score.paper, ""))}</p>
{_short_forms(_texts(page, pictures, rows))}
{lines(summary(standing) for standing in page.standings if standing.paper == score.paper)}
{body}
</section>"""


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


def _short_forms(texts: Iterable[str]) -> str:
    forms = "".join(
        f'<div><dt><abbr title="{escape(long)}">{short}</abbr></dt> <dd>{escape(long)}</dd></div>'
        for short, long in glossary.used(texts).items()
    )
    return f'<dl class="short" aria-label="Short forms">{forms}</dl>' if forms else ""


def _figure(page: Page, picture: Picture) -> str:
    legend = "".join(f"<li>{entry.swatch}{escape(entry.label)}</li>" for entry in picture.legend)
    panels = {drawing.id for drawing in picture.drawings}
    notes = lines(
        f'<p class="small">{badge(row.verdict)} {escape(row.note)}</p>'
        for row in page.rows
        if row.note and panels.intersection(row.ids)
    )
    drawn = lines(
        _panel(drawing, [v for v in page.verdicts if v.id == drawing.id], picture)
        for drawing in picture.drawings
    )
    name = f"{long(picture.id)}. " if "/" in picture.id else ""
    up = ' <a href="#top" aria-label="to the contents">↑</a>' if page.scores else ""
    # At most three panels in a row, and no panel alone in the last one if that can be.
    columns = 2 if len(picture.drawings) == 4 else min(len(picture.drawings), 3)
    return f"""<article id="{escape(picture.id)}">
<h3>{escape(name + picture.title)}{up}</h3>
{notes}
{f'<ul class="legend">{legend}</ul>' if legend else ""}
<div class="panels" style="--columns: {columns}">
{drawn}
</div>
</article>"""


def _panel(drawing: Drawing, verdicts: Sequence[Verdict], picture: Picture) -> str:
    """Show a panel and, beside it, what became of its claims, or what it shows."""
    claims = lines(map(claim, verdicts))
    anchor = f' id="{escape(drawing.id)}"' if drawing.id != picture.id else ""
    title = f"<figcaption>{escape(drawing.title)}</figcaption>" if drawing.title else ""
    text = f'<ul class="claims">\n{claims}\n</ul>' if claims else _paragraphs(picture.about)
    return f"""<div class="panel"{anchor}>
<figure{_answers(drawing)}>{title}{drawing.svg}</figure>
<div>{text}</div>
</div>"""


def _answers(drawing: Drawing) -> str:
    """Give a drawing what report.js answers with."""
    if not drawing.curves:
        return ""
    return f' data-x="{escape(drawing.x)}" data-curves="{escape(drawing.curves)}"'


# ---- tables ----------------------------------------------------------------------------------


def _table(table: Table) -> str:
    cells = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in table.header)
    body = lines("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in table.rows)
    title = escape(table.title)
    return (
        f'<section>\n<h2>{title}</h2>\n<div class="scroll" tabindex="0" role="region" '
        f'aria-label="{title}"><table>\n<thead><tr>{cells}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table></div>\n</section>"
    )


def _cell(text: str) -> str:
    # Sentences keep a width that can be read: the table scrolls.
    kind = ' class="long"' if len(text) > SENTENCE else ""
    return f"<td{kind}>{escape(text)}</td>"
