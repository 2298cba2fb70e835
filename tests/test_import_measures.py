"""Measures of links: each keeps its value and its direction, and nothing unknown is perfect."""

import math
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from multihop import MeshError, run
from multihop.meshes.measures import MEASURES, Measuring, normal
from multihop.meshes.presets import PRESETS
from multihop.meshes.writing import Choices
from tests.conftest import Cli
from tests.meshes import deliveries, imported, links, signals, tables, written

# What a hopglass server writes: 1 / 1.8 of the frames from B arrive at A.
HOPGLASS: dict[str, Any] = {
    "batadv": {
        "directed": True,
        "nodes": [{"id": "m1", "node_id": "a"}, {"id": "m2", "node_id": "b"}],
        "links": [{"source": 0, "target": 1, "tq": 1.0}, {"source": 1, "target": 0, "tq": 1.8}],
    }
}
LISTED = {"version": 2, "nodes": [{"nodeinfo": {"node_id": own}} for own in "ab"]}


def test_a_direction_keeps_its_value_beside_a_link_that_holds_for_both(tmp_path: Path) -> None:
    found = imported(tmp_path, n_json=LISTED, g_json=HOPGLASS)
    assert deliveries(found) == {"ab": 1.0, "ba": pytest.approx(1 / 1.8, abs=1e-4)}
    both = {**HOPGLASS["batadv"]["links"][0], "bidirect": True}
    graph = {"batadv": {**HOPGLASS["batadv"], "links": [both, HOPGLASS["batadv"]["links"][1]]}}
    assert deliveries(imported(tmp_path, n_json=LISTED, g_json=graph))["ba"] < 0.56


def test_a_line_for_each_direction_is_two_measurements(tmp_path: Path) -> None:
    places = {"a": [7.0, 46.0], "b": [7.001, 46.0]}
    points = [
        {"properties": {"name": name}, "geometry": {"type": "Point", "coordinates": place}}
        for name, place in places.items()
    ]
    lines = [
        {
            "properties": {"delivery": share, **more},
            "geometry": {"type": "LineString", "coordinates": [places[a], places[b]]},
        }
        for a, b, share, more in (("a", "b", 0.9, {"both_ways": True}), ("b", "a", 0.6, {}))
    ]
    for order in (lines, lines[::-1]):
        found = imported(tmp_path, m_json={"type": "FeatureCollection", "features": points + order})
        assert deliveries(found) == {"ab": 0.9, "ba": 0.6}
    alone = imported(tmp_path, m_json={"type": "FeatureCollection", "features": points + lines[:1]})
    assert deliveries(alone) == {"ab": 0.9, "ba": 0.9}
    assert alone.mesh.findings.mirrored == 0, "the file says that it holds for both"


ENDS = ("ab", "ba", "bc", "cb", "ac", "ca", "cd", "dc")
RATIOS = st.integers(5001, 10_000).map(lambda share: share / 10_000)


@settings(max_examples=60, deadline=None)
@given(
    shares=st.dictionaries(st.sampled_from(ENDS), RATIOS, min_size=1),
    order=st.randoms(use_true_random=False),
)  # fmt: skip
def test_directions_keep_their_values_in_any_order_of_rows(shares: dict[str, float], order: Any
                                                           ) -> None:  # fmt: skip
    rows = [f"{ends[0]},{ends[1]},{share}\n" for ends, share in shares.items()]
    order.shuffle(rows)
    with TemporaryDirectory() as folder:
        found = tables(Path(folder), "from,to,delivery\n" + "".join(rows))
    kept = deliveries(found)
    for ends, share in kept.items():
        assert share == shares.get(ends, shares.get(ends[::-1]))
    mirrored = {link.source + link.target for link in found.mesh.links if link.mirrored}
    assert mirrored == {ends for ends in kept if ends not in shares}


@settings(max_examples=40, deadline=None)
@given(shares=st.lists(RATIOS, min_size=1, max_size=6), order=st.randoms(use_true_random=False))
def test_several_rows_of_a_direction_have_one_mean_in_any_order(
    shares: list[float], order: Any
) -> None:
    rows = [f"a,b,{share}\n" for share in shares]
    order.shuffle(rows)
    with TemporaryDirectory() as folder:
        found = tables(Path(folder), "from,to,delivery\n" + "".join(rows) + "b,a,0.7\n")
    assert deliveries(found)["ab"] == pytest.approx(math.fsum(shares) / len(shares), abs=6e-5)
    said = "directions of which several rows tell, combined by their mean: 1 (a to b)"
    assert (said in found.mesh.findings.remarks) == (len(shares) > 1)


