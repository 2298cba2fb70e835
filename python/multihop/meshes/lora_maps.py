"""Maps of LoRa meshes: those of simulators of MeshCore, of meshview, and of CoreScope.

They name people's homes. So nodes get numbers, and places are rounded, unless the names are to be
kept.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ..engine.errors import MeshError
from .joining import Raw
from .measures import Row
from .mesh import Node
from .presets import THERMAL_DBM_HZ
from .values import degrees, identity, is_given, number, objects, table

# mcsim gives the signal-to-noise ratio of a transmitter of so many dBm.
MCSIM_POWER_DBM = 20.0
# meshview's places are whole numbers of 1e-7 degrees.
MESHVIEW_DEGREES = 1e-7
# Of the radios of these meshes (Semtech AN1200.22).
NOISE_FIGURE_DB = 6.0


def is_mcsim(tables: Mapping[str, Any]) -> bool:
    """Whether this is a model of mcsim: nodes with their firmware, and edges by name."""
    nodes = tables.get("nodes")
    return isinstance(nodes, list) and isinstance(tables.get("edges"), list) and any(
        isinstance(node, dict) and ("firmware" in node or "location" in node) for node in nodes
    )  # fmt: skip


def read_mcsim(tables: Mapping[str, Any], where: str) -> Raw:
    """Read a model of mcsim."""
    defaults = table(table(tables.get("defaults"), where).get("node"), f"{where}: defaults.node")
    radio = table(defaults.get("radio"), f"{where}: defaults.node.radio")
    nodes, power = [], {}
    for at, given in enumerate(objects(tables.get("nodes"), f"{where}: nodes")):
        here = f"{where}: nodes[{at}]"
        node = table(given, here)
        own = identity(node.get("name"), f"{here}.name")
        place = table(node.get("location"), f"{here}.location")
        role = table(node.get("firmware"), f"{here}.firmware").get("type", node.get("type"))
        nodes.append(_node(own, (place.get("lat"), place.get("lon")), role, here))
        mine = {**radio, **table(node.get("radio"), f"{here}.radio")}.get("tx_power_dbm")
        power[own] = MCSIM_POWER_DBM if mine is None else number(mine, f"{here}.tx_power_dbm")
    rows = []
    for at, given in enumerate(objects(tables.get("edges"), f"{where}: edges")):
        here = f"{where}: edges[{at}]"
        edge = table(given, here)
        one, other = (identity(edge.get(end), f"{here}.{end}") for end in ("from", "to"))
        snr = number(edge.get("mean_snr_db_at20dbm"), f"{here}.mean_snr_db_at20dbm")
        more = power.get(one, MCSIM_POWER_DBM) - MCSIM_POWER_DBM
        told = {"snr": snr + more, "deviation": edge.get("snr_std_dev")}
        rows.append(Row(one, other, told, here, "lora"))
    noise, said = _radio(radio, ("bandwidth_hz", "spreading_factor", "coding_rate"))
    return Raw("a model of mcsim", nodes, rows, directed=True, lists_links=True, private=True,
               noise_dbm=noise, remarks=said)  # fmt: skip


def is_simulated(tables: Mapping[str, Any]) -> bool:
    """Whether this is a network of meshcore_simv2: nodes, and links below "topology"."""
    below = tables.get("topology")
    return isinstance(tables.get("nodes"), list) and isinstance(below, dict) and "links" in below


def read_simulated(tables: Mapping[str, Any], where: str) -> Raw:
    """Read a network of meshcore_simv2. A link without "bidir" is one direction."""
    nodes = []
    for at, given in enumerate(objects(tables.get("nodes"), f"{where}: nodes")):
        here = f"{where}: nodes[{at}]"
        node = table(given, here)
        own = identity(node.get("name"), f"{here}.name")
        nodes.append(_node(own, (node.get("lat"), node.get("lon")), node.get("role"), here))
    rows = []
    links = objects(tables["topology"].get("links"), f"{where}: topology.links")
    for at, given in enumerate(links):
        here = f"{where}: topology.links[{at}]"
        link = table(given, here)
        one, other = (identity(link.get(end), f"{here}.{end}") for end in ("from", "to"))
        told = {key: link[key] for key in ("snr", "loss") if is_given(link.get(key))}
        if "snr" not in told:
            raise MeshError(f"{here}: has no snr, in dB above the noise")
        if not told.get("loss"):
            told.pop("loss", None)
        told["deviation"] = link.get("snr_std_dev")
        both = True if link.get("bidir") is True else None
        rows.append(Row(one, other, told, here, "lora", both))
    simulation = table(tables.get("simulation"), f"{where}: simulation")
    radio = table(simulation.get("radio"), f"{where}: simulation.radio")
    noise, said = _radio(radio, ("bw", "sf", "cr"))
    return Raw("a network of meshcore_simv2", nodes, rows, directed=True, lists_links=True,
               private=True, noise_dbm=noise, remarks=said)  # fmt: skip


def is_corescope(tables: Mapping[str, Any]) -> bool:
    """Whether this is CoreScope's graph of neighbours: nodes by their public keys, and edges."""
    nodes = tables.get("nodes")
    return isinstance(nodes, list) and isinstance(tables.get("edges"), list) and any(
        isinstance(node, dict) and "pubkey" in node for node in nodes
    )  # fmt: skip


