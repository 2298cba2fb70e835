"""SUMO's FCD traces (floating car data): vehicles that exist between entering and leaving.

A vehicle is on the air from the time step that lists it first until the one that does not list it
any more; between two time steps it goes straight. What it does before and after is not known, so
its radio is off then (`start` and `stop` in the movement, as in SUMO's ns-2 activity files).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from ..engine.errors import MeshError, ScenarioError
from .findings import Findings
from .mesh import Mesh, Node
from .plane import in_metres
from .values import number
from .writing import Choices, Imported, head, refused, tail

if TYPE_CHECKING:
    from .flows import Flow

# What moves in a trace.
MOVING = ("vehicle", "person", "container")
# SUMO writes its options into a comment at the beginning of the file.
GEO = re.compile(r'<fcd-output\.geo value="(true|1|t|yes|on)"', re.IGNORECASE)
# Whoever moves by more than this between two time steps, in m/s, has coordinates in other units.
SLOWEST = 0.001
Place = tuple[float, float]


@dataclass
class Vehicle:
    """When a vehicle was where: times in s from the beginning of the trace, places in m."""

    id: str
    steps: list[tuple[float, Place]] = field(default_factory=list)
    # When it entered, and when it was gone, as often as it did.
    stays: list[tuple[float, float]] = field(default_factory=list)
    fastest: float = 0.0


def scenario_of_trace(path: Path, choices: Choices = Choices()) -> Imported:
    """Make a scenario of a trace's vehicles; raises `MeshError` with the place if it is none."""
    begun, ended, vehicles = _read(path)
    found = [
        vehicle
        for vehicle in vehicles
        if not any(fnmatchcase(vehicle.id, pattern) for pattern in choices.without)
    ]
    gone = [vehicle.id for vehicle in vehicles if vehicle not in found]
    if len(found) < 2:
        raise MeshError(f"{path}: has {len(found)} vehicles; a network has two at least")
    findings = Findings().read("SUMO's FCD trace", len(vehicles), 0)
    if gone:
        findings = findings.without_nodes("vehicles left out (--without)", gone, 0)
    findings = findings.noted(
        f"the trace's {begun:.12g} s are time 0; it lasts {ended - begun:.12g} s",
        "a vehicle's radio is on from its first time step until the first that lacks it",
    )
    nodes = tuple(
        Node(vehicle.id, f"n{at}", metres=vehicle.steps[0][1], label=vehicle.id)
        for at, vehicle in enumerate(found)
    )
    mesh = Mesh(nodes, findings=findings, title=path.name.split(".")[0])
    flows = _flows(found, choices)
    text = "".join(_lines(mesh, choices, found, flows, ended - begun))
    imported = Imported(mesh, text)
    try:
        _ = imported.scenario
    except ScenarioError as error:
        raise MeshError(refused(error)) from None
    return imported


def _read(path: Path) -> tuple[float, float, list[Vehicle]]:
    """Read when a trace begins and ends, in s, and its vehicles as they enter."""
    times: list[float] = []
    seen: dict[str, Vehicle] = {}
    here: set[str] = set()
    for time, there in _steps(path):
        if times and time <= times[-1]:
            raise MeshError(f"{path}: time step {time:g} is not after the one before it")
        times.append(time)
        for own, place, speed in there:
            vehicle = seen.setdefault(own, Vehicle(own))
            vehicle.fastest = max(vehicle.fastest, speed)
            if own not in here:
                vehicle.stays.append((time, math.inf))
            vehicle.steps.append((time, place))
        now = {own for own, _, _ in there}
        for own in here - now:
            seen[own].stays[-1] = (seen[own].stays[-1][0], time)
        here = now
    if not seen:
        raise MeshError(f"{path}: no time step has a vehicle")
    vehicles = list(seen.values())
    _in_metres(path, vehicles)
    for vehicle in vehicles:
        vehicle.steps = [(time - times[0], place) for time, place in vehicle.steps]
        vehicle.stays = [(a - times[0], b - times[0]) for a, b in vehicle.stays]
    return times[0], times[-1], vehicles


def _steps(path: Path) -> Iterator[tuple[float, list[tuple[str, Place, float]]]]:
    """Go through the time steps: the time, and who is where, and how fast in m/s."""
    try:
        for _, element in ElementTree.iterparse(path):
            if element.tag != "timestep":
                continue
            time = number(element.get("time"), f"{path}: timestep: time", low=0, high=1e9)
            at = f"{path}: time step {time:g}"
            there = []
            for moving in element:
                if moving.tag in MOVING:
                    own = moving.get("id") or ""
                    x, y = (number(moving.get(a), f"{at}: '{own}': {a}") for a in "xy")
                    speed = number(moving.get("speed", 0), f"{at}: '{own}': speed", low=0)
                    there.append((own, (x, y), speed))
            element.clear()
            yield time, there
    except ElementTree.ParseError as error:
        raise MeshError(f"{path}: is no whole XML: {error}; is the trace cut off?") from None


