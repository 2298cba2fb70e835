"""Sets of activities that can happen at the same time: the heaviest one, by integer programming."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import highspy
import numpy as np
from numpy.typing import NDArray

from ..statistics.stats import Values
from .activities import members

# Of sets that are found without proof, so many are taken at a time.
TAKEN = 12
# So many are tried, but of many activities fewer, by the square of their number.
TRIED = 1000
TRIED_AT_LEAST = 60
EFFORT = 2e7
# The standard deviation of the logarithm of a whim.
WHIM = 4.0
# A gain that may be rounding.
SLIGHT = 1e-12
# The integer program stops there, and says how much heavier a set could be. No clock stops it, so
# that every machine finds the same.
NODES = 2000

# A row for each set, a column for each activity that is worth something.
Chosen = NDArray[np.bool_]


class Heaviest(NamedTuple):
    """The heaviest set that was found, and what no set is heavier than."""

    members: int
    at_most: float


class _Quiet(highspy.Highs):
    """A solver whose first call, by its own constructor, does not print its name (HiGHS 1.16)."""

    def enableCallbacks(self) -> None:  # noqa: N802
        self.setOptionValue("output_flag", False)
        super().enableCallbacks()  # type: ignore[no-untyped-call]


def quiet() -> highspy.Highs:
    """Return a solver that prints nothing and does the same on every machine."""
    solver = _Quiet()  # type: ignore[no-untyped-call]
    for option, value in (("output_flag", False), ("threads", 1)):
        solver.setOptionValue(option, value)
    return solver


class IndependentSets:
    """Sets without conflicts, as masks of bits."""

    def __init__(self, masks: Sequence[int]) -> None:
        self.masks = masks
        # Another one in each search, and the same in each run.
        self._random = np.random.default_rng(1)
        count = len(masks)
        self._matrix = np.zeros((count, count), dtype=np.float64)
        for at, mask in enumerate(masks):
            self._matrix[at, members(mask)] = 1

    def extended(self, chosen: int, order: Sequence[int]) -> int:
        """Return a set with as many others as fit, in this order."""
        barred = 0
        for at in members(chosen):
            barred |= self.masks[at]
        for at in order:
            if not (chosen | barred) >> at & 1:
                chosen |= 1 << at
                barred |= self.masks[at]
        return chosen

    def heavy(self, weights: Values) -> list[int]:
        """List heavy sets that are found without proof, the heaviest first.

        Each of many takes in, one after the other, whoever has most weight beside those that it
        would exclude, times a whim; then it exchanges as long as that makes it heavier.
        """
        support = np.flatnonzero(weights > 0)
        if not len(support):
            return []
        worth, excludes = weights[support], self._matrix[np.ix_(support, support)]
        count = max(TRIED_AT_LEAST, min(TRIED, int(EFFORT / len(support) ** 2)))
        whims = np.exp(self._random.normal(0, WHIM, (count, len(support))))
        inside = self._taken(whims * worth / (worth + excludes @ worth), excludes)
        self._exchange(inside, worth, excludes)
        different = np.unique(inside, axis=0)
        heaviest = np.argsort(-(different @ worth), kind="stable")[:TAKEN]
        order = self._order(weights)
        found = {
            self.extended(sum(1 << at for at in support[row].tolist()), order)
            for row in different[heaviest]
        }
        return sorted(found, key=lambda mask: (-self.weight(mask, weights), mask))

    @staticmethod
    def _taken(ranks: Values, excludes: Values) -> Chosen:
        """Fill a set for each row of ranks, those first that have the highest."""
        inside = np.zeros(ranks.shape, dtype=bool)
        left, stay, rows = ranks.copy(), excludes == 0, np.arange(len(ranks))
        np.fill_diagonal(stay, val=False)
        while left.any():
            coming = left.argmax(axis=1)
            inside[rows, coming] |= left[rows, coming] > 0
            left *= stay[coming]
        return inside

    @staticmethod
    def _exchange(inside: Chosen, worth: Values, excludes: Values) -> None:
        """Let one in for those that it excludes, as long as that makes a set heavier."""
        while True:
            gain = np.where(inside, 0, worth - (inside * worth) @ excludes)
            coming = gain.argmax(axis=1)
            rows = np.flatnonzero(gain.max(axis=1) > SLIGHT)
            if not len(rows):
                return
            inside[rows] &= excludes[coming[rows]] == 0
            inside[rows, coming[rows]] = True

    def _order(self, weights: Values) -> list[int]:
        """Order activities by their weight beside that of those that they exclude."""
        rank = weights / (weights + self._matrix @ weights + 1e-300)
        order: list[int] = np.lexsort((-rank, weights <= 0)).tolist()
        return order

    @staticmethod
    def weight(mask: int, weights: Values) -> float:
        """Return the weight of a set."""
        return float(weights[members(mask)].sum())

    def heaviest(self, weights: Values) -> Heaviest:
        """Find the heaviest set, with proof unless the search becomes too long."""
        support = [at for at, weight in enumerate(weights) if weight > 0]
        if not support:
            return Heaviest(0, 0.0)
        solver = quiet()
        for option, value in (("mip_max_nodes", NODES), ("mip_rel_gap", 1e-9)):
            solver.setOptionValue(option, value)
        costs = -weights[support]
        count = len(support)
        none = np.array([], dtype=np.int32)
        solver.addCols(count, costs, np.zeros(count), np.ones(count), 0, none, none, np.array([]))
        kinds = np.full(count, int(highspy.HighsVarType.kInteger), dtype=np.uint8)
        solver.changeColsIntegrality(count, np.arange(count, dtype=np.int32), kinds)
        column = {at: number for number, at in enumerate(support)}
        for clique in self._cliques(support):
            indices = np.array([column[at] for at in clique], dtype=np.int32)
            solver.addRow(-np.inf, 1.0, len(clique), indices, np.ones(len(clique)))
        solver.run()
        values = solver.getSolution().col_value
        chosen = sum(1 << at for at, value in zip(support, values, strict=True) if value > 0.5)
        found = self.extended(chosen, self._order(weights))
        at_most = min(-solver.getInfo().mip_dual_bound, float(weights.sum()))
        return Heaviest(found, max(at_most, self.weight(found, weights)))

    def _cliques(self, support: Sequence[int]) -> list[list[int]]:
        """Cover all conflicts of some activities by groups of which only one can be chosen."""
        inside = sum(1 << at for at in support)
        open_ = {at: self.masks[at] & inside for at in support}
        cliques = []
        for at in support:
            while open_[at]:
                clique = self._clique(at, inside, open_[at])
                cliques.append(members(clique))
                for member in cliques[-1]:
                    open_[member] &= ~clique
        return cliques

    def _clique(self, at: int, inside: int, wanted: int) -> int:
        """Return a group around an activity, with those first that are `wanted` in it."""
        clique, common = 1 << at, self.masks[at] & inside
        while common:
            choice = common & wanted or common
            lowest = choice & -choice
            clique |= lowest
            common &= self.masks[lowest.bit_length() - 1]
        return clique
