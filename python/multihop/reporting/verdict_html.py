"""Verdicts in HTML: told apart by a sign, a word and a line, and not by their colour alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from .verdicts import (
    CALIBRATED,
    DIFFERS,
    MISSING,
    PARTLY,
    REPRODUCED,
    UNDECIDED,
    VERDICTS,
    RowVerdict,
    Verdict,
    figure_of,
)

SIGNS = {
    REPRODUCED: "✓",
    CALIBRATED: "≈",
    UNDECIDED: "?",
    DIFFERS: "✗",
    PARTLY: "◐",
    MISSING: "○",
}
# Notes of more characters are folded.
FOLDED = 160


def bar(by_verdict: Mapping[str, int]) -> str:
    """Draw counts by verdict as one bar; the counts stand beside it in words."""
    parts = "".join(
        f'<span class="{name}" style="flex-grow:{by_verdict[name]}">{SIGNS[name]}</span>'
        for name in VERDICTS
        if by_verdict.get(name)
    )
    return f'<div class="bar" aria-hidden="true">{parts}</div>'


def claim(verdict: Verdict) -> str:
    """Show what the paper says, what was measured, and what counts."""
    return (
        f'<li class="{verdict.verdict}">{badge(verdict.verdict)} '
        f"<b>{escape(verdict.claim)}</b>"
        f"<dl><div><dt>measured</dt><dd>{escape(verdict.measured)}</dd></div>"
        f"<div><dt>counts as</dt><dd>{escape(verdict.expected)}</dd></div></dl>"
        f"{_reason(verdict.note)}</li>"
    )


def _reason(note: str) -> str:
    """Show a short note; fold a long one, which several claims may share."""
    if len(note) <= FOLDED:
        return small(note)
    return f"<details><summary>why, and what was tested</summary>{small(note)}</details>"


def not_run(rows: Iterable[RowVerdict]) -> str:
    """List what is missing, with the reason."""
    items = "".join(
        f'<li id="{escape(row.ids[0])}">{badge(MISSING)} '
        f"<b>{escape(', '.join(map(short, row.ids)))}</b>: {escape(row.artifact)}"
        f"{small(row.note)}</li>"
        for row in rows
        if row.verdict == MISSING
    )
    return f'<article><h3>Not run</h3><ul class="claims">{items}</ul></article>' if items else ""


def run_elsewhere(rows: Iterable[RowVerdict], verdicts: Sequence[Verdict]) -> str:
    """List what other commands run, and what became of its claims when they did."""
    parts = []
    for row in rows:
        if row.elsewhere:
            name, command = map(escape, row.elsewhere)
            own = lines(claim(verdict) for verdict in verdicts if verdict.id == row.elsewhere.id)
            found = "found when it was run last. It was not run again for this page."
            about = f"what <code>{command}</code> {found if own else 'finds. It was not run.'}"
            parts.append(
                f'<article id="{name}"><h3>{escape(long(row.elsewhere.id))}</h3>'
                f"<p>{escape(row.artifact)}: {about}</p>"
                f'<ul class="claims">{own}</ul></article>'
            )
    return "".join(parts)


def badge(verdict: str) -> str:
    """Write a verdict with its sign."""
    sign = f'<span aria-hidden="true">{SIGNS[verdict]}</span>'
    return f'<span class="badge {verdict}">{sign}&nbsp;{verdict}</span>'


def small(note: str) -> str:
    """Write a note, if there is one."""
    return f'<p class="small">{escape(note)}</p>' if note else ""


def short(name: str) -> str:
    """Return an id without its paper: `fig8` of `cxcc/fig8`."""
    return name.rpartition("/")[2]


def long(name: str) -> str:
    """Return the name of a figure: "Figure 8" of `cxcc/fig8`."""
    return short(figure_of(name)).replace("fig", "Figure ").replace("table", "Table ")


def lines(parts: Iterable[str]) -> str:
    """Put parts below each other."""
    return "\n".join(parts)