def test_of_several_types_the_best_counts(tmp_path: Path) -> None:
    rows = "from,to,delivery,type\na,b,0.6,wifi24\na,b,0.9,wifi5\nb,a,0.8,wifi24\na,b,1,vpn\n"
    found = tables(tmp_path, rows)
    assert deliveries(found) == {"ab": 0.9, "ba": 0.8}
    assert "links over vpn, which are no radio links: 1" in found.mesh.notes
    assert any("of which the best counts: 1" in remark for remark in found.mesh.findings.remarks)


@pytest.mark.parametrize(
    ("column", "value", "delivery"),
    [
        ("delivery", "0.9", 0.9),
        ("prr", "90 %", 0.9),
        ("PDR", ".9", 0.9),
        ("quality", "0.9", 0.9),
        ("percent", "90", 0.9),
        ("delivery (%)", "90", 0.9),
        ("loss", "0.1", 0.9),
        ("packet loss", "10%", 0.9),
        ("loss_percent", "10", 0.9),
        ("etx", "1.5625", 0.8),
        ("ETX", "1", 1.0),
        ("tq", "204", 0.8),
        ("tq", "0.8", 0.8),
        ("nlq", "0.8", 0.8),
    ],
)
def test_measures_are_converted(tmp_path: Path, column: str, value: str, delivery: float) -> None:
    found = tables(tmp_path, f"from,to,{column}\na,b,{value}\n")
    assert deliveries(found)["ab"] == pytest.approx(delivery)
    [how] = [how for how, count in found.mesh.findings.measures if count == 1]
    assert how.split(":")[0] in normal(column)[0] or column in ("prr", "PDR", "quality", "percent",
                                                                "delivery (%)")  # fmt: skip


def test_lq_is_of_the_way_back_and_nlq_of_the_way_there(tmp_path: Path) -> None:
    found = tables(tmp_path, "from,to,lq,nlq\na,b,0.6,0.9\n")
    assert deliveries(found) == {"ab": 0.9, "ba": 0.6}
    assert found.mesh.findings.mirrored == 0
    # each node tells of both; the two sayings of a direction are combined
    found = tables(tmp_path, "from,to,lq,nlq\na,b,0.6,0.9\nb,a,0.8,0.6\n")
    assert deliveries(found) == {"ab": pytest.approx(0.85), "ba": 0.6}


def test_powers_are_in_dbm_and_ratios_in_db(tmp_path: Path) -> None:
    assert signals(tables(tmp_path, "from,to,rssi\na,b,-70\nb,a,-71 dBm\n")) == {
        "ab": "-70 dBm", "ba": "-71 dBm",
    }  # fmt: skip
    snr = tables(tmp_path, "from,to,snr\na,b,25\nb,a,20 dB\n", noise_dbm=-95.0)
    assert signals(snr) == {"ab": "-70 dBm", "ba": "-75 dBm"}
    [(how, _)] = snr.mesh.findings.measures
    assert "noise of -95 dBm" in how
    for row, message in (
        ("signal\na,b,25\n", "signal: 25 is no received power in dBm, which lies below 0"),
        ("signal\na,b,-25 dB\n", "-25 dB has db, but signal is in dbm; a ratio in dB is an snr"),
        ("signal_db\na,b,-25\n", "a ratio in dB is an snr"),
        ("snr\na,b,-70 dBm\n", "-70 dBm has dbm, but snr is in db"),
        ("signal_dbm\na,b,25 dB\n", "25 dB is in db, and its column in dbm"),
        ("delivery\na,b,90\n", "90 is not from 0 to 1; write 90 %, or name the column"),
        ("delivery_percent\na,b,190\n", "190 is not from 0 to 100"),
        ("delivery\na,b,-0.1\n", "-0.1 is not from 0 to 1"),
        ("percent\na,b,101\n", "101 is not from 0 to 100"),
        ("etx\na,b,0.5\n", "an ETX of 0.5 is below 1"),
        ("etx\na,b,good\n", "etx: 'good' is no number"),
    ):
        with pytest.raises(MeshError, match=message.replace("(", r"\(")):
            tables(tmp_path, f"from,to,{row}")


