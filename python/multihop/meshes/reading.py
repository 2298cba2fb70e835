"""Which format a file has, and what it says."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..engine.errors import MeshError
from ..engine.texts import parsed, read_text
from . import csv_tables, freifunk, geojson, graphs, lora_maps, netjson
from .blocks import is_blocks, read_blocks
from .joining import Raw, linked, mesh_of
from .measures import Measuring
from .mesh import Mesh

FORMATS = (
    "CSV, GeoJSON, NetJSON (NetworkGraph, NetworkCollection), node-link JSON of networkx, "
    "models of mcsim (YAML), networks of meshcore_simv2, meshview's nodes and edges, CoreScope's "
    "neighbours, "
    "Freifunk's meshviewer.json, nodes.json with --links graph.json, "
    "nodelist.json, and SUMO's FCD traces"
)
# What JSON is, by what it has, and who reads it.
JSON: tuple[tuple[Callable[[dict[str, Any]], bool], Callable[[dict[str, Any], str], Raw]], ...] = (
    (lambda t: t.get("type") == "FeatureCollection", geojson.read),
    (lambda t: t.get("type") == "NetworkGraph", netjson.read),
    (lambda t: t.get("type") == "NetworkCollection", netjson.read_all),
    (freifunk.is_nodes, freifunk.read_nodes),
    (freifunk.is_meshviewer, freifunk.read_meshviewer),
    (freifunk.is_nodelist, freifunk.read_nodelist),
    (lora_maps.is_simulated, lora_maps.read_simulated),
    (lora_maps.is_corescope, lora_maps.read_corescope),
    (lora_maps.is_mcsim, lora_maps.read_mcsim),
    (lora_maps.is_meshview, lora_maps.read_meshview),
    (graphs.is_node_link, graphs.read_node_link),
)
# What else a text may be: how it is told, and what it is.
OTHER_TEXTS = (
    (r"<\?xml.*<fcd-export|<fcd-export", "SUMO's FCD trace: give it to multihop import by itself"),
    (r"<graphml", "GraphML; networkx.read_graphml and node_link_data make a node-link graph of it"),
    (r"<(kml|gpx)\b", "KML or GPX; convert it to GeoJSON"),
    (r"\A\s*(<\?xml|<[a-zA-Z!])", "XML of a format that is not read"),
    (r"\A\s*(strict\s+)?(di)?graph\b[^,;]*\{", "Graphviz DOT; networkx.nx_pydot.read_dot reads it"),
    (r"\A\s*(graph\s*\[|Creator\s)", "GML; networkx.read_gml reads it"),
    (r"(?i)\A\s*\*vertices", "Pajek; networkx.read_pajek reads it"),
    (r"(?m)^\s*ifaces\s*[:=]|\bids\s*=\s*\[", "a configuration of wmediumd"),
    (
        r"\$(node_|ns_?\b|god_)",
        'an ns-2 movement file; scenarios read it by [mobility], kind "ns2"',
    ),
    (r"(?m)^\s*\[(topology|scheme|traffic)\]", "a scenario already; multihop run runs it"),
)
OTHER_JSON = (
    (freifunk.is_graph, "graph.json: give nodes.json first, and this file with --links"),
    (lambda t: "adjacency" in t, "networkx's adjacency data; write networkx.node_link_data"),
    (lambda t: "elements" in t, "Cytoscape's JSON; networkx.node_link_data is read"),
    (lambda t: "topology" in t and "scheme" in t, "a scenario already; multihop run runs it"),
)


def read_mesh(
    nodes: str | Path, links: str | Path | None = None, measuring: Measuring = Measuring()
) -> Mesh:
    """Read nodes and links of a network from one file, or from a file of each.

    `measuring` gives what the file lacks: the measures of columns, the noise power below an SNR.
    Raises `MeshError`, which names the file, the place, and the formats that are read.

    >>> read_mesh("meshviewer.json").nodes
    """
    path = Path(nodes)
    mesh = mesh_of(_raw(path, alone=links is None), measuring, str(path))
    if links is None:
        return replace(mesh, aliases={})
    raw = _raw_links(Path(links))
    read = linked(mesh, raw, measuring, str(links))
    read = replace(read, aliases={})
    return read.finding(read.findings.read(raw.format, 0, len(raw.rows)))


def is_fcd(path: Path) -> bool:
    """Whether a file is a trace of SUMO's vehicles."""
    return re.search(OTHER_TEXTS[0][0], _text(path)[:4000], re.DOTALL) is not None


