"""Transports: what happens at the two ends of a flow."""

from __future__ import annotations

import math
from collections import deque

from .._multihop import Context, Flow, Message, Packet, Params

# How many messages wait at a source while the hop protocol admits none.
SOURCE_BUFFER = 50


class Transport:
    """The transport endpoint of one flow at one node.

    Packets against the data, as acknowledgments, belong to `flow.reverse()`: `packet.answer()`
    makes one. The two endpoints communicate by `packet.transport_header`.
    """

    # When to call `on_deadline`, in seconds since the start; looked at after every call.
    deadline_s = math.inf

    def __init__(self, params: Params, flow: Flow) -> None:
        """Begin with the values of the scheme's parameters, as in `params["initial_window"]`."""
        self.params = params
        self.flow = flow

    def on_message(self, context: Context, message: Message) -> None:
        """Take a message that the application sends."""
        raise NotImplementedError

    def on_packet(self, context: Context, packet: Packet) -> None:
        """Take a packet of the other endpoint; `context.deliver` passes its data on."""
        raise NotImplementedError

    def poll_send(self, context: Context) -> Packet | None:
        """Return the packet to send next: the hop protocol admits one.

        After `None`, it is called again after another method, or at `deadline_s`. A retransmitted
        packet is a copy, which `context.copy` reports.
        """
        raise NotImplementedError

    def wants_message(self, room: bool) -> bool:
        """Return whether a saturated application should hand over a message.

        `room`: the node below has room for another packet.
        """
        return False

    def on_route(self, context: Context, destination: int, hops: int | None) -> None:
        """Learn that there is a way to the other end, of so many hops; or none any more."""

    def on_deadline(self, context: Context) -> None:
        """Do what was to be done at `deadline_s`, and move it."""
        self.deadline_s = math.inf

    def give_up(self) -> Packet | None:
        """Return one of the waiting packets, which is dropped: the endpoint is closed."""
        return None


class Datagram(Transport):
    """The endpoint of a transport without control: a send buffer, and immediate delivery.

    `buffer` holds the waiting messages.
    """

    def __init__(self, params: Params, flow: Flow) -> None:
        super().__init__(params, flow)
        self.buffer: deque[Message] = deque()

    def wants_message(self, room: bool) -> bool:
        """Return whether the node has room, and no message waits."""
        return room and not self.buffer

    def on_message(self, context: Context, message: Message) -> None:
        """Put a message into the send buffer, if there is room."""
        if len(self.buffer) < SOURCE_BUFFER:
            self.buffer.append(message)
        else:
            context.drop(Packet(self.flow, message), "source_buffer_full")

    def on_packet(self, context: Context, packet: Packet) -> None:
        """Hand the packet's data to the application."""
        context.deliver(packet)

    def poll_send(self, context: Context) -> Packet | None:
        """Return the oldest message of the send buffer, as a packet."""
        return self.give_up()

    def give_up(self) -> Packet | None:
        """Return the oldest message of a closed endpoint's send buffer, as a packet."""
        return Packet(self.flow, self.buffer.popleft()) if self.buffer else None