@pytest.mark.parametrize("column", ["rate", "throughput", "airtime", "metric", "weight", "score"])
def test_what_is_no_measure_is_refused_and_can_be_named(tmp_path: Path, column: str) -> None:
    rows = f"from,to,{column}\na,b,3\nb,a,3\n"
    with pytest.raises(MeshError, match=f"line 2: '{column}': no measure of a link") as caught:
        tables(tmp_path, rows)
    assert f"--measure {column}=etx" in str(caught.value)
    assert f"--measure {column}=none" in str(caught.value)
    named = tables(tmp_path, rows, columns={column: "etx"})
    assert deliveries(named)["ab"] == pytest.approx(1 / math.sqrt(3), abs=1e-4)
    given_up = tables(tmp_path, rows, columns={column: "none"}, assumed=0.7)
    assert deliveries(given_up) == {"ab": 0.7, "ba": 0.7}
    beside = tables(tmp_path, f"from,to,{column},prr\na,b,3,0.8\n")
    assert deliveries(beside)["ab"] == 0.8
    assert f"not used of the links: {column}" in beside.mesh.findings.remarks


def test_links_of_which_nothing_is_known_are_named(tmp_path: Path) -> None:
    bare = tables(tmp_path, "from,to\na,b\nb,a\n")
    assert deliveries(bare) == {"ab": 1.0, "ba": 1.0}
    assert bare.mesh.findings.measures == (
        ("none: taken to deliver 1 (--assume-delivery)", 2),
    )  # fmt: skip
    # among links that were measured, one that was not is not perfect
    mixed = tables(tmp_path, "from,to,prr\na,b,0.6\nb,a,\nb,c,\n")
    assert deliveries(mixed) == {"ab": 0.6, "ba": 0.6}, "the way back is unknown, so it is mirrored"
    assert mixed.mesh.notes[-1].startswith("links without a measure among others that have one")
    assert deliveries(tables(tmp_path, "from,to,prr\na,b,0.6\nb,c,\n", assumed=0.9))["bc"] == 0.9


def test_quality_of_a_map_is_not_left_out(tmp_path: Path) -> None:
    graph = {
        "nodes": [{"node_id": "a"}, {"node_id": "b"}],
        "links": [{"source": "a", "target": "b", "type": "wifi", "quality": 0.05}],
    }
    with pytest.raises(MeshError, match=r"deliver less than 0.5.*: 2, the best 0.05"):
        imported(tmp_path, m_json=graph)
    found = imported(tmp_path, Choices(neighbour_delivery=0.01), m_json=graph)
    assert deliveries(found) == {"ab": 0.05, "ba": 0.05}
    assert found.scenario.to_dict()["radio"]["neighbour_delivery"] == 0.01


def map_of(tq: float, back: float) -> dict[str, Any]:
    return {
        "nodes": [{"node_id": own, "hostname": own, "is_online": True} for own in "ab"],
        "links": [
            {"type": "wifi", "source": "a", "target": "b", "source_tq": tq, "target_tq": back}
        ],
    }


def test_babel_s_cost_is_no_tq(tmp_path: Path) -> None:
    # an ETX of 10, and a cable: 1 - cost / 65535
    for tq, back in ((0.9609384, 0.9609384), (0.99853514, 1.0)):
        with pytest.raises(MeshError, match=r"maps of Babel have 1 - cost / 65535"):
            imported(tmp_path, m_json=map_of(tq, back))
    none = {"source_tq": "none", "target_tq": "none"}
    assumed = imported(
        tmp_path, measuring=Measuring(columns=none, assumed=0.8), m_json=map_of(0.9609384, 1.0)
    )
    assert deliveries(assumed) == {"ab": 0.8, "ba": 0.8}
    for tq in (0.8, 204 / 255, 0.961, 203.5 / 255):
        found = imported(tmp_path, m_json=map_of(tq, 1))
        assert deliveries(found)["ab"] == pytest.approx(tq, abs=1e-4)


def test_a_direction_without_a_tq_has_that_of_the_other(tmp_path: Path) -> None:
    lacking = map_of(0.7, 1)
    del lacking["links"][0]["target_tq"]
    found = imported(tmp_path, m_json=lacking)
    assert deliveries(found) == {"ab": 0.7, "ba": 0.7}
    assert found.mesh.findings.mirrored == 1


