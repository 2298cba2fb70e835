"""A scenario from a mesh: a TOML file to run, to vary and to change."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..errors import MeshError, ScenarioError
from ..scenario import Scenario
from .mesh import Link, Mesh, Node, Parts
from .plane import FLAT_M, in_metres

# What IEEE 802.11 demands of a receiver at 6 Mbit/s, and 10 dB less, which the best ones sense.
RECEIVE_DBM, SENSE_DBM = -82.0, -92.0
# As in scenarios: with a smaller share, nodes are no neighbours; nodes decode so far.
NEIGHBOURS = 0.5
RANGE_M = 250.0
Flow = tuple[str, str]


@dataclass(frozen=True)
class Choices:
    """What a file does not say: what carries the links, who talks to whom, and how."""

    media: tuple[str, ...] = ("wifi",)
    flows: tuple[Flow, ...] = ()
    scheme: str = "udp"
    load: str = "100 kbit/s"
    # Nodes hear each other as far as the propagation lets them, whatever links there are.
    by_distance: bool = False
    range_m: float = RANGE_M
    thresholds_dbm: tuple[float, float] = (RECEIVE_DBM, SENSE_DBM)


@dataclass(frozen=True)
class Imported:
    """A scenario as text, what is in it, and what was left out."""

    mesh: Mesh
    text: str

    @property
    def scenario(self) -> Scenario:
        """The scenario, checked."""
        return Scenario.from_toml(self.text)


def scenario_of(mesh: Mesh, choices: Choices = Choices()) -> Imported:
    """Make a scenario of the largest part of a mesh whose nodes reach each other.

    Links that are known are listed; without any, or `by_distance`, positions decide.
    """
    mesh = mesh.over(choices.media)
    by_links = bool(mesh.links) and not choices.by_distance
    mesh = replace(mesh, links=_perfect(mesh.links) if by_links else ())
    mesh = _placed(mesh, needed=not by_links)
    parts = Parts(_by_links(mesh, choices) if by_links else _by_distance(mesh, choices.range_m))
    kept = parts.largest()
    if len(kept) < 2:
        left_out = "".join(f"; left out: {note}" for note in mesh.notes)
        raise MeshError(
            f"no two nodes reach each other: give links, other types of links with --type, or a "
            f"longer --range{left_out}"
        )
    gone = len(mesh.nodes) - len(kept)
    note = f"nodes outside the largest connected part: {gone}" if gone else ""
    mesh = mesh.only(kept).noted(note)
    flows = _named_flows(mesh, choices.flows) or _farthest(mesh, parts)
    text = "".join(_lines(mesh, choices, flows, by_links=by_links))
    found = Imported(mesh, text)
    try:
        _ = found.scenario  # what cannot be run is no import
    except ScenarioError as error:
        raise MeshError(f"what would be written is no scenario: {error}") from None
    return found


def _perfect(links: tuple[Link, ...]) -> tuple[Link, ...]:
    """Where nothing is known of a link but that it exists, it delivers everything."""
    bare = Link("", "")
    return tuple(
        k._replace(delivery=1.0) if k[2:4] == bare[2:4] else k
        for k in links
        if k.delivery != 0 or k.signal_dbm is not None
    )


def _placed(mesh: Mesh, *, needed: bool) -> Mesh:
    """Put all nodes into metres; those without a place are left out where places are needed."""
    if all(node.metres for node in mesh.nodes):
        return mesh
    known = [node for node in mesh.nodes if node.degrees or node.metres]
    lost = len(mesh.nodes) - len(known)
    if lost and not needed:
        # The links say who hears whom; places would only be drawn.
        return replace(mesh, nodes=tuple(node._replace(metres=None) for node in mesh.nodes))
    metres = in_metres([node.degrees for node in known if node.degrees])
    far = max((math.hypot(*place) for place in metres), default=0.0)
    placed = [node._replace(metres=place) for node, place in zip(known, metres, strict=True)]
    if not placed:
        raise MeshError("no node has a place, and there are no links; give one or the other")
    note = f"nodes without a place: {lost}" if lost else ""
    wide = "nothing, but the nodes are so far apart that distances are off by more than 0.1 %"
    only = replace(mesh, nodes=tuple(placed)).only(node.id for node in placed)
    return only.noted(note, wide if far > FLAT_M else "")


def _by_links(mesh: Mesh, choices: Choices) -> dict[str, list[str]]:
    """List for every node those that decode enough of its frames, and it of theirs."""
    receive, _ = choices.thresholds_dbm

    def is_good(link: Link) -> bool:
        if link.delivery is not None:
            return link.delivery >= NEIGHBOURS
        return link.signal_dbm is not None and link.signal_dbm >= receive

    good = {(link.source, link.target) for link in mesh.links if is_good(link)}
    found: dict[str, list[str]] = {node.id: [] for node in mesh.nodes}
    for link in mesh.links:
        if {(link.source, link.target), (link.target, link.source)} <= good:
            found[link.source].append(link.target)
    return found


def _by_distance(mesh: Mesh, range_m: float) -> dict[str, list[str]]:
    places = {node.id: node.metres for node in mesh.nodes if node.metres}
    cells: dict[tuple[int, int], list[str]] = {}
    for own, (x, y) in places.items():
        cells.setdefault((int(x // range_m), int(y // range_m)), []).append(own)

    def near(own: str) -> Iterator[str]:
        x, y = places[own]
        column, row = int(x // range_m), int(y // range_m)
        for cell in ((column + a, row + b) for a in (-1, 0, 1) for b in (-1, 0, 1)):
            for other in cells.get(cell, ()):
                if other != own and math.dist(places[other], (x, y)) <= range_m:
                    yield other

    return {own: list(near(own)) for own in places}


def _named_flows(mesh: Mesh, flows: Sequence[Flow]) -> list[Flow]:
    """Return the flows that are asked for, by the nodes' names."""
    names = {node.id: node.name for node in mesh.nodes}
    known = {**names, **{name: name for name in names.values()}}
    for end in (end for flow in flows for end in flow):
        if end not in known:
            from difflib import get_close_matches

            near = get_close_matches(end, known, 1)
            meant = f", did you mean '{near[0]}'?" if near else ""
            raise MeshError(f"--flow: no node '{end}' in the largest connected part{meant}")
    return [(known[source], known[target]) for source, target in flows]