def read_corescope(tables: Mapping[str, Any], where: str) -> Raw:
    """Read CoreScope's graph of neighbours. Edges whose other end is not certain are left out."""
    nodes = []
    for at, given in enumerate(objects(tables.get("nodes"), f"{where}: nodes")):
        here = f"{where}: nodes[{at}]"
        node = table(given, here)
        own = identity(node.get("pubkey"), f"{here}.pubkey")
        found = _node(own, (node.get("lat"), node.get("lon")), node.get("role"), here)
        nodes.append(found._replace(label=str(node.get("name") or own)))
    rows, unclear = [], 0
    for at, given in enumerate(objects(tables.get("edges"), f"{where}: edges")):
        here = f"{where}: edges[{at}]"
        edge = table(given, here)
        if edge.get("ambiguous") is True or not edge.get("source") or not edge.get("target"):
            unclear += 1
            continue
        one, other = (identity(edge.get(end), f"{here}.{end}") for end in ("source", "target"))
        both = None if edge.get("bidirectional") is False else True
        rows.append(Row(one, other, {"snr": edge.get("avg_snr")}, here, "lora", both))
    said = f"edges whose other end is not certain, left out: {unclear}" if unclear else ""
    return Raw("CoreScope's graph of neighbours", nodes, rows, directed=True, lists_links=True,
               partial=True, private=True, remarks=(said,))  # fmt: skip


def is_meshview(tables: Mapping[str, Any]) -> bool:
    """Whether this is meshview's list of nodes, with its edges or without."""
    nodes = tables.get("nodes")
    return isinstance(nodes, list) and any(
        isinstance(node, dict) and "node_id" in node and "last_lat" in node for node in nodes
    )


def read_meshview(tables: Mapping[str, Any], where: str) -> Raw:
    """Read meshview's answer of /api/nodes, to which that of /api/edges may have been added."""
    nodes = [
        meshview_node(table(given, f"{where}: nodes[{at}]"), f"{where}: nodes[{at}]")
        for at, given in enumerate(objects(tables.get("nodes"), f"{where}: nodes"))
    ]
    edges = _edges(tables, where) if is_meshview_edges(tables) else []
    return Raw("meshview's nodes", nodes, edges, partial=True, lists_links=bool(edges),
               private=True)  # fmt: skip


def is_meshview_edges(tables: Mapping[str, Any]) -> bool:
    """Whether this has meshview's edges, as its /api/edges answers."""
    edges = tables.get("edges")
    return isinstance(edges, list) and all(
        isinstance(edge, dict) and "from" in edge and "to" in edge for edge in edges
    )


def read_meshview_edges(tables: Mapping[str, Any], where: str) -> Raw:
    """Read meshview's edges. They say who has heard whom, and not how well."""
    return Raw("meshview's edges", rows=_edges(tables, where), partial=True, lists_links=True,
               private=True)  # fmt: skip


def _edges(tables: Mapping[str, Any], where: str) -> list[Row]:
    rows = []
    for at, edge in enumerate(tables["edges"]):
        here = f"{where}: edges[{at}]"
        one, other = (identity(edge[end], f"{here}.{end}") for end in ("from", "to"))
        told = {key: edge[key] for key in ("snr", "rssi") if is_given(edge.get(key))}
        rows.append(Row(one, other, told, here, "lora"))
    return rows


def meshview_node(told: Mapping[str, Any], where: str) -> Node:
    """Read a node of meshview's list or table: its number, name, role and last place."""
    own = identity(told.get("node_id"), f"{where}.node_id")
    place = [
        None if not is_given(told.get(key)) else number(told[key], f"{where}.{key}")
        for key in ("last_lat", "last_long")
    ]
    scaled = [None if part is None else part * MESHVIEW_DEGREES for part in place]
    found = _node(own, (scaled[0], scaled[1]), told.get("role"), where, of="")
    return found._replace(label=str(told.get("long_name") or own))


def _node(own: str, place: tuple[Any, Any], role: Any, where: str, of: str = "MeshCore's") -> Node:
    given = None not in place
    found = degrees(*place, where) if given else None
    # MeshCore's roles are no roles of Meshtastic, whatever they are called.
    kind = "" if role is None else f"{of} {str(role).strip().lower()}".strip().replace("-", "_")
    return Node(own, own, degrees=found, label=own, role=kind)


def _radio(
    radio: Mapping[str, Any], keys: tuple[str, str, str]
) -> tuple[float | None, tuple[str, ...]]:
    """Return the noise of a file's radio in dBm, and say which it is, as far as the file does."""
    width, factor, rate = (radio.get(key) for key in keys)
    if not isinstance(width, int | float) or width <= 0:
        return None, ()
    noise = round(THERMAL_DBM_HZ + 10 * math.log10(width) + NOISE_FIGURE_DB, 1)
    parts = [f"SF {factor:g}"] if isinstance(factor, int | float) else []
    parts.append(f"{width / 1e3:g} kHz")
    if isinstance(rate, int | float):
        parts.append(f"4/{rate if rate > 4 else rate + 4:g}")  # 1 to 4 in some files, 5 to 8
    return noise, (f"the file's radio: {', '.join(parts)}; --preset chooses yours",)
