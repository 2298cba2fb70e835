"""A paper's summary in HTML: a table with a line for each row of its checklist."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from .standing import Difference, RowStanding, Standing, minutes
from .verdict_html import badge, lines, short
from .verdicts import MISSING, OF_CLAIMS

HEADER = (
    *("row", "verdict", "claims", "reproduced", "calibrated", "undecided", "differ"),
    *("what does not hold, and why", "data"),
)


def summary(standing: Standing) -> str:
    """Show every row: its claims by verdict, what does not hold and why, data, and the command."""
    head = "".join(f'<th scope="col">{cell}</th>' for cell in HEADER)
    body = lines(map(_row, standing.each))
    cost = standing.cost
    total = f"{cost.runs} runs, {minutes(cost.cpu_seconds)} of one core." if cost.runs else ""
    return f"""<div class="scroll" tabindex="0" role="region" aria-label="Summary">
<table class="summary">
<thead><tr>{head}</tr></thead>
<tbody>
{body}
</tbody></table></div>
<p class="small">{total}</p>"""


def _row(row: RowStanding) -> str:
    links = ", ".join(f'<a href="#{escape(name)}">{escape(short(name))}</a>' for name in row.ids)
    counts = "".join(f"<td>{row.claims.get(verdict, 0)}</td>" for verdict in OF_CLAIMS)
    data = ", ".join(f'<a href="{escape(file)}">{_file(file)}</a>' for file in row.data)
    why = f'<p class="small">{escape(row.note)}</p>' if row.note else _reasons(row.differs)
    again = f"<code>{escape(row.command)}</code>" if row.verdict != MISSING else ""
    return (
        f'<tr><td class="long">{links}: {escape(row.artifact)}<br>{again}</td>'
        f"<td>{badge(row.verdict)}</td><td>{sum(row.claims.values())}</td>{counts}"
        f'<td class="long">{why}</td><td>{data}</td></tr>'
    )


def _file(path: str) -> str:
    return escape(path.rpartition("/")[2])


def _reasons(differs: Iterable[Difference]) -> str:
    """List what does not hold under each reason."""
    claims: dict[str, list[str]] = {}
    for difference in differs:
        claims.setdefault(difference.reason, []).append(
            f"{short(difference.id)}: {difference.claim}"
        )
    items = "".join(
        f"<li>{escape('; '.join(texts))}. <i>{escape(reason)}</i></li>"
        for reason, texts in claims.items()
    )
    return f"<ul>{items}</ul>" if items else ""
