"""NetJSON's NetworkGraph: what the routing protocols of community meshes know of themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..engine.errors import MeshError
from .joining import Raw
from .measures import Row
from .mesh import Node
from .values import identity, is_given, is_online, objects, place_of, table

# What a cost is, by the metric of the graph: https://netjson.org/rfc.html, 4.
METRICS = {"etx": "cost (etx)", "tq": "cost (tq)"}
ENDS = ("source", "target")
ONLINE = ("online", "is_online", "status")


def read(tables: dict[str, Any], where: str) -> Raw:
    """Read a NetworkGraph."""
    given, lines = tables.get("nodes"), tables.get("links")
    if not isinstance(given, list) or not isinstance(lines, list):
        raise MeshError(f"{where}: a NetworkGraph has a list of nodes and one of links")
    metric = str(tables.get("metric") or "").lower()
    aliases: dict[str, str] = {}
    nodes = [_node(node, f"{where}: nodes[{at}]", aliases) for at, node in enumerate(given)]
    protocol = str(tables.get("protocol") or "")
    said = f" of {protocol}, metric {metric or 'not given'}" if protocol else ""
    return Raw(
        f"a NetJSON NetworkGraph{said}",
        nodes,
        list(_links(lines, where, metric)),
        aliases,
        title=str(tables.get("label") or ""),
        lists_links=True,
    )


def read_all(tables: dict[str, Any], where: str) -> Raw:
    """Read the graphs of a NetworkCollection as one; a node may be in several of them."""
    collection = objects(tables.get("collection"), f"{where}: collection")
    graphs = [
        read(item, f"{where}: collection[{at}]")
        for at, item in enumerate(collection)
        if isinstance(item, dict) and item.get("type") == "NetworkGraph"
    ]
    if not graphs:
        raise MeshError(f"{where}: a NetworkCollection has a NetworkGraph in its collection")
    nodes: dict[str, Node] = {}
    for node in (node for graph in graphs for node in graph.nodes):
        nodes[node.id] = _merged(nodes[node.id], node) if node.id in nodes else node
    others = len(collection) - len(graphs)
    return Raw(
        f"a NetJSON NetworkCollection of {len(graphs)} graphs",
        list(nodes.values()),
        [row for graph in graphs for row in graph.rows],
        {alias: own for graph in graphs for alias, own in graph.aliases.items()},
        title=str(tables.get("label") or ""),
        lists_links=True,
        remarks=(f"objects of other types than NetworkGraph, not read: {others}",)
        if others
        else (),
    )


def _merged(one: Node, other: Node) -> Node:
    """Return what two graphs say of one node; where both say something, the first counts."""
    return one._replace(
        label=other.label if one.label == one.id else one.label,
        degrees=one.degrees or other.degrees,
        height_m=one.height_m if one.height_m is not None else other.height_m,
        online=one.online and other.online,
    )


def _node(given: Any, where: str, aliases: dict[str, str]) -> Node:
    if not isinstance(given, dict) or not is_given(given.get("id")):
        raise MeshError(f"{where}: is no node with an id")
    own = identity(given["id"], f"{where}.id")
    for address in objects(given.get("local_addresses"), f"{where}.local_addresses"):
        other = aliases.setdefault(identity(address, f"{where}.local_addresses"), own)
        if other != own:
            raise MeshError(f"{where}: '{address}' is an address of '{other}' as well")
    properties = table(given.get("properties"), f"{where}.properties")
    inner = table(properties.get("location"), f"{where}.properties.location")
    place = {**properties, **inner, **table(given.get("location"), f"{where}.location")}
    online = next((is_online(properties[n], where) for n in ONLINE if n in properties), True)
    label = str(given.get("label") or own)
    return Node(own, label, label=label, online=online, **place_of(place, where))


def _links(given: list[Any], where: str, metric: str) -> Iterator[Row]:
    # OLSR's plugins have kinds of ETX, as etx_ff.
    cost = METRICS.get(metric.split("_")[0], "cost")
    for at, link in enumerate(given):
        here = f"{where}: links[{at}]"
        if not isinstance(link, dict) or not all(is_given(link.get(e)) for e in ENDS):
            raise MeshError(f"{here}: is no link with a source and a target")
        properties = dict(table(link.get("properties"), f"{here}.properties"))
        if is_given(link.get("cost")):
            properties[cost] = link["cost"]
        if cost == "cost":
            here += f" (metric: {metric or 'not given'})"
        medium = str(properties.get("type") or "")
        source, target = (identity(link[end], f"{here}.{end}") for end in ENDS)
        yield Row(source, target, properties, here, medium)
