"""Many environments at once, as arrays, on the engine's threads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.errors import LearningError
from . import controls
from .episodes import Episodes
from .extras import gymnasium
from .spaces import actions, observations
from .task import Task

if TYPE_CHECKING:
    from numpy.typing import NDArray


RESETS = (gymnasium.vector.AutoresetMode.NEXT_STEP, gymnasium.vector.AutoresetMode.SAME_STEP)


class VectorEnvironment(gymnasium.vector.VectorEnv):
    """`count` environments of a task; a row of every array is one agent of one of them.

    The rows of an environment lie next to each other: with three agents each, 64 environments have
    192 rows (`num_envs`). All environments have the same number of agents. The engine runs on
    `threads` threads, without the interpreter lock. An environment whose episode is over begins
    another one in the next step, in which its actions are not heeded and its rewards are 0
    (Gymnasium's `NEXT_STEP`). With `SAME_STEP` as `autoreset` it begins at once: the
    observation is the first of the new episode, and `final_obs` in `info` has the last of the old
    one. Where steps end at events, each environment stops at its own, and `acts` in `info` says
    whose actions count.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (as the base class has it)
        "render_modes": [],
        "autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        task: Task,
        count: int,
        threads: int | None = None,
        autoreset: gymnasium.vector.AutoresetMode = gymnasium.vector.AutoresetMode.NEXT_STEP,
    ) -> None:
        if isinstance(count, bool) or not isinstance(count, int) or count < 1:
            raise LearningError(f"count: {count!r} environments; write a whole number from 1 on")
        if threads is not None and threads < 1:
            raise LearningError(f"threads: {threads!r}; write a whole number from 1 on")
        if autoreset not in RESETS:
            raise LearningError(
                f"autoreset: {autoreset!r}; write AutoresetMode.NEXT_STEP or SAME_STEP"
            )
        self.metadata = {**self.metadata, "autoreset_mode": autoreset}
        checked = task.checked()
        sizes = sorted({len(world.agents) for world in checked.worlds})
        if len(sizes) > 1:
            raise LearningError(
                f"vary: scenarios have from {sizes[0]} to {sizes[-1]} agents, and arrays have one "
                "shape; name agents that all of them have, or use ParallelEnvironment"
            )
        self.task = task
        self.agents_each = sizes[0]
        self.num_envs = count * sizes[0]
        self.single_action_space = actions(checked)
        self.single_observation_space = observations(checked)
        batch = gymnasium.vector.utils.batch_space
        self.action_space = batch(self.single_action_space, self.num_envs)
        self.observation_space = batch(self.single_observation_space, self.num_envs)
        self._episodes = Episodes(checked, count, threads)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin an episode everywhere; of one seed, environment i gets `seed` + i."""
        places = self._episodes.places
        if seed is not None:
            seeds = [seed + at for at in range(len(places))] if isinstance(seed, int) else seed
            if len(seeds) != len(places):
                raise LearningError(
                    f"seed: {len(seeds)} seeds for {len(places)} environments; give one for each"
                )
            for place, number in zip(places, seeds, strict=True):
                if number is not None:
                    place.random = np.random.default_rng(number)
        known = self._episodes.begin(range(len(places)), options)
        return self._episodes.checked.seen(known.features), self._infos(known.acts)

    def step(
        self, actions: Any
    ) -> tuple[
        NDArray[np.float32],
        NDArray[np.float64],
        NDArray[np.bool_],
        NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Let all agents act for one control step."""
        places, checked = self._episodes.places, self._episodes.checked
        if any(place.world is None for place in places):
            raise gymnasium.error.ResetNeeded("no episode has begun; call reset()")
        shape = (self.num_envs, checked.actions)
        rows = controls.checked(actions, shape, "actions").reshape(len(places), -1, shape[1])
        on = [at for at, place in enumerate(places) if place.goes_on]
        anew = [at for at, place in enumerate(places) if not place.goes_on]
        count = len(places)
        width = checked.size * len(checked.observed)
        seen = np.empty((count, self.agents_each, width), np.float32)
        rewards = np.zeros((count, self.agents_each))
        acts = np.empty((count, self.agents_each), np.bool_)
        parts = []
        if on:
            found = self._episodes.step(on, rows[on])
            rewards[on] = checked.rewards(found.features).reshape(len(on), -1)
            parts.append((on, found))
        if anew:
            parts.append((anew, self._episodes.begin(anew)))
        for numbers, found in parts:
            seen[numbers] = checked.seen(found.features).reshape(len(numbers), -1, width)
            acts[numbers] = found.acts.reshape(len(numbers), -1)
        over = np.repeat([not place.goes_on for place in places], self.agents_each)
        final = self._begin_at_once(seen, acts) if over.any() else {}
        info = {**self._infos(acts.ravel()), **final}
        return (
            seen.reshape(self.num_envs, -1),
            rewards.ravel(),
            np.zeros_like(over),
            over,
            info,
        )

    def _begin_at_once(
        self, seen: NDArray[np.float32], acts: NDArray[np.bool_]
    ) -> dict[str, NDArray[Any]]:
        """Begin anew what is over, if it is not for the next step; return what was seen last."""
        if self.metadata["autoreset_mode"] != gymnasium.vector.AutoresetMode.SAME_STEP:
            return {}
        anew = [at for at, place in enumerate(self._episodes.places) if not place.goes_on]
        final = np.full((len(seen), self.agents_each), None, object)
        for at in anew:
            for agent in range(self.agents_each):
                final[at, agent] = seen[at, agent].copy()
        known = self._episodes.begin(anew)
        seen[anew] = self._episodes.checked.seen(known.features).reshape(len(anew), *seen.shape[1:])
        acts[anew] = known.acts.reshape(len(anew), -1)
        has_ended = np.array([[one is not None for one in row] for row in final])
        return {"final_obs": final.ravel(), "_final_obs": has_ended.ravel()}

    def _infos(self, acts: NDArray[np.bool_]) -> dict[str, Any]:
        """Return of every row the seed of its run, the time in s, and whether its action counts."""
        places = self._episodes.places
        seeds = np.repeat([place.seed for place in places], self.agents_each)
        times = np.repeat([place.time_s for place in places], self.agents_each)
        return {"seed": seeds, "time_s": times, "acts": acts}
