"""Where the air goes, what limits a network, what would help: by parts, and on the command line."""

import json
import math
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from multihop import Scenario, ScenarioError, SearchError, Trace, run, why
from multihop.reasons.accounts import Accounts, accounts
from multihop.reasons.air_words import air_words
from multihop.reasons.edits import Listed, Subject, links, silence
from multihop.reasons.geometry import MOMENTS, Geometry, Relation, Rules, Signal, geometry
from multihop.reasons.mechanisms import Change
from multihop.reasons.metrics import metric_named
from multihop.reasons.trials import Verdict, _decided, _Measured
from tests.conftest import TINY, Cli

HIDDEN = """
name = "hidden"
warmup = "1 s"
duration = "3 s"
topology = { kind = "explicit" }
radio = { sense_range = "260 m" }
scheme = { name = "udp" }
traffic = { load = "300 kbit/s", start = "0 s" }
node = [{ name = "a", x = "0 m", y = "0 m" }, { name = "r", x = "240 m", y = "0 m" },
        { name = "b", x = "480 m", y = "0 m" }]
flow = [{ from = "a", to = "r" }, { from = "b", to = "r" }]
"""
RULES = Rules(1e-11, 1e-9, over_later=10.0, over_earlier=math.inf, adds_up=False)
EXAMPLES = Path(__file__).parent.parent / "examples"


def traced(scenario: Scenario, folder: Path) -> tuple[Accounts, Any, Trace]:
    result = run(scenario, trace=folder)
    trace = Trace(folder)
    return accounts(trace, result), result, trace


@pytest.mark.parametrize(
    ("example", "keys"),
    [
        ("explicit.toml", {}),
        ("bidirectional-chain.toml", {"traffic.load": "400 kbit/s", "scheme.name": "udp"}),
        ("bidirectional-chain.toml", {}),
        ("tcp-chain.toml", {}),
        ("mesh-grid.toml", {}),
        ("mesh.toml", {}),
        ("flooding.toml", {}),
        ("wake.toml", {}),
        ("mobile-lattice.toml", {}),
    ],
)
def test_everything_is_counted_once(example: str, keys: dict[str, Any], tmp_path: Path) -> None:
    base = Scenario.from_file(EXAMPLES / example, {"warmup": "1 s", "duration": "6 s"})
    found, result, trace = traced(base.with_(**keys), tmp_path / "trace")
    begin = trace.about["warmup_ns"]
    frames = trace.scan("frames").filter(pl.col("start_ns") >= begin).collect()
    # Air: every frame has one purpose, one link and at most one flow.
    assert found.air["frames"].sum() == frames.height > 0
    assert found.air["air_s"].sum() == pytest.approx(frames["length_ns"].sum() / 1e9)
    # Frames: one outcome at the node that each was for, but where the run ended first.
    one = frames.filter(pl.col("receiver") >= 0)["frame"]
    outcomes = (
        trace.scan("receptions")
        .join(frames.lazy().select("frame", "receiver"), on="frame")
        .filter(pl.col("node") == pl.col("receiver"))
        .collect()
    )
    assert outcomes.height == outcomes["frame"].n_unique()
    assert len(one) - outcomes.height <= result.nodes.height
    many = (
        trace.scan("receptions")
        .join(frames.lazy().filter(receiver=-1).select("frame"), on="frame")
        .collect()
    )
    assert found.receptions["frames"].sum() == outcomes.height + many.height
    # Lost frames that a frame destroyed have a destroyer, and it has a relation to the sender.
    destroyed = found.losses.filter(pl.col("outcome").is_in(["collision", "transmitting"]))
    assert destroyed.filter(pl.col("destroyer") < 0).is_empty()
    assert destroyed["relation"].null_count() == 0
    # Packets: those that are lost, by cause; and the books of the whole run.
    lost = found.flows["lost"].sum()
    assert found.drops["packets"].sum() >= lost
    for row in found.flows.iter_rows(named=True):
        ends = row["run_delivered"] + row["run_lost"] + row["run_inside"]
        assert row["run_offered"] == ends
    # Waits: they add up to the delay, which is that of the results.
    parts = found.waits["source_s"] + found.waits["custody_s"] + found.waits["medium_s"]
    assert parts.to_list() == pytest.approx(found.waits["delay_s"].to_list())
    for part in ("source_s", "custody_s", "medium_s"):
        assert all(wait >= 0 for wait in found.waits[part])


