"""One page of HTML with everything in it: verdicts, pictures, numbers, how to run it again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from .results import make_folder, replacing
from .verdicts import RowVerdict, Score, Verdict, figure_of


@dataclass(frozen=True)
class Picture:
    """A figure as inline SVG."""

    id: str
    title: str
    svg: str


@dataclass(frozen=True)
class Table:
    """Numbers: every row as long as the header."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Page:
    """What a page shows."""

    title: str
    lead: str
    command: str
    engine: str
    scores: Sequence[Score] = ()
    rows: Sequence[RowVerdict] = ()
    verdicts: Sequence[Verdict] = ()
    pictures: Sequence[Picture] = ()
    tables: Sequence[Table] = ()


def write_page(page: Page, path: Path) -> Path:
    """Write the page, whole or not at all."""
    make_folder(path.parent)
    with replacing(path) as temporary:
        temporary.write_text(render(page), encoding="utf-8")
    return path


def render(page: Page) -> str:
    """Return the page's HTML."""
    pictures = "\n".join(
        f'<figure id="{escape(picture.id)}">{picture.svg}'
        f"<figcaption><b>{escape(picture.id)}</b> {escape(picture.title)}</figcaption></figure>"
        for picture in page.pictures
    )
    tables = "\n".join(
        _table(table.title, table.header, map(_row, table.rows)) for table in page.tables
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(page.title)}</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<h1>{escape(page.title)}</h1>
<p class="lead">{escape(page.lead)}</p>
{_rows(page.scores, page.rows)}
{_verdicts(page.verdicts)}
{pictures}
{tables}
<h2>Run it again</h2>
<pre><code>{escape(page.command)}</code></pre>
<p class="small">Engine {escape(page.engine)}. The same engine gives the same numbers on every
machine.</p>
</main>
</body>
</html>
"""


def _rows(scores: Sequence[Score], rows: Sequence[RowVerdict]) -> str:
    if not rows:
        return ""
    lines = "".join(f"<li>{escape(str(score))}</li>" for score in scores)
    cells = [
        f"<tr><td>{escape(', '.join(row.ids))}</td>"
        f"<td>{escape(row.artifact)}{_small(row.note)}</td>"
        f'<td class="{row.verdict}">{row.verdict}</td></tr>'
        for row in rows
    ]
    return f"<ul>{lines}</ul>\n" + _table("Checklist", ("id", "artifact", "verdict"), cells)


def _small(note: str) -> str:
    return f'<p class="small">{escape(note)}</p>' if note else ""


def _verdicts(verdicts: Sequence[Verdict]) -> str:
    if not verdicts:
        return ""
    rows = []
    for verdict in verdicts:
        rows.append(
            f'<tr><td><a href="#{escape(figure_of(verdict.id))}">{escape(verdict.id)}</a></td>'
            f"<td>{escape(verdict.claim)}{_small(verdict.note)}</td><td>{escape(verdict.expected)}</td>"
            f"<td>{escape(verdict.measured)}</td>"
            f'<td class="{verdict.verdict}">{verdict.verdict}</td></tr>'
        )
    header = ("id", "the paper says", "counts as", "measured", "verdict")
    return _table("Verdicts", header, rows)


def _table(title: str, header: Sequence[str], rows: Iterable[str]) -> str:
    cells = "".join(f"<th>{escape(cell)}</th>" for cell in header)
    body = "\n".join(rows)
    return (
        f'<h2>{escape(title)}</h2>\n<div class="scroll"><table>\n<thead><tr>{cells}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table></div>"
    )


def _row(cells: Sequence[str]) -> str:
    return "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"


STYLE = """
:root { color-scheme: light dark; --text: #1b1f24; --faint: #57606a; --line: #d0d7de;
  --back: #fff; --box: #f6f8fa; --good: #1a7f37; --other: #b35900; --link: #0b62c4; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --faint: #9aa4af; --line: #30363d;
  --back: #0d1117; --box: #161b22; --good: #3fb950; --other: #e3964a; --link: #6cb2ff; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 68rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem; }
.lead { color: var(--faint); max-width: 50rem; margin: 0; }
.small { color: var(--faint); font-size: .85rem; margin: .25rem 0 0; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem;
  font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0;
  border-bottom: 1px solid var(--line); }
th { color: var(--faint); font-weight: 600; }
td:first-child { white-space: nowrap; }
.reproduced { color: var(--good); font-weight: 600; }
.calibrated { color: var(--good); }
.differs, .partly { color: var(--other); font-weight: 600; }
.missing { color: var(--faint); font-weight: 600; }
figure { margin: 2.5rem 0 0; }
figure svg { width: 100%; height: auto; }
figcaption { color: var(--faint); font-size: .9rem; }
pre { background: var(--box); border: 1px solid var(--line); border-radius: 6px;
  padding: .75rem 1rem; overflow-x: auto; }
"""
