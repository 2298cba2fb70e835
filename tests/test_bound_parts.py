"""The parts of bounds alone: rates by hand, conflicts by hand, words by hand."""

import math
from collections.abc import Sequence

import pytest

from multihop.capacity.activities import Activity, Conflicts, Kind, Model, conflicts, members, over
from multihop.capacity.fairness import Objective, optimise
from multihop.capacity.network import Flow, Hop, Network
from multihop.capacity.program import Problem, Program, Stream
from multihop.capacity.sets import IndependentSets

UNLIMITED = math.inf


def shared(*times: float, excluding: Sequence[tuple[int, int]]) -> Program:
    """Make a program of flows of one activity each; `times` are what a bit takes, in s."""
    masks = [0] * len(times)
    for a, b in excluding:
        masks[a] |= 1 << b
        masks[b] |= 1 << a
    waits = tuple(Activity(Kind.WAIT, at, at) for at in range(len(times)))
    streams = [Stream({at: time}, {at: 1}) for at, time in enumerate(times)]
    shares = [(at, 1.0) for at in range(len(times))]
    return Program(Problem(Conflicts(waits, tuple(masks)), len(times), streams, shares))


def rates(program: Program, objective: Objective, offered: Sequence[float]) -> list[float]:
    """Return the best rates in bit/s."""
    unit = program.unit_bit_s
    best = optimise(program, objective, [rate / unit for rate in offered])
    return [float(rate * unit) for rate in best.rates]


def test_max_min_goes_on_with_those_that_can_have_more() -> None:
    # The first two share the medium; the third excludes nobody; the fourth and fifth share theirs,
    # and need half as long.
    program = shared(1, 1, 1, 0.5, 0.5, excluding=[(0, 1), (3, 4)])
    found = rates(program, Objective.MAX_MIN, [UNLIMITED] * 5)
    assert found == pytest.approx([0.5, 0.5, 1, 1, 1], rel=1e-5)


def test_max_min_leaves_to_others_what_a_flow_does_not_offer() -> None:
    program = shared(1, 1, 1, excluding=[(0, 1), (1, 2), (0, 2)])
    offered = [0.1, UNLIMITED, 0.4]
    assert rates(program, Objective.MAX_MIN, offered) == pytest.approx([0.1, 0.5, 0.4], rel=1e-5)


def test_the_largest_total_is_shared_as_fairly_as_it_can_be() -> None:
    # Whoever of the first two sends, the total is the same; the third would cost both.
    program = shared(1, 1, 3, excluding=[(0, 1), (1, 2), (0, 2)])
    found = rates(program, Objective.TOTAL, [UNLIMITED] * 3)
    assert found == pytest.approx([0.5, 0.5, 0], abs=1e-5)


def test_a_flow_in_two_places_gets_less_where_fairness_is_proportional() -> None:
    # Kelly's line: one flow over two links, and one flow on each: a third, and two thirds.
    waits = tuple(Activity(Kind.WAIT, at, at) for at in range(4))
    conflicting = Conflicts(waits, (0b0010, 0b0001, 0b1000, 0b0100))
    streams = [Stream({0: 1.0, 2: 1.0}, {0: 1}), Stream({1: 1.0}, {1: 1}), Stream({3: 1.0}, {2: 1})]
    program = Program(Problem(conflicting, 3, streams, [(flow, 1.0) for flow in range(3)]))
    found = rates(program, Objective.PROPORTIONAL, [UNLIMITED] * 3)
    assert found == pytest.approx([1 / 3, 2 / 3, 2 / 3], rel=1e-3)
    assert rates(program, Objective.MAX_MIN, [UNLIMITED] * 3) == pytest.approx([0.5] * 3, rel=1e-5)


@pytest.mark.parametrize(
    ("objective", "worth"),
    [(Objective.TOTAL, 14), (Objective.MAX_MIN, 2), (Objective.PROPORTIONAL, 4)],
)
def test_what_rates_are_worth(objective: Objective, worth: float) -> None:
    assert objective.worth([2, 8, 4]) == pytest.approx(worth)
    assert Objective.PROPORTIONAL.worth([2, 8, 0]) == 0


def network(*heard: dict[int, float]) -> Network:
    """Make a network in which each node hears others with these powers."""
    return Network(tuple("abcd"), heard, (), 10.0, (), shadowed=False)