def test_waits_are_those_of_the_results(tmp_path: Path) -> None:
    found, result, _ = traced(Scenario.from_toml(HIDDEN), tmp_path / "trace")
    delays = result.flows["end_to_end_delay_mean_s"].to_list()
    assert found.waits["delay_s"].to_list() == pytest.approx(delays, rel=1e-6)
    assert found.waits["packets"].to_list() == result.flows["delivered"].to_list()


def test_hidden_pairs_are_named_with_who_destroyed_whom(tmp_path: Path) -> None:
    found, _, trace = traced(Scenario.from_toml(HIDDEN), tmp_path / "trace")
    pairs = {row[:3] for row in found.hidden.iter_rows()}
    assert pairs == {(0, 1, 2), (2, 1, 0)}
    begin = trace.about["warmup_ns"]
    frames = trace.scan("frames").filter(pl.col("start_ns") >= begin)
    lost = trace.scan("receptions").join(frames.select("frame"), on="frame")
    collisions = lost.filter(pl.col("node") == 1, outcome="collision").collect().height
    assert found.hidden["frames"].sum() == collisions
    shares = dict(found.air.group_by("purpose").agg(pl.col("frames").sum()).iter_rows())
    assert shares["retries"] > shares["first attempts"]


def test_a_destroyer_is_hidden_sensed_decoded_or_the_receiver() -> None:
    strong = Signal(1.0, 1.0, 1.0, neighbours=True)
    weak = Signal(0.05, 1.0, 0.0, neighbours=False)
    around = Geometry(
        ("s", "r", "near", "far", "hidden"),
        ({(0, 1): strong, (2, 0): strong, (3, 0): weak, (2, 1): strong, (4, 1): weak},),
        RULES,
    )
    assert around.relation(0, 2, 1) is Relation.NEAR
    assert around.relation(0, 3, 1) is Relation.UNREAD
    assert around.relation(0, 4, 1) is Relation.UNSENSED
    assert around.relation(0, 1, 1) is Relation.RECEIVER
    assert around.relation(0, None, 1) is Relation.UNKNOWN
    assert around.survives(0, 4, 1)
    assert not around.survives(0, 2, 1)


def test_pairs_of_nodes_that_move_count_by_their_mean_and_losses_by_their_moment() -> None:
    strong = Signal(1.0, 1.0, 1.0, neighbours=True)
    near = {(0, 1): strong, (2, 0): strong, (2, 1): strong}
    apart = {(0, 1): strong, (2, 1): strong}
    around = Geometry(("s", "r", "moving"), (near, apart, apart, apart), RULES, 1_000, 5_000)
    assert around.moves
    times = (1_000, 1_999, 2_000, 4_999, 5_000)
    assert [around.moment(time) for time in times] == [0, 0, 1, 3, 3]
    assert around.relation(0, 2, 1, 0) is Relation.NEAR
    assert around.relation(0, 2, 1, 1) is Relation.UNSENSED
    assert around.unsensed(0, 2) == 0.75
    assert not around.senses(0, 2)
    assert around.signals[2, 0].power_w == 0.25
    assert around.signals[2, 1] == strong


def subject(scenario: Scenario) -> Subject:
    from multihop._multihop import network

    return Subject(scenario, network(scenario.json), geometry(scenario), ())


