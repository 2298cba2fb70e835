"""The example of stable-baselines3, which is not installed: its interface, and what is kept of PPO.

`VecEnv` here has the abstract methods of stable_baselines3.common.vec_env.base_vec_env.VecEnv 2.x.
"""

from __future__ import annotations

import abc
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from multihop import gym
from multihop.gym.controls import Control
from tests import learning
from tests.test_gym import chain

SCALE = (10, 0.5, 50)


class VecEnv(abc.ABC):
    """What stable-baselines3 asks of environments."""

    def __init__(self, num_envs: int, observation_space: Any, action_space: Any) -> None:
        self.num_envs = num_envs
        self.observation_space = observation_space
        self.action_space = action_space
        # It looks for the render mode when it is made.
        self.get_attr("metadata")

    @abc.abstractmethod
    def reset(self) -> Any: ...

    @abc.abstractmethod
    def step_async(self, actions: Any) -> None: ...

    @abc.abstractmethod
    def step_wait(self) -> Any: ...

    @abc.abstractmethod
    def close(self) -> None: ...

    @abc.abstractmethod
    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]: ...

    @abc.abstractmethod
    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None: ...

    @abc.abstractmethod
    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]: ...

    @abc.abstractmethod
    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]: ...

    def step(self, actions: Any) -> Any:
        self.step_async(actions)
        return self.step_wait()

    def seed(self, seed: int) -> None:
        self._seeds = [seed + at for at in range(self.num_envs)]

    def _get_indices(self, indices: Any) -> Any:
        return range(self.num_envs) if indices is None else indices


@pytest.fixture
def sb3(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """Return the script, where `VecEnv` can be imported."""
    for name in ("stable_baselines3", "stable_baselines3.common"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    known = ModuleType("stable_baselines3.common.vec_env")
    known.VecEnv = VecEnv  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, known.__name__, known)
    with learning.scripts("sb3") as (script,):
        yield script


def task(step: str | gym.Event = "100 ms") -> gym.Task:
    """Return a task whose episodes have 30 steps, if steps are of a time."""
    return gym.Task(
        chain(),
        control=[Control("pace", 0.01, 0.5)],
        observe=["queue", "busy", "sent"],
        reward={"delivered_all": 1e-5},
        step=step,
    )


@pytest.mark.parametrize("step", ["100 ms", "sent"])
def test_episodes_follow_each_other_as_stable_baselines3_wants_it(
    sb3: ModuleType, step: str
) -> None:
    env = sb3.vectorised(task(step), 4, SCALE)
    env.seed(3)
    seen = env.reset()
    assert seen.shape == (4, 3)
    assert env.get_attr("agents_each") == [1] * 4
    assert env.env_is_wrapped(object) == [False] * 4
    dones = 0
    for _ in range(150):
        # Beyond the ends, as a Gaussian draws.
        seen, rewards, over, infos = env.step(np.linspace(-0.5, 1.5, 4).reshape(4, 1))
        assert (seen.shape, rewards.shape, len(infos)) == ((4, 3), (4,), 4)
        assert np.isfinite(rewards).all()
        assert seen.dtype == np.float32
        for at, info in enumerate(infos):
            assert bool(info) == over[at]
            if info:
                dones += 1
                assert info["TimeLimit.truncated"]
                assert info["terminal_observation"].shape == (3,)
    assert dones >= 4
    env.close()


def test_a_first_observation_is_that_of_a_new_episode(sb3: ModuleType) -> None:
    env = sb3.vectorised(task(), 2, (1, 1, 1))
    env.seed(5)
    env.reset()
    plain = gym.VectorEnvironment(task(), 2)
    plain.reset(seed=5)
    action = np.full((2, 1), 0.4)
    for number in range(30):
        seen, rewards, over, infos = env.step(action)
        expected = plain.step(action)
        assert np.array_equal(rewards, expected[1])
        assert over.all() == (number == 29)
    assert np.array_equal(np.stack([info["terminal_observation"] for info in infos]), expected[0])
    assert np.array_equal(seen, plain.step(action)[0])


def test_a_network_of_ppo_is_a_policy(sb3: ModuleType) -> None:
    random = np.random.default_rng(2)
    state = {
        "log_std": np.zeros(1),
        "mlp_extractor.policy_net.0.weight": random.normal(size=(8, 3)),
        "mlp_extractor.policy_net.0.bias": random.normal(size=8),
        "mlp_extractor.policy_net.2.weight": random.normal(size=(5, 8)),
        "mlp_extractor.policy_net.2.bias": random.normal(size=5),
        "mlp_extractor.value_net.0.weight": random.normal(size=(8, 3)),
        "mlp_extractor.value_net.0.bias": random.normal(size=8),
        "action_net.weight": random.normal(size=(1, 5)) / 5,
        "action_net.bias": np.full(1, 0.5),
        "value_net.weight": random.normal(size=(1, 8)),
    }
    policy = gym.Policy.of(task(), sb3.layers(state), scale=SCALE)
    seen = random.uniform(0, 20, size=(50, 3)).astype(np.float32)
    values = seen / np.array(SCALE)
    for at in (0, 2):
        weights, bias = (
            state[f"mlp_extractor.policy_net.{at}.{what}"] for what in ("weight", "bias")
        )
        values = np.tanh(values @ weights.T + bias)
    expected = np.clip(values @ state["action_net.weight"].T + state["action_net.bias"], 0, 1)
    assert policy.act(seen) == pytest.approx(expected, abs=1e-5)
    assert len(np.unique(expected)) > 10
