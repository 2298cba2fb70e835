"""Episodes of some environments in the engine, each on one of its threads."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._multihop import Environments
from ..engine.errors import LearningError
from ..results.result import Result
from .features import features
from .task import Checked, World

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass
class Place:
    """An environment: its random numbers, and its episode if one has begun."""

    random: np.random.Generator
    world: World | None = None
    seed: int = 0
    # The simulated time in s, and whether the episode has no steps left.
    time_s: float = 0.0
    over: bool = False

    @property
    def goes_on(self) -> bool:
        """Whether the episode has steps left."""
        return self.world is not None and not self.over

    @property
    def info(self) -> dict[str, Any]:
        """What is said of an episode: its seed, what was drawn, and the simulated time in s."""
        vary = dict(self.world.values) if self.world else {}
        return {"seed": self.seed, "vary": vary, "time_s": self.time_s}


class Known(NamedTuple):
    """What is known at the end of a step.

    `features` has a row for each node of each environment, and `acts` says of each agent whether
    its next action counts.
    """

    features: NDArray[np.float64]
    acts: NDArray[np.bool_]


class Episodes:
    """The environments of a task."""

    def __init__(self, checked: Checked, count: int = 1, threads: int | None = None) -> None:
        self.checked = checked
        self.places = [Place(np.random.default_rng()) for _ in range(count)]
        threads = min(count, threads or os.cpu_count() or 1)
        self._engine = Environments(
            threads,
            (checked.step.nanoseconds, checked.step.event),
            [(one.name, one.low, one.high) for one in checked.controls],
            checked.asks("busy") or checked.asks("sending"),
            checked.asks("overheard"),
        )

    def begin(self, numbers: Sequence[int], options: Mapping[str, Any] | None = None) -> Known:
        """Begin an episode in these environments."""
        drawn = []
        for number in numbers:
            place = self.places[number]
            world, seed = self.checked.draw(place.random, options)
            place.world = None
            drawn.append((number, world, seed))
        jobs = [(number, world.json(seed), list(world.nodes)) for number, world, seed in drawn]
        found = self._engine.begin(jobs)
        for number, world, seed in drawn:
            place = self.places[number]
            place.world, place.seed = world, seed
        return self._known(numbers, *found)

    def step(self, numbers: Sequence[int], actions: NDArray[np.floating]) -> Known:
        """Go on by a control step; `actions` has a row for each agent of each environment."""
        places = [self.places[number] for number in numbers]
        before = [place.world for place in places]
        for place in places:  # what fails has no episode
            place.world = None
        found = self._engine.step(list(numbers), actions.astype(np.float64).ravel())
        for place, world in zip(places, before, strict=True):
            place.world = world
        return self._known(numbers, *found)

    def _known(
        self,
        numbers: Sequence[int],
        known: NDArray[np.float64],
        acts: NDArray[np.bool_],
        times: NDArray[np.float64],
        over: NDArray[np.bool_],
    ) -> Known:
        """Return what the engine says of these environments, and keep what is said of episodes."""
        # It answers in the order of their numbers.
        for number, time_s, is_over in zip(sorted(numbers), times, over, strict=True):
            place = self.places[number]
            place.time_s, place.over = float(time_s), bool(is_over)
        size = self.checked.size
        any_acts: NDArray[np.bool_] = np.logical_or.reduce(acts.reshape(-1, size), axis=1)
        return Known(known.reshape(-1, len(features())), any_acts)

    def result(self, number: int) -> Result:
        """Go on to the end of an environment's run as the last actions have it; its tables."""
        place = self.places[number]
        if place.world is None:
            raise LearningError("there is no episode; reset the environment first")
        place.world = None
        return Result.from_columns(self._engine.finish(number))
