"""Changed scenarios against the scenario as it is: the same seeds, until verdicts are decided.

Runs with the same seed are pairs. What is judged are the differences of a metric, over its mean in
the scenario as it is: by Student's paired t test, at looks of 10, 20, 40, ... seeds that share the
error probability (`intervals.Looks`), and for all changes of a list together (Holm).
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum

from .._multihop import Cancel, Interrupted, ScenarioError
from ..engine.errors import StoppedError
from ..results.result import Result
from ..running.runner import simulate, spread
from ..scenario.form import Scenario
from ..statistics.intervals import ALPHA, FIXED, Estimate, Looks, holm
from ..sweeping.seeds import LEAST_DECIDED, MARGIN
from .edits import Subject, both
from .mechanisms import Change
from .metrics import Metric

MOST_SEEDS = 40
# How exact timers are, in s.
TIMERS_S = 0.05
# Mechanisms that are tried together with the best one.
MOST_PAIRS = 3
# A removed flow counts so much beside a mechanism: it takes its own goodput away, too.
SACRIFICE = 0.5


class Verdict(StrEnum):
    """What is known of a change."""

    BETTER = "better"
    WORSE = "worse"
    NOTHING = "within the margin"
    UNDECIDED = "undecided"
    # Of a flow that was removed: the others get no more than its fair share.
    SHARE = "no more than its share"


@dataclass(frozen=True)
class Effect:
    """What a change is worth for a metric: its means without and with it, and their difference.

    `low` to `high` is the 95 % interval of the difference, in the metric's SI unit; less than 0 is
    worse, also where less of the metric is better. With fewer than two seeds they are `None`. `p`
    is that of "no difference", for all changes of the list together; `None` where all runs are the
    same as without the change, frame by frame.
    """

    change: Change
    seeds: int
    before: float
    after: float
    worth: float
    low: float | None
    high: float | None
    p: float | None
    verdict: Verdict

    @property
    def rank(self) -> float:
        """What it is worth among others: a flow that was removed counts half."""
        return self.worth * (1.0 if self.change.flow is None else SACRIFICE)


@dataclass(frozen=True)
class Together:
    """Two mechanisms idealised at once: what both are `worth`, and what is `left_over` of that.

    `left_over` is the worth of both less the worth of each alone, with its 95 % interval: above 0
    they need each other, below 0 one does what the other does.
    """

    changes: tuple[Change, Change]
    seeds: int
    worth: float
    left_over: float
    low: float
    high: float


@dataclass
class Clock:
    """How long runs may take: `budget_s` from now on, in s."""

    budget_s: float
    began: float = field(default_factory=time.monotonic)

    @property
    def left_s(self) -> float:
        """The time that is left; less than 0 if there is none."""
        return self.began + self.budget_s - time.monotonic()

    @contextmanager
    def ending(self, cancel: Cancel) -> Iterator[None]:
        """Stop runs when the time is over; `Interrupted` of other reasons goes on."""
        timer = threading.Timer(max(self.left_s, 0.0), cancel.cancel)
        timer.daemon = True
        timer.start()
        try:
            yield
        except Interrupted:
            if self.left_s > TIMERS_S:
                raise StoppedError("interrupted") from None
            raise
        finally:
            timer.cancel()


class Trials:
    """Runs of a scenario and of its changes, each once."""

    def __init__(
        self,
        subject: Subject,
        metric: Metric,
        clock: Clock,
        *,
        workers: int | None = None,
        tell: Callable[[str], None] = lambda _: None,
        most: int = MOST_SEEDS,
    ) -> None:
        self.subject = subject
        self.metric = metric
        self.clock = clock
        self.workers = workers
        self.tell = tell
        self.most = most
        self.first = int(subject.network["seed"])
        self._results: dict[str, list[Result]] = {}
        self.left_out: dict[str, str] = {}

    def scenario_of(self, change: Change) -> Scenario | None:
        """Return the scenario of a change; `None`, with the reason kept, if it cannot be run."""
        try:
            return self.subject.changed(change.edit)
        except ScenarioError as error:
            self.left_out[change.name] = str(error)
            return None

    def grow(self, scenario: Scenario, count: int) -> list[Result]:
        """Return runs of the first `count` seeds; fewer if the time is over."""
        done = self._results.setdefault(scenario.json, [])
        lacking = range(len(done), count)
        made: dict[int, Result] = {}

        def job(index: int, cancel: Cancel) -> None:
            if self.clock.left_s > 0:
                seeded = scenario.with_(seed=self.first + lacking[index])
                with suppress(Interrupted), self.clock.ending(cancel):
                    made[index] = simulate(seeded, cancel=cancel)

        spread(job, len(lacking), workers=self.workers, progress=False)
        for index in range(len(lacking)):
            if index not in made:
                break
            done.append(made[index])
        return done[:count]

    def judged(self, changes: Sequence[Change]) -> list[Effect]:
        """Judge changes, until all are decided or the time is over; the best come first."""
        runnable = [
            (change, scenario)
            for change in changes
            if (scenario := self.scenario_of(change)) is not None
            and scenario != self.subject.scenario
        ]
        count, found = LEAST_DECIDED, []
        open_ = {change.name for change, _ in runnable}
        while True:
            self.grow(self.subject.scenario, count)
            for number, (change, scenario) in enumerate(runnable, 1):
                if change.name in open_:
                    self.tell(f"{count} seeds: {number} of {len(runnable)}, {change.name}")
                    self.grow(scenario, count)
            measured = [self._measured(change, scenario) for change, scenario in runnable]
            found = _decided([one for one in measured if one.pairs])
            for one in measured:
                if not one.pairs:
                    self.left_out[one.change.name] = "the budget ended before it was tried"
            open_ = {one.change.name for one in found if one.verdict is Verdict.UNDECIDED}
            count *= 2
            if not open_ or count > self.most or self.clock.left_s <= 0:
                break
        return sorted(found, key=lambda one: (-one.rank, one.change.name))

    def together(self, effects: Sequence[Effect]) -> list[Together]:
        """Make the best mechanism and each of the next ones at the same time."""
        alone = [one for one in effects if one.change.flow is None and one.change.cause]
        if not alone or alone[0].verdict is not Verdict.BETTER:
            return []
        first, *others = (one for one in alone if one is alone[0] or not one.change.is_part)
        others.sort(key=lambda one: -abs(one.worth))
        found = []
        for other in others[:MOST_PAIRS]:
            changes = first.change, other.change
            name = " and ".join(change.name for change in changes)
            edit = both(*(change.edit for change in changes))
            pair = self.scenario_of(Change(name, "", "", edit))
            if pair is None or self.clock.left_s <= 0:
                continue
            self.tell(f"{LEAST_DECIDED} seeds: {name}")
            self.grow(pair, LEAST_DECIDED)
            single = [self.scenario_of(change) for change in changes]
            values = [self.values(one) for one in (self.subject.scenario, *single, pair) if one]
            joint, left = _left_over(values, self.metric.sign)
            if len(left) == LEAST_DECIDED:
                found.append(Together(changes, len(left), _mean(joint), *_mean_of(left)))
        return found

    def best(self, changes: Sequence[Change], apart: int) -> Change | None:
        """Return the best of some changes by one run each; `None` if none beats the scenario.

        Their seed lies `apart` from those of verdicts, so that the choice does not favour one.
        """
        tried = [(change, self.scenario_of(change)) for change in changes]
        runnable = [(change, scenario) for change, scenario in tried if scenario is not None]
        for change, _ in tried:
            self.left_out.pop(change.name, None)
        plain = self.subject.scenario
        scenarios = [plain, *(scenario for _, scenario in runnable)]
        made: dict[int, float] = {}

        def job(index: int, cancel: Cancel) -> None:
            if self.clock.left_s > 0:
                seeded = scenarios[index].with_(seed=self.first + apart)
                with suppress(Interrupted), self.clock.ending(cancel):
                    made[index] = self.metric.sign * self.metric.value(
                        simulate(seeded, cancel=cancel)
                    )

        self.tell(f"{len(runnable)} places of a relay")
        spread(job, len(scenarios), workers=self.workers, progress=False)
        best = max(made, key=lambda at: (made[at], -at), default=0)
        return runnable[best - 1][0] if best and 0 in made else None

    def values(self, scenario: Scenario) -> list[float]:
        """Return the metric of the runs that a scenario has so far, in the order of their seeds."""
        return [self.metric.value(one) for one in self._results.get(scenario.json, [])]

    def _measured(self, change: Change, scenario: Scenario) -> _Measured:
        plain = self._results.get(self.subject.scenario.json, [])
        other = self._results.get(scenario.json, [])
        flows = len(self.subject.flows)
        # A flow that is gone leaves its part to the others, which is nobody's merit.
        is_shared = change.flow is not None and self.metric.shared
        part = (flows - 1) / flows if is_shared else 1.0
        runs = list(zip(plain, other, strict=False))
        pairs = [
            (self.metric.value(a, change.flow), part * self.metric.value(b, change.flow))
            for a, b in runs
        ]
        same = [a.runs["fingerprint"][0] == b.runs["fingerprint"][0] for a, b in runs]
        is_same = all(same) and change.flow is None
        return _Measured(change, self.metric.sign, pairs, is_same, is_shared)


@dataclass(frozen=True)
class _Measured:
    change: Change
    sign: int
    pairs: list[tuple[float, float]]
    # Whether every run is the same as without the change, frame by frame.
    is_same: bool = False
    # Whether a flow was removed, and its fair share taken off.
    is_shared: bool = False

    @property
    def differences(self) -> list[float]:
        return [self.sign * (after - before) for before, after in self.pairs]

    @property
    def before(self) -> float:
        return _mean([before for before, _ in self.pairs])

    @property
    def after(self) -> float:
        return _mean([after for _, after in self.pairs])


def _left_over(values: Sequence[Sequence[float]], sign: int) -> tuple[list[float], list[float]]:
    """Return, for each seed, what two changes are worth together, and what that is beyond both."""
    rows = list(zip(*values, strict=False))[:LEAST_DECIDED]
    joint = [sign * (pair - plain) for plain, _, _, pair in rows]
    left = [sign * (pair - one - two + plain) for plain, one, two, pair in rows]
    return joint, left


def _mean_of(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the mean of values that are chosen beforehand, and its 95 % interval."""
    found = FIXED.estimates(values)[-1]
    return found.mean, found.mean - found.half, found.mean + found.half


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