def test_the_weakest_sensed_signal_is_one_that_is_sensed_and_not_decoded() -> None:
    given = subject(Scenario.from_toml(HIDDEN).with_(**{"radio.sense_range": "300 m"}))
    assert given.geometry is not None
    power = given.geometry.rules.defers_from_w
    for factor, sensed in ((1.01, True), (0.9, False)):
        dbm = 10 * math.log10(power * factor * 1e3)
        changed = given.changed(links([Listed("a", "b", signal_dbm=dbm)]))
        around = geometry(changed)
        assert around is not None
        assert around.senses(2, 0) is sensed
        assert not around.decodes(2, 0)
        # The other direction, and other pairs, are as they were.
        assert not around.senses(0, 2)
        assert around.decodes(1, 0)


def test_a_listed_link_keeps_the_rest_of_its_row() -> None:
    rows = [{"from": "a", "to": "b", "signal": "-60 dBm", "delivery": 0.5, "both_ways": True}]
    tables: dict[str, Any] = {"link": rows}
    links([Listed("b", "a", delivery=1.0)])(tables)
    assert tables["link"] == [
        {"from": "a", "to": "b", "signal": "-60 dBm", "delivery": 0.5},
        {"from": "b", "to": "a", "signal": "-60 dBm", "delivery": 1.0},
    ]


def test_a_silent_flow_leaves_the_others_their_random_numbers() -> None:
    grid = Scenario.from_dict(
        {
            "topology": {"kind": "grid", "rows": 3, "columns": 2, "horizontal_flows": 3},
            "scheme": {"name": "udp"},
            "traffic": {"load": "50 kbit/s"},
            "warmup": "0 s",
            "duration": "3 s",
        }
    )
    before = run(grid)
    after = run(subject(grid).changed(silence(subject(grid), 1)))
    assert after.flows["name"].to_list() == before.flows["name"].to_list()
    assert after.flows["delivered"][1] == 0
    offered = ["offered", "first_offer_s"]
    assert after.flows.select(offered).row(0) == before.flows.select(offered).row(0)
    assert after.flows.select(offered).row(2) == before.flows.select(offered).row(2)


def flows(*goodputs: float) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "flow": list(range(len(goodputs))),
            "goodput_bit_s": list(goodputs),
            "delivered": [int(rate / 800) for rate in goodputs],
            "offered": [10] * len(goodputs),
            "end_to_end_delay_p95_s": [0.1 if rate else math.nan for rate in goodputs],
        }
    )


def test_metrics_of_flows_of_which_one_starves() -> None:
    table = flows(1600.0, 0.0)
    assert metric_named("total").of(table, 10.0) == 1600
    assert metric_named("smallest").of(table, 10.0) == 0
    # A packet of 8000 bit in 10 s.
    assert metric_named("fair").of(table, 10.0) == pytest.approx(math.sqrt(1600 * 800))
    assert metric_named("delay").of(table, 10.0) == 10.0
    with pytest.raises(SearchError, match="there is no metric 'speed'; there are: fair"):
        metric_named("speed")


def judged(*rows: list[tuple[float, float]]) -> list[Verdict]:
    change = Change("x", "x", "x", lambda _: None)
    return [one.verdict for one in _decided([_Measured(change, 1, pairs) for pairs in rows])]


def test_a_verdict_takes_ten_seeds_and_a_difference_beyond_the_margin() -> None:
    noise = [0.1, -0.2, 0.3, -0.1, 0.2, -0.3, 0.1, 0.0, -0.1, 0.2]
    better = [(10.0 + e, 12.0 - e) for e in noise]
    worse = [(10.0 + e, 8.0 - e) for e in noise]
    small = [(10.0, 10.2 + e / 10) for e in noise]
    equal = [(10.0 + e, 10.0 + e) for e in noise]
    open_ = [(10.0, 10.0 + 20 * e) for e in noise]
    found = judged(better, worse, small, equal, open_)
    assert found == [
        Verdict.BETTER,
        Verdict.WORSE,
        Verdict.NOTHING,
        Verdict.NOTHING,
        Verdict.UNDECIDED,
    ]
    assert judged(better[:9]) == [Verdict.UNDECIDED]


