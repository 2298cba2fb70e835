"""A task: a scenario, who acts in it, by what, on what grounds, and for what."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._multihop import gym_agents, gym_weights, network
from ..engine.errors import LearningError, ScenarioError
from ..scenario.form import Given, as_base
from ..sweeping.sweeps import combinations
from . import controls
from .controls import Control
from .features import ORACLE, SENDER, features, index_of
from .steps import EVENTS, NANOSECONDS, Event, Step

if TYPE_CHECKING:
    from numpy.typing import NDArray

Reward = Mapping[str, float] | Callable[[dict[str, float]], float]

OBSERVED = ("queue", "busy", "sending", "sent", "failed")
REWARD = {"delivered_all": 1e-3}
# The scheme whose windows can be controlled.
WINDOWED = "newreno"
# Every combination of what varies is a scenario that is checked before anything is run.
MOST_SCENARIOS = 1000
# Seeds of episodes: none of them is one of `compare`, of sweeps, or of `tune` and its tests.
SEEDS = (2**31, 2**32)
# One agent that has all nodes in its hands.
NETWORK = "network"
# The control that all nodes have to know of.
WEIGHT = "weight"


class World(NamedTuple):
    """One of the scenarios of a task, without its seed."""

    values: dict[str, Any]
    tables: dict[str, Any]
    agents: tuple[str, ...]
    # Those of the agents: one each, or all of one agent.
    nodes: tuple[str, ...]
    # Whether a flow begins at an agent.
    sends: bool
    # Those of the nodes.
    schemes: frozenset[str]

    def json(self, seed: int) -> str:
        """Return the scenario of an episode."""
        return json.dumps({**self.tables, "seed": seed})


@dataclass(frozen=True)
class Task:
    """What is to be learned.

    `agents` are "senders" (nodes at which flows begin), "relays" (nodes at which none begins or
    ends), "nodes", names of nodes, or "network": one agent that has all nodes in its hands. Each
    node has the controls in `control` (`gym.controls.KINDS`, or `Control` for other ends), and
    after every control step it shows the features in `observe` (`gym.features()`). The arrays of
    the agent "network" have those of all nodes, one node after the other.

    A `step` is a time, as in "100 ms", or ends at an event at the agent's node, by its name in
    `gym.steps.EVENTS`, or as `gym.Event`, which says how long the step is at most. With several
    agents, the environment stops when any agent's step ends.

    The `reward` of a node is a sum of features with weights, or a function of a dictionary of all
    of them; that of "network" is the mean over its nodes. Every episode draws a value of each key
    in `vary`. An episode is a run of the scenario from the end of its warm-up on.

    Features that nobody in a real network knows may be in a reward. In `observe` they need
    `oracle=True`, because a policy that sees them cannot run on real nodes.
    """

    scenario: Given
    agents: str | Sequence[str] = "senders"
    control: Sequence[str | Control] = ("pace",)
    observe: Sequence[str] = OBSERVED
    reward: Reward = field(default_factory=lambda: dict(REWARD))
    step: str | Event = "100 ms"
    vary: Mapping[str, Iterable[Any]] = field(default_factory=dict)
    oracle: bool = False

    def checked(self) -> Checked:
        """Check everything, with every scenario; errors name the argument and a remedy."""
        chosen = controls.read(self.control)
        observed = self._observed()
        weights = self._weights()
        step = Step.of(self.step)
        worlds = self._worlds(chosen, observed, step)
        size = len(worlds[0].nodes) // len(worlds[0].agents)
        return Checked(self, step, chosen, observed, weights, worlds, size)

    def _observed(self) -> NDArray[np.intp]:
        if isinstance(self.observe, str):
            raise LearningError(
                f"observe: '{self.observe}' is a text; write a list, as in ['{self.observe}']"
            )
        places = [index_of(name, "observe") for name in self.observe]
        if not places:
            raise LearningError("observe: there is nothing; name a feature (gym.features())")
        names = list(self.observe)
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise LearningError(f"observe: '{twice}' is named twice; name it once")
        for at in places:
            feature = features()[at]
            if feature.known == ORACLE and not self.oracle:
                raise LearningError(
                    f"observe: '{feature.name}' is known to nobody in a real network (oracle), and "
                    "a policy that sees it cannot run there; use it in a reward, or give "
                    "oracle=True"
                )
        return np.array(places)

    def _weights(self) -> NDArray[np.float64] | None:
        """Return the weight of every feature; `None` if the reward is a function."""
        if callable(self.reward):
            return None
        if not isinstance(self.reward, Mapping) or not self.reward:
            raise LearningError(
                f"reward: {self.reward!r} is neither a function nor weights of features, as in "
                '{"delivered": 1e-3, "delay": -1}'
            )
        found = np.zeros(len(features()))
        for name, weight in self.reward.items():
            at = index_of(name, "reward")
            if not (isinstance(weight, int | float) and math.isfinite(weight)):
                raise LearningError(f"reward: the weight of '{name}' is {weight!r}, no number")
            found[at] = weight
        return found

    def _worlds(
        self, chosen: Sequence[Control], observed: NDArray[np.intp], step: Step
    ) -> tuple[World, ...]:
        vary = {key: list(values) for key, values in self.vary.items()}
        if "seed" in vary:
            raise LearningError("vary: every episode has a seed of its own; leave seed out")
        count = math.prod(len(values) for values in vary.values())
        if count > MOST_SCENARIOS:
            raise LearningError(
                f"vary: {count} combinations are more than {MOST_SCENARIOS}; give fewer values"
            )
        base = as_base(self.scenario)
        worlds = tuple(
            self._world(values, base.override(values, "vary"), step)
            for values in combinations(vary)
        )
        sizes = sorted({len(world.nodes) for world in worlds})
        if self.agents == NETWORK and len(sizes) > 1:
            raise LearningError(
                f"vary: scenarios have from {sizes[0]} to {sizes[-1]} nodes, and the arrays of the "
                'agent "network" have one shape; let "nodes" act, or vary other keys'
            )
        names = {one.name for one in chosen}
        asks = [features()[at].name for at in observed if features()[at].known == SENDER]
        if step.event is not None and EVENTS[step.event][1]:
            asks.append(f"event '{step.event}'")
        for world in worlds:
            if "window" in names and (
                other := next((s for s in world.schemes if s != WINDOWED), None)
            ):
                raise LearningError(
                    f"control 'window' is of '{WINDOWED}', and the scheme is '{other}'; control "
                    "the pace, or set scheme.name"
                )
            what = asks[:1] or [f"control '{name}'" for name in ("pace", "window") if name in names]
            if what and not world.sends:
                raise LearningError(
                    f"{what[0]} is about flows that begin at agents, and none does at "
                    f"{', '.join(world.nodes)}; let senders act, or leave it out"
                )
            if WEIGHT in names:
                self._check_weights(world)
        return worlds

    def _check_weights(self, world: World) -> None:
        try:
            gym_weights(world.json(0))
        except ScenarioError:
            raise
        except ValueError as error:
            raise LearningError(f"control: {error}") from None

    def _world(self, values: dict[str, Any], scenario: Any, step: Step) -> World:
        tables = scenario.to_dict()
        tables.pop("seed", None)
        known = network(scenario.json)
        names = [row[0] for row in known["nodes"]]
        begins = {names[ends[0]] for _, ends in known["flows"]}
        is_word = isinstance(self.agents, str)
        is_one = self.agents == NETWORK
        word = "nodes" if is_one else str(self.agents)
        given = [word] if is_word else [str(name) for name in self.agents]
        try:
            nodes = gym_agents(scenario.json, given, is_word)
        except ScenarioError:
            raise
        except ValueError as error:
            raise LearningError(f"agents: {error}") from None
        length = known["duration_ns"] - known["warmup_ns"]
        if step.event is None and length < step.nanoseconds:
            raise LearningError(
                f"step: a control step of {step.seconds:g} s is longer than an episode, which is "
                f"{length / NANOSECONDS:g} s after the warm-up; take a shorter one"
            )
        if length <= 0:
            raise LearningError("duration: nothing is left of an episode; make it longer")
        own = dict(zip(names, (scheme for _, scheme in known["own"]), strict=True))
        schemes = frozenset(own[name] or known["scheme"] for name in nodes)
        agents = (NETWORK,) if is_one else tuple(nodes)
        return World(values, tables, agents, tuple(nodes), bool(begins & set(nodes)), schemes)


class Checked(NamedTuple):
    """A task that was checked."""

    task: Task
    step: Step
    controls: tuple[Control, ...]
    observed: NDArray[np.intp]
    weights: NDArray[np.float64] | None
    worlds: tuple[World, ...]
    # How many nodes an agent has.
    size: int

    @property
    def actions(self) -> int:
        """How many numbers the action of an agent has."""
        return self.size * len(self.controls)

    def asks(self, name: str) -> bool:
        """Whether a feature that costs something is asked for."""
        at = index_of(name, "")
        return self.weights is None or self.weights[at] != 0 or at in self.observed

    def seen(self, known: NDArray[np.float64]) -> NDArray[np.float32]:
        """Return what agents see, a row each, of all that is known (nodes by features)."""
        return (
            known[:, self.observed].astype(np.float32).reshape(-1, self.size * len(self.observed))
        )

    def rewards(self, known: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the reward of every agent."""
        found: NDArray[np.float64] = self._rewards(known).reshape(-1, self.size).mean(axis=1)
        return found

    def _rewards(self, known: NDArray[np.float64]) -> NDArray[np.float64]:
        if self.weights is not None:
            found: NDArray[np.float64] = known @ self.weights
            return found
        assert callable(self.task.reward)
        names = [feature.name for feature in features()]
        rows = [dict(zip(names, map(float, row), strict=True)) for row in known]
        return np.array([self._rewarded(row) for row in rows])

    def _rewarded(self, row: dict[str, float]) -> float:
        assert callable(self.task.reward)
        found = self.task.reward(row)
        try:
            number = float(found)
        except (TypeError, ValueError):
            number = math.nan
        if not math.isfinite(number):
            raise LearningError(
                f"reward: the function returns {found!r} for {row}; return a number"
            )
        return number

    def draw(
        self, random: np.random.Generator, options: Mapping[str, Any] | None
    ) -> tuple[World, int]:
        """Draw scenario and seed of an episode; `options` may give both, as `vary` and `seed`.

        Other options are those of wrappers.
        """
        world = self.worlds[int(random.integers(len(self.worlds)))]
        seed = int(random.integers(*SEEDS))
        given = options or {}
        if "vary" in given:
            wanted = given["vary"]
            found = [one for one in self.worlds if one.values == wanted]
            if not found:
                raise ScenarioError(
                    f"options: {wanted!r} is no scenario of this task; see its vary"
                )
            world = found[0]
        if "seed" in given:
            seed = given["seed"]
            if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
                raise LearningError(
                    f"options: the seed is {seed!r}; write a whole number from 0 on"
                )
        return world, seed
