"""Schemes written in Python, to try an idea out beside the built-in schemes.

A scheme is a hop protocol at every node and a transport at both ends of a flow, or a congestion
control of TCP. Each is a class whose methods the engine calls: they are those of Rust's traits, so
that a scheme that works can be written in Rust later. A built-in scheme has the parts that a
scheme in Python lacks.

>>> class Lifo(prototype.Fifo):
...     def poll_transmit(self, context):
...         if not self.sending:
...             self.waiting.rotate(1)  # the last goes first
...         return super().poll_transmit(context)
>>> prototype.register(prototype.Scheme("lifo", hop=Lifo))
>>> multihop.run(scenario.with_(**{"scheme.name": "lifo"}))
"""

from __future__ import annotations

from .._multihop import (
    AirTime,
    Context,
    Flow,
    Message,
    Packet,
    Params,
    Received,
    Request,
    Sent,
    Tcp,
)
from .checking import Check, check
from .control import CongestionControl
from .hop import Fifo, Hop
from .loading import load
from .scheme import Param, Scheme, register, unregister
from .transport import Datagram, Transport

__all__ = [
    "AirTime",
    "Check",
    "CongestionControl",
    "Context",
    "Datagram",
    "Fifo",
    "Flow",
    "Hop",
    "Message",
    "Packet",
    "Param",
    "Params",
    "Received",
    "Request",
    "Scheme",
    "Sent",
    "Tcp",
    "Transport",
    "check",
    "load",
    "register",
    "unregister",
]