def test_ett_needs_the_frame_that_it_is_of(tmp_path: Path) -> None:
    rows = "from,to,ett_ms\na,b,2\nb,a,2\n"
    with pytest.raises(MeshError, match="whose size the file does not say; give it, as in --ett"):
        tables(tmp_path, rows)
    # 1024 B at 6 Mbit/s take 1.365 ms
    found = tables(tmp_path, rows, ett_bytes=1024, rate_bit_s=6e6)
    etx = 2e-3 * 6e6 / (8 * 1024)
    assert deliveries(found)["ab"] == pytest.approx(1 / math.sqrt(etx), abs=1e-4)


def test_dead_links_are_named(tmp_path: Path) -> None:
    graph = {
        "type": "NetworkGraph", "protocol": "OLSR", "version": "1", "metric": "ETX",
        "nodes": [{"id": "a"}, {"id": "b"}, {"id": "c"}],
        "links": [{"source": "a", "target": "b", "cost": 1.5},
                  {"source": "a", "target": "c", "cost": 2048},
                  {"source": "b", "target": "c", "cost": 1.2}],
    }  # fmt: skip
    found = imported(tmp_path, g_json=graph)
    assert sorted(deliveries(found)) == ["ab", "ba", "bc", "cb"]
    assert found.mesh.notes[0].startswith("directions that deliver nothing")
    dead = {**graph, "links": [{"source": "a", "target": "b", "cost": cost} for cost in (1024, 0)]}
    with pytest.raises(MeshError, match=r"left out: directions that deliver nothing .*: 2"):
        imported(tmp_path, g_json=dead)
    raw = {**graph, "links": [{"source": "a", "target": "b", "cost": 1600}]}
    read = imported(tmp_path, measuring=Measuring(columns={"cost": "olsr-cost"}), g_json=raw)
    assert deliveries(read)["ab"] == pytest.approx(0.8)
    # a direction that was measured to be dead is not mirrored
    with pytest.raises(MeshError, match="no two nodes"):
        tables(tmp_path, "from,to,prr\na,b,0.9\nb,a,0\n")


def test_directed_graphs_are_not_mirrored_unless_asked(tmp_path: Path) -> None:
    graph = {
        "directed": True,
        "nodes": [{"id": "a"}, {"id": "b"}, {"id": "c"}],
        "links": [{"source": "a", "target": "b", "prr": 0.9},
                  {"source": "b", "target": "a", "prr": 0.8},
                  {"source": "b", "target": "c", "prr": 0.7}],
    }  # fmt: skip
    found = imported(tmp_path, g_json=graph)
    assert deliveries(found) == {"ab": 0.9, "ba": 0.8}
    assert "nodes outside the largest connected part: 1" in found.mesh.notes
    assert any("one direction only" in remark for remark in found.mesh.findings.remarks)
    wanted = imported(tmp_path, Choices(mirror=True), g_json=graph)
    assert deliveries(wanted) == {"ab": 0.9, "ba": 0.8, "bc": 0.7, "cb": 0.7}
    assert wanted.text.count("[[link]]  # mirrored") == 1
    undirected = imported(tmp_path, g_json={**graph, "directed": False})
    assert deliveries(undirected)["cb"] == 0.7
    with pytest.raises(MeshError, match="--mirror"):
        tables(tmp_path, "from,to,prr\na,b,0.9\n", Choices(mirror=False))


LORA = "from,to,signal\na,b,-101\nb,a,-103\nb,c,-130\nc,b,-131\n"


def test_thresholds_are_those_of_the_radio(tmp_path: Path) -> None:
    with pytest.raises(
        MeshError, match=r"receive threshold of -82 dBm.*: 4, the strongest at -101"
    ):
        tables(tmp_path, LORA)
    near = tables(tmp_path, LORA, Choices(receive_dbm=-110.0))
    assert any("receive threshold of -110 dBm" in said for said in near.mesh.findings.remarks)
    assert sorted(signals(near)) == ["ab", "ba"]
    assert near.scenario.to_dict()["radio"] == {
        "interference": "ratio",
        "receive_threshold": "-110 dBm", "sense_threshold": "-120 dBm",
    }  # fmt: skip
    far = tables(tmp_path, LORA, Choices(radio=PRESETS["lora-sf12-125"]))
    assert len(signals(far)) == 4
    assert far.scenario.to_dict()["mac"]["data_rate"] == "293 bit/s"
    assert "the simulator's DCF with this radio's times" in far.text
    assert run(far.scenario.with_(duration="300 s")).runs["goodput_bit_s"][0] > 0
    with pytest.raises(MeshError, match=r"arrive at -101 dBm, but nothing below -92 dBm is sensed"):
        tables(tmp_path, "from,to,signal,prr\na,b,-101,0.9\n")