def excluded(found: Conflicts, activity: Activity) -> set[str]:
    names = tuple("abcd")
    mask = found.masks[found.activities.index(activity)]
    return {found.activities[at].label(names) for at in members(mask)}


SENDS = Activity(Kind.FRAME, 0, 1)
ANSWERS = Activity(Kind.ANSWER, 1, 0)
OTHER = Activity(Kind.FRAME, 2, 3)
PAUSE = Activity(Kind.GAP, 0, 1)
WAIT = Activity(Kind.WAIT, 0, 0)


@pytest.mark.parametrize(
    ("model", "power", "excludes"),
    [
        (Model.PROTOCOL, 0.01, True),
        (Model.RECEIVER, 0.0999, False),
        (Model.RECEIVER, 0.1, False),  # ten times as strong is enough
        (Model.RECEIVER, 0.1001, True),
    ],
)
def test_a_frame_destroys_another_that_is_too_weak_beside_it(
    model: Model, power: float, excludes: bool
) -> None:
    # a sends to b, c to d; b hears c with this power, and a with 1.
    heard = network({1: 1.0}, {0: 1.0, 2: power}, {1: power, 3: 1.0}, {2: 1.0})
    found = conflicts(heard, (SENDS, OTHER), model)
    assert ("c sends to d" in excluded(found, SENDS)) == excludes
    assert ("a sends to b" in excluded(found, OTHER)) == excludes, "it holds both ways"


def test_carrier_sense_keeps_exchanges_apart_that_hear_each_other() -> None:
    # a and c hear each other, though neither disturbs the other's receiver.
    heard = network({1: 1.0, 2: 0.01}, {0: 1.0}, {0: 0.01, 3: 1.0}, {2: 1.0})
    activities = (SENDS, ANSWERS, OTHER)
    assert excluded(conflicts(heard, activities, Model.RECEIVER), SENDS) == {"b answers a"}
    sensed = conflicts(heard, activities, Model.CARRIER_SENSE)
    assert excluded(sensed, SENDS) == {"b answers a", "c sends to d"}
    assert excluded(sensed, ANSWERS) == {"a sends to b"}, "an answer waits for nobody"


def test_who_senses_an_answer_may_begin() -> None:
    heard = network({1: 1.0, 2: 0.01}, {0: 1.0}, {0: 0.01, 3: 1.0}, {2: 1.0})
    answers = Activity(Kind.ANSWER, 2, 3)
    found = conflicts(heard, (SENDS, answers), Model.CARRIER_SENSE)
    assert (excluded(found, SENDS), excluded(found, answers)) == (set(), set())


def test_a_pause_bears_frames_of_others_and_a_wait_does_not() -> None:
    heard = network({1: 1.0, 2: 1.0}, {0: 1.0, 2: 1.0}, {0: 1.0, 1: 1.0, 3: 1.0}, {2: 1.0})
    found = conflicts(heard, (SENDS, OTHER, PAUSE, WAIT), Model.RECEIVER)
    assert excluded(found, PAUSE) == {"a sends to b", "a waits"}
    assert excluded(found, WAIT) == {"a sends to b", "a pauses with b", "c sends to d"}


def test_what_takes_no_time_is_no_activity() -> None:
    flow = Flow("f", 1, 0, 8, 1.0, (), Hop(forth=2e-3, back=0.0, gaps=1e-5, waiting=3e-4))
    times = over((1, 0), flow)
    assert times == {
        Activity(Kind.FRAME, 1, 0): 2e-3,
        Activity(Kind.GAP, 0, 1): 1e-5,
        Activity(Kind.WAIT, 1, 1): 3e-4,
    }


def test_bits_are_listed_in_order() -> None:
    assert [members(mask) for mask in (0, 1, 0b1010, 1 << 70)] == [[], [0], [1, 3], [70]]


def test_cliques_cover_every_conflict_once_at_least() -> None:
    # A triangle, and a tail.
    sets = IndependentSets([0b0110, 0b0101, 0b1011, 0b0100])
    cliques = sets._cliques([0, 1, 2, 3])
    assert sorted(map(sorted, cliques)) == [[0, 1, 2], [2, 3]]
