"""Environments for learning: the checkers of Gymnasium and PettingZoo, truth, and bad input."""

from __future__ import annotations

import subprocess
import sys
import threading
import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import parallel_api_test, parallel_seed_test

from multihop import LearningError, Scenario, ScenarioError, gym, prototype, run
from multihop.gym.controls import Control

STEPS = 30


def chain(hops: int = 3, scheme: str = "udp", **more: Any) -> Scenario:
    """Return a chain whose source offers more than it can carry, for 3 s after a warm-up of 2 s."""
    traffic: dict[str, Any] = {"kind": "cbr", "load": "400 kbit/s", "payload": "512 B"}
    if scheme == "newreno":
        traffic = {"kind": "ftp", "payload": "512 B"}
    return Scenario.from_dict(
        {
            "warmup": "2 s",
            "duration": "3 s",
            "topology": {"kind": "chain", "hops": hops},
            "scheme": {"name": scheme},
            "traffic": {"start": "0.1 s", "start_jitter": "0.1 s", **traffic},
            **more,
        }
    )


def rolled(env: gym.Environment, action: float, steps: int = STEPS, **reset: Any) -> Any:
    """Return all observations and rewards of some steps with one action."""
    seen, _ = env.reset(**reset)
    rows, rewards = [seen], []
    for _ in range(steps):
        seen, reward, _, _, _ = env.step(np.full(env.action_space.shape, action))
        rows.append(seen)
        rewards.append(reward)
    return np.stack(rows), np.array(rewards)


# ---- the checkers --------------------------------------------------------------------------------


def test_gymnasium_accepts_the_environment() -> None:
    env = gym.Environment(gym.Task(chain(), vary={"topology.hops": [2, 3]}))
    with warnings.catch_warnings():
        # It advises against observations without an upper end.
        warnings.simplefilter("ignore")
        check_env(env, skip_render_check=True)


def test_pettingzoo_accepts_the_environment() -> None:
    task = gym.Task(
        chain(), agents="nodes", control=["hold", "contention"], observe=["queue", "overheard"]
    )
    parallel_api_test(gym.ParallelEnvironment(task), num_cycles=3 * STEPS)
    parallel_seed_test(lambda: gym.ParallelEnvironment(task), num_cycles=STEPS)


# ---- repeatable ----------------------------------------------------------------------------------


def test_a_seed_gives_the_same_episode_bit_by_bit() -> None:
    task = gym.Task(chain(), observe=["queue", "busy", "heard", "sent", "attempts"])
    one, other = gym.Environment(task), gym.Environment(task)
    first = rolled(one, 0.3, seed=5)
    rolled(one, 0.9)
    again = rolled(one, 0.3, seed=5)
    elsewhere = rolled(other, 0.3, seed=5)
    for found in (again, elsewhere):
        assert all(np.array_equal(a, b) for a, b in zip(first, found, strict=True))
    assert not np.array_equal(first[0], rolled(one, 0.3)[0])


def test_the_seed_of_an_unseeded_episode_is_told_and_repeats_it() -> None:
    env = gym.Environment(gym.Task(chain(), vary={"topology.hops": [2, 3]}))
    _, info = env.reset()
    seen = env.step(np.array([0.4]))[0]
    _, told = env.reset(options=info)
    assert told == info
    assert np.array_equal(env.step(np.array([0.4]))[0], seen)


def test_many_environments_are_as_each_alone_on_any_number_of_threads() -> None:
    task = gym.Task(chain(), observe=["queue", "busy", "sent"])
    found = []
    for threads in (1, 2):
        env = gym.VectorEnvironment(task, 3, threads)
        rows = [env.reset(seed=7)[0]]
        for _ in range(STEPS):
            seen, rewards, _, truncated, _ = env.step(np.full((3, 1), 0.4))
            rows.append(seen)
        assert truncated.all()
        assert rewards.shape == (3,)
        found.append(np.stack(rows, axis=1))
    assert np.array_equal(*found)
    alone = gym.Environment(task)
    for number in range(3):
        assert np.array_equal(rolled(alone, 0.4, seed=7 + number)[0], found[0][number])


def test_rows_are_agents_and_a_new_episode_begins_in_the_next_step() -> None:
    task = gym.Task(
        chain(3), agents="relays", control=["hold"], observe=["queue", "elapsed"], oracle=True
    )
    env = gym.VectorEnvironment(task, 2)
    assert (env.num_envs, env.agents_each) == (4, 2)
    _, info = env.reset(seed=1)
    assert info["seed"][0] == info["seed"][1] != info["seed"][2]
    hold = np.zeros((4, 1))
    for number in range(STEPS):
        seen, _, _, truncated, _ = env.step(hold)
        assert truncated.all() == (number == STEPS - 1)
    assert seen[:, 1] == pytest.approx(1)
    seen, rewards, _, truncated, again = env.step(hold)
    assert not truncated.any()
    assert not rewards.any()
    assert not seen[:, 1].any()
    assert again["seed"][0] != info["seed"][0]


