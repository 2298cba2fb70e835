"""What Freifunk communities publish: meshviewer.json, or nodes.json with graph.json.

TQ is batman-adv's estimate of the share of frames that arrive, in the direction from the node that
has it; meshviewer.json writes it from 0 to 1, graph.json as 1 and more, its inverse.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..errors import MeshError
from .mesh import Link, Mesh, Node, degrees, joined, named, number, table


def is_one(tables: dict[str, Any]) -> bool:
    """Whether this is a list of nodes as Freifunk has it."""
    return "nodes" in tables


def read(tables: dict[str, Any], where: str) -> Mesh:
    """Read meshviewer.json, or nodes.json in one of its two versions."""
    given = tables["nodes"]
    if isinstance(given, dict):  # version 1: by the nodes' ids
        given = [
            {"node_id": own, **table(node, f"{where}: nodes.{own}")} for own, node in given.items()
        ]
    if not isinstance(given, list):
        raise MeshError(f"{where}: nodes is neither a list nor a table of nodes")
    found = [_node(node, f"{where}: nodes[{at}]") for at, node in enumerate(given)]
    nodes = named((node for node in found if node is not None), where)
    offline = sum(node is None for node in found)
    mesh = Mesh(nodes).noted(f"nodes that are offline: {offline}" if offline else "")
    links = tables.get("links") or []
    if not isinstance(links, list):
        raise MeshError(f"{where}: links is no list")
    return _with(mesh, list(_links(links, where)), where)


def with_graph(mesh: Mesh, tables: dict[str, Any], where: str) -> Mesh:
    """Add the links of a graph.json to the nodes of a nodes.json."""
    graph = tables.get("batadv")
    if not isinstance(graph, dict):
        raise MeshError(f'{where}: is no graph.json, which has a table "batadv"')
    ends = graph.get("nodes")
    if not isinstance(ends, list):
        raise MeshError(f"{where}: batadv has no list of nodes")
    names = [
        str(end.get("node_id") or end.get("id")) if isinstance(end, dict) else "" for end in ends
    ]
    return _with(mesh, list(_numbered(graph.get("links") or [], names, where)), where)


def _with(mesh: Mesh, links: list[Link], where: str) -> Mesh:
    """Keep the links between nodes that are there; others lead to nodes that are offline."""
    known = {node.id for node in mesh.nodes}
    kept = [link for link in links if link.source in known and link.target in known]
    return Mesh(mesh.nodes, joined(mesh.nodes, kept, where), mesh.notes, mesh.title)


def _node(given: Any, where: str) -> Node | None:
    """Read a node; `None` if it is offline."""
    if not isinstance(given, dict):
        raise MeshError(f"{where}: is no node")
    info = table(given.get("nodeinfo"), f"{where}.nodeinfo") or given
    flags = table(given.get("flags"), f"{where}.flags") or given
    if flags.get("is_online", flags.get("online", True)) is False:
        return None
    own = info.get("node_id") or given.get("node_id")
    if not own:
        raise MeshError(f"{where}: has no node_id")
    place = table(info.get("location"), f"{where}.location")
    where_it_is = None
    if place.get("latitude") is not None and place.get("longitude") is not None:
        where_it_is = degrees(place["latitude"], place["longitude"], where)
    return Node(str(own), str(info.get("hostname") or own), degrees=where_it_is)


def _links(given: list[Any], where: str) -> Iterator[Link]:
    """Go through the links of meshviewer.json, each of which is two."""
    for at, link in enumerate(given):
        here = f"{where}: links[{at}]"
        if not isinstance(link, dict) or not link.get("source") or not link.get("target"):
            raise MeshError(f"{here}: is no link with a source and a target")
        ends = (str(link["source"]), str(link["target"]))
        medium = str(link.get("type") or "")
        for key, (source, target) in (("source_tq", ends), ("target_tq", ends[::-1])):
            share = number(link.get(key, 1), f"{here}: {key}", low=0, high=1)
            if share > 0:
                yield Link(source, target, delivery=share, medium=medium)


def _numbered(given: Any, names: list[str], where: str) -> Iterator[Link]:
    """Go through the links of graph.json, which number its nodes."""
    if not isinstance(given, list):
        raise MeshError(f"{where}: batadv.links is no list")
    for at, link in enumerate(given):
        here = f"{where}: batadv.links[{at}]"
        try:
            ends = (names[link["source"]], names[link["target"]])
        except (KeyError, IndexError, TypeError):
            raise MeshError(f"{here}: source and target are numbers of batadv.nodes") from None
        inverse = number(link.get("tq", 1), f"{here}: tq", low=0)
        share = 1 / inverse if inverse >= 1 else inverse
        medium = str(link.get("type") or ("vpn" if link.get("vpn") else ""))
        if share > 0:
            yield Link(*ends, delivery=share, medium=medium)
            if link.get("bidirect", True):
                yield Link(*ends[::-1], delivery=share, medium=medium)
