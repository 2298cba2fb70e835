"""The linear program: what shares of the time sets of activities get, and what the flows get so.

Sets are far too many to list. The program begins with a few; its prices tell how much each activity
is worth, and the heaviest set by these prices enters until none is worth more than the time that it
takes (column generation). If the search for the heaviest set ends without proof, what it may
have missed is the gap: with the price of time raised by as much, the prices are a solution of the
dual program, so nobody can do better.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import highspy
import numpy as np
from numpy.typing import NDArray

from ..statistics.stats import Values
from .activities import Conflicts, members
from .sets import IndependentSets, quiet

# What counts as nothing beside 1, in units of the program.
NOTHING = 1e-7
TOLERANCE = 1e-9


class Search(Enum):
    """How far the heaviest set is searched for."""

    QUICK = "what is found at once"
    PROVEN = "until none is heavier"


class Stream(NamedTuple):
    """A flow's packets on one link, or on their whole way: which activities take how many s a bit.

    `balances` are the rows of the program in which it counts, with its sign.
    """

    times: Mapping[int, float]
    balances: Mapping[int, float]


@dataclass(frozen=True)
class Problem:
    """What flows need and what excludes what.

    In every balance the streams together are as much as the flow, if it has a share in it: `shares`
    has a row (flow, share) for each.
    """

    conflicts: Conflicts
    flows: int
    streams: Sequence[Stream]
    shares: Sequence[tuple[int, float]]


class Optimum(NamedTuple):
    """The best that was found, in units of the program, and by how much it could be beaten."""

    rates: Values
    value: float
    excess: float
    # What each flow's floor costs.
    floors: Values
    # What a second of each activity costs, over what a second of the medium does; nothing if that
    # is free.
    activities: Values


class Priced(NamedTuple):
    """How many sets have entered, and how much more than its time one can be worth at most."""

    entered: int
    excess: float


class Program:
    """The linear program of a network, with all sets that were ever worth something.

    It is content when no solution is better by more than the share `gap`.
    """

    def __init__(self, problem: Problem, gap: float = 0.0) -> None:
        self.problem = problem
        self.gap = gap
        self.sets = IndependentSets(problem.conflicts.masks)
        self.solver = quiet()
        for kind in ("primal", "dual"):
            self.solver.setOptionValue(f"{kind}_feasibility_tolerance", TOLERANCE)
        # A stream of one unit takes all the time, at least.
        self.unit_bit_s = 1 / max(max(stream.times.values()) for stream in problem.streams)
        flows, activities = problem.flows, len(problem.conflicts.activities)
        # Rows: time, activities, balances, what each flow has beyond the floor, all flows.
        self._activity = 1
        self._balance = self._activity + activities
        self._floor = self._balance + len(problem.shares)
        self._total = self._floor + flows
        # Columns: rates, the floor, utilities, streams, sets.
        self._least = flows
        self._utility = flows + 1
        self._first_set = self._utility + flows + len(problem.streams)
        # In the order of their columns.
        self._known: dict[int, None] = {}
        self._rows()
        self._columns()
        everything = list(range(activities))
        self._enter(self.sets.extended(1 << at, everything) for at in everything)

    def _rows(self) -> None:
        self._row({}, -np.inf, 1.0)
        for _ in self.problem.conflicts.activities:
            self._row({}, 0.0, np.inf)
        for _ in self.problem.shares:
            self._row({}, 0.0, 0.0)
        for _ in range(self.problem.flows + 1):
            self._row({}, -np.inf, np.inf)

    def _columns(self) -> None:
        flows = range(self.problem.flows)
        for flow in flows:
            shares = {
                self._balance + row: -share
                for row, (of, share) in enumerate(self.problem.shares)
                if of == flow
            }
            self._column(shares | {self._floor + flow: 1.0, self._total: 1.0})
        self._column({self._floor + flow: -1.0 for flow in flows})
        for _ in flows:
            self._column({}, -np.inf)
        for stream in self.problem.streams:
            times = {self._activity + at: -t * self.unit_bit_s for at, t in stream.times.items()}
            self._column(times | {self._balance + at: sign for at, sign in stream.balances.items()})

    def _row(self, entries: Mapping[int, float], lower: float, upper: float) -> None:
        columns, values = _entries(entries)
        self.solver.addRow(lower, upper, len(columns), columns, values)

    def _column(self, entries: Mapping[int, float], lower: float = 0.0) -> None:
        rows, values = _entries(entries)
        self.solver.addCol(0.0, lower, np.inf, len(rows), rows, values)

    def _enter(self, masks: Iterable[int]) -> int:
        """Take sets up that are not there; return how many there were."""
        before = len(self._known)
        for mask in masks:
            if mask not in self._known:
                self._known[mask] = None
                self._column({0: 1.0} | {self._activity + at: 1.0 for at in members(mask)})
        return len(self._known) - before

    def limit(self, rates: Sequence[float]) -> None:
        """Let no flow have more than it offers, in units; forget all floors."""
        for flow, rate in enumerate(rates):
            self.solver.changeColBounds(flow, 0.0, rate)
            self.solver.changeRowBounds(self._floor + flow, -np.inf, np.inf)
        self.solver.changeRowBounds(self._total, -np.inf, np.inf)

    def keep_total(self, rate: float) -> None:
        """Give all flows together at least so much."""
        self.solver.changeRowBounds(self._total, rate, np.inf)

    def raise_floor(self, flow: int) -> None:
        """Give the flow at least what `largest_floor` makes as large as possible."""
        self.solver.changeRowBounds(self._floor + flow, 0.0, np.inf)

    def fix(self, flow: int, rate: float) -> None:
        """Give the flow at least this; it has nothing to do with the floor any more."""
        upper = self.solver.getLp().col_upper_[flow]
        self.solver.changeColBounds(flow, min(rate, upper), upper)
        self.solver.changeRowBounds(self._floor + flow, -np.inf, np.inf)

    def tangent(self, flow: int, rate: float) -> None:
        """Keep the utility of a flow below the tangent of the logarithm at this rate."""
        entries = {self._utility + flow: 1.0, flow: -1.0 / rate}
        self._row(entries, -np.inf, float(np.log(rate)) - 1.0)

    def largest_sum(self, weights: Sequence[float]) -> Optimum:
        """Make the weighted sum of the rates as large as possible."""
        return self._maximise(dict(enumerate(weights)))

    def largest_floor(self) -> Optimum:
        """Make the least of those rates as large as possible whose floors are raised."""
        return self._maximise({self._least: 1.0})

    def large_utility(self) -> Optimum:
        """Make the sum of the utilities large, without proof that it cannot be larger."""
        return self._maximise(
            {self._utility + at: 1.0 for at in range(self.problem.flows)}, Search.QUICK
        )

    def _solve(self) -> None:
        self.solver.run()
        if self.solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            # From where the last program ended, a degenerate one may seem to be unbounded.
            self.solver.clearSolver()
            self.solver.run()
        status = self.solver.getModelStatus()
        if status != highspy.HighsModelStatus.kOptimal:
            raise RuntimeError(f"HiGHS did not solve a bounded program: {status.name}")

    def _maximise(self, gains: Mapping[int, float], search: Search = Search.PROVEN) -> Optimum:
        for column in range(self._first_set):
            self.solver.changeColCost(column, -gains.get(column, 0.0))
        bound = np.inf
        while True:
            self._solve()
            solution = self.solver.getSolution()
            value = -self.solver.getInfo().objective_function_value
            prices = np.array(solution.row_dual)
            found = self._price(-prices[0], prices[self._activity : self._balance], search)
            bound = min(bound, value + found.excess)
            if found.entered == 0 or bound - value <= self.gap * abs(value):
                break
        rates = np.maximum(solution.col_value[: self.problem.flows], 0.0)
        time = -prices[0]
        worth = np.maximum(prices[self._activity : self._balance], 0.0)
        weights = worth / time if time > NOTHING else np.zeros_like(worth)
        excess, floors = max(0.0, bound - value), prices[self._floor : self._total]
        return Optimum(rates, value, excess, floors, weights)

    def _price(self, time: float, prices: Values, search: Search) -> Priced:
        """Take up sets that are worth more than time costs."""
        worth = np.maximum(prices, 0.0)
        dear = time * (1 + NOTHING) + NOTHING
        heavy = self.sets.heavy(worth)
        entered = self._enter(mask for mask in heavy if self.sets.weight(mask, worth) > dear)
        if entered or search is Search.QUICK:
            return Priced(entered, np.inf)
        best = self.sets.heaviest(worth)
        is_dear = self.sets.weight(best.members, worth) > dear
        entered = self._enter([best.members]) if is_dear else 0
        return Priced(entered, max(0.0, best.at_most - time))

    def schedule(self, rates: Sequence[float] | Values) -> list[tuple[float, int]]:
        """Find sets and their shares of the time with which the flows have these rates."""
        self.limit([np.inf] * self.problem.flows)
        for flow, rate in enumerate(rates):
            self.fix(flow, rate * (1 - 10 * NOTHING))
        self._maximise({})
        shares = self.solver.getSolution().col_value[self._first_set :]
        found = zip(shares, self._known, strict=True)
        return sorted(((share, mask) for share, mask in found if share > NOTHING), reverse=True)


def _entries(entries: Mapping[int, float]) -> tuple[NDArray[np.int32], Values]:
    return np.array(list(entries), dtype=np.int32), np.array(list(entries.values()))
