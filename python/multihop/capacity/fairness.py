"""What is made as large as possible: the total, the smallest rate, or what is proportionally fair.

All three are measured in bit/s, and grow as the rates do, so that a share of the bound makes sense:
the sum, the minimum, the geometric mean. Among the rates with the highest total those are
named that are fairest in the sense of max-min.

Proportional fairness is concave. Its logarithms are replaced by tangents, and each solution adds
one for every flow: a few suffice. How good the rates r are then follows from one more linear
program and not from the tangents: by concavity nobody's geometric mean is larger than theirs by
more than the factor max(sum of x/r) / n over all rates x that are possible (n flows).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from ..statistics.stats import Values
from .program import NOTHING, Optimum, Program

# Logarithms are approached until they and their tangents differ by no more than this together.
CLOSE = 1e-8
# The gap with which the search ends, and after how many solutions it does in any case.
FAIR_ENOUGH = 1e-4
TANGENTS = 40


class Objective(StrEnum):
    """What a bound is the largest possible value of."""

    TOTAL = "total"
    MAX_MIN = "max-min"
    PROPORTIONAL = "proportional"

    def worth(self, rates: Sequence[float] | Values) -> float:
        """Return what rates are worth: their sum, the smallest, their geometric mean."""
        array = np.asarray(rates, dtype=float)
        if self is Objective.TOTAL:
            return float(array.sum())
        if self is Objective.MAX_MIN:
            return float(array.min())
        if array.min() <= 0:
            return 0.0
        return math.exp(float(np.log(array).mean()))


class Solution(NamedTuple):
    """Rates, and what no rates are worth more than; in units of the program.

    `prices` says which activities limit them: what a second of each costs, over a second of the
    medium.
    """

    rates: Values
    at_most: float
    prices: Values


def optimise(program: Program, objective: Objective, offered: Sequence[float]) -> Solution:
    """Find the best rates of which none is above what is offered; all in units of the program."""
    program.limit(offered)
    return SOLVERS[objective](program, offered)


def _total(program: Program, _offered: Sequence[float]) -> Solution:
    best = program.largest_sum([1.0] * program.problem.flows)
    program.keep_total(best.value * (1 - NOTHING))
    _, rates = _fill(program)
    return Solution(rates, best.value + best.excess, best.activities)


def _max_min(program: Program, _offered: Sequence[float]) -> Solution:
    best, rates = _fill(program)
    return Solution(rates, best.value + best.excess, best.activities)


def _fill(program: Program) -> tuple[Optimum, Values]:
    """Raise all rates together, and those on that can rise alone; return the first step too."""
    rising = list(range(program.problem.flows))
    for flow in rising:
        program.raise_floor(flow)
    first = best = program.largest_floor()
    while rising:
        # A flow whose floor costs something cannot rise without another's fall.
        fixed = [flow for flow in rising if best.floors[flow] > NOTHING] or list(rising)
        for flow in fixed:
            program.fix(flow, best.value * (1 - NOTHING))
        rising = [flow for flow in rising if flow not in fixed]
        if rising:
            best = program.largest_floor()
    return first, best.rates


def _proportional(program: Program, offered: Sequence[float]) -> Solution:
    flows = range(program.problem.flows)
    _, rates = _fill(program)
    # Fair rates are not below this: the best that a flow has alone, over the number of flows.
    least = rates.min() / len(flows)
    program.limit(offered)
    factor = math.inf
    for left in reversed(range(TANGENTS)):
        for flow in flows:
            program.tangent(flow, max(rates[flow], least))
        best = program.large_utility()
        rates = np.maximum(best.rates, least * NOTHING)
        if left and best.value - float(np.log(rates).sum()) > CLOSE:
            continue
        proof = program.largest_sum(list(1 / rates))
        factor = (proof.value + proof.excess) / len(flows)
        if factor < 1 + FAIR_ENOUGH:
            break
    at_most = Objective.PROPORTIONAL.worth(rates) * max(1.0, factor)
    return Solution(rates, at_most, proof.activities)


SOLVERS: dict[Objective, Callable[[Program, Sequence[float]], Solution]] = {
    Objective.TOTAL: _total,
    Objective.MAX_MIN: _max_min,
    Objective.PROPORTIONAL: _proportional,
}
