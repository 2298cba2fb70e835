"""Episodes of some environments in the engine, each on one of its threads."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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
    done: int = 0

    @property
    def goes_on(self) -> bool:
        """Whether the episode has steps left."""
        return self.world is not None and self.done < self.world.steps

    @property
    def info(self) -> dict[str, Any]:
        """What is said of an episode: its seed, and what was drawn."""
        return {"seed": self.seed, "vary": dict(self.world.values) if self.world else {}}


class Episodes:
    """The environments of a task."""

    def __init__(self, checked: Checked, count: int = 1, threads: int | None = None) -> None:
        self.checked = checked
        self.places = [Place(np.random.default_rng()) for _ in range(count)]
        threads = min(count, threads or os.cpu_count() or 1)
        self._engine = Environments(
            threads,
            checked.step_ns,
            [(one.name, one.low, one.high) for one in checked.controls],
            checked.asks("busy") or checked.asks("sending"),
            checked.asks("overheard"),
        )

    def begin(
        self, numbers: Sequence[int], options: Mapping[str, Any] | None = None
    ) -> NDArray[np.float64]:
        """Begin an episode in these environments; return what is known, rows by features."""
        drawn = []
        for number in numbers:
            place = self.places[number]
            world, seed = self.checked.draw(place.random, options)
            place.world = None
            drawn.append((number, world, seed))
        jobs = [(number, world.json(seed), list(world.agents)) for number, world, seed in drawn]
        known = self._engine.begin(jobs)
        for number, world, seed in drawn:
            place = self.places[number]
            place.world, place.seed, place.done = world, seed, 0
        return known.reshape(-1, len(features()))

    def step(self, numbers: Sequence[int], actions: NDArray[np.floating]) -> NDArray[np.float64]:
        """Go on by a control step; `actions` has a row for each agent of each environment."""
        places = [self.places[number] for number in numbers]
        before = [place.world for place in places]
        for place in places:  # what fails has no episode
            place.world = None
        known = self._engine.step(list(numbers), actions.astype(np.float64).ravel())
        for place, world in zip(places, before, strict=True):
            place.world, place.done = world, place.done + 1
        return known.reshape(-1, len(features()))

    def result(self, number: int) -> Result:
        """Go on to the end of an environment's run as the last actions have it; its tables."""
        place = self.places[number]
        if place.world is None:
            raise LearningError("there is no episode; reset the environment first")
        place.world = None
        return Result.from_columns(self._engine.finish(number))
