"""The bars of docs/validation/tcp.md on fewer points and seeds."""

import pytest

from multihop_validation import tcp
from multihop_validation.compare import Verdict
from multihop_validation.store import DATA

pytestmark = pytest.mark.engine

SEEDS = 4


@pytest.fixture(scope="module")
def reference() -> dict[tcp.Case, tcp.Runs]:
    return tcp.read(DATA)


@pytest.mark.long
def test_windows_are_those_of_ns2_value_by_value() -> None:
    steps = tcp.steps(DATA)
    assert {step.tcp for step in steps} == set(tcp.SCHEMES)
    for step in steps:
        assert len(step.ours) == len(step.reference)
        assert step.same, step.tcp


def test_a_window_that_differs_is_found() -> None:
    assert tcp.Steps("x", [1.0, 2.0], [1.0, 2.0]).same
    assert not tcp.Steps("x", [1.0, 2.0], [1.0, 2.01]).same
    assert not tcp.Steps("x", [1.0, 2.0], [1.0]).same


@pytest.mark.long
def test_goodput_over_fixed_routes_keeps_its_bar(reference: dict[tcp.Case, tcp.Runs]) -> None:
    chosen = {
        case: SEEDS for case in reference if case.file == "static" and case.hops in (1, 2, 4, 8)
    }
    assert {case.tcp for case in chosen} == set(tcp.SCHEMES)
    ours = tcp.measure(chosen, progress=False)
    for point in tcp.points({case: reference[case] for case in chosen}, ours):
        assert point.goodput.verdict is Verdict.INSIDE, point


@pytest.mark.long
def test_goodput_over_aodv_keeps_its_bar(reference: dict[tcp.Case, tcp.Runs]) -> None:
    chosen = {
        case: 10
        for case in reference
        if case.file == "aodv" and case.hops in ((4, 8) if case.tcp == "Newreno" else (8,))
    }
    ours = tcp.measure(chosen, progress=False)
    for point in tcp.points({case: reference[case] for case in chosen}, ours):
        assert point.goodput.verdict in (Verdict.INSIDE, Verdict.NOISE), point
        failures = point.quantities["timeouts"]
        assert abs(failures.difference) < 0.3 or failures.reference.mean < 5, point


@pytest.mark.long
def test_the_best_window_is_that_of_ns2_or_next_to_it(
    reference: dict[tcp.Case, tcp.Runs],
) -> None:
    for packet in (512, 1460):
        chosen = {
            case: SEEDS
            for case in reference
            if case.file == "window" and case.sink == "plain" and case.packet == packet
            if case.window <= 8
        }
        ours = tcp.measure(chosen, progress=False)
        compared = tcp.points({case: reference[case] for case in chosen}, ours)
        best = [
            max(compared, key=lambda point: estimate(point).mean).case.window
            for estimate in (lambda p: p.goodput.reference, lambda p: p.goodput.ours)
        ]
        assert abs(best[0] - best[1]) <= 1, (packet, best)
