"""When a control step ends: after a time, or at an event at an agent's node."""

from __future__ import annotations

import math
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NamedTuple

from .._multihop import base_units, gym_events
from ..engine.errors import LearningError

# By their names: what happens, and whether it is of flows that begin at the node.
EVENTS: dict[str, tuple[str, bool]] = {
    name: (about, of_flows) for name, about, of_flows in gym_events()
}
SHORTEST_S, LONGEST_S = 1e-6, 1e6
NANOSECONDS = 1e9


@dataclass(frozen=True)
class Event:
    """Steps that end when this happens at an agent's node, by its name in `EVENTS`.

    If it does not happen `within` that time (a text with a unit), the step ends then.
    """

    name: str
    within: str = "1 s"


class Step(NamedTuple):
    """When steps end: after `seconds`, or before that at an event."""

    seconds: float
    event: str | None = None

    @property
    def nanoseconds(self) -> int:
        """How long a step is at most."""
        return round(self.seconds * NANOSECONDS)

    @classmethod
    def of(cls, given: str | Event) -> Step:
        """Read what a task says; refuse what is neither a time nor an event."""
        if isinstance(given, Event):
            return cls(_time(given.within, "step: within"), _event(given.name))
        if not isinstance(given, str):
            raise LearningError(
                f'step: {given!r} is no text; write a time with its unit, as in "100 ms", or an '
                f"event: {', '.join(EVENTS)}"
            )
        if given in EVENTS:
            return cls.of(Event(given))
        if base_units(given) is None:
            _event(given)
        return cls(_time(given, "step"))


def _event(name: str) -> str:
    if name in EVENTS:
        return name
    near = get_close_matches(str(name), EVENTS, 1)
    meant = f"did you mean '{near[0]}'? " if near else ""
    raise LearningError(
        f"step: '{name}' is neither a time, as in \"100 ms\", nor an event; {meant}events are: "
        f"{', '.join(EVENTS)}"
    )


def _time(text: str, where: str) -> float:
    known = base_units(text) if isinstance(text, str) else None
    if known is None or known[1] != "ns":
        raise LearningError(
            f"{where}: {text!r} is no time; write one with its unit, as in '100 ms'"
        )
    seconds = known[0] / NANOSECONDS
    if not (math.isfinite(seconds) and SHORTEST_S <= seconds <= LONGEST_S):
        raise LearningError(
            f"{where}: a control step of '{text}'; write a time from 1 us to {LONGEST_S:.0f} s"
        )
    return seconds
