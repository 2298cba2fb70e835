"""WAKE's evaluation: every claim can hold and can fail, and the networks are what they say."""

from dataclasses import replace

import numpy as np
import pytest

from multihop import Scenario, run
from multihop.papers import wake
from multihop.papers.spec import Claim, Data, Panel
from multihop.papers.wake.measures import FAIR, SMALLEST, values
from multihop.papers.wake.setup import BEST, CASES, LOW, OVERLOAD, RANDOM, UDP, VARIANTS, WAKE
from tests.worlds import claims, measured, null, verdict

CLAIMS = claims(wake.FIGURES)


def world(gain: float) -> Data:
    """Make a world in which WAKE has so many times the others' goodput, and as much less delay."""

    def row(variant: str, x: float, seed: int) -> tuple:  # type: ignore[type-arg]
        better = gain if variant == WAKE else 1.0
        goodput = (100e3 + 1e3 * seed) * better
        flows = [{"goodput_bit_s": goodput / 3}, {"goodput_bit_s": goodput * 2 / 3}]
        return {"goodput_bit_s": goodput, "delay_mean_s": 0.1 / better}, flows

    studies = (OVERLOAD, LOW, BEST, RANDOM)
    return Data({study.name: measured(study, row) for study in studies})


@pytest.mark.parametrize(("_", "claim"), CLAIMS)
def test_claims_hold_where_wake_is_ahead(_: Panel, claim: Claim) -> None:
    assert verdict(claim, world(1.5))[0]


@pytest.mark.parametrize(("_", "claim"), CLAIMS)
def test_claims_fail_where_it_is_behind(_: Panel, claim: Claim) -> None:
    assert not verdict(claim, world(0.7))[0]


def test_only_at_low_load_it_may_be_like_udp() -> None:
    alike = null(world(1.0))
    held = [param.values[1].text for param in CLAIMS if verdict(param.values[1], alike)[0]]
    assert len(held) == len(CASES)
    assert all("at most 5 % slower" in text for text in held)


def test_a_lead_by_chance_is_none() -> None:
    """A difference in the mean that the runs do not agree on."""

    def row(variant: str, x: float, seed: int) -> tuple:  # type: ignore[type-arg]
        goodput = 100e3 + (40e3 * (seed - 1) if variant == WAKE else 10e3)
        flow = {"goodput_bit_s": goodput}
        return {"goodput_bit_s": goodput, "delay_mean_s": 0.1}, [flow, flow]

    found = Data({OVERLOAD.name: measured(OVERLOAD, row)})
    claim = next(p.values[1] for p in CLAIMS if "every rival in goodput" in p.values[1].text)
    holds, text = verdict(claim, found)
    assert not holds
    assert text.startswith("120.0 against 110.0 kbit/s")


def test_the_smallest_flow_and_fairness_are_those_of_a_run() -> None:
    found = world(1.0).studies[RANDOM.name]
    smallest = values(found, UDP, SMALLEST)
    assert smallest.shape == (len(RANDOM.quick_values), 2)
    assert smallest[0] == pytest.approx([101e3 / 3, 102e3 / 3])
    fair = values(found, UDP, FAIR)[0, 0]
    assert fair == pytest.approx(np.log(101 / 3) + np.log(101 * 2 / 3))


@pytest.mark.parametrize("study", [OVERLOAD, LOW, BEST, RANDOM], ids=lambda study: study.name)
def test_every_run_is_a_scenario(study) -> None:  # type: ignore[no-untyped-def]
    points = study.points(study.efforts.quick)
    assert len({point.scenario.json for point in points}) == len(points)


def test_wake_is_ahead_of_udp_in_a_short_run() -> None:
    chain = Scenario.from_file(OVERLOAD.base).with_(
        **{"topology.kind": "bidirectional-chain", "warmup": "5 s", "duration": "10 s"}
    )
    found = {name: run(VARIANTS[name].apply(chain)).runs.row(0, named=True) for name in (WAKE, UDP)}
    assert found[WAKE]["goodput_bit_s"] > 4 * found[UDP]["goodput_bit_s"]
    assert found[WAKE]["delay_mean_s"] < found[UDP]["delay_mean_s"] / 10


def test_seeds_of_networks_are_apart_from_those_of_the_rules() -> None:
    assert min(RANDOM.values) > 100
    assert replace(RANDOM, values=()).quick_values == RANDOM.values[:3]