def _farthest(mesh: Mesh, parts: Parts) -> list[Flow]:
    """Return a flow between nodes that are far apart: found by going to the farthest twice."""
    names = {node.id: node.name for node in mesh.nodes}
    start = next(iter(names))
    for _ in range(2):
        away = parts.hops(start)
        end, start = start, max(away, key=lambda node: away[node])
    return [(names[start], names[end])]


def _lines(mesh: Mesh, choices: Choices, flows: Sequence[Flow], *, by_links: bool) -> Iterator[str]:
    yield "".join(f"# Left out: {_comment(note)}.\n" for note in mesh.notes)
    yield f'name = {_text(mesh.title or "mesh")}\n\n[topology]\nkind = "explicit"\n\n'
    if by_links:
        receive, sense = choices.thresholds_dbm
        yield f'[radio]\nreceive_threshold = "{receive:g} dBm"\nsense_threshold = "{sense:g} dBm"\n'
    else:
        sense_m = choices.range_m * 2.2  # as ns-2's 550 m are to its 250 m
        yield f'[radio]\nreceive_range = "{choices.range_m:g} m"\nsense_range = "{sense_m:g} m"\n'
    yield f"\n[scheme]\nname = {_text(choices.scheme)}\n\n[traffic]\nload = {_text(choices.load)}\n"
    for node in mesh.nodes:
        yield f"\n[[node]]\nname = {_text(node.name)}\n{_place(node)}"
    for source, target in flows:
        yield f"\n[[flow]]\nfrom = {_text(source)}\nto = {_text(target)}\n"
    names = {node.id: node.name for node in mesh.nodes}
    for link in mesh.links:
        yield f"\n[[link]]\nfrom = {_text(names[link.source])}\nto = {_text(names[link.target])}\n"
        if link.signal_dbm is not None:
            yield f'signal = "{link.signal_dbm:g} dBm"\n'
        if link.delivery is not None:
            yield f"delivery = {round(link.delivery, 4)}\n"


def _place(node: Node) -> str:
    if node.metres is None:
        return ""
    x, y = node.metres
    return f'x = "{x:.1f} m"\ny = "{y:.1f} m"\n'


def _comment(text: str) -> str:
    """Leave out what no comment can have: ends of lines, and other control characters."""
    return "".join(c if c.isprintable() else " " for c in text)


def _text(value: Any) -> str:
    """Write text as TOML does, which is as JSON does but for one sign."""
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
