"""The trained policies: training in a small form, and what they bring on other networks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import ModuleType

import numpy as np
import polars as pl
import pytest

from multihop import Scenario, gym, run_many
from multihop.gym.task import SEEDS
from tests import learning

pytestmark = pytest.mark.engine
MODULES = ("studies", "train", "judge")


@pytest.fixture(scope="module")
def scripts() -> Iterator[dict[str, ModuleType]]:
    """Return the scripts by name."""
    with learning.scripts(*MODULES) as found:
        yield dict(zip(MODULES, found, strict=True))


def test_training_and_test_have_nothing_in_common(scripts: dict[str, ModuleType]) -> None:
    studies = scripts["studies"]
    assert studies.apart(studies.TRAINING, studies.TEST)
    assert not studies.apart(studies.TRAINING, studies.TRAINING)
    assert max(studies.TEST_SEEDS) < SEEDS[0]
    drawn = scripts["train"].draw(np.random.default_rng(1), studies.PACE, 20)
    tables = [scenario.to_dict() for scenario in drawn]
    assert min(table["seed"] for table in tables) >= SEEDS[0]
    assert not {table["topology"]["hops"] for table in tables} & set(studies.TEST["topology.hops"])


@pytest.mark.parametrize("name", ["pace", "hold"])
def test_the_weights_are_of_the_network_that_is_trained(
    name: str, scripts: dict[str, ModuleType]
) -> None:
    study = next(one for one in scripts["studies"].STUDIES if one.name == name)
    kept = json.loads(study.file.read_text(encoding="utf-8"))
    made = json.loads(scripts["train"].policy(np.zeros(scripts["train"].count(study)), study).text)
    for key in ("policy", "step_s", "agents", "observe", "control"):
        assert kept[key] == made[key]
    shapes = [[np.shape(layer["weights"]) for layer in policy["layers"]] for policy in (kept, made)]
    assert shapes[0] == shapes[1]


def goodput(scenario: Scenario, values: dict[str, object], seeds: range) -> float:
    found = run_many([scenario.with_(seed=seed, **values) for seed in seeds], progress=False)
    return float(np.mean([result.runs["goodput_bit_s"][0] for result in found]))


def test_a_learned_pace_does_not_collapse_where_udp_does(scripts: dict[str, ModuleType]) -> None:
    values = {"topology.kind": "bidirectional-chain", "topology.hops": 5}
    scenario = scripts["studies"].PACE.scenario()
    policy = gym.Policy.load(learning.FOLDER / "pace.json").text
    paced = goodput(scenario, {**values, "policy.text": policy}, range(1, 4))
    assert paced > 1.5 * goodput(scenario, dict(values), range(1, 4))


def test_learned_relays_do_not_harm_newreno(scripts: dict[str, ModuleType]) -> None:
    scenario = scripts["studies"].HOLD.scenario()
    policy = gym.Policy.load(learning.FOLDER / "hold.json").text
    held = goodput(scenario, {"policy.text": policy}, range(1, 6))
    assert held > 0.95 * goodput(scenario, {}, range(1, 6))


def test_training_finds_weights_that_are_worth_more(scripts: dict[str, ModuleType]) -> None:
    pytest.importorskip("cma")
    train, study = scripts["train"], scripts["studies"].PACE
    told: list[str] = []
    found = train.train(study, 6, runs=2, tell=told.append)
    assert len(told) == 6
    scenarios = train.draw(np.random.default_rng(99), study, 6)

    def mean(text: str) -> float:
        given = [one.with_(**{"policy.text": text}) for one in scenarios]
        return float(np.mean([train.worth(one) for one in run_many(given, progress=False)]))

    untrained = train.policy(np.zeros(train.count(study)), study).text
    assert mean(found.text) > mean(untrained)


def test_a_claim_is_judged_by_its_interval(scripts: dict[str, ModuleType]) -> None:
    judge, studies = scripts["judge"], scripts["studies"]
    claim = studies.PACE.claims[0]

    def world(ratio: float, noise: float) -> pl.DataFrame:
        random = np.random.default_rng(5)
        rows = [
            {
                "topology.kind": "chain",
                "topology.hops": 3,
                "traffic.load": "100 kbit/s",
                "scheme": name,
                "seed": seed,
                "goodput_bit_s": 1e5 * factor * float(np.exp(random.normal() * noise)),
            }
            for seed in range(1, 11)
            for name, factor in (("udp", 1.0), (studies.PACE.entry, ratio))
        ]
        return pl.DataFrame(rows)

    for ratio, noise, verdict in (
        (1.5, 0.01, judge.HOLDS),
        (1.1, 0.01, judge.FAILS),
        (1.3, 0.5, judge.OPEN),
    ):
        found = judge.judge(world(ratio, noise), claim, studies.PACE)
        assert found["verdict"] == verdict
        assert found["low"] <= found["ratio"] <= found["high"]