def test_no_verdict_without_a_difference_is_rarely_wrong() -> None:
    """With nothing but noise, a list of changes has a wrong verdict in 5 % of the cases at most."""
    import random

    rng = random.Random(1)
    wrong = 0
    for _ in range(200):
        rows = [[(0.0 + rng.gauss(10, 3), rng.gauss(10, 3)) for _ in range(10)] for _ in range(6)]
        shown = {Verdict.BETTER, Verdict.WORSE}
        wrong += bool({*judged(*rows)} & shown)
    assert wrong <= 16


def test_why_is_the_same_again_and_each_sentence_has_its_file(tmp_path: Path) -> None:
    given = Scenario.from_toml(HIDDEN)
    one = why(given, changing=False, most_seeds=10, out=tmp_path)
    two = why(given, changing=False, most_seeds=10, out=tmp_path, workers=1)
    assert one.to_dict() == two.to_dict()
    assert one.causes[0] == "hidden senders"
    assert one.is_complete
    best = one.limits[0]
    again = run(Scenario.from_file(one.files[best.change.name]).with_(seed=4))
    fair = metric_named("fair")
    values = [
        fair.value(run(Scenario.from_file(one.files[best.change.name]).with_(seed=seed)))
        for seed in range(1, 11)
    ]
    assert fair.value(again) in values
    assert best.after == pytest.approx(sum(values) / len(values))
    assert str(one.files[best.change.name]) in str(one)
    assert "What limits it first: hidden senders." in str(one)
    # Both fix the same, so that together they are worth less than the sum.
    pair = one.together[0]
    assert {change.cause for change in pair.changes} == {"hidden senders"}
    assert pair.high < 0


def test_changes_that_a_user_can_make_are_ranked_and_written(tmp_path: Path) -> None:
    found = why(Scenario.from_toml(HIDDEN), budget_s=20, most_seeds=10, out=tmp_path)
    better = [one.change.name for one in found.helps if one.verdict is Verdict.BETTER]
    assert better
    assert [one.rank for one in found.helps] == sorted((o.rank for o in found.helps), reverse=True)
    for name in better:
        assert Scenario.from_file(found.files[name]) != found.scenario
    # Doubled power changes nothing where ranges are given, and is not tried.
    assert not any(one.change.name.startswith("radio.transmit_power") for one in found.helps)


def test_one_node_with_a_wider_carrier_sense_is_tried(tmp_path: Path) -> None:
    # b's frames harm those of a; b has to wait for a, and a has no reason to wait for b.
    tables = Scenario.from_toml(HIDDEN).with_(**{"traffic.load": "600 kbit/s"}).to_dict()
    tables["node"].append({"name": "c", "x": "600 m", "y": "0 m"})
    tables["flow"][1]["to"] = "c"
    given = Scenario.from_dict(tables)
    found = why(given, changing=False, most_seeds=10, budget_s=300, out=tmp_path)
    wide = next(one for one in found.limits if one.change.name == "wider carrier sense of b")
    assert wide.verdict is Verdict.BETTER
    assert wide.change.cause == "hidden senders"
    changed = Scenario.from_file(found.files[wide.change.name])
    around = geometry(changed)
    assert around is not None
    assert around.senses(2, 0)
    assert not around.senses(0, 2)
    nodes = run(changed).nodes
    assert nodes["sense_threshold_dbm"][2] < nodes["sense_threshold_dbm"][0]
    # Where the MAC says what is sensed, no node has a threshold of its own.
    lora = why(relays(), changing=False, most_seeds=10)
    assert not any(one.change.name.startswith("wider") for one in lora.limits)


