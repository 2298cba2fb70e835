"""More seeds for a sweep that is stored, where results demand it."""

from __future__ import annotations

from ..engine.errors import SweepError
from ..scenario.form import Scenario
from .collecting import Swept
from .plans import Point
from .seeds import Rule
from .store import labels_of, said
from .sweeps import Means, Wanted, sweep_points


def extend(done: Swept, rule: Rule, means: Means = Means()) -> Swept:
    """Run seeds of every combination of a stored sweep until the rule is content.

    The result is a sweep of its own in the same store; runs that are there are not run again.
    """
    scenarios = done.scenarios()
    grid: dict[str, Point] = {}
    for row in done.store.sweeps()[done.name].iter_rows(named=True):
        labels = {key: value for key, value in labels_of(row).items() if key != "seed"}
        scenario = Scenario(scenarios[row["run"]]).with_(seed=rule.first)
        point = grid.setdefault(repr(labels), Point(labels, scenario))
        if point.scenario != scenario:
            raise SweepError(
                f"the sweep '{done.name}' has other scenarios with {said(labels) or 'no values'} "
                "that differ in more than the seed; give the sweep's own command more seeds"
            )
    wanted = Wanted(done.name.rpartition("-")[0], done.kept, rule)
    return sweep_points(list(grid.values()), done.store.folder, wanted=wanted, means=means)
