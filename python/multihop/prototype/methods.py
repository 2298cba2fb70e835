"""The methods of schemes in Python, and what they are in Rust. The table in the docs shows it."""

from __future__ import annotations

from typing import NamedTuple

from .control import CongestionControl
from .hop import Hop
from .transport import Transport

# The traits by the class that stands for each, and the file where each is.
TRAITS = {
    Hop: "crates/core/src/hop.rs",
    Transport: "crates/core/src/transport.rs",
    CongestionControl: "crates/schemes/src/parts/tcp/control.rs",
}
# An attribute is looked at after every call; its trait has a method that is asked.
ATTRIBUTES = {"deadline_s": "deadline", "promiscuous": "promiscuous", "watches_air": "watches_air"}
# What no trait has: where Rust does the same.
WITHIN = {"on_loss": "on_duplicate_ack"}
# What only Rust has, because Python's base classes do it, or leave it out.
IN_RUST_ONLY = {
    Hop: {"is_passive", "listens", "on_unroutable", "on_link_packet", "poll", "backlog"}
    | {"footprint", "header_len", "most_below", "poll_more"},
    Transport: {"backlog", "header_len"},
    CongestionControl: {"on_old_ack", "on_transmit", "on_departure", "on_arrival"}
    | {"on_standby", "allowance", "next_segment"},
}


class Method(NamedTuple):
    """A method or attribute of a class, its name in Rust, and what it is for."""

    cls: type
    python: str
    rust: str
    about: str


def methods() -> list[Method]:
    """List the methods and attributes of schemes in Python, in the order of their classes."""
    found = []
    for cls in TRAITS:
        for name, value in vars(cls).items():
            if name in ATTRIBUTES:
                found.append(Method(cls, name, ATTRIBUTES[name], ABOUT[name]))
            elif callable(value) and not name.startswith("_"):
                about = (value.__doc__ or "").partition("\n")[0].rstrip(".")
                found.append(Method(cls, name, WITHIN.get(name, name), about))
    return found


ABOUT = {
    "deadline_s": "When to call `on_deadline`, in seconds since the start",
    "promiscuous": "Whether `on_heard` wants the frames that are addressed to other nodes",
    "watches_air": "Whether it reads `context.air`",
}
