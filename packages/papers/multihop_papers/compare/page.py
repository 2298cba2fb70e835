"""The tables of all schemes in a page of the documentation."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from multihop.reporting.markdown import markdown_table
from multihop.reporting.report import Table

MEASURED = re.compile(r"(<!-- measured: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def written(table: Table) -> str:
    """Write a table as Markdown, numbers to the right."""
    return markdown_table(table.header, table.rows, right=set(table.header) - {"scheme"})


def names(text: str) -> list[str]:
    """Return what a page has tables of, in its order."""
    return [found[2] for found in MEASURED.finditer(text)]


def renew(text: str, tables: Sequence[Table]) -> str:
    """Return a page with its tables, in their order, written anew."""
    by_name = dict(zip(names(text), tables, strict=True))
    return MEASURED.sub(lambda found: f"{found[1]}{written(by_name[found[2]])}{found[3]}", text)


def renew_rows(text: str, rows: Mapping[str, Sequence[str]]) -> str:
    """Return a page with one row of each table written anew: that with the same first cell."""
    whole = shown(text)
    titles = header(text)
    tables = [
        Table(name, titles, [new if new[0] == old[0] else old for old in whole[name]])
        for name, new in rows.items()
    ]
    return renew(text, tables)


def header(text: str) -> list[str]:
    """Return the titles of the columns of the tables in a page, which all have the same measures.

    The first column is the size of the network.
    """
    found = MEASURED.search(text)
    return found[0].splitlines()[1][2:-2].split(" | ") if found else []


def shown(text: str) -> dict[str, list[list[str]]]:
    """Return the rows of the tables in a page, by the name of the network."""
    found = {}
    for part in MEASURED.finditer(text):
        _, _, *rows = part[0].splitlines()[1:-1]
        found[part[2]] = [row[2:-2].split(" | ") for row in rows]
    return found
