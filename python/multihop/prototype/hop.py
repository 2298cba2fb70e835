"""Hop protocols: queues, scheduling, overhearing."""

from __future__ import annotations

import math
from collections import deque

from .._multihop import Context, Flow, Packet, Params, Received, Request, Sent

# What ns-2's DropTail with a limit of 50 holds.
QUEUE_LIMIT = 49


class Hop:
    """The hop protocol of one node.

    Every packet given to `on_enqueue` leaves in exactly one way: by `context.release` (the next hop
    has it), by `context.drop`, or as a return value of `on_tx_done` or `on_neighbour_lost`.
    """

    # Whether `on_heard` wants the frames that are addressed to other nodes.
    promiscuous = False
    # Whether it reads `context.air`.
    watches_air = False
    # When to call `on_deadline`, in seconds since the start; looked at after every call.
    deadline_s = math.inf

    def __init__(self, params: Params) -> None:
        """Begin with the values of the scheme's parameters, as in `params["queue_limit"]`."""
        self.params = params

    def on_enqueue(self, context: Context, packet: Packet, to: int) -> None:
        """Forward `packet` to the neighbour `to`."""
        raise NotImplementedError

    def on_heard(self, context: Context, frame: Received) -> bool | str:
        """Return whether this node takes the packet of a frame; or a cause to drop it.

        A packet that it takes is delivered here, or comes back by `on_enqueue`. It may take that of
        a frame for this node or for everyone (`frame.heard` is "for_me" or "broadcast"); each node
        that takes it has a copy. A frame that was "overheard" was for another node: return False.

        A packet for everyone or a group (schemes that flood) is delivered at each of its nodes, and
        comes back by `on_enqueue` as well; with "deliver" in place of True it does not.
        """
        raise NotImplementedError

    def poll_transmit(self, context: Context) -> Request | None:
        """Return the frame to send next: the MAC is free."""
        raise NotImplementedError

    def on_tx_done(self, context: Context, frame: Sent) -> Packet | int | None:
        """Release, keep or return the packet of a frame with which the MAC has finished.

        Routing salvages or drops a returned packet. If the number of its destination is returned,
        the packet is kept, and routing learns of the failed link.
        """
        raise NotImplementedError

    def admits(self, flow: Flow) -> bool:
        """Return whether the source may hand over another packet of `flow`: back-pressure."""
        return True

    def has_room(self, flow: Flow) -> bool:
        """Return whether there is room for another packet, for sources that can wait."""
        return self.admits(flow)

    def way(self, packet: Packet) -> int | None:
        """Return the next hop of `packet`, if this protocol overrides routing's."""
        return None

    def frame_class(self, packet: Packet) -> str:
        """Return the frame class of `packet`, for measurements.

        By default, acknowledgments are distinguished from data.
        """
        raise NotImplementedError

    def on_consumed(self, context: Context, packet: Packet, sender: int) -> None:
        """Learn that the application here has taken `packet`, which `sender` had forwarded."""

    def on_neighbour_lost(self, context: Context, to: int) -> list[Packet]:
        """Return the waiting packets for a lost neighbour, except those to keep."""
        return []

    def on_route(self, context: Context, destination: int, hops: int | None) -> None:
        """Learn that there is a way to `destination`, of so many hops; or none any more."""

    def on_deadline(self, context: Context) -> None:
        """Do what was to be done at `deadline_s`, and move it."""
        self.deadline_s = math.inf


class Fifo(Hop):
    """The drop-tail queue of the 802.11 stack, as `udp` and every TCP have it.

    `waiting` holds packets and their next hops, without the packet at the MAC. The parameters
    `queue_limit` and `acknowledgments_first` apply, where the scheme's base has them.
    """

    def __init__(self, params: Params) -> None:
        super().__init__(params)
        self.waiting: deque[tuple[Packet, int]] = deque()
        self.sending = False
        self.limit: int = params.get("queue_limit", QUEUE_LIMIT)
        self.acknowledgments_first: bool = params.get("acknowledgments_first", False)

    def on_enqueue(self, context: Context, packet: Packet, to: int) -> None:
        """Put `packet` into the queue, if there is room; drop it otherwise."""
        acknowledges = _is_acknowledgment(packet)
        if not self._has_room_for(acknowledges):
            context.drop(packet, "queue_full")
            return
        place = len(self.waiting)
        if self.acknowledgments_first and acknowledges:
            data = (
                at for at, (other, _) in enumerate(self.waiting) if not _is_acknowledgment(other)
            )
            place = next(data, place)
        self.waiting.insert(place, (packet, to))

    def on_heard(self, context: Context, frame: Received) -> bool | str:
        """Take the packet of a frame for this node."""
        return frame.heard == "for_me"

    def poll_transmit(self, context: Context) -> Request | None:
        """Return the frame of the oldest packet in the queue."""
        if self.sending or not self.waiting:
            return None
        self.sending = True
        return Request(*self.waiting.popleft())

    def on_tx_done(self, context: Context, frame: Sent) -> Packet | int | None:
        """Release an acknowledged packet, and return one whose transmission has failed."""
        self.sending = False
        if frame.outcome == "failed":
            return frame.packet
        if frame.outcome == "withdrawn" and frame.to is not None:
            self.waiting.appendleft((frame.packet, frame.to))
            return None
        context.release(frame.packet)
        return None

    def on_neighbour_lost(self, context: Context, to: int) -> list[Packet]:
        """Return the waiting packets for that neighbour."""
        lost = [packet for packet, receiver in self.waiting if receiver == to]
        self.waiting = deque(entry for entry in self.waiting if entry[1] != to)
        return lost

    def has_room(self, flow: Flow) -> bool:
        """Return whether the queue has room for another packet."""
        return self._has_room_for(flow.is_reverse)

    def _has_room_for(self, acknowledges: bool) -> bool:
        """Return whether a packet may wait; acknowledgments that go first have their own places."""
        if not self.acknowledgments_first:
            return len(self.waiting) < self.limit
        alike = (_is_acknowledgment(packet) == acknowledges for packet, _ in self.waiting)
        return sum(alike) < self.limit


def _is_acknowledgment(packet: Packet) -> bool:
    return packet.flow.is_reverse or packet.payload == 0
