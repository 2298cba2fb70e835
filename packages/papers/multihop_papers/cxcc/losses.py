"""What makes a transmission of CXCC fail under overload: the data or its acknowledgment, and why.

    python -m multihop_papers.cxcc.losses

Two nodes that are three hops apart (600 m) do not sense each other (550 m). The node between them
that listens to one of them (200 m) senses the other too (400 m). A frame that comes second there
does no harm, for it is 12 dB weaker; one that came first has ns-2's receiver occupied, and the
frame for this node is lost. So it matters who of the two begins. On the way down that costs the
data at the next hop, on the way back the implicit acknowledgment at the previous one.

Every data packet that is sent is followed to the next hop, and the first forwarding of each packet
(or its ACK from the destination) back to the previous one; a loss is laid to the frame that began
first among those that the receiver sensed meanwhile. What it costs is how long a queue stays
blocked: from a packet's first transmission to its acknowledgment, by what was lost first.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from math import dist
from typing import NamedTuple

import polars as pl
from rich.console import Console
from rich.table import Table

from multihop.results.result import Result
from multihop.running.runner import run_many
from multihop.scenario.form import Scenario

from .setup import RFA, SCENARIO, VARIANTS

TOPOLOGIES = ("chain", "bidirectional-chain", "cross", "bidirectional-cross")
OVERLOAD = {"traffic.load": "400 kbit/s"}
SENSE_M = 550.0
# From the end of a frame to its last reception.
PROPAGATION_S = 5e-6


# A node, and a packet by its flow and number.
Key = tuple[int, int, int]


class Part(Enum):
    """What a frame brings."""

    DATA = "data"
    ACKNOWLEDGMENT = "implicit or explicit ACK"


class Cause(Enum):
    """Why a frame was lost at the node that needed it."""

    HIDDEN_FIRST = "a node that the sender cannot sense began first"
    HIDDEN_LATER = "a node that the sender cannot sense began later"
    CONTENTION = "a node that the sender can sense"
    DEAF = "the receiver was sending"
    OTHER = "no other frame"


class Frame(NamedTuple):
    """A frame on the air."""

    start: float
    end: float
    node: int
    kind: str
    peer: int
    flow: int
    packet: int


@dataclass
class Losses:
    """What was sent, and how much of it was lost by cause."""

    seconds: float = 0.0
    sent: Counter[Part] = field(default_factory=Counter)
    lost: Counter[tuple[Part, Cause]] = field(default_factory=Counter)
    # Packets and how long queues were blocked by them, by what was lost first: None is nothing.
    packets: Counter[Part | None] = field(default_factory=Counter)
    blocked_s: dict[Part | None, float] = field(default_factory=lambda: defaultdict(float))

    def share(self, part: Part, cause: Cause) -> float:
        """Return the part of the frames that were lost so."""
        return self.lost[part, cause] / self.sent[part] if self.sent[part] else 0.0

    def blocked_mean(self, first_lost: Part | None) -> float:
        """Return how long a queue was blocked by a packet, in s."""
        count = self.packets[first_lost]
        return self.blocked_s[first_lost] / count if count else 0.0

    def cost(self, part: Part) -> float:
        """Return how much longer queues were blocked because of these losses, in s a second."""
        longer = self.blocked_mean(part) - self.blocked_mean(None)
        return longer * self.packets[part] / self.seconds if self.seconds else 0.0

    def add(self, other: Losses) -> None:
        """Add those of another run."""
        self.seconds += other.seconds
        self.sent += other.sent
        self.lost += other.lost
        self.packets += other.packets
        for part, seconds in other.blocked_s.items():
            self.blocked_s[part] += seconds


class Air:
    """All frames of a run, and where the nodes are."""

    def __init__(self, result: Result) -> None:
        events = result.events.sort("time_s", maintain_order=True)
        rows = result.nodes.sort("node").select("x_m", "y_m").iter_rows()
        self.places = [(x, y) for x, y in rows]
        self.frames = list(_frames(events))
        self._starts = [frame.start for frame in self.frames]
        self._longest = max((frame.end - frame.start for frame in self.frames), default=0.0)
        lost = events.filter(event="loss")
        columns = ("node", "peer", "frame", "flow", "packet", "time_s")
        self._losses: dict[tuple[int, int, str, int, int], list[float]] = defaultdict(list)
        for *key, time in lost.select(columns).iter_rows():
            self._losses[key[0], key[1], key[2], key[3], key[4]].append(time)

    def is_lost(self, frame: Frame, at: int) -> bool:
        """Whether a node sensed this frame and lost it."""
        times = self._losses.get((at, frame.node, frame.kind, frame.flow, frame.packet), [])
        index = bisect_left(times, frame.start)
        return index < len(times) and times[index] <= frame.end + PROPAGATION_S

    def cause(self, frame: Frame, at: int) -> Cause:
        """Return why a node lost a frame."""
        others = [
            other
            for other in self._meanwhile(frame)
            if other.node == at or self._sense(other.node, at)
        ]
        if not others:
            return Cause.OTHER
        if any(other.node == at for other in others):
            return Cause.DEAF
        first = others[0]
        if self._sense(first.node, frame.node):
            return Cause.CONTENTION
        return Cause.HIDDEN_FIRST if first.start < frame.start else Cause.HIDDEN_LATER

    def _meanwhile(self, frame: Frame) -> Iterator[Frame]:
        """List the other frames that overlap one, in the order of their starts."""
        begin = bisect_left(self._starts, frame.start - self._longest)
        for other in self.frames[begin:]:
            if other.start >= frame.end:
                return
            if other.end > frame.start and other != frame:
                yield other

    def _sense(self, one: int, other: int) -> bool:
        return dist(self.places[one], self.places[other]) <= SENSE_M


def _frames(events: pl.DataFrame) -> Iterator[Frame]:
    columns = ("time_s", "duration_s", "node", "frame", "peer", "flow", "packet")
    for start, duration, *rest in events.filter(event="transmit_start").select(columns).iter_rows():
        yield Frame(start, start + duration, *rest)


def losses(result: Result) -> Losses:
    """Follow every data packet to the next hop, and its acknowledgment back."""
    air = Air(result)
    found = Losses(float(result.runs.select(pl.col("warmup_s") + pl.col("duration_s")).item()))
    first: dict[Key, Frame] = {}
    first_lost: dict[Key, Part] = {}
    came_from: dict[Key, int] = {}
    answered: set[Key] = set()

    def follow(part: Part, frame: Frame, to: int) -> bool:
        found.sent[part] += 1
        lost = air.is_lost(frame, to)
        if lost:
            found.lost[part, air.cause(frame, to)] += 1
        return lost

    for frame in air.frames:
        here = (frame.node, frame.flow, frame.packet)
        if frame.kind == "data":
            came_from.setdefault((frame.peer, frame.flow, frame.packet), frame.node)
            lost = follow(Part.DATA, frame, frame.peer)
            if first.setdefault(here, frame) == frame and lost:
                first_lost[here] = Part.DATA
        if frame.kind in ("data", "ack") and here in came_from and here not in answered:
            answered.add(here)
            back = came_from[here]
            if follow(Part.ACKNOWLEDGMENT, frame, back):
                first_lost.setdefault((back, frame.flow, frame.packet), Part.ACKNOWLEDGMENT)
    for here, time in _acknowledged(result.events):
        if here in first:
            part = first_lost.get(here)
            found.packets[part] += 1
            found.blocked_s[part] += time - first[here].start
    return found


def _acknowledged(events: pl.DataFrame) -> Iterator[tuple[Key, float]]:
    """List when which node knew that the next hop has a packet."""
    kinds = ("implicit_acknowledgment", "explicit_acknowledgment")
    rows = events.filter(pl.col("event").is_in(kinds))
    for node, flow, packet, time in rows.select("node", "flow", "packet", "time_s").iter_rows():
        yield (node, flow, packet), time


def under_overload(base: Scenario, topology: str, seeds: Iterable[int]) -> Losses:
    """Return the losses of CXCC+RFA in a topology, all seeds together."""
    network = VARIANTS[RFA].apply(base).with_(**OVERLOAD, **{"topology.kind": topology})
    results = run_many([network.with_(seed=seed) for seed in seeds], events=True)
    found = Losses()
    for result in results:
        found.add(losses(result))
    return found


def table(base: Scenario, seeds: Iterable[int] = range(1, 5)) -> Table:
    """Count the losses in every topology."""
    seeds = list(seeds)
    found = [under_overload(base, topology, seeds) for topology in TOPOLOGIES]
    counts = Table("", "", *TOPOLOGIES, title="CXCC+RFA at 400 kbit/s a source")
    for part in Part:
        counts.add_row(part.value, "frames", *(str(one.sent[part]) for one in found))
        for cause in Cause:
            shares = (f"{one.share(part, cause):.1%}" for one in found)
            counts.add_row("", f"lost: {cause.value}", *shares)
    blocked: tuple[tuple[str, Part | None], ...] = (
        ("nothing lost", None),
        ("data lost first", Part.DATA),
        ("ACK lost first", Part.ACKNOWLEDGMENT),
    )
    for text, first in blocked:
        means = (f"{1e3 * one.blocked_mean(first):.0f} ms" for one in found)
        counts.add_row("a queue is blocked", text, *means)
    for lost in Part:
        costs = (f"{one.cost(lost):.2f}" for one in found)
        counts.add_row("longer, s a second", f"for lost {lost.value}", *costs)
    return counts


if __name__ == "__main__":
    Console(width=120).print(table(Scenario.from_file(SCENARIO)))
