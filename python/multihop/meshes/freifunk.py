"""What Freifunk communities publish: maps and lists of their nodes.

meshviewer.json (yanic, meshviewer), nodes.json of versions 1 and 2 with graph.json (ffmap-backend,
hopglass-server, yanic), and nodelist.json. TQ is batman-adv's estimate of the share of frames that
arrive, in the direction from the node that has it; meshviewer.json writes it from 0 to 1,
graph.json as 1 and more, its inverse.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..engine.errors import MeshError
from .joining import Raw
from .measures import Row
from .mesh import Node
from .values import identity, is_given, is_online, number, objects, place_of, table

ENDS = ("source", "target")
# Of a node in meshviewer.json; other maps that have a node_id have none of them.
MESHVIEWER = {"hostname", "is_online", "is_gateway", "location", "firmware", "addresses"}
# Of a link in meshviewer.json: how each direction fares, and what is told of both.
TQ = (("source_tq", 1), ("target_tq", -1))
STRUCTURE = {"source", "target", "type", "source_tq", "target_tq", "source_addr", "target_addr",
             "source_address", "target_address"}  # fmt: skip


def is_meshviewer(tables: dict[str, Any]) -> bool:
    """Whether this is a meshviewer.json: its nodes have a node_id, and keys of such maps."""
    nodes = tables.get("nodes")
    if not isinstance(nodes, list) or not nodes:
        return False
    first = nodes[0]
    if not isinstance(first, dict) or "node_id" not in first or "nodeinfo" in first:
        return False
    return bool(MESHVIEWER & first.keys()) or first.keys() == {"node_id"}


def is_nodes(tables: dict[str, Any]) -> bool:
    """Whether this is a nodes.json, of version 1 (by the nodes' ids) or 2 (a list)."""
    nodes = tables.get("nodes")
    given = list(nodes.values()) if isinstance(nodes, dict) else nodes
    return isinstance(given, list) and any(isinstance(n, dict) and "nodeinfo" in n for n in given)


def is_nodelist(tables: dict[str, Any]) -> bool:
    """Whether this is a nodelist.json."""
    nodes = tables.get("nodes")
    if not isinstance(nodes, list) or not nodes or "links" in tables:
        return False
    return all(isinstance(n, dict) and isinstance(n.get("status"), dict) for n in nodes)


def is_graph(tables: dict[str, Any]) -> bool:
    """Whether this is a graph.json."""
    return isinstance(tables.get("batadv"), dict)


def read_meshviewer(tables: dict[str, Any], where: str) -> Raw:
    """Read meshviewer.json, whose links have a measure for each direction."""
    nodes, remarks = _nodes(tables["nodes"], where)
    links = objects(tables.get("links"), f"{where}: links")
    rows = [row for at, link in enumerate(links) for row in _rows(link, f"{where}: links[{at}]")]
    name = "Freifunk's meshviewer.json"
    listed = "links" in tables
    return Raw(name, nodes, rows, partial=True, lists_links=listed, remarks=remarks)


def read_nodes(tables: dict[str, Any], where: str) -> Raw:
    """Read nodes.json in one of its two versions."""
    given = tables["nodes"]
    if isinstance(given, dict):  # version 1: by the nodes' ids
        given = [
            {"node_id": own, **table(node, f"{where}: nodes.{own}")} for own, node in given.items()
        ]
    nodes, remarks = _nodes(given, where)
    return Raw("Freifunk's nodes.json", nodes, remarks=remarks)


def read_nodelist(tables: dict[str, Any], where: str) -> Raw:
    """Read nodelist.json, which has no links."""
    nodes, odd = [], Odd()
    for at, given in enumerate(tables["nodes"]):
        here = f"{where}: nodes[{at}]"
        own = identity(given.get("id"), f"{here}.id")
        place = odd.place_of(table(given.get("position"), f"{here}.position"), here)
        online = is_online(given["status"].get("online"), f"{here}.status.online")
        label = str(given.get("name") or own)
        nodes.append(Node(own, label, label=label, online=online, **place))
    return Raw("Freifunk's nodelist.json", nodes, remarks=odd.remarks)


def read_graph(tables: dict[str, Any], where: str) -> Raw:
    """Read the links of a graph.json."""
    graph = table(tables.get("batadv"), f"{where}: batadv")
    ends = graph.get("nodes")
    if not isinstance(ends, list):
        raise MeshError(f"{where}: batadv has no list of nodes")
    names = [
        str(end.get("node_id") or end.get("id")) if isinstance(end, dict) else "" for end in ends
    ]
    links = objects(graph.get("links"), f"{where}: batadv.links")
    rows = list(_numbered(links, names, where))
    directed = graph.get("directed") is True
    return Raw("graph.json", rows=rows, partial=True, lists_links=True, directed=directed)


class Odd:
    """Places that are none: who writes one on a community's map is not who reads the map."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def place_of(self, told: Mapping[str, Any], where: str) -> dict[str, Any]:
        """Read where a node is; nothing of a place that is none."""
        try:
            return place_of(told, where)
        except MeshError as error:
            self.told.append(str(error))
            return {}

    @property
    def remarks(self) -> tuple[str, ...]:
        """How many there were, and the first of them."""
        if not self.told:
            return ()
        return (f"places that are none, left out: {len(self.told)} ({self.told[0]})",)


def _nodes(given: list[Any], where: str) -> tuple[list[Node], tuple[str, ...]]:
    odd = Odd()
    nodes = [_node(node, f"{where}: nodes[{at}]", odd) for at, node in enumerate(given)]
    return nodes, odd.remarks


def _node(given: Any, where: str, odd: Odd) -> Node:
    if not isinstance(given, dict):
        raise MeshError(f"{where}: is no node")
    info = table(given.get("nodeinfo"), f"{where}.nodeinfo") or given
    flags = table(given.get("flags"), f"{where}.flags") or given
    own = info.get("node_id") or given.get("node_id")
    if not is_given(own):
        raise MeshError(f"{where}: has no node_id")
    online = is_online(flags.get("is_online", flags.get("online")), f"{where}: online")
    place = dict(table(info.get("location"), f"{where}.location"))
    if not is_given(place.get("latitude")) or not is_given(place.get("longitude")):
        place = {}
    label = str(info.get("hostname") or own)
    return Node(
        identity(own, where), label, label=label, online=online, **odd.place_of(place, where)
    )


def _rows(link: Any, here: str) -> Iterator[Row]:
    """Go through the directions of a link of meshviewer.json."""
    if (
        not isinstance(link, dict)
        or not is_given(link.get("source"))
        or not is_given(link.get("target"))
    ):
        raise MeshError(f"{here}: is no link with a source and a target")
    ends = identity(link["source"], f"{here}.source"), identity(link["target"], f"{here}.target")
    medium = str(link.get("type") or "")
    told = {key: value for key, value in link.items() if key not in STRUCTURE}
    given = [(key, turn) for key, turn in TQ if is_given(link.get(key))]
    for key, turn in given:
        source, target = ends[::turn]
        share = number(link[key], f"{here}: {key}", low=0, high=1)
        yield Row(source, target, {**told, key: share}, here, medium)
    if not given:
        yield Row(*ends, told, here, medium, both=True)


def _numbered(given: list[Any], names: list[str], where: str) -> Iterator[Row]:
    """Go through the links of graph.json, which number its nodes."""
    for at, link in enumerate(given):
        here = f"{where}: batadv.links[{at}]"
        numbers: list[Any] = [link.get(e) if isinstance(link, dict) else None for e in ENDS]
        if not all(type(n) is int and 0 <= n < len(names) for n in numbers):
            raise MeshError(f"{here}: source and target are numbers of batadv.nodes")
        ends = names[numbers[0]], names[numbers[1]]
        told = {k: v for k, v in link.items() if k not in {"source", "target", "tq", "vpn"}}
        if is_given(link.get("tq")):
            told["inverse_tq"] = link["tq"]
        medium = str(link.get("type") or ("vpn" if link.get("vpn") else ""))
        both = link.get("bidirect")
        yield Row(*ends, told, here, medium, both if isinstance(both, bool) else None)
