"""A Gymnasium environment: one agent in a scenario."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.errors import LearningError
from ..results.result import Result
from . import controls
from .episodes import Episodes
from .extras import gymnasium
from .spaces import actions, observations
from .task import Task

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Environment(gymnasium.Env[Any, Any]):
    """One agent that acts in the runs of a task.

    Actions are an array of one number between 0 and 1 for each control, observations one of the
    observed features, both in the order of the task (of the agent "network", one node after the
    other). `reset(seed=...)` gives the same episode bit by bit. Without a seed, the next episode of
    that series begins; `info` always has the run's seed, and the simulated time (`time_s`). An
    episode ends with the scenario's duration (`truncated`).
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 (as the base class has it)

    def __init__(self, task: Task) -> None:
        checked = task.checked()
        agents = {world.agents for world in checked.worlds}
        if any(len(names) > 1 for names in agents):
            names = next(names for names in agents if len(names) > 1)
            raise LearningError(
                f"there are {len(names)} agents ({', '.join(names)}), and a Gymnasium environment "
                "has one; name one of them in `agents`, or use ParallelEnvironment or "
                "VectorEnvironment"
            )
        self.task = task
        self.action_space = actions(checked)
        self.observation_space = observations(checked)
        self._episodes = Episodes(checked)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin an episode; `options` may give its run's `seed`, and its scenario as `vary`."""
        super().reset(seed=seed)
        place = self._episodes.places[0]
        place.random = self.np_random
        known = self._episodes.begin([0], options)
        return self._episodes.checked.seen(known.features)[0], place.info

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Act for one control step; refused where no episode goes on."""
        place, checked = self._episodes.places[0], self._episodes.checked
        if not place.goes_on:
            raise gymnasium.error.ResetNeeded(
                "no episode goes on: none has begun, or it is over; call reset()"
            )
        row = controls.checked(action, (checked.actions,), "action")
        known = self._episodes.step([0], row[np.newaxis]).features
        reward = float(checked.rewards(known)[0])
        return checked.seen(known)[0], reward, False, not place.goes_on, place.info

    def result(self) -> Result:
        """Go on to the end of the run with the last action, and return its tables, as `run` does.

        The episode is over then.
        """
        return self._episodes.result(0)