def test_agents_of_the_engine_that_do_as_the_mac_does_change_nothing() -> None:
    scenario = chain()
    # 31 slots are this MAC's own smallest window.
    task = gym.Task(scenario, agents="nodes", control=[Control("contention", 31, 32)])
    env = gym.ParallelEnvironment(task)
    env.reset(options={"seed": 11})
    while env.agents:
        env.step(dict.fromkeys(env.agents, np.zeros(1)))
    found, alone = env.result(), run(scenario.with_(seed=11))
    assert found.flows.equals(alone.flows)
    assert found.runs["fingerprint"].to_list() == alone.runs["fingerprint"].to_list()


# ---- what agents do and see ----------------------------------------------------------------------


def test_a_pace_is_kept() -> None:
    env = gym.Environment(gym.Task(chain(), control=[Control("pace", 0.05, 0.5)], observe=["sent"]))
    assert rolled(env, 0.0, seed=1)[0][-5:, 0] == pytest.approx(20)
    # Two packets a second are one in every fifth step.
    slow = rolled(env, 1.0, seed=1)[0][-10:, 0]
    assert slow.sum() * 0.1 == pytest.approx(2)


def test_a_shorter_pace_counts_at_once() -> None:
    env = gym.Environment(gym.Task(chain(), control=[Control("pace", 0.02, 60)], observe=["sent"]))
    env.reset(seed=1)
    # What waited at the node before it was paced goes first.
    sent = [env.step(np.ones(1))[0][0] for _ in range(20)]
    assert max(sent[-5:]) == 0
    assert env.step(np.zeros(1))[0][0] >= 30


def test_a_held_relay_forwards_less() -> None:
    task = gym.Task(
        chain(), agents=["n1"], control=[Control("hold", 0.001, 0.2)], observe=["sent", "queue"]
    )
    env = gym.Environment(task)
    swift, slow = (rolled(env, action, seed=1)[0][-10:] for action in (0.0, 1.0))
    assert slow[:, 0].mean() <= 5
    assert swift[:, 0].mean() > 20
    assert slow[-1, 1] >= 45  # its queue is all but full


def test_a_window_is_kept() -> None:
    task = gym.Task(
        chain(scheme="newreno"),
        control=[Control("window", 1, 4)],
        observe=["acknowledged", "round_trip"],
    )
    env = gym.Environment(task)
    one, four = (rolled(env, action, seed=1)[0][-10:] for action in (0.0, 1.0))
    # With one segment on its way, each takes a round trip (of ticks of 10 ms).
    assert one[:, 0].mean() == pytest.approx(1 / one[:, 1].mean(), rel=0.3)
    assert four[:, 1].mean() > 1.5 * one[:, 1].mean()


def test_a_wide_contention_window_slows_a_node() -> None:
    task = gym.Task(
        chain(1), control=[Control("contention", 31, 1023)], observe=["sent", "busy", "sending"]
    )
    env = gym.Environment(task)
    narrow, wide = (rolled(env, action, seed=1)[0][-20:].mean(axis=0) for action in (0.0, 1.0))
    assert wide[0] < 0.8 * narrow[0]
    assert wide[1] < narrow[1] <= 1
    assert 0 < narrow[2] < narrow[1]


def test_rewards_add_up_to_what_the_tables_say() -> None:
    task = gym.Task(chain(), reward={"delivered": 0.1, "lost_all": -1}, observe=["queue"])
    env = gym.Environment(task)
    # One step is 0.1 s: bits delivered less packets lost, in all.
    total = rolled(env, 0.5, seed=2)[1].sum()
    tables = env.result()
    bits = tables.flows["goodput_bit_s"][0] * tables.runs["duration_s"][0]
    lost = sum(tables.flows[name][0] for name in tables.flows.columns if name.startswith("lost_"))
    assert total == pytest.approx(bits - 10 * lost, rel=0.02)


def test_a_reward_may_be_a_function_of_all_features() -> None:
    names: set[str] = set()

    def reward(known: dict[str, float]) -> float:
        names.update(known)
        return known["delivered"] - known["delay"]

    assert np.isfinite(rolled(gym.Environment(gym.Task(chain(), reward=reward)), 0.5, 5)[1]).all()
    assert names == {feature.name for feature in gym.features()}


def test_scenarios_are_drawn_from_all_that_vary() -> None:
    task = gym.Task(chain(), vary={"topology.hops": [2, 3, 4]}, agents="relays", control=["hold"])
    env = gym.ParallelEnvironment(task)
    assert env.possible_agents == ["n1", "n2", "n3"]
    sizes = set()
    for seed in range(12):
        seen, infos = env.reset(seed=seed)
        sizes.add(len(seen))
        assert len(seen) == infos["n1"]["vary"]["topology.hops"] - 1
    assert sizes == {1, 2, 3}


