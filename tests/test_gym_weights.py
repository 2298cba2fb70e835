"""Weights of routes as a control: they move traffic, never in a circle, and bad input."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import parallel_api_test, parallel_seed_test

from multihop import LearningError, Scenario, gym, run
from multihop.gym.controls import Control
from tests.test_rates import line

# Two ways from s to d, of which the one over a has the lower number. A flow from a to y loads a.
PLACES = {
    "s": (0, 0),
    "a": (200, 150),
    "b": (200, -150),
    "d": (400, 0),
    "y": (400, 290),
}
WEIGHED = [Control("weight", 1, 4)]
NETWORK: dict[str, Any] = {
    "agents": "network",
    "control": WEIGHED,
    "observe": ["queue", "busy", "delivery"],
}


def diamond(load: str = "800 kbit/s", **more: Any) -> Scenario:
    """Return the two ways."""
    flows = [{"from": "s", "to": "d", "load": "80 kbit/s"}]
    if load:
        flows.append({"from": "a", "to": "y", "load": load})
    return Scenario.from_dict(
        {
            "warmup": "2 s",
            "duration": "6 s",
            "topology": {"kind": "explicit"},
            "node": [
                {"name": name, "x": f"{x} m", "y": f"{y} m"} for name, (x, y) in PLACES.items()
            ],
            "flow": flows,
            "scheme": {"name": "udp"},
            "traffic": {"kind": "cbr", "payload": "512 B", "start": "0.1 s"},
            **more,
        }
    )


def weights(**given: float) -> np.ndarray[Any, Any]:
    """Return the action of the network: 0 of all nodes but those that are given."""
    return np.array([given.get(name, 0.0) for name in PLACES], np.float32)


def carried(task: gym.Task, action: Any, seed: int = 1) -> dict[str, float]:
    """Return the goodput of every flow in bit/s when the network does the same in all steps."""
    env = gym.Environment(task)
    env.reset(seed=seed)
    while not env.step(action)[3]:
        pass
    flows = env.result().flows
    return dict(flows.select("name", "goodput_bit_s").iter_rows())


# ---- the checkers --------------------------------------------------------------------------------


def test_gymnasium_accepts_the_network_as_an_agent() -> None:
    env = gym.Environment(gym.Task(diamond(), **NETWORK))
    assert env.action_space.shape == (5,)
    assert env.observation_space.shape == (15,)
    with warnings.catch_warnings():
        # It advises against observations without an upper end.
        warnings.simplefilter("ignore")
        check_env(env, skip_render_check=True)


@pytest.mark.parametrize("step", ["100 ms", "sent"])
def test_pettingzoo_accepts_nodes_that_weigh(step: str) -> None:
    task = gym.Task(diamond(), agents="relays", control=WEIGHED, step=step)
    parallel_api_test(gym.ParallelEnvironment(task), num_cycles=200)
    parallel_seed_test(lambda: gym.ParallelEnvironment(task), num_cycles=50)


# ---- what weights do -----------------------------------------------------------------------------


def test_weights_that_are_equal_change_nothing() -> None:
    scenario = diamond()
    env = gym.Environment(gym.Task(scenario, **NETWORK))
    env.reset(options={"seed": 11})
    while not env.step(weights())[3]:
        pass
    found, alone = env.result(), run(scenario.with_(seed=11))
    assert found.flows.equals(alone.flows)
    assert found.runs["fingerprint"].to_list() == alone.runs["fingerprint"].to_list()


def test_a_weight_moves_traffic_from_the_loaded_way_and_goodput_rises() -> None:
    task = gym.Task(diamond(), **NETWORK)
    through_a, through_b = carried(task, weights()), carried(task, weights(a=1))
    # At a, the node's own packets leave no room in its queue.
    assert through_a["s->d"] < 0.1 * 80e3
    assert through_b["s->d"] > 0.9 * 80e3
    assert sum(through_b.values()) > 0.95 * sum(through_a.values())


def test_traffic_goes_where_the_weights_say() -> None:
    task = gym.Task(diamond(load=""), **(NETWORK | {"observe": ["sent"]}))
    env = gym.Environment(task)
    env.reset(seed=1)
    a, b = list(PLACES).index("a"), list(PLACES).index("b")
    for action, busy, idle in ((weights(a=1), b, a), (weights(b=1), a, b), (weights(a=1), b, a)):
        # What waited for the old next hop goes there.
        rows = [env.step(action)[0] for _ in range(15)][5:]
        sent = np.mean(rows, axis=0)
        assert sent[busy] == pytest.approx(80e3 / (512 * 8), rel=0.2)
        assert sent[idle] == 0


def test_one_node_alone_can_take_itself_out_of_routes() -> None:
    task = gym.Task(diamond(), agents=["a"], control=WEIGHED, observe=["queue"])
    assert carried(task, np.ones(1))["s->d"] > 0.9 * 80e3 > carried(task, np.zeros(1))["s->d"]


@pytest.mark.parametrize("scheme", ["udp", "cxcc", "wake", "cl", "newreno", "hxh"])
def test_packets_arrive_however_weights_change(scheme: str) -> None:
    scenario = diamond(load="", scheme={"name": scheme})
    random = np.random.default_rng(4)
    env = gym.Environment(gym.Task(scenario, **NETWORK))
    env.reset(seed=2)
    over = False
    while not over:
        over = env.step(random.random(len(PLACES), np.float32))[3]
    flows = env.result().flows
    assert flows["goodput_bit_s"][0] > 0.85 * 80e3
    looped = [name for name in flows.columns if name == "lost_ttl_expired"]
    assert all(flows[name][0] == 0 for name in looped)


def test_air_time_is_weighed_where_routes_are_by_air_time() -> None:
    # Links in a line of 802.11a, of which the long one is slow: a relay is worth its air time.
    base = line([0.0, 47.0, 94.0], rate="ideal").override(
        {"radio.receive_threshold": "-91 dBm", "routing.metric": "airtime"}
    )
    task = gym.Task(base, agents="network", control=[Control("weight", 1, 8)], observe=["sent"])
    env = gym.Environment(task)
    for action, relays in ((np.zeros(3), True), (np.array([0, 1, 0]), False)):
        env.reset(seed=1)
        rows = [env.step(action)[0] for _ in range(20)][10:]
        assert (np.mean(rows, axis=0)[1] > 0) == relays


def test_a_seed_gives_the_same_episode_on_any_number_of_threads() -> None:
    task = gym.Task(diamond(), **NETWORK)
    found = []
    for threads in (1, 2):
        env = gym.VectorEnvironment(task, 3, threads)
        assert (env.num_envs, env.agents_each) == (3, 1)
        rows = [env.reset(seed=5)[0]]
        random = np.random.default_rng(6)
        for _ in range(25):
            rows.append(env.step(random.random((3, 5), np.float32))[0])
        found.append(np.stack(rows))
    assert np.array_equal(*found)
    assert not np.array_equal(found[0][:, 0], found[0][:, 1])


def test_rewards_of_the_network_are_the_means_of_its_nodes() -> None:
    task = gym.Task(diamond(), **(NETWORK | {"reward": {"delivered": 1}}))
    each = gym.Task(diamond(), agents="nodes", control=WEIGHED, reward={"delivered": 1})
    one, all_of_them = gym.Environment(task), gym.ParallelEnvironment(each)
    one.reset(options={"seed": 3})
    all_of_them.reset(options={"seed": 3})
    for _ in range(10):
        reward = one.step(weights())[1]
        rewards = all_of_them.step(dict.fromkeys(all_of_them.agents, np.zeros(1)))[1]
        assert reward == pytest.approx(np.mean(list(rewards.values())))
    assert reward > 0


# ---- bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"routing": {"kind": "aodv"}}, r"weights are of fixed routes, and the routing is 'aodv'"),
        ({"scheme": {"name": "flooding"}}, r"weights are of fixed routes"),
    ],
)
def test_weights_are_of_fixed_routes(more: dict[str, Any], message: str) -> None:
    with pytest.raises(LearningError, match=message):
        gym.Environment(gym.Task(diamond(load="", **more), **NETWORK))


def test_a_flow_with_a_way_of_its_own_is_refused() -> None:
    tables = diamond().to_dict()
    tables["flow"][0]["via"] = ["b"]
    with pytest.raises(LearningError, match="flow 's->d' has a way of its own"):
        gym.Environment(gym.Task(Scenario.from_dict(tables), **NETWORK))


@pytest.mark.parametrize(("low", "high"), [(-1, 4), (0, 4), (4, 1), (1, float("inf"))])
def test_weights_that_are_none_are_refused(low: float, high: float) -> None:
    with pytest.raises(LearningError, match=r"'weight' goes from .*; write ends above 0"):
        gym.Environment(
            gym.Task(diamond(), **(NETWORK | {"control": [Control("weight", low, high)]}))
        )


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (np.zeros(1), r"shape \(1,\); the shape is \(5,\)"),
        (np.zeros((5, 1)), r"the shape is \(5,\)"),
        (np.array([0, 0, np.nan, 0, 0]), "NaN"),
        (np.array([0, 0, -1, 0, 0]), "not between 0 and 1"),
    ],
)
def test_an_action_that_is_none_is_refused_and_the_episode_goes_on(
    action: Any, message: str
) -> None:
    env = gym.Environment(gym.Task(diamond(), **NETWORK))
    with pytest.raises(ResetNeeded):
        env.step(weights())
    env.reset(seed=1)
    with pytest.raises(LearningError, match=message):
        env.step(action)
    assert not env.step(weights())[3]


def test_networks_of_other_sizes_have_no_one_shape() -> None:
    base = Scenario.from_dict(
        {**diamond(load="").to_dict(), "node": [], "flow": []}
        | {
            "topology": {"kind": "chain", "hops": 2},
            "traffic": {"kind": "cbr", "load": "20 kbit/s"},
        }
    )
    with pytest.raises(LearningError, match="from 3 to 5 nodes"):
        gym.Environment(gym.Task(base, **NETWORK, vary={"topology.hops": [2, 4]}))


def test_no_policy_of_a_node_weighs_or_is_the_network() -> None:
    layer = gym.Layer(np.zeros((1, 1)), np.zeros(1))
    alone = gym.Task(diamond(), agents=["a"], control=WEIGHED, observe=["queue"])
    with pytest.raises(LearningError, match="'weight' is known to all nodes at once"):
        gym.Policy.of(alone, [layer])
    together = gym.Task(diamond(), agents="network", control=["hold"], observe=["queue"])
    with pytest.raises(LearningError, match="train nodes that decide alone"):
        gym.Policy.of(together, [layer])