def test_a_channel_for_one_link_is_tried(tmp_path: Path) -> None:
    given = Scenario.from_toml(HIDDEN)
    found = why(given, budget_s=120, most_seeds=10, out=tmp_path)
    best = next(one for one in found.helps if one.change.name == "channel for a, r")
    assert best.verdict is Verdict.BETTER
    apart = Scenario.from_file(found.files[best.change.name])
    assert apart.to_dict()["channel"] == [{"nodes": ["a", "r"]}]
    assert run(apart).nodes["collisions"].sum() == 0
    # What floods goes to everyone, so that no channel of two helps.
    flood = why(relays(), most_seeds=10, budget_s=60)
    assert not any(one.change.name.startswith("channel") for one in flood.helps)


def test_a_network_that_carries_its_load_has_no_limit() -> None:
    found = why(
        Scenario.from_toml(TINY).with_(**{"traffic.load": "5 kbit/s", "scheme.name": "udp"}),
        changing=False,
        most_seeds=10,
    )
    assert found.causes == []
    assert "No mechanism that was tried limits it by more than the margin." in str(found)
    assert "The flows get what they offer" in str(found)
    assert "None of" in str(found)


def test_a_budget_that_is_over_leaves_partial_answers() -> None:
    found = why(Scenario.from_toml(HIDDEN), budget_s=1e-6)
    assert not found.is_complete
    assert found.accounts.air.height
    assert "Undecided" in str(found)
    assert "--budget" in str(found)


def crossing(**keys: Any) -> Scenario:
    """A hidden sender that comes into range of the other one half way through."""
    given = Scenario.from_toml(HIDDEN)
    tables = given.to_dict() | {"warmup": "0 s", "duration": "8 s"}
    speed = {"node": "b", "at": "4 s", "x": "200 m", "y": "40 m", "speed": "1000 m/s"}
    return Scenario.from_dict(tables | {"move": [speed]}).with_(**keys)


def test_losses_of_nodes_that_move_are_those_of_their_time(tmp_path: Path) -> None:
    found, _, trace = traced(crossing(), tmp_path / "trace")
    assert found.around is not None
    assert len(found.around.moments) == MOMENTS
    # b is hidden from a for the first half, and in range for the second.
    assert found.around.unsensed(0, 2) == pytest.approx(0.5, abs=0.05)
    lost = trace.scan("receptions").join(
        trace.scan("frames").select("frame", "start_ns"), on="frame"
    )
    lost = lost.filter(pl.col("node") == 1, outcome="collision").collect()
    early = lost.filter(pl.col("start_ns") < 4.2e9).height
    by = dict(found.losses.group_by("relation").agg(pl.col("frames").sum()).iter_rows())
    assert early > 100
    assert by[Relation.UNSENSED.value] == pytest.approx(early, rel=0.05)
    assert by.get(Relation.NEAR.value, 0) == pytest.approx(lost.height - early, abs=early * 0.05)
    words = air_words(found)
    assert any(
        "Nodes move: who senses whom was looked at 40 times, every 0.2 s" in w for w in words
    )
    assert any("b destroyed" in w and "(unsensed for" in w for w in words)


def test_nodes_that_move_have_an_answer_that_says_so() -> None:
    found = why(crossing(), changing=False, most_seeds=10)
    assert any("nodes move: who hears whom is averaged" in note for note in found.notes)
    names = [one.change.name for one in found.limits]
    assert not any(name.startswith("perfect carrier") for name in names)
    # A flow of an explicit topology can be left out; those of one that moves its nodes cannot.
    assert "without flow a->r" in names
    lattice = Scenario.from_file(
        EXAMPLES / "mobile-lattice.toml", {"warmup": "0 s", "duration": "2 s"}
    )
    found = why(lattice, changing=False, most_seeds=10, budget_s=5)
    assert not any(one.change.name.startswith("without flow") for one in found.limits)


