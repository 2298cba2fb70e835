"""Control steps that end at events: when they end, that they are repeatable, and bad input."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import parallel_api_test, parallel_seed_test

from multihop import LearningError, gym, run
from multihop.gym.controls import Control
from multihop.gym.steps import EVENTS
from tests.test_gym import chain

HALF = np.full(1, 0.5)


def task(event: str = "sent", within: str = "1 s", **more: Any) -> gym.Task:
    """Return a task whose steps end at an event at the source of a chain."""
    given: dict[str, Any] = {
        "control": [Control("pace", 0.02, 0.5)],
        "observe": ["queue", "sent", "length"],
    }
    return gym.Task(chain(), **(given | more), step=gym.Event(event, within))


def rolled(env: gym.Environment, action: float = 0.5, **reset: Any) -> tuple[Any, Any, Any]:
    """Return all observations, rewards and times of an episode with one action."""
    seen, info = env.reset(**reset)
    rows, rewards, times, over = [seen], [], [info["time_s"]], False
    while not over:
        seen, reward, _, over, info = env.step(np.full(env.action_space.shape, action))
        rows.append(seen)
        rewards.append(reward)
        times.append(info["time_s"])
    return np.stack(rows), np.array(rewards), np.array(times)


# ---- the checkers --------------------------------------------------------------------------------


@pytest.mark.parametrize("event", EVENTS)
def test_gymnasium_accepts_steps_that_end_at_events(event: str) -> None:
    with warnings.catch_warnings():
        # It advises against observations without an upper end.
        warnings.simplefilter("ignore")
        check_env(gym.Environment(task(event)), skip_render_check=True)


def test_pettingzoo_accepts_steps_that_end_at_events() -> None:
    held = task("heard", agents="nodes", control=["hold", "contention"])
    parallel_api_test(gym.ParallelEnvironment(held), num_cycles=500)
    parallel_seed_test(lambda: gym.ParallelEnvironment(held), num_cycles=200)


# ---- when steps end ------------------------------------------------------------------------------


def test_a_step_ends_right_after_its_event() -> None:
    env = gym.Environment(task("sent"))
    rows, _, times = rolled(env, seed=1)
    lengths = np.diff(times)
    # Every step but the last has one packet that was sent: its rate is one in its length.
    assert np.allclose(rows[1:, 2], lengths, rtol=1e-6)
    assert rows[1:-1, 1] * rows[1:-1, 2] == pytest.approx(1, rel=1e-5)
    # The pace 0.02 to 0.5 s at 0.5, once what waited before it was paced has gone.
    assert np.median(lengths[-15:]) == pytest.approx(0.1, rel=0.05)
    assert times[-1] == pytest.approx(5)
    assert lengths.min() > 0


def test_an_action_counts_from_its_event_on() -> None:
    longer = chain().with_(duration="8 s")
    env = gym.Environment(
        gym.Task(longer, control=[Control("pace", 0.05, 0.5)], observe=["sent"], step="sent")
    )
    env.reset(seed=1)
    # What waited at the node before it was paced goes first.
    times = [env.step(np.zeros(1))[4]["time_s"] for _ in range(120)]
    assert np.diff(times[-20:]).mean() == pytest.approx(0.05, rel=0.05)
    # The packet that was just sent was followed by its pace; the next one is slow.
    env.step(np.ones(1))
    before = env.step(np.ones(1))[4]["time_s"]
    assert env.step(np.ones(1))[4]["time_s"] - before == pytest.approx(0.5, rel=0.1)


@pytest.mark.parametrize("event", EVENTS)
def test_every_event_ends_steps_before_their_time(event: str) -> None:
    more: dict[str, Any] = {"agents": ["n1"], "control": [Control("hold", 0.0005, 0.001)]}
    if event == "delivered":
        more["agents"] = ["n3"]
    if event == "acknowledged":
        more = {"agents": ["n0"]}
    base = chain(scheme="udp-ack" if event == "acknowledged" else "udp")
    given: dict[str, Any] = {"control": [Control("pace", 0.002, 0.004)], **more}
    env = gym.Environment(gym.Task(base, **given, step=gym.Event(event, "3 s")))
    times = rolled(env, seed=1)[2]
    assert len(times) > 20, "an event that never occurs ends nothing"
    assert np.diff(times).max() < 3


def test_an_event_that_never_occurs_leaves_steps_of_its_time() -> None:
    # Datagrams are not acknowledged, and nothing is for the source.
    for event in ("delivered", "acknowledged"):
        times = rolled(gym.Environment(task(event, "400 ms")), seed=1)[2]
        # 3 s are seven steps of 0.4 s; the last one ends with the run.
        assert np.diff(times) == pytest.approx([0.4] * 7 + [0.2])
    times = rolled(gym.Environment(task("delivered", "100 s")), seed=1)[2]
    assert np.diff(times) == pytest.approx([3])


def test_a_window_is_set_at_the_acknowledgment_that_ends_a_step() -> None:
    given = gym.Task(
        chain(scheme="newreno"),
        control=[Control("window", 1, 8)],
        observe=["round_trip"],
        step="acknowledged",
    )
    env = gym.Environment(given)
    one, eight = (rolled(env, action, seed=1) for action in (0.0, 1.0))
    # With one segment on its way, acknowledgments are a round trip apart (of ticks of 10 ms).
    assert np.diff(one[2])[-60:].mean() == pytest.approx(one[0][-60:, 0].mean(), rel=0.3)
    assert eight[0][-60:, 0].mean() > 3 * one[0][-60:, 0].mean()


def test_rewards_of_steps_that_events_end_add_up() -> None:
    given = task("sent", reward=lambda known: known["delivered"] * known["length"])
    env = gym.Environment(given)
    total = rolled(env, 0.0, seed=2)[1].sum()
    tables = env.result()
    bits = tables.flows["goodput_bit_s"][0] * tables.runs["duration_s"][0]
    assert total == pytest.approx(bits, rel=0.02)


# ---- several agents ------------------------------------------------------------------------------


def test_only_agents_whose_step_has_ended_act() -> None:
    env = gym.ParallelEnvironment(task("sent", agents="nodes", control=["hold"]))
    seen, infos = env.reset(seed=1)
    assert all(info["acts"] for info in infos.values())
    acted, waited = 0, 0
    while env.agents:
        before = seen
        seen, _, _, over, infos = env.step(dict.fromkeys(env.agents, HALF))
        acting = [name for name, info in infos.items() if info["acts"]]
        assert acting
        acted += len(acting)
        for name in set(infos) - set(acting):
            waited += 1
            assert np.array_equal(seen[name], before[name]), "it sees what it saw last"
    assert all(over.values())
    assert acted > 200
    assert waited > 200


def test_many_environments_are_as_each_alone_on_any_number_of_threads() -> None:
    found = []
    for threads in (1, 2):
        env = gym.VectorEnvironment(task("sent"), 3, threads)
        seen, info = env.reset(seed=7)
        rows, times = [seen], [info["time_s"]]
        for _ in range(25):
            seen, _, _, truncated, info = env.step(np.full((3, 1), 0.4))
            assert info["acts"].all()
            rows.append(seen)
            times.append(info["time_s"])
        assert not truncated.any()
        found.append((np.stack(rows, axis=1), np.stack(times, axis=1)))
    assert all(np.array_equal(a, b) for a, b in zip(*found, strict=True))
    alone = gym.Environment(task("sent"))
    for number in range(3):
        rows, _, times = rolled(alone, 0.4, seed=7 + number)
        assert np.array_equal(rows[:26], found[0][0][number])
        assert np.array_equal(times[:26], found[0][1][number])
    assert len(set(found[0][1][:, -1])) == 3, "each stops at events of its own"


def test_environments_that_are_over_begin_anew_at_times_of_their_own() -> None:
    env = gym.VectorEnvironment(task("sent", "300 ms"), 2)
    env.reset(seed=3)
    ends: list[list[int]] = [[], []]
    for number in range(300):
        _, rewards, _, truncated, _ = env.step(np.full((2, 1), 0.6))
        assert np.isfinite(rewards).all()
        for at in np.flatnonzero(truncated):
            ends[at].append(number)
    assert min(map(len, ends)) >= 3
    assert ends[0] != ends[1]


def test_what_is_over_can_begin_anew_in_the_same_step() -> None:
    modes = AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP
    later, at_once = (gym.VectorEnvironment(task(), 1, autoreset=mode) for mode in modes)
    assert at_once.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    assert later.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    action = np.full((1, 1), 0.4)
    later.reset(seed=7)
    at_once.reset(seed=7)
    for _ in range(3):
        over = False
        while not over:
            last, rewards, _, ended, _ = later.step(action)
            seen, also, _, truncated, info = at_once.step(action)
            over = bool(ended[0])
            assert (truncated[0], also[0]) == (over, rewards[0])
            assert ("final_obs" in info) == over
        assert np.array_equal(info["final_obs"][0], last[0])
        assert info["_final_obs"].all()
        first, _, _, _, begun = later.step(action)
        assert np.array_equal(seen, first)
        assert info["time_s"] == begun["time_s"] == 2
    with pytest.raises(LearningError, match="AutoresetMode"):
        gym.VectorEnvironment(task(), 1, autoreset=AutoresetMode.DISABLED)


# ---- repeatable ----------------------------------------------------------------------------------


def test_a_seed_gives_the_same_episode_bit_by_bit() -> None:
    one, other = gym.Environment(task()), gym.Environment(task())
    first = rolled(one, 0.3, seed=5)
    rolled(one, 0.9)
    for again in (rolled(one, 0.3, seed=5), rolled(other, 0.3, seed=5)):
        assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))


@pytest.mark.parametrize("event", EVENTS)
def test_agents_that_do_as_the_mac_does_change_nothing_at_any_event(event: str) -> None:
    scenario = chain(scheme="newreno")
    # 31 slots are this MAC's own smallest window.
    given = gym.Task(
        scenario, agents="senders", control=[Control("contention", 31, 32)], step=event
    )
    env = gym.Environment(given)
    env.reset(options={"seed": 11})
    while not env.step(np.zeros(1))[3]:
        pass
    found, alone = env.result(), run(scenario.with_(seed=11))
    assert found.flows.equals(alone.flows)
    assert found.runs["fingerprint"].to_list() == alone.runs["fingerprint"].to_list()


# ---- policies ------------------------------------------------------------------------------------


def decided(given: gym.Task) -> gym.Policy:
    """Return a policy with weights at random, whose actions move."""
    random = np.random.default_rng(3)
    inputs, outputs = len(given.observe), len(given.control)
    layer = gym.Layer(random.normal(size=(outputs, inputs)), np.full(outputs, 0.4), "sigmoid")
    return gym.Policy.of(given, [layer], scale=[10, 50, 0.1])


@pytest.mark.parametrize(
    ("event", "scheme", "more"),
    [
        ("sent", "udp", {}),
        ("arrived", "wake", {}),
        ("lost", "udp", {"control": [Control("pace", 0.002, 0.02)]}),
        ("heard", "cxcc", {"agents": "nodes", "control": ["hold"]}),
        ("sent", "udp", {"agents": "relays", "control": ["hold", "contention"]}),
        ("acknowledged", "udp-ack", {}),
        ("acknowledged", "newreno", {"control": [Control("window", 1, 8)]}),
        ("heard", "newreno", {"control": [Control("window", 1, 8)]}),
    ],
)
def test_a_run_with_a_policy_is_the_episode_of_a_learner_that_follows_it(
    event: str, scheme: str, more: dict[str, Any]
) -> None:
    scenario = chain(scheme=scheme).with_(warmup="0 s", duration="4 s")
    given = gym.Task(
        scenario,
        **(
            {"control": [Control("pace", 0.01, 0.5)], "observe": ["queue", "sent", "length"]} | more
        ),
        step=gym.Event(event, "200 ms"),
    )
    policy = decided(given)
    env = gym.ParallelEnvironment(given)
    seen, _ = env.reset(options={"seed": 11})
    told = set()
    while env.agents:
        actions = {name: policy.act(row) for name, row in seen.items()}
        told.update(float(action[0]) for action in actions.values())
        seen, *_ = env.step(actions)
    assert len(told) >= 3, "the policy decides anew again and again"
    episode = env.result()
    alone = run(scenario.with_(seed=11, **{"policy.text": policy.text}))
    assert episode.flows.equals(alone.flows)
    assert episode.runs["fingerprint"].equals(alone.runs["fingerprint"])


def test_a_node_that_restarts_goes_on_with_its_events() -> None:
    base = chain(restart=[{"node": "n0", "at": "3 s"}])
    given = gym.Task(
        base, control=[Control("pace", 0.02, 0.5)], observe=["sent", "length"], step="sent"
    )
    times = rolled(gym.Environment(given), 0.5, seed=1)[2]
    assert times[-1] == pytest.approx(5)
    assert np.sum(times > 3.2) > 10


# ---- bad input -----------------------------------------------------------------------------------


def test_acknowledgments_are_of_flows_that_begin_at_agents() -> None:
    given = task("acknowledged", agents=["n1"], control=["hold"])
    with pytest.raises(LearningError, match=r"event 'acknowledged' is about flows .* none does"):
        gym.Environment(given)


@pytest.mark.parametrize(
    ("action", "message"), [(np.zeros(2), "shape"), (np.array([np.nan]), "NaN")]
)
def test_an_action_that_is_none_is_refused_and_the_episode_goes_on(
    action: Any, message: str
) -> None:
    env = gym.Environment(task())
    env.reset(seed=1)
    with pytest.raises(LearningError, match=message):
        env.step(action)
    assert not env.step(HALF)[3]
