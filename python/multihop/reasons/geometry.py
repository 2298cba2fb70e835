"""Who hears whom, and what that means for a frame that another one destroyed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

from .._multihop import ScenarioError, hearers, network
from ..scenario.form import Scenario

# A signal that is sensed or decoded as often as not; without shadowing it is always or never.
OFTEN = 0.5
# Where nodes move, who hears whom is looked at so often in the measured time.
MOMENTS = 40


class Relation(StrEnum):
    """How the sender of a destroyed frame hears the node whose frame destroyed it."""

    UNSENSED = "hidden"
    UNREAD = "sensed, not decodable"
    NEAR = "in range"
    RECEIVER = "the receiver itself"
    UNKNOWN = "unknown"


class Signal(NamedTuple):
    """How one node hears another: mean power in W, and the shares of frames sensed and decoded.

    A frame is sensed if it keeps the node from sending.
    """

    power_w: float
    sensed: float
    decoded: float
    neighbours: bool


@dataclass(frozen=True)
class Rules:
    """What stations make of signals, as their MAC says.

    They defer and decode from these powers in W on. A frame survives a later one if it is
    `over_later` times as strong, and is received instead of an earlier one if it is `over_earlier`
    times as strong. `adds_up`: several frames may destroy what none of them would alone.
    """

    defers_from_w: float
    decodes_from_w: float
    over_later: float
    over_earlier: float
    adds_up: bool


Pairs = Mapping[tuple[int, int], Signal]


@dataclass(frozen=True)
class Geometry:
    """Who hears whom: pairs (from, to) with their signals, without those that are silent.

    There is one moment or, if nodes move, as many as divide the time from `begin_ns` to `end_ns`
    into equal parts. Each is the middle of its part.
    """

    names: tuple[str, ...]
    moments: tuple[Pairs, ...]
    rules: Rules
    begin_ns: int = 0
    end_ns: int = 0

    @property
    def moves(self) -> bool:
        """Whether nodes move."""
        return len(self.moments) > 1

    @cached_property
    def signals(self) -> Pairs:
        """The mean over all moments; where a signal is silent, it counts as nothing."""
        if not self.moves:
            return self.moments[0]
        there: dict[tuple[int, int], list[Signal]] = {}
        for pairs in self.moments:
            for pair, signal in pairs.items():
                there.setdefault(pair, []).append(signal)
        count = len(self.moments)
        return {
            pair: Signal(
                sum(signal.power_w for signal in found) / count,
                sum(signal.sensed for signal in found) / count,
                sum(signal.decoded for signal in found) / count,
                2 * sum(signal.neighbours for signal in found) >= count,
            )
            for pair, found in there.items()
        }

    def moment(self, time_ns: int) -> int:
        """Return the number of the moment whose part of the time has `time_ns`."""
        span = max(self.end_ns - self.begin_ns, 1)
        at = (time_ns - self.begin_ns) * len(self.moments) // span
        return min(max(at, 0), len(self.moments) - 1)

    def senses(self, node: int, other: int, moment: int | None = None) -> bool:
        """Whether `node` defers to frames of `other`: at a moment, or for half of the time."""
        found = self._pairs(moment).get((other, node))
        return found is not None and found.sensed >= OFTEN

    def decodes(self, node: int, other: int, moment: int | None = None) -> bool:
        """Whether `node` decodes frames of `other` that nothing disturbs."""
        found = self._pairs(moment).get((other, node))
        return found is not None and found.decoded >= OFTEN

    def unsensed(self, node: int, other: int) -> float:
        """Return the share of the time in which `node` does not sense `other`."""
        found = self.signals.get((other, node))
        return 1.0 if found is None else 1.0 - found.sensed

    def survives(self, sender: int, other: int, receiver: int, moment: int | None = None) -> bool:
        """Whether a frame of `sender` survives a later one of `other` at `receiver`."""
        pairs = self._pairs(moment)
        mine, its = (pairs.get((node, receiver)) for node in (sender, other))
        if mine is None:
            return False
        return its is None or mine.power_w >= self.rules.over_later * its.power_w

    def meets(self, sender: int, other: int, receiver: int) -> bool:
        """Whether a frame of `other` at `receiver` concerns what it gets of `sender`."""
        return self.senses(receiver, other) or not self.survives(sender, other, receiver)

    def relation(
        self, sender: int, destroyer: int | None, receiver: int, moment: int | None = None
    ) -> Relation:
        """Say how `sender` hears the node that destroyed its frame at `receiver`."""
        if destroyer is None:
            return Relation.UNKNOWN
        if destroyer == receiver:
            return Relation.RECEIVER
        if not self.senses(sender, destroyer, moment):
            return Relation.UNSENSED
        return Relation.NEAR if self.decodes(sender, destroyer, moment) else Relation.UNREAD

    def _pairs(self, moment: int | None) -> Pairs:
        return self.signals if moment is None else self.moments[moment]


def geometry(scenario: Scenario) -> Geometry | None:
    """Ask the MAC who hears whom, of nodes that move over the measured time; `None` on wires."""
    text = scenario.json
    try:
        tables = hearers(text, [0.0])
        begin, end = 0, 0
        if tables["rules"]["moves"][0]:
            found = network(text)
            begin, end = int(found["warmup_ns"]), int(found["duration_ns"])
            part = (end - begin) / 1e9 / MOMENTS
            times = [begin / 1e9 + (at + 0.5) * part for at in range(MOMENTS)]
            tables = hearers(text, times)
    except ScenarioError:
        return None
    columns: Mapping[str, Any] = tables["signals"]
    count = MOMENTS if tables["rules"]["moves"][0] else 1
    moments: list[dict[tuple[int, int], Signal]] = [{} for _ in range(count)]
    for moment, sender, receiver, power, sensed, decoded, near in zip(
        *(columns[name].tolist() for name in columns), strict=True
    ):
        moments[moment][sender, receiver] = Signal(power, sensed, decoded, bool(near))
    rules = {name: column[0] for name, column in tables["rules"].items()}
    return Geometry(
        names=tuple(tables["nodes"]["name"]),
        moments=tuple(moments),
        rules=Rules(
            defers_from_w=float(rules["defers_from_w"]),
            decodes_from_w=float(rules["decodes_from_w"]),
            over_later=float(rules["over_later"]),
            over_earlier=float(rules["over_earlier"]),
            adds_up=bool(rules["adds_up"]),
        ),
        begin_ns=begin,
        end_ns=end,
    )
