"""The bars of docs/validation/dsr.md on fewer points and seeds."""

import pytest

from multihop.running.runner import simulate
from multihop.scenario.form import Scenario
from multihop_validation import dsr, dsr_page, networks
from multihop_validation.compare import Comparison, Estimate, Verdict
from multihop_validation.reference import NETWORKS
from multihop_validation.store import DATA

pytestmark = pytest.mark.engine

SEEDS = 5


@pytest.fixture(scope="module")
def reference() -> dict[dsr.Case, list[float]]:
    return dsr.read(DATA, ["chain"])


def chosen(
    reference: dict[dsr.Case, list[float]], pps: tuple[int, ...]
) -> dict[dsr.Case, list[float]]:
    return {
        case: runs
        for case, runs in reference.items()
        if case.rate == "1Mb" and case.hops in (3, 5, 8) and case.pps in pps
    }


def test_the_cliff_lies_where_ns2_has_it(reference: dict[dsr.Case, list[float]]) -> None:
    cases = chosen(reference, (23, 24, 25))
    points = dsr.points(cases, dsr.measure(dict.fromkeys(cases, SEEDS), progress=False))
    for hops, expected in {3: 25, 5: 24, 8: 24}.items():
        chain = [point for point in points if point.case.hops == hops]
        assert dsr_page.knee(chain, ours=False) == dsr_page.knee(chain, ours=True) == expected


def test_goodput_keeps_its_bar(reference: dict[dsr.Case, list[float]]) -> None:
    cases = chosen(reference, (18, 22, 26, 35))
    for point in dsr.points(cases, dsr.measure(dict.fromkeys(cases, SEEDS), progress=False)):
        bar = dsr.BEYOND if point.beyond else dsr.BELOW
        allowed = max(bar + 0.05 * point.beyond, 0)  # five seeds only
        inside = abs(point.goodput.difference) <= allowed
        assert inside or point.goodput.verdict is Verdict.NOISE, point


def test_below_the_knee_the_bar_is_narrower(reference: dict[dsr.Case, list[float]]) -> None:
    cases = chosen(reference, (18, 30))
    found = dsr.points(cases, cases)
    assert {point.beyond for point in found} == {False, True}
    for point in found:
        bar = dsr.BEYOND if point.beyond else dsr.BELOW
        assert point.goodput.bar == bar
        off = Estimate(point.goodput.reference.mean * (1.01 + bar), 0.0, 5)
        exact = Estimate(point.goodput.reference.mean, 0.0, 5)
        assert Comparison(exact, off, point.goodput.bar).verdict is Verdict.OUTSIDE


@pytest.mark.long
def test_a_source_that_is_deaf_to_errors_about_default_flows_loses_as_much_as_ns2s() -> None:
    scenario = Scenario.from_dict(
        networks.tables(NETWORKS / "short40.json")
        | {
            "warmup": "11 s",
            "duration": "30 s",
            "mac": {"data_rate": "11 Mbit/s", "short_retry_limit": 4},
            "routing": {"kind": "dsr", "arp": "ns2"},
            "scheme": {"name": "udp", "queue_limit": 50},
            "traffic": {"load": "550 kbit/s", "payload": "64 B", "start": "1 s"},
        }
    )
    heeded, deaf = (
        sum(
            simulate(scenario.with_(**{"routing.default_flow_errors": heeds}, seed=seed)).runs[
                "goodput_bit_s"
            ][0]
            for seed in (1, 2, 3)
        )
        for heeds in (True, False)
    )
    assert deaf < 0.75 * heeded
