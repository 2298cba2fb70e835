"""The programs behind bounds, beside brute force."""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st
from numpy.typing import NDArray
from scipy.optimize import linprog

from multihop.capacity import sets
from multihop.capacity.activities import Activity, Conflicts, Kind, members
from multihop.capacity.fairness import Objective, optimise
from multihop.capacity.program import Optimum, Problem, Program, Stream
from multihop.capacity.sets import IndependentSets

Matrix = NDArray[np.float64]
UNLIMITED = float("inf")


@st.composite
def graphs(draw: st.DrawFn, most: int = 8) -> tuple[int, ...]:
    """Draw who excludes whom."""
    count = draw(st.integers(1, most))
    masks = [0] * count
    for a, b in itertools.combinations(range(count), 2):
        if draw(st.booleans()):
            masks[a] |= 1 << b
            masks[b] |= 1 << a
    return tuple(masks)


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Draw conflicts, and flows each of which takes some activities."""
    masks = draw(graphs(6))
    every = range(len(masks))
    time = st.integers(1, 9).map(float)
    streams = [
        Stream({at: draw(time) for at in draw(st.sets(st.sampled_from(every), min_size=1))}, {f: 1})
        for f in range(draw(st.integers(1, 3)))
    ]
    activities = tuple(Activity(Kind.WAIT, at, at) for at in every)
    shares = [(flow, 1.0) for flow in range(len(streams))]
    return Problem(Conflicts(activities, masks), len(streams), streams, shares)


def independent(masks: tuple[int, ...]) -> list[int]:
    """List all sets without conflicts."""
    return [
        chosen
        for chosen in range(1 << len(masks))
        if not any(masks[at] & chosen for at in members(chosen))
    ]


def best(problem: Problem, objective: Objective) -> float:
    """Solve the whole program at once: rates, the floor, and a share of the time for every set."""
    chosen = independent(problem.conflicts.masks)
    flows, activities = problem.flows, len(problem.conflicts.activities)
    columns = flows + 1 + len(chosen)
    need: Matrix = np.zeros((activities, columns))
    for flow, stream in enumerate(problem.streams):
        for at, time in stream.times.items():
            need[at, flow] += time
    for number, mask in enumerate(chosen, flows + 1):
        need[members(mask), number] = -1
    time_row = np.r_[np.zeros(flows + 1), np.ones(len(chosen))]
    floors = np.zeros((flows, columns))
    floors[range(flows), range(flows)] = -1
    floors[:, flows] = 1
    gains = np.zeros(columns)
    gains[: flows if objective is Objective.TOTAL else 0] = -1
    gains[flows] = -1 if objective is Objective.MAX_MIN else 0
    found = linprog(
        gains, np.vstack([need, time_row, floors]), np.r_[need[:, 0] * 0, 1, floors[:, 0] * 0]
    )
    return -float(found.fun)


@settings(max_examples=60, deadline=None)
@given(graphs(), st.data())
def test_the_heaviest_set_is_the_heaviest(masks: tuple[int, ...], data: st.DataObject) -> None:
    weight = st.integers(0, 20).map(float)
    weights = np.array([data.draw(weight) for _ in masks])
    finder = IndependentSets(masks)
    found = finder.heaviest(weights)
    heaviest = max(finder.weight(mask, weights) for mask in independent(masks))
    assert found.at_most == pytest.approx(heaviest)
    assert finder.weight(found.members, weights) == pytest.approx(heaviest)
    everything = set(independent(masks))
    assert found.members in everything
    quickly = finder.heavy(weights)
    assert set(quickly) <= everything
    assert max((finder.weight(mask, weights) for mask in quickly), default=0) == heaviest


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(problems())
def test_column_generation_finds_what_all_sets_give(problem: Problem) -> None:
    program = Program(problem)
    offered = [UNLIMITED] * problem.flows
    for objective in (Objective.TOTAL, Objective.MAX_MIN):
        found = optimise(program, objective, offered)
        expected = best(problem, objective)
        unit = program.unit_bit_s
        assert found.at_most * unit == pytest.approx(expected, rel=1e-5)
        assert objective.worth(found.rates * unit) == pytest.approx(expected, rel=1e-5)


# From where its first programs end, HiGHS takes a later one for unbounded.
DEGENERATE = Problem(
    Conflicts(tuple(Activity(Kind.WAIT, at, at) for at in range(5)), (10, 13, 10, 7, 0)),
    3,
    [
        Stream({2: 5.0}, {0: 1}),
        Stream({0: 2.0, 1: 6.0, 2: 6.0, 3: 3.0}, {1: 1}),
        Stream({0: 1.0}, {2: 1}),
    ],
    [(flow, 1.0) for flow in range(3)],
)


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(problems())
@example(DEGENERATE)
def test_nobody_is_fairer_in_proportion(problem: Problem) -> None:
    program = Program(problem)
    offered = [UNLIMITED] * problem.flows
    fair = optimise(program, Objective.PROPORTIONAL, offered)
    worth = Objective.PROPORTIONAL.worth
    assert worth(fair.rates) <= fair.at_most * (1 + 1e-9)
    assert fair.at_most / worth(fair.rates) < 1 + 2e-4
    for objective in (Objective.TOTAL, Objective.MAX_MIN):
        other = optimise(program, objective, offered)
        assert worth(other.rates) <= fair.at_most * (1 + 1e-6)
        # Kelly: no other rates are better by more, in sum of the relative changes, than nothing.
        assert float((other.rates / fair.rates).sum()) <= problem.flows * (1 + 1e-3)


@settings(max_examples=30, deadline=None)
@given(problems())
def test_a_search_that_is_cut_short_still_bounds(problem: Problem) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sets, "NODES", 0)
        patch.setattr(IndependentSets, "heavy", lambda *_: [])
        program = Program(problem)
        found = optimise(program, Objective.TOTAL, [UNLIMITED] * problem.flows)
    assert found.at_most * program.unit_bit_s >= best(problem, Objective.TOTAL) * (1 - 1e-6)


def test_a_weight_of_nothing_needs_no_search() -> None:
    assert IndependentSets([2, 1]).heaviest(np.zeros(2)) == (0, 0.0)


def test_an_order_of_those_that_are_worth_something() -> None:
    nobody: Any = IndependentSets([0, 0, 0])
    assert nobody.extended(0, [2, 0, 1]) == 0b111


def test_what_a_last_program_leaves_open_widens_a_proportional_bound() -> None:
    """An optimum of 3 flows that could be beaten by 1 proves a factor of 4/3."""

    class Open(Program):
        def largest_sum(self, weights: Sequence[float]) -> Optimum:
            return super().largest_sum(weights)._replace(excess=1.0)

    unlimited = [UNLIMITED] * DEGENERATE.flows
    exact = optimise(Program(DEGENERATE), Objective.PROPORTIONAL, unlimited)
    wide = optimise(Open(DEGENERATE), Objective.PROPORTIONAL, unlimited)
    assert wide.rates == pytest.approx(exact.rates, rel=1e-3)
    assert wide.at_most == pytest.approx(4 / 3 * exact.at_most, rel=1e-3)