def test_a_node_that_restarts_stays_an_agent() -> None:
    scenario = chain(restart=[{"node": "n1", "at": "3 s"}])
    task = gym.Task(
        scenario, agents=["n1"], control=[Control("hold", 0.001, 0.2)], observe=["sent"]
    )
    sent = rolled(gym.Environment(task), 1.0, seed=1)[0][:, 0]
    assert sent[-10:].mean() == pytest.approx(5, abs=1)


def test_other_threads_of_python_go_on_meanwhile() -> None:
    env = gym.Environment(gym.Task(chain(8).with_(duration="600 s"), step="500 s"))
    env.reset(seed=1)
    counted, over = 0, threading.Event()

    def count() -> None:
        nonlocal counted
        while not over.wait(0.001):
            counted += 1

    thread = threading.Thread(target=count)
    thread.start()
    env.step(np.array([0.0]))
    over.set()
    thread.join()
    assert counted > 5


# ---- bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"agents": ["n9"]}, "no node 'n9'; the nodes are n0 to n3"),
        ({"agents": []}, "no agents"),
        ({"agents": ["n1", "n1"], "control": ["hold"]}, "'n1' is named twice"),
        ({"agents": "relays"}, "about flows that begin at agents"),
        ({"control": []}, "control: there is none"),
        ({"control": ["speed"]}, "there is no 'speed'; there are: pace"),
        ({"control": "pace"}, r"write a list, as in \['pace'\]"),
        ({"control": ["pace", "pace"]}, "named twice"),
        ({"control": [Control("pace", 0, 1)]}, "ends above 0"),
        ({"control": ["window"]}, "of 'newreno', and the scheme is 'udp'"),
        ({"observe": []}, "there is nothing"),
        ({"observe": ["bussy"]}, "did you mean 'busy'"),
        ({"observe": ["busy", "busy"]}, "named twice"),
        ({"observe": ["delay"]}, "oracle"),
        ({"reward": {}}, "neither a function nor weights"),
        ({"reward": {"fame": 1}}, "there is no 'fame'"),
        ({"reward": {"delay": float("nan")}}, "no number"),
        ({"step": "0 s"}, "write a time from 1 us"),
        ({"step": "10 s"}, "longer than an episode"),
        ({"step": 0.1}, "is no text; write a time with its unit"),
        ({"step": "5 m"}, "is no time"),
        ({"step": "0.1"}, "neither a time, as in"),
        ({"step": "arived"}, "nor an event; did you mean 'arrived'"),
        ({"step": gym.Event("delivery")}, "nor an event; did you mean 'delivered'"),
        ({"step": gym.Event("sent", within="soon")}, "within: 'soon' is no time"),
        ({"step": gym.Event("sent", within="0 s")}, "write a time from 1 us"),
        ({"vary": {"seed": [1, 2]}}, "leave seed out"),
        ({"vary": {"topology.hops": range(1, 2000)}}, "more than 1000"),
    ],
)
def test_a_task_that_makes_no_sense_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(LearningError, match=message):
        gym.Environment(gym.Task(chain(), **given))


def test_what_the_scenario_refuses_is_refused() -> None:
    with pytest.raises(ScenarioError, match="unknown key 'hop'"):
        gym.Environment(gym.Task(chain(), vary={"topology.hop": [1, 2]}))


def test_the_number_of_agents_has_to_fit() -> None:
    relays = gym.Task(chain(4), agents="relays", control=["hold"])
    with pytest.raises(LearningError, match="a Gymnasium environment has one"):
        gym.Environment(relays)
    several = gym.Task(chain(), agents="relays", control=["hold"], vary={"topology.hops": [2, 4]})
    with pytest.raises(LearningError, match="from 1 to 3 agents"):
        gym.VectorEnvironment(several, 2)
    with pytest.raises(LearningError, match="0 environments"):
        gym.VectorEnvironment(relays, 0)


def test_the_oracle_has_to_be_asked_for() -> None:
    env = gym.Environment(gym.Task(chain(), observe=["delay"], oracle=True))
    assert rolled(env, 0.1, seed=1)[0][-1, 0] > 0


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (np.zeros(2), r"shape \(2,\); the shape is \(1,\)"),
        (0.5, r"shape \(\)"),
        (np.array([np.nan]), "NaN"),
        (np.array([np.inf]), "NaN or an infinity"),
        (np.array([1.5]), "not between 0 and 1"),
        (np.array([-0.1]), "not between 0 and 1"),
        (["fast"], "no numbers"),
        (None, "NaN|no numbers|shape"),
    ],
)
def test_an_action_that_is_none_is_refused_and_the_episode_goes_on(
    action: Any, message: str
) -> None:
    env = gym.Environment(gym.Task(chain()))
    env.reset(seed=1)
    with pytest.raises(LearningError, match=message):
        env.step(action)
    assert not env.step(np.array([0.5]))[3]


