"""What bounds are computed from: the engine's survey of a scenario, without a run."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from .._multihop import ScenarioError, survey
from ..engine.errors import BoundError
from ..running.ns3 import by_its_rules
from ..scenario.form import Scenario

Link = tuple[int, int]

# A signal that is sensed or decoded as often as not; without shadowing it is always or never.
OFTEN = 0.5


class Overhead(StrEnum):
    """What a packet costs beside its payload's bits."""

    # The MAC's wait for an idle medium and its mean backoff before each data frame.
    BACKOFF = "backoff"
    # RTS, CTS and link acknowledgments with their preambles, and the gaps between frames.
    CONTROL = "control"
    # The preamble and all headers of the data frame.
    HEADERS = "headers"


@dataclass(frozen=True)
class Hop:
    """What a packet of a flow takes on each hop, in s."""

    # On the air from the sender, and back to it.
    forth: float
    back: float
    # Between frames of one exchange.
    gaps: float
    # Before it, at the sender.
    waiting: float


@dataclass(frozen=True)
class Flow:
    """A flow; `way` is that of fixed routes, empty if there is none."""

    name: str
    source: int
    destination: int
    payload_bits: int
    offered_bit_s: float
    way: tuple[Link, ...]
    hop: Hop


@dataclass(frozen=True)
class Network:
    """Who hears whom, and the flows."""

    names: tuple[str, ...]
    # For each node, those that it senses and their power in W.
    heard: tuple[Mapping[int, float], ...]
    # Pairs that data can go between.
    links: tuple[Link, ...]
    # How many times stronger a frame must be than another one to survive it.
    capture_ratio: float
    flows: tuple[Flow, ...]
    # Whether links are those of mean signals only.
    shadowed: bool


def read_network(
    scenario: Scenario, at_s: float | None = None, without: Collection[Overhead] = ()
) -> Network:
    """Survey a scenario with its nodes where they are at a time, the start unless given.

    One that is run in ns-3 has ns-3's headers, pauses and receiver.
    """
    try:
        tables = survey(by_its_rules(scenario).json, at_s or 0.0)
    except ScenarioError as error:
        raise BoundError(str(error)) from None
    mac = {name: column[0] for name, column in tables["mac"].items()}
    if mac["moves"] and at_s is None:
        raise BoundError(
            "the nodes move, and a bound holds for one moment: `multihop bound --at 30` (at_s=30) "
            "says which; or take [mobility] and [[move]] away"
        )
    names = tuple(tables["nodes"]["name"])
    heard: list[dict[int, float]] = [{} for _ in names]
    links = []
    signals = _rows(tables["signals"])
    for signal in signals:
        if signal["sensed"] >= OFTEN:
            heard[signal["to"]][signal["from"]] = signal["power_w"]
            if signal["neighbours"] and signal["decoded"] >= OFTEN:
                links.append((signal["from"], signal["to"]))
    ways: list[list[Link]] = [[] for _ in tables["flows"]["name"]]
    for hop in _rows(tables["hops"]):
        ways[hop["flow"]].append((hop["from"], hop["to"]))
    return Network(
        names=names,
        heard=tuple(heard),
        links=tuple(links),
        capture_ratio=float(mac["capture_ratio"]),
        flows=tuple(
            _flow(row, tuple(way), mac, without)
            for row, way in zip(_rows(tables["flows"]), ways, strict=True)
        ),
        shadowed=any(0 < signal["sensed"] < 1 for signal in signals),
    )


def _rows(table: Mapping[str, Any]) -> list[dict[str, Any]]:
    columns = [column if isinstance(column, list) else column.tolist() for column in table.values()]
    return [dict(zip(table, row, strict=True)) for row in zip(*columns, strict=True)]


def _flow(
    row: Mapping[str, Any],
    way: tuple[Link, ...],
    mac: Mapping[str, Any],
    without: Collection[Overhead],
) -> Flow:
    bits = 8 * row["payload_bytes"]
    bare = bits / mac["data_rate_bit_s"]
    data = bare if Overhead.HEADERS in without else row["data_s"]
    control = 0 if Overhead.CONTROL in without else 1
    announced, answered = control * row["announced"], control * mac["acknowledged"]
    return Flow(
        name=row["name"],
        source=row["source"],
        destination=row["destination"],
        payload_bits=bits,
        offered_bit_s=row["offered_bit_s"],
        way=way,
        hop=Hop(
            forth=float(data + announced * mac["rts_s"]),
            back=float(announced * mac["cts_s"] + answered * mac["ack_s"]),
            gaps=float((2 * announced + answered) * mac["sifs_s"]),
            waiting=0.0 if Overhead.BACKOFF in without else float(mac["backoff_s"]),
        ),
    )
