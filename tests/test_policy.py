"""Policies as data: the engine runs them as an environment would, and refuses bad ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from multihop import LearningError, Scenario, ScenarioError, compare, gym, run, sweep
from multihop.gym.controls import Control
from tests.test_gym import chain

OBSERVED = ["queue", "busy", "overheard", "sent", "attempts"]


def task(scenario: Any = None, **more: Any) -> gym.Task:
    """Return a task whose episodes have no warm-up: so a learner acts from the start, too."""
    base = chain() if scenario is None else scenario
    given: dict[str, Any] = {"control": [Control("pace", 0.01, 0.5)], "observe": OBSERVED}
    return gym.Task(base.with_(warmup="0 s", duration="5 s"), **(given | more))


def drawn(of: gym.Task, seed: int = 3) -> gym.Policy:
    """Return a policy with weights at random, whose actions move."""
    random = np.random.default_rng(seed)
    inputs, outputs = len(of.observe), len(of.control)
    hidden = gym.Layer(random.normal(size=(6, inputs)), random.normal(size=6), "tanh")
    last = gym.Layer(random.normal(size=(outputs, 6)) * 0.3, np.full(outputs, 0.4), "linear")
    scale = [10, 0.5, 50, 50, 2][:inputs]
    return gym.Policy.of(of, [hidden, last], mean=np.zeros(inputs), scale=scale)


def constant(of: gym.Task, action: float) -> gym.Policy:
    """Return a policy that always does the same."""
    inputs, outputs = len(of.observe), len(of.control)
    return gym.Policy.of(of, [gym.Layer(np.zeros((outputs, inputs)), np.full(outputs, action))])


def fingerprint(scenario: Scenario) -> str:
    return str(run(scenario).runs["fingerprint"][0])


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """Return a file of a policy, beside a scenario's file."""
    drawn(task()).save(tmp_path / "pace.json")
    (tmp_path / "chain.json").write_text(chain().json, encoding="utf-8")
    return tmp_path / "pace.json"


# ---- the same as in an environment ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("scheme", "more"),
    [
        ("udp", {}),
        ("cxcc", {}),
        ("wake", {}),
        ("udp", {"agents": "relays", "control": [Control("hold", 0.001, 0.05)]}),
        ("udp", {"agents": "nodes", "control": ["hold", "contention"]}),
        (
            "newreno",
            {
                "control": [Control("window", 1, 8)],
                "observe": ["acknowledged", "round_trip", "queue"],
            },
        ),
        ("udp-ack", {"observe": ["acknowledged", "round_trip", "sending", "heard"]}),
    ],
)
def test_a_run_with_a_policy_is_the_episode_of_a_learner_that_follows_it(
    scheme: str, more: dict[str, Any]
) -> None:
    given = task(chain(scheme=scheme), **more)
    policy = drawn(given)
    env = gym.ParallelEnvironment(given)
    seen, _ = env.reset(options={"seed": 11})
    told = set()
    while env.agents:
        actions = {name: policy.act(row) for name, row in seen.items()}
        told.update(float(action[0]) for action in actions.values())
        seen, *_ = env.step(actions)
    assert len(told) >= 3, "the policy decides anew again and again"
    episode = env.result()
    alone = run(given.scenario.with_(seed=11, **{"policy.text": policy.text}))  # type: ignore[union-attr]
    assert episode.flows.equals(alone.flows)
    assert episode.runs["fingerprint"].equals(alone.runs["fingerprint"])
    bare = run(given.scenario.with_(seed=11))  # type: ignore[union-attr]
    assert not alone.runs["fingerprint"].equals(bare.runs["fingerprint"])


def test_a_node_that_restarts_begins_anew_with_its_policy() -> None:
    scenario = chain(restart=[{"node": "n0", "at": "1.03 s"}])
    slow = constant(task(), 1.0).text
    given = scenario.with_(**{"policy.text": slow, "warmup": "2 s", "duration": "10 s"})
    # Two packets a second of 512 B: the end of the pace 0.01 to 0.5 s.
    assert run(given).flows["goodput_bit_s"][0] == pytest.approx(2 * 512 * 8, rel=0.11)