def test_presets_are_what_the_standards_say() -> None:
    dbm = {name: preset.receive_dbm for name, preset in PRESETS.items()}
    # IEEE 802.11-2016, table 17-18; 802.15.4-2006, 6.5.3.3; Semtech AN1200.22
    assert (dbm["802.11-ofdm-6"], dbm["802.11-ofdm-54"]) == (-82, -65)
    assert (dbm["802.11-dsss-11"], dbm["802.15.4-250"]) == (-76, -85)
    assert (dbm["lora-sf7-125"], dbm["lora-sf12-125"]) == (-124.5, -137.0)
    rates = {name: preset.rate_bit_s for name, preset in PRESETS.items()}
    assert (rates["lora-sf7-125"], rates["lora-long-fast"]) == (5469, 1074)
    assert PRESETS["802.11-ofdm-6"].noise_dbm == -94.0


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_makes_a_scenario_that_delivers(tmp_path: Path, name: str) -> None:
    rows = "from,to,signal\na,b,-60\nb,a,-60\n"
    found = tables(tmp_path, rows, Choices(radio=PRESETS[name]))
    assert run(found.scenario).runs["goodput_bit_s"][0] > 0


def test_radio_is_chosen_and_printed(cli: Cli, tmp_path: Path) -> None:
    paths = written(tmp_path, n_csv="name\na\nb\n", l_csv="from,to,signal\na,b,-60\n")
    command = ["import", paths[0], "--links", paths[1]]
    done = cli(*command, "--data-rate", "54 Mbit/s", "--out", "m.toml")
    assert done.returncode == 0, done.stderr
    assert "802.11a/g, 54 Mbit/s (--preset 802.11-ofdm-54" in done.stdout
    assert "-65 dBm to decode, -75 dBm to sense" in " ".join(done.stdout.split())
    text = (tmp_path / "m.toml").read_text()
    assert "# Radio: 802.11a/g, 54 Mbit/s" in text
    assert 'data_rate = "54 Mbit/s"\ntiming = "ofdm-5"' in text
    for options, message in (
        (["--data-rate", "54 Mbit/s", "--mac", "dsss"], "54 Mbit/s is no rate of dsss; there are"),
        (["--data-rate", "54"], "a rate wants bit/s, kbit/s, Mbit/s or Gbit/s"),
        (["--mac", "fdma"], "'fdma' is no timing of 802.11; there are dsss and ofdm"),
        (["--preset", "802.11-ofdm-5"], "did you mean 802.11-ofdm-54"),
        (["--preset", "lora-sf7-125", "--mac", "dsss"], "give it, or --mac and --data-rate"),
        (["--receive-threshold", "82 dB"], "is no power from -200 to 50 dBm"),
        (["--measure", "signal"], "is not COLUMN=MEASURE"),
        (["--measure", "signal=loud"], "'loud' is no measure; there are delivery"),
        (["--load", "5"], '--load: "5" has no unit'),
    ):  # fmt: skip
        done = cli(*command, *options)
        assert done.returncode == 2
        assert message in done.stderr, (options, done.stderr)
        assert "line " not in done.stderr.split("there are")[0]


def test_every_measure_has_a_source_and_a_conversion() -> None:
    assert len({measure.name for measure in MEASURES}) == len(MEASURES)
    columns = [column for measure in MEASURES for column in measure.columns]
    assert len(set(columns)) == len(columns)
    assert all(measure.conversion and measure.source for measure in MEASURES)


def test_links_are_given_as_they_were_measured(tmp_path: Path) -> None:
    found = tables(tmp_path, "from,to,signal,delivery\na,b,-60,0.9\nb,a,-65,\n")
    assert links(found) == {
        ("a", "b"): {"signal": "-60 dBm", "delivery": 0.9},
        ("b", "a"): {"signal": "-65 dBm"},
    }
