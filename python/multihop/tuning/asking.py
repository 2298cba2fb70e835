"""Which settings to try next: all where they are few, or else those that Optuna's sampler proposes.

Settings are asked for by the batch, whose size does not depend on the number of workers, and the
sampler's random numbers have a seed: the same search is the same everywhere.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol

from ..engine.errors import MissingExtraError
from .racing import Entry, Target
from .space import Choice, Dimension, Span, settings, size

if TYPE_CHECKING:
    import optuna

BATCH = 8
# Of a search's first settings, which are drawn at random; the sampler learns from these.
AT_RANDOM = 16
SEED = 1


class Asking(Protocol):
    """Proposes settings, and learns what became of them."""

    def ask(self, count: int) -> list[dict[str, Any]]:
        """Return up to so many settings; none if there are no more."""

    def tell(self, entries: Sequence[Entry]) -> None:
        """Learn what became of the settings that were asked for last, in their order."""


class Exhaustive:
    """All settings of a small space, one after another."""

    def __init__(self, space: Sequence[Dimension]) -> None:
        self._left: Iterator[dict[str, Any]] = settings(space)

    def ask(self, count: int) -> list[dict[str, Any]]:
        """Return the next settings."""
        return list(islice(self._left, count))

    def tell(self, entries: Sequence[Entry]) -> None:
        """Nothing is to be learned: all are tried anyway."""


class Proposing:
    """Optuna's sampler: a tree-structured Parzen estimator, which heeds limits.

    Bergstra et al.: Algorithms for hyper-parameter optimization, NeurIPS 2011; Ozaki et al.:
    Multiobjective tree-structured Parzen estimator, J. Artif. Intell. Res. 73, 2022.
    """

    def __init__(self, space: Sequence[Dimension], target: Target, seed: int = SEED) -> None:
        if find_spec("optuna") is None:
            raise MissingExtraError(
                "tuning needs Optuna, which is not installed: pip install 'multihop[tune]' (or "
                "allow as many trials as there are settings: then all of them are tried)"
            )
        import optuna

        self._target = target
        self._space = {one.key: _distribution(one) for one in space}
        self._value = {one.key: one.value for one in space if isinstance(one, Span)}
        with _quiet():
            sampler = optuna.samplers.TPESampler(
                seed=seed,
                n_startup_trials=AT_RANDOM,
                multivariate=True,
                constant_liar=True,
            )
            self._study = optuna.create_study(
                sampler=sampler,
                directions=["maximize"] * len(target.aims),
            )
        self._asked: list[optuna.trial.Trial] = []

    def ask(self, count: int) -> list[dict[str, Any]]:
        """Return settings that are likely to be better than those before."""
        with _quiet():
            self._asked = [self._study.ask(self._space) for _ in range(count)]
        return [
            {
                key: self._value[key](found) if key in self._value else found
                for key, found in trial.params.items()
            }
            for trial in self._asked
        ]

    def tell(self, entries: Sequence[Entry]) -> None:
        """Let the sampler learn."""
        from optuna.trial import TrialState

        with _quiet():
            for trial, entry in zip(self._asked, entries, strict=True):
                if not entry.has_values(self._target):
                    self._study.tell(trial, state=TrialState.FAIL)
                    continue
                for limit in self._target.limits:
                    beyond = limit.beyond(entry.mean(limit.column))
                    trial.set_constraint(limit.words, beyond)
                self._study.tell(trial, list(entry.score(self._target)))


def asking(space: Sequence[Dimension], target: Target, trials: int) -> Asking:
    """Return who proposes settings: all if no more than `trials`, or the sampler's."""
    return Exhaustive(space) if size(space) <= trials else Proposing(space, target)


def _distribution(one: Dimension) -> optuna.distributions.BaseDistribution:
    from optuna.distributions import (
        CategoricalDistribution,
        FloatDistribution,
        IntDistribution,
    )

    if isinstance(one, Choice):
        return CategoricalDistribution(one.values)
    if one.whole:
        return IntDistribution(int(one.low), int(one.high), log=one.log)
    return FloatDistribution(one.low, one.high, log=one.log)


@contextmanager
def _quiet() -> Iterator[None]:
    """Leave out what Optuna says of each trial, and of options that may change."""
    import optuna

    level = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            yield
    finally:
        optuna.logging.set_verbosity(level)