def relays(**keys: Any) -> Scenario:
    """Two LoRa relays that do not hear each other pass a message on to the same node."""
    file = EXAMPLES / "lora-hidden-relays.toml"
    return Scenario.from_file(file, {"duration": "3600 s"}).with_(**keys)


def test_hidden_relays_of_lora_are_named(tmp_path: Path) -> None:
    found = why(relays(), changing=False, most_seeds=10, out=tmp_path)
    assert found.causes == ["hidden senders"]
    assert found.metric.unit == "bit/s"
    assert not found.notes
    worth = {one.change.name: one for one in found.limits}
    assert worth["perfect carrier sense"].verdict is Verdict.BETTER
    hidden = {row[:3] for row in found.accounts.hidden.iter_rows()}
    assert {(1, 3, 2), (2, 3, 1)} <= hidden
    # With channel activity detection a signal is sensed that is not decoded.
    changed = geometry(Scenario.from_file(found.files["perfect carrier sense"]))
    assert changed is not None
    assert changed.senses(1, 2)
    assert not changed.decodes(1, 2)


def test_relays_of_lora_that_hear_each_other_are_not_hidden() -> None:
    tables = relays().to_dict()
    both = {"from": "left", "to": "right", "signal": "-110 dBm", "both_ways": True}
    found = why(Scenario.from_dict(tables | {"link": [*tables["link"], both]}), changing=False)
    assert "hidden senders" not in found.causes
    assert found.accounts.hidden.is_empty()


@pytest.mark.parametrize("kind", ["csma", "dcf", "lora"])
def test_every_mac_says_who_is_hidden(kind: str, tmp_path: Path) -> None:
    schemes = {"csma": "cxcc", "dcf": "udp", "lora": "flooding"}
    if kind == "lora":
        given = relays()
    else:
        given = Scenario.from_toml(HIDDEN).with_(
            **{"mac.kind": kind, "scheme.name": schemes[kind], "traffic.load": "400 kbit/s"}
        )
    found, _, _ = traced(given, tmp_path / "trace")
    assert found.hidden["frames"].sum() > 20
    relations = set(found.losses["relation"].drop_nulls())
    assert Relation.UNKNOWN.value not in relations


def test_frames_that_add_up_are_told_from_those_that_came_too_late(tmp_path: Path) -> None:
    """Three hidden senders around a receiver of OFDM: no two are too strong for a slow frame."""
    senders = {"s": -70, "h1": -74, "h2": -74, "h3": -74}
    given = Scenario.from_dict(
        {
            "warmup": "0 s",
            "duration": "4 s",
            "topology": {"kind": "explicit"},
            "mac": {"timing": "ofdm-5", "data_rate": "6 Mbit/s"},
            "scheme": {"name": "udp"},
            "traffic": {"load": "2 Mbit/s", "start": "0 s", "payload": "1000 B"},
            "node": [{"name": name} for name in ("r", *senders)],
            "flow": [{"from": name, "to": "r"} for name in senders],
            "link": [
                {"from": name, "to": "r", "signal": f"{signal} dBm", "both_ways": True}
                for name, signal in senders.items()
            ],
        }
    )
    found, _, _ = traced(given, tmp_path / "trace")
    assert found.around is not None
    assert all(found.around.survives(1, other, 0) for other in (2, 3, 4))
    lost = found.losses.filter(sender=1, receiver=0)
    assert lost.filter("by_sum")["frames"].sum() > 0
    assert lost.filter("by_order")["frames"].sum() > 0
    assert lost.filter(pl.col("by_sum") & pl.col("by_order")).is_empty()
    assert any("only because several add up" in line for line in air_words(found))
    # Of two alone, none adds up.
    alone = given.to_dict()
    alone["flow"] = alone["flow"][:2]
    found, _, _ = traced(Scenario.from_dict(alone), tmp_path / "alone")
    lost = found.losses.filter(sender=1, receiver=0)
    assert lost.filter("by_order")["frames"].sum() > 10 * lost.filter("by_sum")["frames"].sum()


