"""Races: settings run on the same seeds, and what is shown to be worse gets no more of them.

Every setting of a race begins with `least` seeds, and those that go on get twice as many at each
look, up to `most`. A look compares each setting with the leaders, seed by seed, by Student's paired
t test of the differences. It spends the error probability as `compare --until-decided` does
(`statistics.intervals.Looks`), and counts every setting that might lead as a comparison: a setting
as good as all others is stopped with a probability of 5 % at most. A setting is stopped, too, when
its mean is shown to be beyond a limit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from ..statistics.intervals import ALPHA, Looks
from ..sweeping.seeds import Growth
from .aims import Aim, Limit

if TYPE_CHECKING:
    from ..sweeping.plans import Plan
    from ..sweeping.store import Store

# Seed by seed, the mean over the scenarios of each column; NaN where a run has no value.
Means = dict[str, list[float]]


class Target(NamedTuple):
    """What is sought and what must hold."""

    aims: tuple[Aim, ...]
    limits: tuple[Limit, ...] = ()

    @property
    def columns(self) -> list[str]:
        """The columns that are read of runs."""
        columns = [aim.column for aim in self.aims] + [limit.column for limit in self.limits]
        return list(dict.fromkeys(columns))


@dataclass
class Entry:
    """A setting in a race: its values, seed by seed, and why it got no more seeds, if so."""

    setting: dict[str, Any]
    means: Means = field(default_factory=dict)
    stopped: str = ""

    @property
    def seeds(self) -> int:
        """On how many seeds it has run."""
        return max((len(values) for values in self.means.values()), default=0)

    def mean(self, column: str) -> float:
        """Return the mean of a column over seeds and scenarios; NaN if a run has no value."""
        values = self.means[column]
        return math.fsum(values) / len(values) if values else math.nan

    def has_values(self, target: Target) -> bool:
        """Whether every run has a number for everything that is sought or must hold."""
        return all(math.isfinite(self.mean(column)) for column in target.columns)

    def keeps(self, target: Target) -> bool:
        """Whether its means keep all limits."""
        return self.has_values(target) and all(
            limit.beyond(self.mean(limit.column)) <= 0 for limit in target.limits
        )

    def score(self, target: Target) -> tuple[float, ...]:
        """Return its means of what is sought; more is better."""
        return tuple(aim.sign * self.mean(aim.column) for aim in target.aims)


def front(entries: Sequence[Entry], target: Target) -> list[Entry]:
    """Return the settings that keep the limits and that no other beats in everything.

    With one aim this is the best one; of equals, the first.
    """
    able = [entry for entry in entries if not entry.stopped and entry.keeps(target)]
    scores = [entry.score(target) for entry in able]

    def is_beaten(at: int) -> bool:
        return any(
            all(theirs >= own for theirs, own in zip(scores[other], scores[at], strict=True))
            and (scores[other] != scores[at] or other < at)
            for other in range(len(able))
            if other != at
        )

    return [entry for at, entry in enumerate(able) if not is_beaten(at)]


@dataclass
class Race:
    """A rule of a sweep whose combinations are settings, each in `scenarios` scenarios.

    `finished` are settings of earlier races: leaders may be among them.
    """

    entries: list[Entry]
    scenarios: int
    target: Target
    least: int
    most: int
    finished: Sequence[Entry] = ()
    first: int = 1

    def __str__(self) -> str:
        words = [aim.words for aim in self.target.aims]
        words += [limit.words for limit in self.target.limits]
        return f"race for {'; '.join(words)}, {self.least} to {self.most} seeds"

    @property
    def design(self) -> Looks:
        """Each look spends a part of the error probability."""
        return Looks(self.least)

    def grown(self, plan: Plan, store: Store) -> Growth:
        """Stop what is shown to be worse, and give the others twice as many seeds."""
        self.read(plan, store)
        self.stop()
        seeds = list(plan.seeds)
        for at, entry in enumerate(self.entries):
            count = seeds[at * self.scenarios]
            more = 2 * count if not entry.stopped and 2 * count <= self.most else count
            seeds[at * self.scenarios : (at + 1) * self.scenarios] = [more] * self.scenarios
        return Growth(seeds, 0)

    def read(self, plan: Plan, store: Store) -> None:
        """Read what every setting has come to, seed by seed."""
        found = {column: plan.values(store, column) for column in self.target.columns}
        for at, entry in enumerate(self.entries):
            places = slice(at * self.scenarios, (at + 1) * self.scenarios)
            entry.means = {
                column: [
                    math.fsum(values) / len(values)
                    for values in zip(*(one or () for one in rows[places]), strict=True)
                ]
                for column, rows in found.items()
            }

    def stop(self) -> None:
        """Look at what every setting has come to, and stop what is shown to be worse."""
        running = [entry for entry in self.entries if not entry.stopped]
        leaders = front([*self.finished, *self.entries], self.target)
        reasons = [
            self._reason(entry, [one for one in leaders if one is not entry]) for entry in running
        ]
        for entry, reason in zip(running, reasons, strict=True):
            entry.stopped = reason

    def _rivals(self) -> int:
        """Count the settings that might lead, besides the one that is looked at."""
        return sum(not entry.stopped for entry in (*self.finished, *self.entries)) - 1

    def _reason(self, entry: Entry, leaders: Sequence[Entry]) -> str:
        """Say why a setting gets no more seeds; "" if it does."""
        if not entry.has_values(self.target):
            return "a run has no value"
        for limit in self.target.limits:
            beyond = [limit.beyond(value) for value in entry.means[limit.column]]
            if self._is_shown(beyond, 1):
                return f"beyond {limit.words}"
        beaten = any(self._beats(leader, entry) for leader in leaders)
        return "shown to be worse" if beaten else ""

    def _beats(self, leader: Entry, entry: Entry) -> bool:
        """Whether a leader is shown to be better in everything.

        It leads because of the same runs, so all that might lead count as compared (Bonferroni).
        """
        differences: list[list[float]] = [
            [
                aim.sign * (theirs - own)
                for theirs, own in zip(
                    leader.means[aim.column], entry.means[aim.column], strict=False
                )
            ]
            for aim in self.target.aims
        ]
        return all(self._is_shown(values, max(self._rivals(), 1)) for values in differences)

    def _is_shown(self, values: Sequence[float], verdicts: int) -> bool:
        """Whether the mean of values is shown to be above 0, as one of so many verdicts.

        Only that side is asked for, so half of the two-sided p counts.
        """
        return any(
            look.mean > 0 and look.p() / 2 * verdicts <= ALPHA
            for look in self.design.estimates(values)
        )
