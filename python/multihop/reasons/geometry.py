"""Who hears whom, and what that means for a frame that another one destroyed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from .._multihop import ScenarioError, network, survey
from ..running.ns3 import by_its_rules
from ..scenario.form import Scenario

# A signal that is sensed or decoded as often as not; without shadowing it is always or never.
OFTEN = 0.5


class Relation(StrEnum):
    """How the sender of a destroyed frame hears the node whose frame destroyed it."""

    UNSENSED = "hidden"
    UNREAD = "sensed, not decodable"
    NEAR = "in range"
    RECEIVER = "the receiver itself"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Signal:
    """How one node hears another: mean power in W, and the shares of frames sensed and decoded."""

    power_w: float
    sensed: float
    decoded: float
    neighbours: bool


@dataclass(frozen=True)
class Geometry:
    """Who hears whom at one moment; `signals` has pairs (from, to) and leaves silent ones out.

    `moves` says that nodes move: what it says then holds for the moment only.
    """

    names: tuple[str, ...]
    signals: Mapping[tuple[int, int], Signal]
    capture_ratio: float
    moves: bool

    def senses(self, node: int, other: int) -> bool:
        """Whether `node` senses frames of `other`."""
        found = self.signals.get((other, node))
        return found is not None and found.sensed >= OFTEN

    def decodes(self, node: int, other: int) -> bool:
        """Whether `node` decodes frames of `other` that nothing disturbs."""
        found = self.signals.get((other, node))
        return found is not None and found.decoded >= OFTEN

    def survives(self, sender: int, other: int, receiver: int) -> bool:
        """Whether a frame of `sender` survives a later one of `other` at `receiver`."""
        mine, its = (self.signals.get((node, receiver)) for node in (sender, other))
        if mine is None:
            return False
        return its is None or mine.power_w >= self.capture_ratio * its.power_w

    def relation(self, sender: int, destroyer: int | None, receiver: int) -> Relation:
        """Say how `sender` hears the node that destroyed its frame at `receiver`."""
        if destroyer is None:
            return Relation.UNKNOWN
        if destroyer == receiver:
            return Relation.RECEIVER
        if not self.senses(sender, destroyer):
            return Relation.UNSENSED
        return Relation.NEAR if self.decodes(sender, destroyer) else Relation.UNREAD


def geometry(scenario: Scenario) -> Geometry | None:
    """Survey a scenario, of nodes that move in the middle of the run; `None` on wires."""
    rules = by_its_rules(scenario).json
    try:
        tables = survey(rules)
        if tables["mac"]["moves"][0]:
            tables = survey(rules, network(rules)["duration_ns"] / 2e9)
    except ScenarioError:
        return None
    columns: Mapping[str, Any] = tables["signals"]
    rows = zip(*(columns[name] for name in columns), strict=True)
    found = (dict(zip(columns, row, strict=True)) for row in rows)
    return Geometry(
        names=tuple(tables["nodes"]["name"]),
        signals={
            (int(row["from"]), int(row["to"])): Signal(
                float(row["power_w"]),
                float(row["sensed"]),
                float(row["decoded"]),
                bool(row["neighbours"]),
            )
            for row in found
        },
        capture_ratio=float(tables["mac"]["capture_ratio"][0]),
        moves=bool(tables["mac"]["moves"][0]),
    )