def _raw(path: Path, *, alone: bool) -> Raw:
    text = _text(path)
    if not _is_json(text):
        if csv_tables.is_links(text):
            if not alone:
                raise MeshError(f"{path}: is a table of links; give the nodes' file before --links")
            return csv_tables.read_edges(text, str(path))
        if is_blocks(text):
            return _model(text, path)
        _refuse_others(text, path)
        return csv_tables.read_nodes(text, str(path))
    tables = _json(text, path)
    for is_one, read in JSON:
        if is_one(tables):
            return read(tables, str(path))
    raise MeshError(f"{path}: {_what(tables)}; what can be imported is {FORMATS}")


def _model(text: str, path: Path) -> Raw:
    tables = read_blocks(text, str(path))
    if not isinstance(tables, dict) or not lora_maps.is_mcsim(tables):
        raise MeshError(
            f"{path}: is YAML, but no model of mcsim, which has nodes with a location or a "
            f"firmware, and edges; what can be imported is {FORMATS}"
        )
    return lora_maps.read_mcsim(tables, str(path))


def _raw_links(path: Path) -> Raw:
    text = _text(path)
    if not _is_json(text):
        if not csv_tables.is_links(text):
            _refuse_others(text, path)
        return csv_tables.read_links(text, str(path))
    tables = _json(text, path)
    if lora_maps.is_meshview_edges(tables):
        return lora_maps.read_meshview_edges(tables, str(path))
    if not freifunk.is_graph(tables):
        raise MeshError(
            f'{path}: is no graph.json, which has a table "batadv", nor meshview\'s edges; --links '
            "takes these or a CSV table of links"
        )
    return freifunk.read_graph(tables, str(path))


def _refuse_others(text: str, path: Path) -> None:
    """Refuse text that is no table, and say which format it has if that can be told."""
    for pattern, what in OTHER_TEXTS:
        if re.search(pattern, text[:4000], re.DOTALL):
            raise MeshError(f"{path}: is {what}; what can be imported is {FORMATS}")
    if text.strip("\ufeff \r\n\t") and not csv_tables.is_table(text):
        line = next(filter(str.strip, text.splitlines()), "")
        raise MeshError(
            f"{path}: line 1: '{line:.40}' names no column of a CSV table, as name, lat, lon, from "
            f"or to; what can be imported is {FORMATS}"
        )


def _what(tables: dict[str, Any]) -> str:
    """Return what JSON is that is not read."""
    for is_one, what in OTHER_JSON:
        if is_one(tables):
            return f"is {what}"
    if kind := tables.get("type"):
        return f'its type is "{kind!s:.40}"'
    if "nodes" not in tables:
        return "it has neither a type nor nodes"
    nodes = tables["nodes"]
    if not isinstance(nodes, list | dict):
        return "nodes is neither a list nor a table of nodes"
    first: Any = next(iter(nodes.values() if isinstance(nodes, dict) else nodes), {})
    if not isinstance(first, dict):
        return f"its nodes are no tables of keys and values, but {first!r:.40}"
    keys = ", ".join(first)
    lacking = "" if "node_id" in first else "nodes[0]: has no node_id; "
    return f"{lacking}its nodes have {keys or 'no keys':.60}, as those of no format that is read"


def _is_json(text: str) -> bool:
    return text.lstrip("\ufeff \r\n\t").startswith(("{", "["))


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
