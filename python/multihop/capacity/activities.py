"""What a hop takes, and what cannot happen at the same time.

A packet's way over the link from a to b is made of

- frames from a to b (RTS and data) and b's answers (CTS and link acknowledgment), as far as the
  MAC has them;
- the gaps between them, in which neither a nor b does anything else;
- the wait before them: a's medium is idle for DIFS and the backoff.

Every one is an activity with a time of its own. Two exclude each other if the rules of reception or
of the MAC say that they cannot overlap even for a moment; in which order they come is left open. So
whatever a MAC does, at any moment what succeeds on the air is a set of activities of which no two
exclude each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import NamedTuple

from .network import Flow, Link, Network


class Model(StrEnum):
    """When one frame destroys another."""

    # Whenever the receiver senses another sender: ranges alone decide.
    PROTOCOL = "protocol"
    # Unless it is stronger than the other by the capture ratio, as in the simulator's radio.
    RECEIVER = "receiver"
    # The same, and nobody who senses a frame begins an exchange of his own. Stations whose backoffs
    # end in the same slot do, and both may succeed: they can have a little more.
    CARRIER_SENSE = "carrier-sense"


class Kind(Enum):
    """What happens."""

    FRAME = "sends to"
    ANSWER = "answers"
    GAP = "pauses with"
    WAIT = "waits"


ON_AIR = (Kind.FRAME, Kind.ANSWER)


class Activity(NamedTuple):
    """Something that takes time; `to` is `node` itself if it waits."""

    kind: Kind
    node: int
    to: int

    def label(self, names: tuple[str, ...]) -> str:
        """Return it in words, as `a sends to b`."""
        if self.kind is Kind.WAIT:
            return f"{names[self.node]} waits"
        return f"{names[self.node]} {self.kind.value} {names[self.to]}"


def over(link: Link, flow: Flow) -> dict[Activity, float]:
    """Return what a packet takes on a link, in s."""
    sender, receiver = link
    times = {
        Activity(Kind.FRAME, sender, receiver): flow.hop.forth,
        Activity(Kind.ANSWER, receiver, sender): flow.hop.back,
        Activity(Kind.GAP, min(link), max(link)): flow.hop.gaps,
        Activity(Kind.WAIT, sender, sender): flow.hop.waiting,
    }
    return {activity: time for activity, time in times.items() if time > 0}


@dataclass(frozen=True)
class Conflicts:
    """What excludes what: bit number b of entry a says that activities a and b do."""

    activities: tuple[Activity, ...]
    masks: tuple[int, ...]


def conflicts(network: Network, activities: tuple[Activity, ...], model: Model) -> Conflicts:
    """Find out what excludes what."""
    involved = [0] * len(network.names)
    sent = [0] * len(network.names)
    opened = [0] * len(network.names)
    for at, activity in enumerate(activities):
        for node in {activity.node, activity.to}:
            involved[node] |= 1 << at
        if activity.kind in ON_AIR:
            sent[activity.node] |= 1 << at
        if activity.kind is Kind.FRAME:
            opened[activity.node] |= 1 << at
    masks = []
    for at, activity in enumerate(activities):
        mask = involved[activity.node] | involved[activity.to]
        for sender in _disturbing(network, activity, model):
            mask |= sent[sender]
        if model is Model.CARRIER_SENSE and activity.kind is Kind.FRAME:
            for sender in network.heard[activity.node]:
                mask |= opened[sender]
        masks.append(mask & ~(1 << at))
    return Conflicts(activities, _both_ways(masks))


def _disturbing(network: Network, activity: Activity, model: Model) -> list[int]:
    """List whose frames an activity does not bear."""
    heard = network.heard[activity.to]
    if activity.kind is Kind.GAP:
        return []
    if activity.kind is Kind.WAIT or model is Model.PROTOCOL:
        return [node for node in heard if node != activity.node]
    power = heard.get(activity.node, 0.0)
    ratio = network.capture_ratio
    return [n for n, other in heard.items() if n != activity.node and power < other * ratio]


def _both_ways(masks: list[int]) -> tuple[int, ...]:
    """Make what excludes another excluded by it."""
    full = list(masks)
    for at, mask in enumerate(masks):
        for other in members(mask):
            full[other] |= 1 << at
    return tuple(full)


def members(mask: int) -> list[int]:
    """List the numbers of the bits that are set."""
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found
