"""Nodes and links as CSV: a line for each, columns by their names in the first line."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import replace

from ..engine.errors import MeshError
from .joining import Raw
from .lora_maps import meshview_node
from .measures import Row
from .mesh import Node
from .values import HEIGHT, LATITUDE, LONGITUDE, is_online, place_of

Cells = Mapping[str, str]

NAMES = ("name", "node", "id", "hostname", "node_id")
ENDS = (
    ("from", "source", "src", "tx", "sender", "transmitter", "from_node", "node1", "node_a"),
    ("to", "target", "dst", "dest", "destination", "rx", "receiver", "to_node", "node2", "node_b"),
)
ONLINE = ("online", "is_online", "status")
# What a table of nodes has besides names; a first line without any of these is of no table.
# How meshview calls the place of a node.
MESHVIEW = {"node_id", "last_lat", "last_long"}
COLUMNS = {*NAMES, *LATITUDE, *LONGITUDE, *HEIGHT, *ONLINE, *ENDS[0], *ENDS[1], "x", "y"}
SEPARATORS = ",;\t"


def rows(text: str, where: str) -> list[tuple[str, Cells]]:
    """Read the lines of a table, each with where it stands; names of columns in small letters."""
    first = text.lstrip("\ufeff").splitlines()[:1]
    if not first:
        raise MeshError(f"{where}: is empty; the first line names the columns")
    separator = max(SEPARATORS, key=first[0].count)
    lines = csv.reader(text.lstrip("\ufeff").splitlines(), delimiter=separator)
    try:
        names = [name.strip().lower() for name in next(lines)]
        given = [(lines.line_num, line) for line in lines if any(cell.strip() for cell in line)]
    except csv.Error as error:
        raise MeshError(f"{where}: line {lines.line_num}: is no line of a table: {error}") from None
    twice = next((name for name in names if name and names.count(name) > 1), None)
    if twice is not None:
        raise MeshError(f"{where}: line 1: two columns are called '{twice}'; rename one of them")
    found: list[tuple[str, Cells]] = []
    for place, line in given:
        at = f"{where}: line {place}"
        if len(line) > len(names):
            raise MeshError(f"{at}: has {len(line)} cells, but there are {len(names)} columns")
        found.append((at, dict(zip(names, (cell.strip() for cell in line), strict=False))))
    return found


def is_table(text: str) -> bool:
    """Whether the first line names columns that a table of nodes or links has."""
    return bool(set(_header(text)) & COLUMNS)


def is_links(text: str) -> bool:
    """Whether a table is one of links."""
    return all(set(_header(text)) & set(names) for names in ENDS)


def _header(text: str) -> list[str]:
    line = next(iter(text.lstrip("\ufeff").splitlines()), "")
    cells = line.split(max(SEPARATORS, key=line.count))
    return [name.strip(' "\r').lower() for name in cells]


def read_nodes(text: str, where: str) -> Raw:
    """Read a table of nodes."""
    found = rows(text, where)
    if not found:
        raise MeshError(f"{where}: has a first line with names, and nothing below it")
    if found[0][1].keys() >= MESHVIEW:
        return Raw("meshview's table of nodes", [meshview_node(cells, at) for at, cells in found],
                   partial=True, private=True)  # fmt: skip
    return Raw("a CSV table of nodes", [_node(at, cells) for at, cells in found])


def read_links(text: str, where: str) -> Raw:
    """Read a table of links, whose ends are called by their ids or names."""
    return Raw("a CSV table of links", rows=list(_links(text, where)), lists_links=True)


def read_edges(text: str, where: str) -> Raw:
    """Read a table of links that comes without one of nodes: they are the ends of the links."""
    raw = read_links(text, where)
    names = dict.fromkeys(name for row in raw.rows for name in (row.source, row.target))
    if not names:
        raise MeshError(f"{where}: has a first line with names, and nothing below it")
    return replace(raw, nodes=[Node(name, name, label=name) for name in names])


def _node(at: str, cells: Cells) -> Node:
    name = _cell(cells, NAMES, at)
    if cells.keys() & set(LATITUDE) and not cells.keys() & set(LONGITUDE):
        raise MeshError(f"{at}: has no lon; name the column {' or '.join(LONGITUDE[:2])}")
    online = next((is_online(cells[n], f"{at}: {n}") for n in ONLINE if n in cells), True)
    return Node(name, name, label=name, online=online, **place_of(cells, at))


def _links(text: str, where: str) -> Iterator[Row]:
    for at, cells in rows(text, where):
        source, target = (_cell(cells, names, at) for names in ENDS)
        told = {name: cell for name, cell in cells.items() if name not in {*ENDS[0], *ENDS[1]}}
        yield Row(source, target, told, at, cells.get("type", ""))


def _cell(cells: Cells, names: tuple[str, ...], at: str) -> str:
    found = next((cells[name] for name in names if cells.get(name)), None)
    if found is None:
        raise MeshError(f"{at}: has no {names[0]}; name the column {' or '.join(names[:2])}")
    return found
