"""Which format a file has, and what it says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..errors import MeshError
from ..texts import parsed, read_text
from . import csv_tables, freifunk, geojson, netjson
from .mesh import Mesh

FORMATS = "CSV, GeoJSON, NetJSON, meshviewer.json, or nodes.json with --links graph.json"


def read_mesh(nodes: str | Path, links: str | Path | None = None) -> Mesh:
    """Read nodes and links of a network from one file, or from a file of each.

    >>> read_mesh("meshviewer.json").nodes
    """
    mesh = _read(Path(nodes))
    return mesh if links is None else _add(mesh, Path(links))


def _read(path: Path) -> Mesh:
    text = _text(path)
    if not text.lstrip("\ufeff \r\n\t").startswith(("{", "[")):
        if csv_tables.is_links(text):
            raise MeshError(f"{path}: is a table of links; give the nodes' file, and this --links")
        return csv_tables.read_nodes(text, str(path))
    tables = _json(text, path)
    kind = tables.get("type")
    if kind == "FeatureCollection":
        return geojson.read(tables, str(path))
    if kind == "NetworkGraph":
        return netjson.read(tables, str(path))
    if kind is None and freifunk.is_one(tables):
        return freifunk.read(tables, str(path))
    what = f'its type is "{kind}"' if kind else "it has neither a type nor nodes"
    raise MeshError(f"{path}: {what}; what can be imported is {FORMATS}")


def _add(mesh: Mesh, path: Path) -> Mesh:
    text = _text(path)
    if not text.lstrip("\ufeff \r\n\t").startswith("{"):
        links = csv_tables.read_links(text, mesh.nodes, str(path))
        return Mesh(mesh.nodes, links, mesh.notes, mesh.title)
    return freifunk.with_graph(mesh, _json(text, path), str(path))


def _text(path: Path) -> str:
    try:
        return read_text(path)
    except ValueError as error:
        raise MeshError(str(error)) from None


def _json(text: str, path: Path) -> dict[str, Any]:
    try:
        tables = parsed(text.lstrip("\ufeff"))
        json.dumps(tables, ensure_ascii=False).encode()  # half a character has no UTF-8
    except ValueError as error:
        raise MeshError(f"{path}: is not valid JSON: {error}") from None
    if not isinstance(tables, dict):
        raise MeshError(f"{path}: is a list; what can be imported is {FORMATS}")
    return tables