def _decided(found: Sequence[_Measured]) -> list[Effect]:
    """Give all changes of a list their verdicts, which hold together."""
    same = [_without_effect(one) for one in found if one.is_same]
    return [*same, *_tested([one for one in found if not one.is_same])]


def _without_effect(one: _Measured) -> Effect:
    """Say of a change that leaves all runs as they are that it does nothing; that needs no test."""
    known = len(one.pairs) >= LEAST_DECIDED
    verdict = Verdict.NOTHING if known else Verdict.UNDECIDED
    return Effect(one.change, len(one.pairs), one.before, one.after, 0.0, 0.0, 0.0, None, verdict)


def _tested(found: Sequence[_Measured]) -> list[Effect]:
    looks = [Looks(LEAST_DECIDED).estimates(one.differences) for one in found]
    margins = [_margin(one) for one in found]
    enough = [len(one.pairs) >= LEAST_DECIDED for one in found]
    p = [
        min((one.p() for one in look), default=1.0) if known else 1.0
        for look, known in zip(looks, enough, strict=True)
    ]
    outside = [
        min((one.p_outside(margin) for one in look), default=1.0) if known and margin > 0 else 1.0
        for look, margin, known in zip(looks, margins, enough, strict=True)
    ]
    return [
        _effect(*row) for row in zip(found, looks, margins, holm(p), holm(outside), strict=True)
    ]


