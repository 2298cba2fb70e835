"""Many runs: order, workers, cancelling."""

import threading

import pytest

from multihop import Scenario, run_many
from multihop._multihop import Cancel, Interrupted
from multihop.running.runner import simulate, spread


def test_results_do_not_depend_on_the_number_of_workers(base: Scenario) -> None:
    scenarios = [base.with_(seed=seed) for seed in range(6)]
    one = run_many(scenarios, workers=1, progress=False)
    two = run_many(scenarios, workers=2, progress=False)
    assert [r.runs["fingerprint"].item() for r in one] == [
        r.runs["fingerprint"].item() for r in two
    ]
    assert [r.runs["seed"].item() for r in two] == list(range(6))


def test_seeds_differ(base: Scenario) -> None:
    first, second = run_many([base.with_(seed=1), base.with_(seed=2)], progress=False)
    assert first.runs["fingerprint"].item() != second.runs["fingerprint"].item()


def test_no_scenarios_no_results() -> None:
    assert run_many([], progress=False) == []


def test_cancel_stops_a_long_run(base: Scenario) -> None:
    cancel = Cancel()
    timer = threading.Timer(0.2, cancel.cancel)
    timer.start()
    with pytest.raises(Interrupted):
        simulate(base.with_(duration="100000 s"), cancel=cancel)
    timer.join()


def test_a_failure_cancels_the_others_and_is_passed_on() -> None:
    done = []

    def job(index: int, cancel: Cancel) -> None:
        if index == 0:
            raise ValueError("the first one fails")
        done.append(index)

    with pytest.raises(ValueError, match="the first one fails"):
        spread(job, 1000, workers=1, progress=False)
    assert len(done) < 1000
