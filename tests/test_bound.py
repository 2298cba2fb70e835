"""Bounds: by hand, and beside runs of the engine."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from multihop import BoundError, Scenario, bound, compare, paced, run
from multihop.capacity.activities import Model
from multihop.capacity.bound import assume
from multihop.capacity.network import Overhead
from tests.conftest import TINY, Cli

BARE = tuple(Overhead)
RATE = 1e6
# Of 512 B: DIFS and 15 slots, data, SIFS and ACK (docs/guides/model.md).
UDP_S = 350e-6 + 4720e-6 + 10e-6 + 304e-6


def chain(hops: int, scheme: str = "udp", **keys: Any) -> Scenario:
    text = TINY.replace("hops = 3", f"hops = {hops}").replace('"cxcc"', f'"{scheme}"')
    return Scenario.from_toml(text).with_(**keys)


def test_what_is_run_in_ns3_is_bounded_by_its_rules() -> None:
    rules = {"mac.rules": "ns3", "mac.header": "36 B", "radio.interference": "dsss"}
    receiver = {"radio.reception": "first-decodable", "radio.capture_ratio": 1}
    inside = bound(chain(4, simulator="ns3"))
    assert inside.bound_bit_s == bound(chain(4, **rules, **receiver)).bound_bit_s
    assert inside.bound_bit_s != bound(chain(4)).bound_bit_s


def test_a_flow_to_everyone_has_no_bound() -> None:
    flood = Scenario.from_file(Path(__file__).parent.parent / "examples" / "flooding.toml")
    with pytest.raises(BoundError, match="goes to several nodes"):
        bound(flood)


def test_three_links_in_a_row_bind_a_chain_and_a_small_load_binds_by_itself() -> None:
    binding = bound(chain(10), "max-min").binding
    assert binding["price"].to_list() == pytest.approx([1.0] * binding.height)
    sends = [row for row in binding["activity"] if " sends to " in row]
    first = int(sorted(sends, key=len)[0].split()[0][1:])
    assert sorted(sends) == [
        f"n{at} sends to n{at + 1}" for at in sorted({*range(first, first + 3)})
    ]
    assert bound(chain(10, **{"traffic.load": "5 kbit/s"}), load="offered").binding.is_empty()


def square(**keys: Any) -> Scenario:
    """Make two ways of two hops; those who stand opposite do not hear each other."""
    places = {"a": (0, 0), "b": (200, 0), "c": (0, 200), "d": (200, 200)}
    nodes = [{"name": n, "x": f"{x} m", "y": f"{y} m"} for n, (x, y) in places.items()]
    tables = {
        "topology": {"kind": "explicit"},
        "radio": {"receive_range": "250 m", "sense_range": "250 m"},
        "scheme": {"name": "udp"},
        "traffic": {"load": "10 kbit/s"},
        "node": nodes,
        "flow": [{"from": "a", "to": "d"}],
    }
    return Scenario.from_dict({**tables, **keys})


@pytest.mark.parametrize(
    ("hops", "model", "share"),
    [
        (1, "protocol", 1),
        (2, "protocol", 1 / 2),
        (10, "protocol", 1 / 4),  # 250 and 550 m: three links on, a sender is still heard
        (10, "receiver", 1 / 3),  # but 16 times weaker, so that the frame survives
        (10, "carrier-sense", 1 / 3),
    ],
)
def test_a_chain_carries_what_is_known_of_it(hops: int, model: str, share: float) -> None:
    for objective in ("total", "max-min", "proportional"):
        found = bound(chain(hops), objective, model=model, without=BARE)
        assert found.bound_bit_s == pytest.approx(share * RATE)
        assert found.gap < 1e-4


def test_with_equal_ranges_the_protocol_model_gives_a_third() -> None:
    near = chain(10, **{"radio.sense_range": "250 m"})
    assert bound(near, model="protocol", without=BARE).bound_bit_s == pytest.approx(RATE / 3)


def test_capture_decides_in_the_receiver_model() -> None:
    # The third sender is twice as far from the receiver as its own: 16 times weaker.
    weaker, stronger = (
        chain(4, **{"radio.capture_ratio": ratio, "radio.sense_range": "450 m"})
        for ratio in (15.9, 16.1)
    )
    assert bound(weaker, without=BARE).bound_bit_s == pytest.approx(RATE / 3)
    assert bound(stronger, without=BARE).bound_bit_s == pytest.approx(RATE / 4)


def test_every_cost_counts_and_can_be_left_out() -> None:
    bits = 512 * 8
    one_hop = chain(1)
    assert bound(one_hop).bound_bit_s == pytest.approx(bits / UDP_S)
    rts = chain(1, **{"mac.rts_cts": True})
    assert bound(rts).bound_bit_s == pytest.approx(bits / (UDP_S + 352e-6 + 304e-6 + 20e-6))
    without = bound(rts, without=["backoff", "control"])
    assert without.bound_bit_s == pytest.approx(bits / 4720e-6)
    # CXCC: 8 B more, no link acknowledgment
    cxcc = bound(chain(1, "cxcc"))
    assert cxcc.bound_bit_s == pytest.approx(bits / (350e-6 + 4784e-6))
    assert "without headers" in bound(one_hop, without=["headers"]).assumptions.about


def test_waits_of_different_stations_overlap() -> None:
    # Two senders that hear each other wait at the same time, but never while the other sends.
    both = Scenario.from_dict(
        {**square().to_dict(), "flow": [{"from": "a", "to": "b"}, {"from": "b", "to": "a"}]}
    )
    busy = UDP_S - 350e-6
    assert bound(both, "total").bound_bit_s == pytest.approx(2 * 4096 / (2 * busy + 350e-6))


@pytest.mark.parametrize(
    ("scheme", "keys"),
    [
        ("udp", {}),
        ("udp", {"mac.rts_cts": True}),
        ("cxcc", {}),
        ("newreno", {}),
        ("hxh", {"mac.timing": "erp-mixed"}),
        ("atp", {"radio.capture_ratio": 1.5}),
    ],
)
@pytest.mark.parametrize("hops", [1, 2, 5])
def test_no_run_exceeds_the_bound(scheme: str, keys: dict[str, Any], hops: int) -> None:
    for load in ("200 kbit/s", "4 Mbit/s"):
        scenario = chain(
            hops, scheme, **keys, **{"traffic.load": load, "topology.kind": "bidirectional-chain"}
        )
        goodputs = run(scenario.with_(duration="5 s")).flows["goodput_bit_s"].to_list()
        for objective in ("total", "max-min", "proportional"):
            share = bound(scenario, objective, load="offered").share(goodputs)
            # What waited from before may arrive while it is measured, and backoffs are drawn.
            assert 0 <= share < 1.03, (objective, load)


def test_a_saturated_hop_reaches_it() -> None:
    busy = chain(1, **{"traffic.load": "2 Mbit/s", "duration": "20 s"})
    goodputs = run(busy).flows["goodput_bit_s"].to_list()
    assert bound(busy).share(goodputs) == pytest.approx(1, abs=0.03)


def test_free_routes_use_both_ways_around() -> None:
    network = square()
    fixed, free = (
        bound(network, routes=routes, without=BARE).bound_bit_s for routes in ("fixed", "free")
    )
    assert fixed == pytest.approx(RATE / 2)
    # While a sends to b, c sends what it has to d, which does not hear a.
    assert free == pytest.approx(RATE)
    in_line = chain(4)
    assert bound(in_line, routes="free").bound_bit_s == pytest.approx(bound(in_line).bound_bit_s)


def test_no_flow_gets_more_than_it_offers() -> None:
    slow = chain(3, **{"traffic.load": "20 kbit/s"})
    offered = bound(slow, "total", load="offered")
    assert offered.bound_bit_s == pytest.approx(20e3)
    assert offered.flows["offered_bit_s"].to_list() == pytest.approx([20e3])
    assert bound(slow, "total").bound_bit_s > 200e3


def test_max_min_goes_on_with_those_that_can_have_more() -> None:
    flows = [{"from": "a", "to": "d"}, {"from": "c", "to": "d"}, {"from": "b", "to": "a"}]
    found = bound(square(flow=flows), without=BARE)
    rates = found.flows["goodput_bit_s"].to_numpy()
    assert rates.min() == pytest.approx(found.bound_bit_s)
    total = bound(square(flow=flows), "total", without=BARE)
    assert found.total_bit_s <= total.bound_bit_s * (1 + 1e-9)
    fair = bound(square(flow=flows), "proportional", without=BARE)
    # Whoever is fair in proportion gives up smallest rates for the total, and less than `total`.
    assert rates.min() >= fair.flows["goodput_bit_s"].to_numpy().min() * (1 - 1e-4)
    assert found.total_bit_s * (1 - 1e-4) <= fair.total_bit_s <= total.bound_bit_s * (1 + 1e-4)


def test_the_schedule_gives_the_rates() -> None:
    found = bound(chain(5), without=("backoff",))
    rows = found.schedule.to_dicts()
    assert sum(row["share"] for row in rows) <= 1 + 1e-6
    sending = sum(row["share"] for row in rows if "n2 sends to n3" in row["activities"])
    assert sending >= found.value_bit_s * 4720e-6 / 4096 * (1 - 1e-5)


def test_a_gap_is_said_and_the_bound_still_holds() -> None:
    network = chain(8, "udp", **{"topology.kind": "bidirectional-cross"})
    exact, rough = bound(network), bound(network, gap=0.2)
    assert rough.value_bit_s <= exact.bound_bit_s * (1 + 1e-6)
    assert exact.bound_bit_s <= rough.bound_bit_s * (1 + 1e-6)
    assert rough.gap <= 0.2 + 1e-6
    assert exact.gap < 1e-6


def test_shadowing_makes_an_estimate() -> None:
    shadowed = chain(3, **{"radio.propagation": "log-normal-shadowing"})
    assert "estimate" in bound(shadowed).notes[0]
    assert bound(chain(3)).notes == ()


MOVES = {"move": [{"node": "n3", "at": "1 s", "x": "900 m", "y": "0 m", "speed": "100 m/s"}]}


@pytest.mark.parametrize(
    ("keys", "assumed", "message"),
    [
        ({"wired": {"rate": "1 Mbit/s"}}, {}, "remove [wired]"),
        (MOVES, {}, "--at 30"),
        (MOVES, {"at_s": 9.0}, "no route for the flow"),
        ({}, {"model": "physical"}, "receiver, carrier-sense"),
        ({}, {"objective": "fair"}, "proportional"),
        ({}, {"routes": "all"}, "free"),
        ({}, {"without": ["acks"]}, "control"),
        ({}, {"gap": 2}, "0.01"),
        ({}, {"at_s": -1.0}, "-1 s"),
    ],
)
def test_errors_name_the_remedy(keys: Any, assumed: Any, message: str) -> None:
    with pytest.raises(BoundError) as error:
        bound(chain(3, **keys), **assumed)
    assert message in str(error.value)


def test_what_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("multihop.capacity.bound.MOST_ACTIVITIES", 5)
    with pytest.raises(BoundError, match="fixed routes"):
        bound(chain(3))


def test_nodes_that_move_are_taken_where_they_are() -> None:
    moving = chain(3, **MOVES)
    assert bound(moving, at_s=0.0).flows["hops"].to_list() == [3]
    assert "at 9 s" in assume(at_s=9.0).about


def test_the_command_prints_and_names_errors(cli: Cli, tiny: Path) -> None:
    done = cli("bound", tiny, "--model", "protocol", "--without", "backoff,control,headers")
    assert done.returncode == 0, done.stderr
    assert "protocol model" in done.stdout
    assert done.stdout.count("333.3") >= 3
    wrong = cli("bound", tiny, "--set", 'wired.rate="1 Mbit/s"')
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)


def test_compare_holds_schemes_against_it(tmp_path: Path, cli: Cli, tiny: Path) -> None:
    found = compare(
        chain(3),
        ["udp", "cxcc"],
        {"traffic.load": ["20 kbit/s", "1 Mbit/s"]},
        seeds=[1, 2],
        bound="max-min",
        out=tmp_path,
        progress=False,
    )
    shares = np.array(found.table["reached"].to_list())
    assert ((shares > 0.3) & (shares < 1.03)).all()
    busy = found.table.row(2, named=True)
    limit = bound(chain(3)).bound_bit_s
    assert busy["bound_goodput_bit_s"] == pytest.approx(limit)
    assert busy["reached"] == pytest.approx(busy["goodput_bit_s"] / limit)
    assert found.reached[0].startswith("udp reaches ")
    page = found.page.read_text()
    assert "the bound" in page
    assert "--bound max-min --bound-model receiver" in page
    arguments = ("compare", tiny, "--schemes", "udp", "--bound", "total", "--bound-model")
    done = cli(*arguments, Model.CARRIER_SENSE, "--json")
    assert 0.5 < json.loads(done.stdout)["table"][0]["reached"] < 1.03


HIDDEN = """
warmup = "1 s"
duration = "9 s"
topology = { kind = "bidirectional-chain", hops = 10, spacing = "200 m" }
scheme = { name = "udp" }
traffic = { load = "900 kbit/s", payload = "512 B" }
"""


def test_sources_at_the_rates_of_a_bound_send_that_much() -> None:
    chain = Scenario.from_toml(HIDDEN)
    found = bound(chain, "proportional", model="carrier-sense")
    half = run(paced(chain, found, 0.5).with_(**{"mac.collision_free": True}))
    per_flow = half.flows["goodput_bit_s"].to_list()
    assert per_flow == pytest.approx([0.5 * rate for rate in found.flows["goodput_bit_s"]], 0.06)
    assert half.nodes["collisions"].sum() == 0
    with_collisions = run(paced(chain, found, 0.5))
    assert with_collisions.nodes["collisions"].sum() > 100


def test_a_flow_without_a_rate_is_silent_and_keeps_its_place() -> None:
    file = Path(__file__).parent.parent / "examples" / "explicit.toml"
    explicit = Scenario.from_file(file, {"duration": "10 s"})
    found = bound(explicit, "total")
    rates = found.flows["goodput_bit_s"].to_list()
    assert min(rates) < 1
    flows = run(paced(explicit, found, 0.5)).flows
    assert flows["name"].to_list() == found.flows["name"].to_list()
    assert [count > 0 for count in flows["delivered"]] == [rate > 1 for rate in rates]


def test_a_flow_keeps_what_does_not_say_how_much_it_sends() -> None:
    tables = Scenario.from_file(
        Path(__file__).parent.parent / "examples" / "explicit.toml"
    ).to_dict()
    tables["scheme"] = {"name": "newreno"}
    tables["flow"][2] |= {"transport": "datagram", "source_queue": "latest"}
    tables["traffic"] = {"kind": "ftp"}
    tables["flow"][2] |= {"kind": "cbr", "load": "9 kbit/s"}
    mixed = Scenario.from_dict(tables)
    flows = paced(mixed, bound(mixed), 0.5).to_dict()["flow"]
    assert (flows[2]["transport"], flows[2]["source_queue"]) == ("datagram", "latest")
    assert [flow["kind"] for flow in flows] == ["cbr"] * 3


@pytest.mark.parametrize("share", [0.0, -1.0, float("nan"), float("inf")])
def test_a_share_of_the_rates_is_a_number_above_zero(share: float) -> None:
    chain = Scenario.from_toml(HIDDEN)
    with pytest.raises(BoundError, match="above 0"):
        paced(chain, bound(chain), share)


def test_a_bound_of_other_flows_is_refused() -> None:
    chain = Scenario.from_toml(HIDDEN)
    with pytest.raises(BoundError, match="other flows"):
        paced(chain.with_(**{"topology.hops": 3}), bound(chain))


def test_the_command_writes_a_scenario_of_its_rates(cli: Cli, tiny: Path, tmp_path: Path) -> None:
    file = tmp_path / "new" / "paced.json"
    done = cli("bound", tiny, "--objective", "max-min", "--paced", file, "--share", "0.5")
    assert done.returncode == 0, done.stderr
    assert Scenario.from_file(file).to_dict()["flow"]
    for arguments, remedy in [
        (("--paced", file), "--objective"),
        (("--objective", "total", "--paced", tmp_path / "a.toml"), "a.json"),
    ]:
        wrong = cli("bound", tiny, *arguments)
        assert (wrong.returncode, remedy in wrong.stderr) == (2, True), wrong.stderr


def test_the_solver_writes_nothing_between(tiny: Path) -> None:
    """Its library writes past Python's own output, so only a process of its own shows it."""
    command = [sys.executable, "-m", "multihop", "bound", str(tiny), "--json"]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert [found["gap"] for found in json.loads(out)["bounds"]] == pytest.approx([0, 0, 0])