def _margin(one: _Measured) -> float:
    """Return which difference does not matter: a share of the larger of the two means."""
    means = [abs(value) for value in (one.before, one.after) if math.isfinite(value)]
    return MARGIN * max(means, default=0.0)


def _effect(
    one: _Measured, looks: Sequence[Estimate], margin: float, p: float, outside: float
) -> Effect:
    worth = _mean(one.differences)
    low, high = _span(looks)
    if p <= ALPHA and abs(worth) >= margin:
        worse = Verdict.SHARE if one.is_shared else Verdict.WORSE
        verdict = Verdict.BETTER if worth > 0 else worse
    elif outside <= ALPHA or (p <= ALPHA and abs(worth) < margin):
        verdict = Verdict.NOTHING
    else:
        verdict = Verdict.UNDECIDED
    return Effect(one.change, len(one.pairs), one.before, one.after, worth, low, high, p, verdict)


def _span(looks: Sequence[Estimate]) -> tuple[float | None, float | None]:
    """Return what the intervals of all looks have in common, with the mean of the last look."""
    if not looks:
        return None, None
    low = max(one.mean - one.half for one in looks)
    high = min(one.mean + one.half for one in looks)
    last = looks[-1]
    if low > high:
        return last.mean - last.half, last.mean + last.half
    return min(low, last.mean), max(high, last.mean)