def test_what_cannot_be_asked_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "silent.toml"
    file.write_text(HIDDEN[: HIDDEN.index("flow =")])
    with pytest.raises(ScenarioError, match="flow: is missing"):
        why(file)
    given = Scenario.from_toml(HIDDEN)
    with pytest.raises(SearchError, match="give more than 0"):
        why(given, budget_s=0)
    with pytest.raises(SearchError, match="10 seeds at least"):
        why(given, most_seeds=3)
    with pytest.raises(SearchError, match="ns-3"):
        why(given.with_(simulator="ns3"))


def test_the_command_line(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "hidden.toml"
    file.write_text(HIDDEN)
    short = ("--limits-only", "--max-seeds", "10", "--out", str(tmp_path / "out"))
    shown = cli("why", str(file), *short)
    assert shown.returncode == 0, shown.stderr
    assert "What limits it first: hidden senders." in " ".join(shown.stdout.split())
    found = json.loads(cli("why", str(file), "--for", "smallest", "--json", *short).stdout)
    assert found["causes"][0] == "hidden senders"
    assert found["limits"][0]["verdict"] == "better"
    assert Path(found["limits"][0]["file"]).is_file()
    drawn = tmp_path / "why.svg"
    assert cli("why", str(file), "--figure", str(drawn), *short).returncode == 0
    assert "perfect carrier sense" in drawn.read_text(encoding="utf-8")
    first = drawn.read_bytes()
    cli("why", str(file), "--figure", str(drawn), *short)
    assert drawn.read_bytes() == first
    ending = cli("why", str(file), "--figure", str(tmp_path / "why.gif"), *short)
    assert ending.returncode == 2
    assert "ends in none of .svg, .pdf, .png" in ending.stderr
    wrong = cli("why", str(file), "--for", "speed")
    assert wrong.returncode == 2
    assert "there is no metric 'speed'" in wrong.stderr


def test_notes_on_the_scenario_stand_in_the_answer() -> None:
    heavy = {"traffic.load": "3 Mbit/s", "scheme.name": "udp"}
    given = Scenario.from_toml(TINY).with_(**heavy)
    assert given.notes
    assert list(why(given, changing=False, budget_s=1e-6).notes) == given.notes


def test_floods_are_judged_by_their_reach() -> None:
    mesh = Scenario.from_file(EXAMPLES / "meshcore.toml")
    found = why(mesh, "reach", changing=False, most_seeds=10)
    assert found.causes == ["hidden senders"]
    reach = [float(run(mesh.with_(seed=seed)).runs["reach_mean"][0]) for seed in (1, 2)]
    assert list(found.values[:2]) == reach
    assert "get what they offer" not in str(found)
    # Nodes that say little, and are heard, do not starve.
    assert "starves" not in str(found)
    with pytest.raises(SearchError, match="reach is of messages that are for several nodes"):
        why(Scenario.from_toml(HIDDEN), "reach")


def test_wires_have_an_answer() -> None:
    given = Scenario.from_toml(TINY).with_(
        **{"scheme.name": "udp", "wired": {"rate": "100 kbit/s"}, "traffic.load": "150 kbit/s"}
    )
    found = why(given, most_seeds=10)
    assert any("on wires nobody hears others" in note for note in found.notes)
    best = next(one for one in found.helps if one.change.name == "wired.rate = 0.2 Mbit/s")
    assert best.verdict is Verdict.BETTER


def test_a_transfer_always_has_more_to_send() -> None:
    ftp = {"traffic.kind": "ftp", "traffic.load": None, "scheme.name": "newreno"}
    found = why(Scenario.from_toml(TINY).with_(**ftp), changing=False, most_seeds=10)
    assert "get what they offer" not in str(found)
