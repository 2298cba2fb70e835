"""What an agent can do: numbers between 0 and 1, which stand for values between two ends.

Equal steps of an action are equal ratios of the value: 0 is the low end, 1 the high one, 0.5 their
geometric mean.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .._multihop import gym_controls
from ..engine.errors import LearningError

if TYPE_CHECKING:
    from numpy.typing import NDArray

# By their names: unit, ends unless others are given, and meaning.
KINDS: dict[str, tuple[str, float, float, str]] = {
    name: (unit, low, high, about) for name, unit, low, high, about in gym_controls()
}


@dataclass(frozen=True)
class Control:
    """A control of every agent, by its name in `KINDS`, and the values at actions 0 and 1."""

    name: str
    low: float
    high: float

    @classmethod
    def of(cls, given: str | Control) -> Control:
        """Return a control with its usual ends, or one as it is given, checked."""
        if isinstance(given, str):
            if given not in KINDS:
                raise LearningError(
                    f"control: there is no '{given}'; there are: {', '.join(KINDS)}"
                )
            return cls(given, *KINDS[given][1:3])
        if given.name not in KINDS:
            cls.of(given.name)
        if not (0 < given.low < given.high < math.inf):
            raise LearningError(
                f"control: '{given.name}' goes from {given.low} to {given.high}; write ends above "
                "0, the lower one first"
            )
        return given


def read(given: Sequence[str | Control]) -> tuple[Control, ...]:
    """Read the controls of an agent."""
    if isinstance(given, str):
        raise LearningError(f"control: '{given}' is a text; write a list, as in ['{given}']")
    found = tuple(Control.of(one) for one in given)
    if not found:
        raise LearningError(f"control: there is none; name some of: {', '.join(KINDS)}")
    names = [one.name for one in found]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise LearningError(f"control: '{twice}' is named twice; name it once")
    return found


def checked(given: object, shape: tuple[int, ...], whose: str) -> NDArray[np.floating]:
    """Return actions as an array; refuse another shape, what is no number, and what is beyond."""
    try:
        actions = np.asarray(given, dtype=np.float32)
    except (TypeError, ValueError):
        raise LearningError(
            f"{whose}: {given!r} are no numbers; write an array of shape {shape}"
        ) from None
    if actions.shape != shape:
        raise LearningError(
            f"{whose}: it has shape {actions.shape}; the shape is {shape}, one number between 0 "
            "and 1 for each control"
        )
    if not np.isfinite(actions).all():
        raise LearningError(f"{whose}: {actions} has a NaN or an infinity; a number is 0 to 1")
    if actions.size and (actions.min() < 0 or actions.max() > 1):
        raise LearningError(
            f"{whose}: {actions} is not between 0 and 1; clip it (gymnasium.wrappers.ClipAction)"
        )
    return actions
