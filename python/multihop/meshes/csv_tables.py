"""Nodes and links as CSV: a line for each, columns by their names in the first line."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping

from ..errors import MeshError
from .mesh import Link, Mesh, Node, degrees, joined, named, number, quality

Row = Mapping[str, str]

NAMES = ("name", "node", "id", "hostname")
LATITUDE, LONGITUDE = ("lat", "latitude"), ("lon", "lng", "long", "longitude")
ENDS = (("from", "source"), ("to", "target"))
SEPARATORS = ",;\t"


def rows(text: str, where: str) -> list[tuple[str, Row]]:
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
    found: list[tuple[str, Row]] = []
    for place, line in given:
        at = f"{where}: line {place}"
        if len(line) > len(names):
            raise MeshError(f"{at}: has {len(line)} cells, but there are {len(names)} columns")
        found.append((at, dict(zip(names, (cell.strip() for cell in line), strict=False))))
    return found


def is_links(text: str) -> bool:
    """Whether a table is one of links."""
    first = {name.strip(' "\ufeff').lower() for name in _cells(text)}
    return all(first & set(names) for names in ENDS)


def _cells(text: str) -> list[str]:
    line = next(iter(text.splitlines()), "")
    return line.split(max(SEPARATORS, key=line.count))


def read_nodes(text: str, where: str) -> Mesh:
    """Read a table of nodes."""
    return Mesh(named(map(_node, *zip(*_some(text, where), strict=True)), where))


def read_links(text: str, nodes: tuple[Node, ...], where: str) -> tuple[Link, ...]:
    """Read a table of links between nodes that are known, by their ids or their names."""
    ids = {node.name: node.id for node in nodes} | {node.id: node.id for node in nodes}
    return joined(nodes, _links(text, ids, where), where)


def _some(text: str, where: str) -> list[tuple[str, Row]]:
    found = rows(text, where)
    if not found:
        raise MeshError(f"{where}: has a first line with names, and nothing below it")
    return found


def _node(at: str, row: Row) -> Node:
    name = _cell(row, NAMES, at)
    if row.keys() & set(LATITUDE):
        place = degrees(_cell(row, LATITUDE, at), _cell(row, LONGITUDE, at), at)
        return Node(name, name, degrees=place)
    if row.keys() & {"x", "y"}:
        x, y = (number(row.get(axis), f"{at}: {axis}", low=-1e9, high=1e9) for axis in "xy")
        return Node(name, name, metres=(x, y))
    return Node(name, name)


def _links(text: str, ids: Mapping[str, str], where: str) -> Iterator[Link]:
    for at, row in rows(text, where):
        source, target = (_cell(row, names, at) for names in ENDS)
        source, target = ids.get(source, source), ids.get(target, target)
        yield Link(source, target, **quality(row, at), medium=row.get("type", ""))


def _cell(row: Row, names: tuple[str, ...], at: str) -> str:
    found = next((row[name] for name in names if row.get(name)), None)
    if found is None:
        raise MeshError(f"{at}: has no {names[0]}; name the column {' or '.join(names)}")
    return found
