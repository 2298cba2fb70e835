"""A PettingZoo environment: several agents that act at the same time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..engine.errors import LearningError
from ..results.result import Result
from . import controls
from .episodes import Episodes, Known
from .extras import gymnasium, pettingzoo
from .spaces import actions, observations
from .task import Task

if TYPE_CHECKING:
    from numpy.typing import NDArray

Observations = dict[str, "NDArray[np.float32]"]


class ParallelEnvironment(pettingzoo.ParallelEnv):  # type: ignore[misc]
    """All agents of a task, by the names of their nodes.

    Where scenarios differ in their nodes, `agents` has those of the episode, and `possible_agents`
    those of all. Everything else is as in `Environment`. A node that restarts stays an agent: it
    is told its last action again.

    Where steps end at events, the environment stops when any agent's step ends. `infos` say of each
    agent whether its has (`acts`). Of the others, actions do not count, and they see what they saw
    last.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "multihop", "render_modes": []}
    render_mode = None

    def __init__(self, task: Task) -> None:
        self.task = task
        checked = task.checked()
        self.possible_agents = list(
            dict.fromkeys(name for world in checked.worlds for name in world.agents)
        )
        self.agents: list[str] = []
        self.action_spaces = {name: actions(checked) for name in self.possible_agents}
        self.observation_spaces = {name: observations(checked) for name in self.possible_agents}
        self._episodes = Episodes(checked)

    def action_space(self, agent: str) -> gymnasium.spaces.Box:
        """Return the space of an agent's actions; always the same object."""
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> gymnasium.spaces.Box:
        """Return the space of an agent's observations; always the same object."""
        return self.observation_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, dict[str, Any]]]:
        """Begin an episode, as `Environment.reset` does."""
        place = self._episodes.places[0]
        if seed is not None:
            place.random = np.random.default_rng(seed)
        self.agents = []
        known = self._episodes.begin([0], options)
        assert place.world is not None
        self.agents = list(place.world.agents)
        seen = self._episodes.checked.seen(known.features)
        return dict(zip(self.agents, seen, strict=True)), self._infos(known)

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        Observations, dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """Let every agent act for one control step."""
        place, checked = self._episodes.places[0], self._episodes.checked
        if not place.goes_on:
            raise gymnasium.error.ResetNeeded(
                "no episode goes on: none has begun, or it is over; call reset()"
            )
        names = list(self.agents)
        if actions.keys() != set(names):
            lacking = [name for name in names if name not in actions]
            more = [name for name in actions if name not in names]
            raise LearningError(
                f"actions: {', '.join(lacking) or 'no agent'} lacks one, and "
                f"{', '.join(map(str, more)) or 'nobody'} is no agent; give one for each of "
                f"{', '.join(names)}"
            )
        shape = (checked.actions,)
        rows = [controls.checked(actions[name], shape, f"action of {name}") for name in names]
        known = self._episodes.step([0], np.stack(rows))
        over = not place.goes_on
        found = (
            dict(zip(names, checked.seen(known.features), strict=True)),
            dict(zip(names, map(float, checked.rewards(known.features)), strict=True)),
            dict.fromkeys(names, False),
            dict.fromkeys(names, over),
            self._infos(known),
        )
        if over:
            self.agents = []
        return found

    def _infos(self, known: Known) -> dict[str, dict[str, Any]]:
        info = self._episodes.places[0].info
        acts = map(bool, known.acts)
        return {name: {**info, "acts": one} for name, one in zip(self.agents, acts, strict=True)}

    def result(self) -> Result:
        """Go on to the end of the run with the last actions, and return its tables."""
        self.agents = []
        return self._episodes.result(0)
