"""What the gallery's paragraphs say is so, in numbers of their runs, for each of three seeds."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from multihop import Result, Scenario, Trace, run
from multihop.engine.errors import GalleryError
from multihop.gallery import Lesson, lesson, lessons
from multihop.gallery.blocks import Exercise

ROOT = Path(__file__).resolve().parents[1]
SEEDS = (1, 2, 3)


@cache
def results(name: str, seed: int, *changes: tuple[str, Any]) -> list[Result]:
    """Return the results of a lesson's runs, as they are or after its reader has changed keys."""
    return [run(one.override({"seed": seed, **dict(changes)})) for one in lesson(name).scenarios()]


def goodput(result: Result) -> list[float]:
    """Return the goodput of every flow, in kbit/s."""
    return [bit_s / 1e3 for bit_s in result.flows["goodput_bit_s"]]


def delay_ms(result: Result) -> float:
    return float(result.flows["network_delay_mean_s"][0]) * 1e3


def of_nodes(result: Result, column: str) -> dict[str, int]:
    return dict(zip(result.nodes["name"], result.nodes[column], strict=True))


def inside(result: Result) -> int:
    """Return how many packets were given up in the network, refusals at the source left out."""
    return int((result.flows["lost"] - result.flows["refused"]).sum())


@pytest.mark.parametrize("seed", SEEDS)
def test_one_hop_pays_for_each_frame_and_nothing_collides(seed: int) -> None:
    (alone,) = results("one-hop", seed)
    assert sum(alone.nodes["collisions"]) == 0
    assert 700 < goodput(alone)[0] < 800  # of 1000
    (small,) = results("one-hop", seed, ("traffic.payload", "64 B"))
    (large,) = results("one-hop", seed, ("traffic.payload", "1500 B"))
    assert goodput(small)[0] < goodput(alone)[0] < goodput(large)[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_strangers_load_decides_what_routing_finds(seed: int) -> None:
    def delivered(*changes: tuple[str, Any]) -> list[tuple[int, int]]:
        flows = (one.flows.row(0, named=True) for one in results("bad-day", seed, *changes))
        return [(flow["delivered"], flow["offered"]) for flow in flows]

    assert all(got == sent for got, sent in delivered(("traffic.interval", "10 s")))
    (aodv, sent), (dsr, _), (fixed, _) = delivered()
    assert max(aodv, fixed) < dsr == sent
    assert aodv > 0.5 * sent
    assert all(got == 0 for got, _ in delivered(("traffic.interval", "4 ms")))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_flood_dies_of_itself_where_nodes_are_dense(seed: int) -> None:
    def frames_and_reach(*changes: tuple[str, Any]) -> list[tuple[float, float]]:
        runs = (one.runs.row(0, named=True) for one in results("flood-dies", seed, *changes))
        return [(run["frames_per_message"], run["reach_mean"]) for run in runs]

    everybody, mesh = frames_and_reach()
    assert everybody == (25, 1)
    assert mesh[0] < 12.5
    assert mesh[1] == 1
    everybody, mesh = frames_and_reach(("topology.spacing", "1500 m"))
    assert 17 < mesh[0] < 19 < everybody[0]
    assert mesh[1] > 0.95
    everybody, mesh = frames_and_reach(("traffic.interval", "6 s"))
    assert mesh[0] < 0.5 * everybody[0]
    assert mesh[1] > everybody[1] - 0.02


@pytest.mark.parametrize("seed", SEEDS)
def test_a_hidden_terminal_takes_nearly_every_frame(seed: int) -> None:
    (alone,) = results("hidden-terminal", seed)
    sent, lost = of_nodes(alone, "data_frames"), of_nodes(alone, "collisions")
    assert lost["middle"] > 0.9 * sent["left"]
    assert lost["right"] == 0
    assert goodput(alone)[1] > 10 * goodput(alone)[0]
    (few,) = results("hidden-terminal", seed, ("traffic.load", "40 kbit/s"))
    assert goodput(few)[0] > 20


@pytest.mark.parametrize("seed", SEEDS)
def test_an_exposed_terminal_waits_in_vain(seed: int) -> None:
    far, near = results("exposed-terminal", seed)
    assert sum(far.nodes["collisions"]) == sum(near.nodes["collisions"]) == 0
    assert sum(goodput(near)) > 1.8 * sum(goodput(far))
    with_rts, _ = results("exposed-terminal", seed, ("mac.rts_cts", True))
    assert sum(goodput(with_rts)) < sum(goodput(far))
    (alone,) = results("one-hop", seed)
    assert min(goodput(near)) > 0.9 * goodput(alone)[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_rts_cts_helps_where_its_answer_reaches_all_who_disturb(seed: int) -> None:
    without, with_rts = results("rts-cts-helps", seed)
    sent = sum(without.nodes["data_frames"])
    assert of_nodes(without, "collisions")["middle"] > 0.5 * sent
    assert sum(with_rts.nodes["collisions"]) < sum(without.nodes["collisions"]) / 10
    assert sum(goodput(with_rts)) > 5 * sum(goodput(without))
    sensed, sensed_rts = results("rts-cts-helps", seed, ("radio.sense_range", "550 m"))
    assert sum(goodput(sensed)) > 0.95 * sum(goodput(sensed_rts))
    assert sensed.runs["transmissions"][0] < sensed_rts.runs["transmissions"][0]


@pytest.mark.parametrize("seed", SEEDS)
def test_capture_serves_the_near_one(seed: int) -> None:
    capture, none = results("capture", seed)
    near, far = goodput(capture)
    assert near > 450  # of 500
    assert far < 50
    assert 0.5 < goodput(none)[0] / goodput(none)[1] < 2
    assert max(goodput(none)) < 0.3 * near
    later, _ = results("capture", seed, ("radio.reception", "message-in-message"))
    assert goodput(later)[0] > 450


@pytest.mark.parametrize("seed", SEEDS)
def test_the_fastest_rate_is_the_best_only_where_interferers_wait(seed: int) -> None:
    slow, between, fast = (goodput(one)[0] for one in results("fastest-rate", seed))
    assert slow < fast < 0.85 * between
    deferring = ("radio.receive_threshold", "-91 dBm")
    slow, between, fast = (goodput(one)[0] for one in results("fastest-rate", seed, deferring))
    assert slow < between < 0.75 * fast


@pytest.mark.parametrize("seed", SEEDS)
def test_long_frames_lose_to_a_hidden_terminal_and_win_with_rts_cts(seed: int) -> None:
    alone, shorter, longer = map(goodput, results("long-frames", seed))
    assert alone[0] > 1.2 * shorter[0] > 1.2 * longer[0]
    assert alone[1] > shorter[1] > 2 * longer[1]
    with_rts = ("mac.rts_cts", True)
    alone, shorter, longer = (sum(goodput(one)) for one in results("long-frames", seed, with_rts))
    assert 1.2 * alone < shorter < longer
    single = [
        goodput(run(one.override({"seed": seed, "flow": [{"from": "left", "to": "middle"}]})))[0]
        for one in lesson("long-frames").scenarios()
    ]
    assert single[2] > 2 * single[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_middle_of_a_grid_gets_least(seed: int) -> None:
    udp, wake = results("grid-fairness", seed)
    for result, share in ((udp, 0.2), (wake, 0.8)):
        upper, middle, lower = goodput(result)
        assert middle < share * min(upper, lower)
    assert min(goodput(udp)[::2]) > 220  # of 250
    assert goodput(wake)[1] > 2 * goodput(udp)[1]
    assert goodput(wake)[1] > 0.5 * max(goodput(wake))
    assert sum(goodput(wake)) < sum(goodput(udp))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_search_finds_the_detour_and_fixed_routes_do_not(seed: int) -> None:
    aodv, dsr, fixed = results("broken-route", seed)
    for searched in (aodv, dsr):
        assert searched.flows["lost"][0] <= 2
        assert sum(searched.nodes["link_failures"]) >= 1
        assert sum(searched.nodes["false_link_failures"]) == 0
        assert searched.flows["last_delivery_s"][0] > 9.5
    assert fixed.flows["last_delivery_s"][0] < 6
    assert fixed.flows["lost"][0] > 40


@pytest.mark.parametrize("seed", SEEDS)
def test_windows_that_stations_set_are_alike_and_keep_queues_short(seed: int) -> None:
    newreno, wxcp = results("station-rates", seed)
    assert min(goodput(wxcp)) > 0.9 * max(goodput(wxcp))
    assert min(goodput(newreno)) < 0.9 * max(goodput(newreno))
    assert max(wxcp.flows["network_delay_mean_s"]) < min(newreno.flows["network_delay_mean_s"]) / 2
    assert sum(goodput(wxcp)) < sum(goodput(newreno))
    assert sum(newreno.flows["lost"]) == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_marks_keep_packets_young(seed: int) -> None:
    newreno, lecn = results("marks", seed)
    assert delay_ms(lecn) < delay_ms(newreno) / 2
    assert lecn.runs["transmissions"][0] < newreno.runs["transmissions"][0]
    assert 0.85 < goodput(lecn)[0] / goodput(newreno)[0] < 1
    assert sum(lecn.flows["lost"]) == 0
    assert sum(lecn.nodes["marked"]) > 0


@pytest.mark.parametrize("seed", SEEDS)
def test_the_rate_of_the_length_needs_no_queue(seed: int) -> None:
    newreno, cl = results("pace", seed)
    assert goodput(cl)[0] > goodput(newreno)[0]
    assert delay_ms(cl) < delay_ms(newreno) / 4
    assert cl.runs["transmissions"][0] < newreno.runs["transmissions"][0]
    assert sum(cl.nodes["collisions"]) < sum(newreno.nodes["collisions"]) / 2
    longer, cl_longer = results("pace", seed, ("topology.hops", 8))
    assert delay_ms(cl_longer) > delay_ms(longer)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_full_chain_is_full_without_collisions(seed: int) -> None:
    full, free, slower = results("guess-first", seed)
    assert 65 * 8 < sum(full.nodes["collisions"]) < 85 * 8
    assert sum(free.nodes["collisions"]) == sum(slower.nodes["collisions"]) == 0
    assert goodput(free)[0] < 1.1 * goodput(full)[0]
    assert goodput(slower)[0] > 1.05 * max(goodput(full)[0], goodput(free)[0])
    assert delay_ms(slower) < 60 < delay_ms(free) / 20
    full, free, _ = results("guess-first", seed, ("traffic.load", "180 kbit/s"))
    assert goodput(free)[0] > 170
    assert delay_ms(free) < 60


def test_a_few_collisions_start_what_they_do_not_decide_beyond() -> None:
    runs = [results("guess-first", seed, ("traffic.load", "180 kbit/s"))[0] for seed in range(1, 9)]
    assert sum(delay_ms(one) > 80 for one in runs) >= 5


@pytest.mark.parametrize("seed", SEEDS)
def test_a_wave_delivers_most_and_soonest(seed: int) -> None:
    udp, cxcc, wake = results("wave", seed)
    assert sum(goodput(udp)) < sum(goodput(cxcc)) < sum(goodput(wake))
    for measure in (delay_ms, lambda one: sum(one.nodes["collisions"])):
        assert measure(wake) < min(measure(cxcc), measure(udp))
    assert inside(cxcc) == inside(wake) == 0
    assert inside(udp) > 500
    for result in results("wave", seed, ("traffic.load", "40 kbit/s")):
        assert sum(goodput(result)) > 72  # of 80, and some packets are still on their way


@pytest.mark.parametrize("seed", SEEDS)
def test_rts_cts_makes_it_worse(seed: int) -> None:
    without, with_rts = results("rts-cts", seed)
    assert goodput(with_rts)[0] < goodput(without)[0]
    assert of_nodes(with_rts, "collisions")["middle"] > of_nodes(without, "collisions")["middle"]
    # Some requests are answered, so that data goes out; nothing of it arrives.
    assert of_nodes(with_rts, "data_frames")["left"] > 50
    assert with_rts.flows["delivered"][0] == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_more_is_offered_less_arrives_and_later(seed: int) -> None:
    below, beyond = results("chain-collapse", seed)
    assert inside(below) == 0
    assert sum(below.nodes["collisions"]) == 0
    assert 45 < delay_ms(below) < 60
    assert goodput(beyond)[0] < goodput(below)[0]
    assert delay_ms(beyond) > 25 * delay_ms(below)
    lost = list(beyond.nodes["collisions"])
    assert sum(lost[1:5]) > 2 * sum(lost[5:])
    assert beyond.flows["lost_queue_full"][0] > 0
    assert inside(beyond) > 100


@pytest.mark.parametrize("seed", SEEDS)
def test_back_pressure_keeps_the_network_empty(seed: int) -> None:
    udp, cxcc = results("back-pressure", seed)
    assert inside(cxcc) == 0 < inside(udp)
    assert delay_ms(cxcc) < delay_ms(udp) / 10
    assert 0.75 < goodput(cxcc)[0] / goodput(udp)[0] < 1


@pytest.mark.parametrize("seed", SEEDS)
def test_credits_lose_nothing(seed: int) -> None:
    udp, hxh = results("credits", seed)
    assert inside(hxh) == 0
    assert inside(udp) > 30
    assert udp.flows["lost_queue_full"][0] > 100
    for result in results("credits", seed, ("traffic.load", "50 kbit/s")):
        assert result.flows["lost"][0] == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_every_route_failure_is_false(seed: int) -> None:
    aodv, fixed = results("false-route-failures", seed)
    failures = sum(aodv.nodes["link_failures"])
    assert failures >= 3
    assert sum(aodv.nodes["false_link_failures"]) == failures
    assert aodv.flows["retransmission_timeouts"][0] > 0
    assert goodput(fixed)[0] > 1.3 * goodput(aodv)[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_middle_starves_without_a_loss(seed: int) -> None:
    (alone,) = results("starved-flow", seed)
    upper, middle, lower = goodput(alone)
    assert middle < 0.02 * min(upper, lower)
    assert sum(alone.nodes["collisions"]) == 0
    assert inside(alone) == 0
    (little,) = results("starved-flow", seed, ("traffic.load", "100 kbit/s"))
    assert goodput(little)[1] > 90


def test_few_packets_wait_with_back_pressure_and_many_without(tmp_path: Path) -> None:
    longest = []
    for number, scenario in enumerate(lesson("back-pressure").scenarios()):
        run(scenario, trace=tmp_path / str(number))
        queues = pl.read_parquet(tmp_path / str(number) / "queues.parquet")
        longest.append(queues.filter(pl.col("node") > 0)["length"].max())
    udp, cxcc = longest
    assert udp == 50
    assert cxcc <= 3


@pytest.mark.parametrize("seed", SEEDS)
def test_tcp_waits_for_routes_or_for_its_timer(seed: int, tmp_path: Path) -> None:
    run(lesson("false-route-failures").scenarios()[0].with_(seed=seed), trace=tmp_path / "trace")
    trace = Trace(tmp_path / "trace")
    frames = trace.scan("frames").filter(pl.col("sender") == 0, pl.col("class") == "data")
    starts = frames.collect()["start_ns"]
    ends = starts.filter(starts.diff() > 800_000_000)
    events = trace.scan("events").collect()

    def within_a_tenth_of_a_second(event: str, *nodes: int) -> list[bool]:
        times = events.filter(pl.col("event") == event, pl.col("node").is_in(nodes))["time_ns"]
        return [any(0 <= end - time < 100_000_000 for time in times) for end in ends]

    assert len(ends) >= 4
    found = within_a_tenth_of_a_second("route_found", *range(9))
    timeouts = within_a_tenth_of_a_second("retransmission_timeout", 0)
    assert all(one or other for one, other in zip(found, timeouts, strict=True))
    assert sum(within_a_tenth_of_a_second("route_found", 8)) >= len(ends) / 3


def test_each_lesson_has_its_scenario_a_paragraph_and_an_exercise() -> None:
    folder = lesson("one-hop").path.parent
    pages = {path.stem for path in folder.glob("*.md")}
    assert pages == {one.name for one in lessons()}
    assert pages == {path.stem for path in folder.glob("*.toml")} - {"site"}
    assert len(lessons()) >= 20
    for one in lessons():
        assert 300 < len(one.text) < 800, one.name
        assert 1 <= len(one.runs) <= 3
        assert len(one.page.networks) == 1
        assert sum(isinstance(part, Exercise) for part in one.page.parts) == 1


@pytest.mark.parametrize("one", lessons(), ids=lambda one: one.name)
def test_a_lesson_begins_inside_its_run_at_what_it_has(one: Lesson) -> None:
    scenario = one.scenarios()[0].to_dict()
    view = dict(part.split("=") for part in one.view.split("&"))
    assert set(view) <= {"t", "speed", "node", "cause"}
    assert float(view.get("t", 0)) < float(re.sub(" s$", "", scenario["duration"]))


def test_an_unknown_lesson_is_named_and_a_similar_one() -> None:
    with pytest.raises(GalleryError, match="did you mean 'hidden-terminal'"):
        lesson("hiden-terminal")


def test_the_page_of_the_gallery_has_every_lesson() -> None:
    text = (ROOT / "docs" / "gallery" / "README.md").read_text(encoding="utf-8")
    for one in lessons():
        assert f"## {one.title}" in text
        assert one.text in " ".join(text.split())
        assert f"gallery/{one.name}.toml" in text


def test_scenarios_can_be_read_by_themselves() -> None:
    for one in lessons():
        assert Scenario.from_file(one.path).name