def test_a_constant_policy_paces_from_the_start_of_the_run() -> None:
    given = chain().with_(**{"policy.text": constant(task(), 1.0).text})
    found = run(given)
    assert found.flows["goodput_bit_s"][0] == pytest.approx(2 * 512 * 8, rel=0.2)
    assert found.flows["lost_queue_full"][0] == 0


# ---- everywhere ----------------------------------------------------------------------------------


def test_a_scenario_says_all_of_its_policy_itself(saved: Path) -> None:
    scenario = Scenario.from_file(saved.with_name("chain.json"), {"policy.file": "pace.json"})
    assert scenario.to_dict()["policy"] == {"text": saved.read_text(encoding="utf-8")}
    text = Scenario.from_dict(scenario.to_dict())
    saved.unlink()
    assert fingerprint(text) == fingerprint(scenario)


def test_policies_of_different_weights_are_different_runs(tmp_path: Path) -> None:
    for name, action in (("slow", 1.0), ("swift", 0.0)):
        constant(task(), action).save(tmp_path / f"{name}.json")
    (tmp_path / "chain.json").write_text(chain().json, encoding="utf-8")
    files = ["slow.json", "swift.json"]
    vary = {"policy.file": files, "seed": [1, 2]}
    runs = sweep(tmp_path / "chain.json", vary, tmp_path / "s", progress=False).runs
    assert runs["run"].n_unique() == 4
    means = runs.group_by("policy.file").agg(pl.col("goodput_bit_s").mean())
    goodput = dict(means.iter_rows())
    assert goodput["swift.json"] > 2 * goodput["slow.json"]


def test_compare_sets_a_policy_beside_schemes(saved: Path) -> None:
    found = compare(
        saved.with_name("chain.json"),
        ["udp", "udp+pace.json", "cxcc"],
        seeds=10,
        baseline="udp+pace.json",
        out=saved.with_name("c"),
        progress=False,
    )
    assert found.table["scheme"].to_list() == ["udp", "udp+pace.json", "cxcc"]
    assert {pair.scheme for pair in found.pairs} == {"udp", "cxcc"}
    alone = run(chain().with_(seed=2, **{"policy.text": saved.read_text(encoding="utf-8")}))
    rows = found.result.runs
    own = rows.filter((rows["scheme"] == "udp+pace.json") & (rows["seed"] == 2))
    assert own["fingerprint"].to_list() == alone.runs["fingerprint"].to_list()


def test_a_policy_is_read_as_it_was_written(saved: Path) -> None:
    again = gym.Policy.load(saved)
    seen = np.random.default_rng(1).uniform(0, 20, size=(5, len(OBSERVED)))
    actions = again.act(seen)
    assert actions.shape == (5, 1)
    assert np.array_equal(actions, drawn(task()).act(seen))
    assert np.array_equal(actions[2], again.act(seen[2]))
    assert ((actions >= 0) & (actions <= 1)).all()


# ---- bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ({}, r"policy.file: is missing; \[policy\] needs it"),
        ({"file": "x.json"}, "'x.json' cannot be read: .* check the path"),
        ({"text": ""}, "policy.text: is not JSON"),
        ({"text": "{}"}, "missing field 'policy'"),
        ({"weights": [1]}, "unknown key 'weights'"),
        ({"file": "x.json", "text": "{}"}, "takes the place of policy.text"),
        ({"agents": ["n9"]}, "policy.agents: there is no node 'n9'"),
        ({"agents": "relays"}, "'pace' is about flows that begin at agents"),
        ({"agents": []}, "no agents"),
        ({"agents": 3}, "policy.agents: "),
    ],
)
def test_a_scenario_whose_policy_makes_no_sense_is_refused(
    policy: dict[str, Any], message: str
) -> None:
    text = {"text": drawn(task()).text} if list(policy) == ["agents"] else {}
    with pytest.raises(ScenarioError, match=message):
        Scenario.from_dict(chain().to_dict() | {"policy": text | policy})


