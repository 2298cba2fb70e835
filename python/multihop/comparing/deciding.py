"""Seeds until every verdict of a comparison is decided."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..engine.errors import SweepError
from ..statistics.intervals import Looks
from ..sweeping.collecting import Swept
from ..sweeping.seeds import Decided, Growth, Until, check
from .measures import measured
from .pairs import NONE, Judged, against

if TYPE_CHECKING:
    from ..results.result import Result
    from ..sweeping.plans import Plan
    from ..sweeping.seeds import Rule
    from ..sweeping.store import Store


@dataclass(frozen=True)
class Deciding:
    """A rule for the combinations of a comparison: `where` are its keys beside the scheme.

    A scheme gets the seeds of the next look wherever a verdict on it is open, and the baseline as
    many as the scheme there that has most.
    """

    rule: Decided
    baseline: str
    where: tuple[str, ...]
    # Reads runs whose column `scheme` tells apart what is compared.
    read: Callable[[Swept], Result] = Swept.result

    def __str__(self) -> str:
        return str(self.rule)

    @property
    def margin(self) -> float:
        """Which differences do not matter."""
        return self.rule.margin

    @property
    def first(self) -> int:
        """The first seed."""
        return self.rule.first

    @property
    def least(self) -> int:
        """How many seeds the first look has."""
        return self.rule.least

    @property
    def most(self) -> int:
        """How many seeds there are at most."""
        return self.rule.most

    @property
    def design(self) -> Looks:
        """Each look spends a part of the error probability."""
        return self.rule.design

    def grown(self, plan: Plan, store: Store) -> Growth:
        """Look at all verdicts, once all runs are there."""
        if any(store.lacking(run, plan.tables) for run in plan.table["run"]):
            return Growth(plan.seeds, 0)
        result = self.read(Swept(store, plan.name, plan.table.height, 0))
        _, runs, measures = measured(result, self.where, store.folder)
        pairs = against(runs, self.baseline, self.where, measures, Judged.by(self))
        open_ = {(*pair.where.values(), pair.scheme) for pair in pairs if pair.verdict == NONE}
        begins = [sum(plan.seeds[:number]) for number in range(len(plan.seeds))]
        places = [runs.select(*self.where, "scheme").row(begin) for begin in begins]
        seeds = [
            self.rule.next(count) if place in open_ else count
            for place, count in zip(places, plan.seeds, strict=True)
        ]
        stuck = sum(
            place in open_ and after == before
            for place, after, before in zip(places, seeds, plan.seeds, strict=True)
        )
        for at, place in enumerate(places):
            if place[-1] == self.baseline:
                there = (
                    n for n, other in zip(seeds, places, strict=True) if other[:-1] == place[:-1]
                )
                seeds[at] = max(there)
        return Growth(seeds, stuck)


def rule_of(
    seeds: int | Iterable[int] | Until | Decided | None,
    baseline: str | None,
    where: tuple[str, ...],
    read: Callable[[Swept], Result] = Swept.result,
) -> Rule | None:
    """Return the rule that chooses the seeds of a comparison; `None` if they are chosen."""
    if isinstance(seeds, Until):
        check(seeds)
        return seeds
    if not isinstance(seeds, Decided):
        return None
    check(seeds)
    if baseline is None:
        raise SweepError(
            "verdicts are against a baseline, and there is none; name one of the schemes as the "
            "baseline, or ask for the precision of a mean"
        )
    return Deciding(seeds, baseline, where, read)