def _in_metres(path: Path, vehicles: Sequence[Vehicle]) -> None:
    """Put places in degrees into metres; refuse places that do not fit to the speeds."""
    with path.open(encoding="utf-8") as file:
        geo = GEO.search(file.read(20_000)) is not None
    places = [place for vehicle in vehicles for _, place in vehicle.steps]
    if geo:
        if any(abs(x) > 180 or abs(y) > 90 for x, y in places):
            raise MeshError(f"{path}: says that it is in degrees, but its places are none")
        moved = iter(in_metres([(y, x) for x, y in places]))
        for vehicle in vehicles:
            vehicle.steps = [(time, next(moved)) for time, _ in vehicle.steps]
        return
    width = max(max(axis) - min(axis) for axis in zip(*places, strict=True))
    if width < 1 and any(vehicle.fastest > 1 for vehicle in vehicles):
        raise MeshError(
            f"{path}: its vehicles move, but all places are within {width:g} m: they are in "
            "degrees; write the trace with --fcd-output.geo false"
        )


def _movement(vehicles: Sequence[Vehicle], length: float) -> Iterator[str]:
    """Write the movement as an ns-2 movement file: way-points, and when radios are on."""
    for at, vehicle in enumerate(vehicles):
        x, y = vehicle.steps[0][1]
        yield f"$node_({at}) set X_ {x:.3f}\n$node_({at}) set Y_ {y:.3f}\n"
        for enters, leaves in vehicle.stays:
            if enters > 0 or leaves <= length:
                yield f'$ns_ at {enters:.12g} "$g({at}) start"\n'
            if leaves <= length:
                yield f'$ns_ at {leaves:.12g} "$g({at}) stop"\n'
        for (start, here), (then, there) in zip(vehicle.steps, vehicle.steps[1:], strict=False):
            speed = math.dist(here, there) / (then - start)
            if speed > SLOWEST:
                to = f"{there[0]:.3f} {there[1]:.3f} {speed:.9g}"
                yield f'$ns_ at {start:.12g} "$node_({at}) setdest {to}"\n'


def _flows(vehicles: Sequence[Vehicle], choices: Choices) -> list[tuple[Flow, Place]]:
    """Return flows between vehicles that are there together, and from when until when they are."""
    if choices.to:
        raise MeshError("--to names a gateway of a mesh; name vehicles with --flow")
    ids = {vehicle.id: at for at, vehicle in enumerate(vehicles)}
    pairs = []
    for ends in choices.flows:
        for own in ends:
            if own not in ids:
                raise MeshError(f"--flow: the trace has no vehicle '{own}'")
        pairs.append((ids[ends[0]], ids[ends[1]]))
    if not pairs:
        longest = sorted(vehicles, key=lambda v: v.stays[0][0] - v.stays[-1][1])[:50]
        some = [ids[vehicle.id] for vehicle in longest]
        pairs = [
            max(
                ((a, b) for a in some for b in some if a != b),
                key=lambda pair: _together(vehicles, pair)[1] - _together(vehicles, pair)[0],
            )
        ]
    found = []
    for pair in pairs:
        begin, until = _together(vehicles, pair)
        if until <= begin:
            one, other = (vehicles[at].id for at in pair)
            raise MeshError(f"--flow: '{one}' and '{other}' are never there at the same time")
        found.append(((f"n{pair[0]}", f"n{pair[1]}"), (begin, until)))
    return found


def _together(vehicles: Sequence[Vehicle], pair: tuple[int, int]) -> Place:
    """Return the longest time that two vehicles are there together, from when until when."""
    one, other = (vehicles[at] for at in pair)
    last = max(one.steps[-1][0], other.steps[-1][0])
    both = [(max(a, c), min(b, d, last)) for a, b in one.stays for c, d in other.stays]
    return max(both, key=lambda stay: stay[1] - stay[0])


def _lines(
    mesh: Mesh,
    choices: Choices,
    vehicles: Sequence[Vehicle],
    flows: Sequence[tuple[Flow, Place]],
    length: float,
) -> Iterator[str]:
    yield from head(mesh, (f"{length:.12g} s", "0 s"), "movements")
    yield from tail(choices, by_links=False)
    yield '\n[routing]\nkind = "aodv"\n'
    for (source, target), (begin, end) in flows:
        yield f'\n[[flow]]\nfrom = "{source}"\nto = "{target}"\n'
        yield f'start = "{begin:.12g} s"\nstop = "{end:.12g} s"\n'
    yield "\n"
    for node in mesh.nodes:
        shown = "".join(c if c.isprintable() else " " for c in node.label)
        yield f'# {node.name} is "{shown}" in the trace.\n'
    yield "[mobility]\nkind = \"ns2\"\nmovements = '''\n"
    yield from _movement(vehicles, length)
    yield "'''\n"
