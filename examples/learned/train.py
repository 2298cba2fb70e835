"""Train a policy by an evolution strategy: `python examples/learned/train.py pace`.

CMA-ES (`pip install cma`) proposes the weights of a small network, and the engine runs scenarios
with them. Every generation draws its networks and seeds anew, the same for all proposals. What is
sought is proportional fairness less a share of the delay: the mean over flows of the logarithm of
the goodput, and a tenth of that of the network delay.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from studies import HIDDEN, SCALES, STUDIES, TRAINING, Study

from multihop import Result, Scenario, gym, run_many
from multihop.gym.task import SEEDS

# In bit/s and s. Less counts as much as this: a flow that starves has no logarithm.
LEAST_GOODPUT, LEAST_DELAY = 1000.0, 0.001
SHARE_OF_DELAY = 0.1
# The delay of a run that delivers nothing.
LONGEST_DELAY = 20.0
RUNS, PROPOSALS, GENERATIONS = 12, 16, 60


def layers(weights: NDArray[np.float64], study: Study) -> list[gym.Layer]:
    """Return the network that has these weights."""
    inputs, outputs = len(SCALES), len(study.control)
    cuts = np.cumsum([HIDDEN * inputs, HIDDEN, outputs * HIDDEN])
    one, bias, two, last = np.split(weights, cuts)
    return [
        gym.Layer(one.reshape(HIDDEN, inputs), bias, "tanh"),
        gym.Layer(two.reshape(outputs, HIDDEN), last, "sigmoid"),
    ]


def count(study: Study) -> int:
    """Return how many weights the network of a study has."""
    inputs, outputs = len(SCALES), len(study.control)
    return HIDDEN * (inputs + 1) + outputs * (HIDDEN + 1)


def policy(weights: NDArray[np.float64], study: Study, about: str = "") -> gym.Policy:
    """Return the policy of a network with these weights."""
    mean, scale = zip(*SCALES.values(), strict=True)
    task = gym.Task(study.scenario(), study.agents, study.control, list(SCALES))
    return gym.Policy.of(task, layers(weights, study), mean=mean, scale=scale, about=about)


def worth(result: Result) -> float:
    """Return what a run is worth."""
    goodput = np.maximum(result.flows["goodput_bit_s"].to_numpy(), LEAST_GOODPUT)
    delay = result.runs["network_delay_mean_s"][0]
    delay = LONGEST_DELAY if delay is None or not math.isfinite(delay) else max(delay, LEAST_DELAY)
    return float(np.log(goodput).mean() - SHARE_OF_DELAY * math.log(delay))


def draw(random: np.random.Generator, study: Study, runs: int) -> list[Scenario]:
    """Draw networks and seeds of the training."""
    base = study.scenario()
    drawn = []
    for _ in range(runs):
        values: dict[str, Any] = {
            key: given[int(random.integers(len(given)))] for key, given in TRAINING.items()
        }
        drawn.append(base.with_(seed=int(random.integers(*SEEDS)), **values))
    return drawn


def worths(
    proposals: Sequence[NDArray[np.float64]], scenarios: Sequence[Scenario], study: Study
) -> list[float]:
    """Return the mean worth of each proposal over the same scenarios."""
    texts = [policy(np.asarray(weights), study).text for weights in proposals]
    given = [one.with_(**{"policy.text": text}) for text in texts for one in scenarios]
    found = [worth(result) for result in run_many(given, progress=False)]
    return np.array(found).reshape(len(texts), -1).mean(axis=1).tolist()  # type: ignore[no-any-return]


def train(
    study: Study,
    generations: int = GENERATIONS,
    *,
    runs: int = RUNS,
    seed: int = 1,
    tell: Callable[[str], None] = print,
) -> gym.Policy:
    """Train, and return the mean of the last distribution of weights."""
    import cma

    random = np.random.default_rng(seed)
    options = {"seed": seed, "popsize": PROPOSALS, "verbose": -9}
    search = cma.CMAEvolutionStrategy(np.zeros(count(study)), 0.5, options)
    for generation in range(1, generations + 1):
        proposals = search.ask()
        found = worths(proposals, draw(random, study, runs), study)
        search.tell(proposals, [-one for one in found])
        tell(f"{generation:3} of {generations}: {np.mean(found):.3f}, best {max(found):.3f}")
    about = (
        f"examples/learned/train.py {study.name}: CMA-ES, {generations} generations of {PROPOSALS} "
        f"proposals in {runs} runs each, seed {seed}"
    )
    return policy(search.result.xfavorite, study, about)


def main() -> None:
    """Train what is named, and keep its weights beside this file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("study", choices=[study.name for study in STUDIES])
    parser.add_argument("--generations", type=int, default=GENERATIONS)
    given = parser.parse_args()
    study = next(study for study in STUDIES if study.name == given.study)
    train(study, given.generations).save(study.file)


if __name__ == "__main__":
    main()
