"""Train a pace with stable-baselines3, and keep it as a policy: `python examples/learned/sb3.py`.

It needs `pip install stable-baselines3`, which brings PyTorch, and is no part of the tests: they
check the adapter against the interface of `VecEnv`, and the policy that is made of weights with the
names that PPO gives them. The policies beside this file were trained by `train.py`.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import ArrayLike, NDArray
from studies import PACE, SCALES

from multihop import gym

ENVIRONMENTS, STEPS = 32, 200_000


def vectorised(task: gym.Task, count: int, scale: Sequence[float]) -> Any:
    """Return environments as stable-baselines3 has them; observations are divided by `scale`."""
    from stable_baselines3.common.vec_env import VecEnv

    class Adapter(VecEnv):  # type: ignore[misc]
        """The rows of a `VectorEnvironment`; an episode that is over is followed by the next."""

        def __init__(self) -> None:
            self.env = gym.VectorEnvironment(task, count, autoreset=AutoresetMode.SAME_STEP)
            self.actions: NDArray[Any] | None = None
            super().__init__(
                self.env.num_envs,
                self.env.single_observation_space,
                self.env.single_action_space,
            )

        def reset(self) -> NDArray[Any]:
            seeds = getattr(self, "_seeds", None) or [None]
            return self.env.reset(seed=seeds[0])[0] / np.float32(scale)

        def step_async(self, actions: NDArray[Any]) -> None:
            self.actions = actions

        def step_wait(
            self,
        ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], list[dict[str, Any]]]:
            # What a Gaussian draws beyond the ends is cut to them, as the policy's outputs are.
            actions = np.clip(self.actions, 0, 1)
            seen, rewards, _, over, info = self.env.step(actions)
            infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
            for at in np.flatnonzero(over):
                last = info["final_obs"][at] / np.float32(scale)
                infos[at] = {"terminal_observation": last, "TimeLimit.truncated": True}
            return seen / np.float32(scale), rewards, over, infos

        def close(self) -> None:
            self.env.close()

        def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
            return [getattr(self.env, attr_name)] * len(list(self._get_indices(indices)))

        def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
            setattr(self.env, attr_name, value)

        def env_method(
            self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
        ) -> list[Any]:
            return [getattr(self.env, method_name)(*method_args, **method_kwargs)]

        def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
            return [False] * len(list(self._get_indices(indices)))

    return Adapter()


def layers(weights: Mapping[str, ArrayLike]) -> list[gym.Layer]:
    """Return the network of PPO's actions, of a state by PyTorch's names (`MlpPolicy`, tanh)."""
    part = "mlp_extractor.policy_net."
    numbers = sorted({int(name[len(part) :].split(".")[0]) for name in weights if part in name})
    hidden = [
        gym.Layer(weights[f"{part}{at}.weight"], weights[f"{part}{at}.bias"], "tanh")
        for at in numbers
    ]
    return [*hidden, gym.Layer(weights["action_net.weight"], weights["action_net.bias"])]


def main() -> None:
    """Train, and write the policy."""
    from stable_baselines3 import PPO

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--out", type=Path, default=Path("pace-sb3.json"))
    options = parser.parse_args()
    _, scale = zip(*SCALES.values(), strict=True)
    task = gym.Task(
        PACE.scenario().with_(warmup="1 s", duration="20 s"),
        PACE.agents,
        PACE.control,
        list(SCALES),
        reward={"delivered_all": 1e-5, "lost_all": -1e-2},
    )
    model = PPO("MlpPolicy", vectorised(task, ENVIRONMENTS, scale), seed=1, verbose=1)
    model.learn(options.steps)
    state = {name: value.cpu().numpy() for name, value in model.policy.state_dict().items()}
    gym.Policy.of(task, layers(state), scale=scale, about="PPO").save(options.out)


if __name__ == "__main__":
    main()
