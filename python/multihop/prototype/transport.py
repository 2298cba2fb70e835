"""Transports: what happens at the two ends of a flow."""

from __future__ import annotations

import math
from collections import deque

from .._multihop import Context, Flow, Message, Packet, Params

# How many messages wait at a source while the hop protocol admits none.
SOURCE_BUFFER = 50


class Transport:
    """One end of one flow.

    Packets against the data, as acknowledgments, belong to `flow.reverse()`: `packet.answer()`
    makes one. What ends say to each other stands in `packet.transport_header`.
    """

    # When to call `on_deadline`, in seconds since the start; looked at after every call.
    deadline_s = math.inf

    def __init__(self, params: Params, flow: Flow) -> None:
        """Begin with the values of the scheme's parameters, as in `params["initial_window"]`."""
        self.params = params
        self.flow = flow

    def on_message(self, context: Context, message: Message) -> None:
        """Take what the application sends."""
        raise NotImplementedError

    def on_packet(self, context: Context, packet: Packet) -> None:
        """Take a packet of the other end: `context.deliver` hands its data to the application."""
        raise NotImplementedError

    def poll_send(self, context: Context) -> Packet | None:
        """Return the packet to send next: the hop protocol admits one.

        After `None`, this is asked again when another method was called, or `deadline_s` has come.
        A packet that goes once more is a copy, of which `context.copy` tells.
        """
        raise NotImplementedError

    def wants_message(self, room: bool) -> bool:
        """Return whether an application that always has data should hand over a message.

        `room`: the node below has room for another packet.
        """
        return False

    def on_route(self, context: Context, destination: int, hops: int | None) -> None:
        """Learn that there is a way to the other end, of so many hops; or none any more."""

    def on_deadline(self, context: Context) -> None:
        """Do what was to be done at `deadline_s`, and move it."""
        self.deadline_s = math.inf

    def give_up(self) -> Packet | None:
        """Return one of the packets that wait here, for good: the end is closed."""
        return None


class Datagram(Transport):
    """Either end of a transport without control: a send buffer, and delivery as it comes.

    `buffer` holds the messages that wait.
    """

    def __init__(self, params: Params, flow: Flow) -> None:
        super().__init__(params, flow)
        self.buffer: deque[Message] = deque()

    def wants_message(self, room: bool) -> bool:
        """Return whether the node has room, and nothing waits."""
        return room and not self.buffer

    def on_message(self, context: Context, message: Message) -> None:
        """Let a message wait, if there is room."""
        if len(self.buffer) < SOURCE_BUFFER:
            self.buffer.append(message)
        else:
            context.drop(Packet(self.flow, message), "source_buffer_full")

    def on_packet(self, context: Context, packet: Packet) -> None:
        """Hand it to the application."""
        context.deliver(packet)

    def poll_send(self, context: Context) -> Packet | None:
        """Send the message that has waited longest."""
        return self.give_up()

    def give_up(self) -> Packet | None:
        """Return the message that has waited longest, as a packet."""
        return Packet(self.flow, self.buffer.popleft()) if self.buffer else None
