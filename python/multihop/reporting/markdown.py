"""Tables of pages in Markdown."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence


def markdown_table(
    header: Sequence[str], rows: Iterable[Sequence[str]], *, right: Collection[str] = ()
) -> str:
    """Write a table, each row as long as the header; columns named in `right` go to the right."""
    ruler = ["--:" if name in right else "---" for name in header]
    return "".join(f"| {' | '.join(line)} |\n" for line in (header, ruler, *rows))