def test_steps_before_and_after_an_episode_are_refused() -> None:
    env = gym.Environment(gym.Task(chain()))
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step(np.array([0.5]))
    with pytest.raises(LearningError, match="no episode"):
        env.result()
    rolled(env, 0.5, seed=1)
    with pytest.raises(ResetNeeded, match="it is over"):
        env.step(np.array([0.5]))
    with pytest.raises(ResetNeeded):
        gym.VectorEnvironment(gym.Task(chain()), 2).step(np.zeros((2, 1)))


def test_several_agents_all_have_to_act() -> None:
    env = gym.ParallelEnvironment(gym.Task(chain(), agents="relays", control=["hold"]))
    with pytest.raises(ResetNeeded):
        env.step({})
    env.reset(seed=1)
    half = np.full(1, 0.5)
    with pytest.raises(LearningError, match="n2 lacks one"):
        env.step({"n1": half})
    with pytest.raises(LearningError, match="n9 is no agent"):
        env.step({"n1": half, "n2": half, "n9": half})
    with pytest.raises(LearningError, match=r"action of n2: .* NaN"):
        env.step({"n1": half, "n2": half * np.nan})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": -1}, "whole number"),
        ({"seed": 1.5}, "whole number"),
        ({"vary": {"x": 1}}, "no scenario"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        gym.Environment(gym.Task(chain())).reset(options=options)


def test_seeds_have_to_fit() -> None:
    with pytest.raises(LearningError, match="3 seeds for 2 environments"):
        gym.VectorEnvironment(gym.Task(chain()), 2).reset(seed=[1, 2, 3])


@pytest.mark.parametrize("answer", [float("nan"), "much", None])
def test_a_reward_that_is_none_is_refused(answer: Any) -> None:
    env = gym.Environment(gym.Task(chain(), reward=lambda _: answer))
    env.reset(seed=1)
    with pytest.raises(LearningError, match="return a number"):
        env.step(np.array([0.5]))


def test_the_exception_of_a_scheme_in_python_arrives_and_a_reset_helps() -> None:
    class Failing(prototype.Hop):
        """Forwards until it is told to fail."""

        fails = False

        def __init__(self, params: Any) -> None:
            self.packets: list[Any] = []

        def on_enqueue(self, context: Any, packet: Any, next_hop: int) -> None:
            if Failing.fails:
                raise ZeroDivisionError("as told")
            context.drop(packet, "queue_full")

        def on_heard(self, context: Any, frame: Any) -> bool:
            return frame.heard == "for_me"

        def poll_transmit(self, context: Any) -> None:
            return None

        def on_tx_done(self, context: Any, done: Any) -> None:
            return None

        def backlog(self) -> int:
            return 0

    prototype.register(prototype.Scheme(name="failing", hop=Failing))
    try:
        env = gym.Environment(gym.Task(chain(scheme="failing")))
        env.reset(seed=1)
        Failing.fails = True
        with pytest.raises(ZeroDivisionError, match="as told"):
            env.step(np.array([0.5]))
        with pytest.raises(ResetNeeded):
            env.step(np.array([0.5]))
        Failing.fails = False
        env.reset(seed=1)
        env.step(np.array([0.5]))
    finally:
        prototype.unregister("failing")


def test_ctrl_c_ends_the_wait_and_a_reset_helps() -> None:
    program = """
import os, signal, threading
import numpy as np
from multihop import Scenario, gym

scenario = Scenario.from_dict({
    "duration": "3000 s",
    "topology": {"kind": "chain", "hops": 8},
    "scheme": {"name": "udp"},
    "traffic": {"kind": "cbr", "load": "200 kbit/s"},
})
env = gym.Environment(gym.Task(scenario, step="3000 s"))
env.reset(seed=1)
threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    env.step(np.zeros(1))
except KeyboardInterrupt:
    print("interrupted")
try:
    env.step(np.zeros(1))
except Exception as error:
    print(type(error).__name__)
env.reset(seed=2)
print("reset")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split() == ["interrupted", "ResetNeeded", "reset"], done.stderr


def test_what_is_missing_is_named_and_nothing_loads_it_unasked() -> None:
    program = """
import sys
import multihop
multihop.Scenario, multihop.run
assert not {"gymnasium", "pettingzoo", "optuna"} & set(sys.modules)
sys.modules["pettingzoo"] = None
try:
    from multihop import gym
except multihop.MissingExtraError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "pip install 'multihop[gym]'" in done.stdout, done.stderr
