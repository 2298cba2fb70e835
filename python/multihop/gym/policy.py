"""A trained policy as data: a small neural network, with what it sees and what it does by name.

>>> policy = Policy.of(task, layers, mean=[20, 0.5], scale=[10, 0.3])
>>> policy.save("pace.json")
>>> multihop.run(Scenario.from_file("chain.toml", {"policy.file": "pace.json"}))
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._multihop import PolicyData
from ..engine.errors import LearningError, OutputError
from .features import features
from .task import NETWORK, Task

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

VERSION = 1
ACTIVATIONS = ("linear", "tanh", "relu", "sigmoid")
# Weights are written with so many digits: nine tell all numbers of 32 bits apart.
DIGITS = 9


@dataclass(frozen=True)
class Layer:
    """A layer: `weights` (outputs by inputs), `bias` (outputs), and what becomes of the sums."""

    weights: ArrayLike
    bias: ArrayLike
    activation: str = "linear"

    def written(self, where: str) -> dict[str, Any]:
        """Return it as a file has it."""
        if self.activation not in ACTIVATIONS:
            raise LearningError(
                f"{where}.activation: there is no '{self.activation}'; there are: "
                f"{', '.join(ACTIVATIONS)}"
            )
        return {
            "weights": _numbers(self.weights, 2, f"{where}.weights"),
            "bias": _numbers(self.bias, 1, f"{where}.bias"),
            "activation": self.activation,
        }


@dataclass(frozen=True)
class Policy:
    """A policy as the text of its file (JSON), which is checked by the engine.

    A scenario names it as `policy.file`, and runs it without Python: in `run`, sweeps, `compare`,
    the playground.
    """

    text: str

    def __post_init__(self) -> None:
        # Whoever makes one learns at once what is wrong with it.
        _ = self._data

    @cached_property
    def _data(self) -> PolicyData:
        try:
            return PolicyData(self.text)
        except ValueError as error:
            raise LearningError(str(error)) from None

    @classmethod
    def of(
        cls,
        task: Task,
        layers: Sequence[Layer],
        *,
        mean: ArrayLike | None = None,
        scale: ArrayLike | None = None,
        about: str = "",
    ) -> Policy:
        """Make the policy of a network that was trained for a task.

        Its inputs are the observations of the task, less `mean` and divided by `scale` (an array of
        as many numbers each). Its outputs are the actions, cut to 0 and 1.
        """
        checked = task.checked()
        names = [features()[at].name for at in checked.observed]
        means = _numbers(np.zeros(len(names)) if mean is None else mean, 1, "mean")
        scales = _numbers(np.ones(len(names)) if scale is None else scale, 1, "scale")
        for what, numbers in (("mean", means), ("scale", scales)):
            if len(numbers) != len(names):
                raise LearningError(
                    f"{what}: there are {len(numbers)} numbers; give {len(names)}, one for each "
                    "observed feature"
                )
        if task.agents == NETWORK:
            raise LearningError(
                'agents: a policy decides for one node by itself, and the agent "network" for all; '
                "train nodes that decide alone"
            )
        form = {
            "policy": VERSION,
            "about": about,
            "step_s": checked.step.seconds,
            **({} if checked.step.event is None else {"event": checked.step.event}),
            "agents": task.agents if isinstance(task.agents, str) else list(task.agents),
            "observe": [
                {"feature": name, "mean": low, "scale": by}
                for name, low, by in zip(names, means, scales, strict=True)
            ],
            "control": [
                {"name": one.name, "low": one.low, "high": one.high} for one in checked.controls
            ],
            "layers": [layer.written(f"layers[{at}]") for at, layer in enumerate(layers)],
        }
        return cls(json.dumps(form))

    @classmethod
    def load(cls, path: str | Path) -> Policy:
        """Read the file of a policy."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise LearningError(f"{path}: cannot be read: {error}; check the path") from None
        try:
            return cls(text)
        except LearningError as error:
            raise LearningError(f"{path} is no policy: {error}") from None

    def save(self, path: str | Path) -> None:
        """Write the file of a policy."""
        form = json.loads(self.text)
        keys = ",\n ".join(f"{json.dumps(key)}: {_lines(value)}" for key, value in form.items())
        try:
            Path(path).write_text(f"{{\n {keys}\n}}\n", encoding="utf-8")
        except OSError as error:
            raise OutputError(f"cannot write '{path}': {error.strerror}; name another") from None

    def act(self, seen: ArrayLike) -> NDArray[np.float32]:
        """Return the actions for observations: an array of one row, or of rows.

        They are what a node does in a scenario with this policy, bit by bit.
        """
        given = np.asarray(seen, dtype=np.float32)
        form = json.loads(self.text)
        inputs, outputs = len(form["observe"]), len(form["control"])
        if given.ndim not in (1, 2) or given.shape[-1] != inputs:
            raise LearningError(
                f"seen: it has shape {given.shape}; a row has {inputs} numbers, one for each "
                "observed feature"
            )
        flat = self._data.act(np.ascontiguousarray(given, dtype=np.float64).ravel())
        return flat.astype(np.float32).reshape(*given.shape[:-1], outputs)


def _lines(value: Any) -> str:
    """Write a value as JSON, tables of a list on a line each."""
    if isinstance(value, list) and all(isinstance(one, dict) for one in value):
        rows = ",\n  ".join(json.dumps(one) for one in value)
        return f"[\n  {rows}\n ]"
    return json.dumps(value)


def _numbers(given: ArrayLike, dimensions: int, what: str) -> list[Any]:
    """Return an array of finite numbers as lists, with as many digits as are written."""
    try:
        numbers = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise LearningError(f"{what}: {given!r} are no numbers; give an array") from None
    if numbers.ndim != dimensions:
        raise LearningError(
            f"{what}: it has shape {numbers.shape}; give an array of {dimensions} dimensions"
        )
    if not np.isfinite(numbers).all():
        raise LearningError(
            f"{what}: there is a NaN or an infinity; the training has diverged, so train anew, "
            "with a smaller step"
        )
    return _rounded(numbers.tolist())


def _rounded(numbers: list[Any]) -> list[Any]:
    return [
        _rounded(one) if isinstance(one, list) else float(f"{one:.{DIGITS}g}") for one in numbers
    ]