def test_the_line_of_a_scenario_and_the_place_in_its_policy_are_named(saved: Path) -> None:
    text = saved.read_text(encoding="utf-8")
    (saved.parent / "bad.json").write_text(text.replace('"pace"', '"speed"'), encoding="utf-8")
    scenario = saved.with_name("chain.toml")
    scenario.write_text(
        'scheme.name = "udp"\ntopology.kind = "chain"\ntopology.hops = 3\n'
        'traffic.load = "9 kbit/s"\n[policy]\nfile = "bad.json"\n',
        encoding="utf-8",
    )
    with pytest.raises(ScenarioError) as caught:
        Scenario.from_file(scenario)
    said = str(caught.value)
    assert "line 6: policy.file: 'bad.json' is no policy: control[0]: there is no 'speed'" in said


def test_windows_are_of_newreno_only() -> None:
    given = task(chain(scheme="newreno"), control=["window"])
    text = constant(given, 0.5).text
    with pytest.raises(ScenarioError, match="is of 'newreno', and the scheme is 'udp'"):
        chain().with_(**{"policy.text": text})


@pytest.mark.parametrize(
    ("layers", "more", "message"),
    [
        ([gym.Layer(np.zeros((1, 4)), [0.0])], {}, r"layers\[0\].weights\[0\]: there are 4"),
        ([gym.Layer(np.zeros((2, 5)), [0.0, 0.0])], {}, "2 outputs; it needs 1"),
        ([gym.Layer(np.full((1, 5), np.nan), [0.0])], {}, "the training has diverged"),
        ([gym.Layer(np.zeros(5), [0.0])], {}, r"shape \(5,\)"),
        ([gym.Layer("many", [0.0])], {}, "no numbers"),
        ([gym.Layer(np.zeros((1, 5)), [0.0], "softmax")], {}, "there is no 'softmax'"),
        ([], {}, "there are 0; write 1 to 8"),
        ([gym.Layer(np.zeros((1, 5)), [0.0])], {"mean": [1]}, "there are 1 numbers; give 5"),
        ([gym.Layer(np.zeros((1, 5)), [0.0])], {"scale": np.zeros(5)}, "write a number above 0"),
    ],
)
def test_a_network_that_does_not_fit_its_task_is_refused(
    layers: list[gym.Layer], more: dict[str, Any], message: str
) -> None:
    with pytest.raises(LearningError, match=message):
        gym.Policy.of(task(), layers, **more)


def test_what_the_oracle_knows_no_policy_sees() -> None:
    given = task(observe=["delay"], oracle=True)
    with pytest.raises(LearningError, match="'delay' is known to nobody in a real network"):
        constant(given, 0.5)


def test_a_file_that_is_no_policy_is_named(tmp_path: Path) -> None:
    with pytest.raises(LearningError, match="check the path"):
        gym.Policy.load(tmp_path / "none.json")
    path = tmp_path / "list.json"
    path.write_text(json.dumps([1, 2]), encoding="utf-8")
    with pytest.raises(LearningError, match="is no policy"):
        gym.Policy.load(path)


def test_observations_of_another_shape_are_refused() -> None:
    with pytest.raises(LearningError, match="a row has 5 numbers"):
        drawn(task()).act([1.0, 2.0])


@pytest.mark.parametrize(
    ("schemes", "message"),
    [
        (["udp+none.json"], "cannot be read"),
        (["udp+"], "names no policy; write its file behind the sign"),
        (["spdy+pace.json"], "there is no scheme 'spdy'"),
    ],
)
def test_a_comparison_with_a_policy_that_is_none_is_refused(
    saved: Path, schemes: list[str], message: str
) -> None:
    with pytest.raises(ScenarioError, match=message):
        compare(saved.with_name("chain.json"), schemes, seeds=1, progress=False)
