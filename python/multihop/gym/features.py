"""What an agent can know of a control step, and what a reward can be made of."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from typing import NamedTuple

from .._multihop import gym_features
from ..engine.errors import LearningError

# Nobody in a real network knows these.
ORACLE = "oracle"
# Only nodes at which flows begin know these, and only if their transport acknowledges.
SENDER = "sender"


class Feature(NamedTuple):
    """A number that is known of every agent after every control step, in the order of the engine.

    `known` says to whom: "node", to every node of itself; "sender", to nodes at which flows begin
    and whose transport acknowledges; "oracle", to nobody in a real network. Its values lie between
    0 and `most`, in `unit` ("" if it has none).
    """

    name: str
    unit: str
    known: str
    about: str
    most: float


@cache
def features() -> tuple[Feature, ...]:
    """Return all features."""
    return tuple(Feature(*row) for row in gym_features())


def index_of(name: str, where: str) -> int:
    """Return the place of a feature; errors begin with `where`."""
    names = [feature.name for feature in features()]
    if name in names:
        return names.index(name)
    near = get_close_matches(str(name), names, 1)
    meant = f"did you mean '{near[0]}'? " if near else ""
    raise LearningError(f"{where}: there is no '{name}'; {meant}there are: {', '.join(names)}")
