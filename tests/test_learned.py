"""The trained policies: training in a small form, and what they bring on other networks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import ModuleType
from typing import Any

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


def paces(policy: gym.Policy, study: Any, kind: str) -> list[float]:
    """Return the paces of a sender in an overload, in s, after the first 5 s."""
    values = {"topology.kind": kind, "topology.hops": 6, "traffic.load": "400 kbit/s"}
    (control,) = study.control
    scenario = study.scenario().with_(**values)
    task = gym.Task(scenario, study.agents, study.control, [*policy_features(policy)])
    env = gym.ParallelEnvironment(task)
    seen, _ = env.reset(options={"seed": SEEDS[0]})
    told = []
    while env.agents:
        actions = {name: policy.act(row) for name, row in seen.items()}
        told.append(control.low * (control.high / control.low) ** float(actions["n0"][0]))
        seen, *_ = env.step(actions)
    return told[50:]


def policy_features(policy: gym.Policy) -> list[str]:
    return [one["feature"] for one in json.loads(policy.text)["observe"]]


def test_the_pace_is_longer_where_flows_go_in_both_directions(
    scripts: dict[str, ModuleType],
) -> None:
    study = scripts["studies"].PACE
    policy = gym.Policy.load(study.file)
    one, both = (np.median(paces(policy, study, kind)) for kind in scripts["studies"].KINDS)
    assert both > 2 * one


def test_the_hold_is_a_constant_whatever_a_relay_sees(scripts: dict[str, ModuleType]) -> None:
    studies = scripts["studies"]
    policy = gym.Policy.load(studies.HOLD.file)
    mean, scale = (np.array(column) for column in zip(*studies.SCALES.values(), strict=True))
    seen = np.random.default_rng(1).uniform(mean - scale, mean + scale, size=(500, len(mean)))
    actions = policy.act(np.maximum(seen, 0))
    # Of the logarithmic ways from the shortest hold, and from the smallest window.
    assert np.quantile(actions, 0.9, axis=0).max() < 0.1


def test_training_finds_weights_that_are_worth_more(
    scripts: dict[str, ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("cma")
    train, study = scripts["train"], scripts["studies"].PACE
    # Untrained, a sender uses a fifth of what two hops carry.
    short = {"topology.kind": ("chain",), "topology.hops": (2,), "traffic.load": ("400 kbit/s",)}
    monkeypatch.setattr(train, "TRAINING", short)
    told: list[str] = []
    found = train.train(study, 4, runs=1, tell=told.append)
    assert len(told) == 4
    scenarios = train.draw(np.random.default_rng(99), study, 2)

    def mean(text: str) -> float:
        given = [one.with_(**{"policy.text": text}) for one in scenarios]
        return float(np.mean([train.worth(one) for one in run_many(given, progress=False)]))

    untrained = train.policy(np.zeros(train.count(study)), study).text
    # The goodput is at least half as much again, whose logarithm is 0.4.
    assert mean(found.text) > mean(untrained) + 0.4


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
