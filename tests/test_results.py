import contextlib
import json
import math
from pathlib import Path

import polars as pl
import pytest

from multihop import OutputError, Result, Scenario, run
from multihop._multihop import schemes, vocabulary
from multihop.results.columns import COLUMNS, COUNTERS, DIFFERING, LOSSES, OF_BATCHES
from multihop.results.result import CAUSES, replacing, unreached


@pytest.fixture(scope="module")
def traced() -> Result:
    scenario = Scenario.from_toml(
        """
        warmup = "1 s"
        duration = "2 s"
        topology = { kind = "chain", hops = 3 }
        scheme = { name = "cxcc" }
        traffic = { load = "50 kbit/s" }
        measure = { congestion_potential = true }
        move = [{ node = "n3", at = "1 s", x = "610 m", y = "0 m", speed = "5 m/s" }]
        """
    )
    return run(scenario, events=True)


# Columns of runs in which packets go to several nodes, of schemes that flood, of LoRa, of batches.
ELSEWHERE = {
    *OF_BATCHES,
    "lost_relay_needless",
    "messages",
    "reach_mean",
    "reach_near",
    "reach_far",
    "transmit_share",
    "frames_per_message",
    "useful_share",
    "lost_suppressed",
    "lost_relay_cancelled",
    "lost_channel_busy",
    "lost_duty_cycle_spent",
    "lost_advert_too_long",
    "lost_frame_too_long",
    "lost_over_duty_cycle",
}


def counters(scheme: str) -> set[str]:
    """Return the names of what a scheme counts itself."""
    return {
        counter["name"]
        for known in schemes()
        if known["name"] == scheme
        for counter in known["counters"]
    }


def test_every_column_stands_in_the_data_dictionary(traced: Result) -> None:
    foreign = set(COUNTERS) - counters("cxcc") | ELSEWHERE | set(DIFFERING)
    assert {name: set(table.columns) for name, table in traced.tables.items()} == {
        name: set(columns) - foreign for name, columns in COLUMNS.items() if name != "messages"
    }


def test_counters_are_columns_of_their_scheme_s_runs_only(base: Scenario) -> None:
    own = {scheme["name"]: counters(scheme["name"]) for scheme in schemes()}
    assert set().union(*own.values()) == set(COUNTERS) != set()
    for scheme in ("udp", *(name for name in own if own[name])):
        result = run(base.with_(**{"scheme.name": scheme}))
        for name in ("runs", "nodes"):
            others = {*COUNTERS, *ELSEWHERE, *DIFFERING}
            expected = set(COLUMNS[name]) - others | own[scheme]
            assert set(result.tables[name].columns) == expected
    for name, column in COUNTERS.items():
        owners = ", ".join(scheme for scheme in own if name in own[scheme])
        assert column.about.endswith(f"; runs of {owners} only")


def test_every_cause_of_a_loss_has_its_column_and_every_frame_its_class(traced: Result) -> None:
    lost = [name for name in traced.flows.columns if name.startswith("lost_")]
    assert list(LOSSES) == [name for name in COLUMNS["flows"] if name.startswith("lost_")]
    assert lost == [name for name in LOSSES if name not in ELSEWHERE]
    assert {name for name in CAUSES if name.startswith("lost_")} == set(LOSSES)
    drops = traced.events.filter(event="drop")["cause"].unique().to_list()
    assert {f"lost_{cause}" for cause in drops} <= set(LOSSES)
    frames = set(traced.events["frame"]) - {""}
    assert {"data", "ack"} <= frames <= set(vocabulary()["frame_classes"])


def test_packets_of_the_whole_run_are_conserved(traced: Result) -> None:
    accounted = pl.col("run_delivered") + pl.col("run_inside") + pl.col("run_lost")
    packets = traced.flows.select("run_offered", accounted=accounted)
    assert packets["run_offered"].to_list() == packets["accounted"].to_list()
    assert packets["run_offered"].sum() > 0


def test_columns_without_a_prefix_count_the_measured_time() -> None:
    """A chain that is flooded from the start loses half of it before measuring begins."""
    keys = {"topology.hops": 6, "traffic.load": "400 kbit/s", "warmup": "5 s", "duration": "5 s"}
    row = run(chain(**keys)).flows.row(0, named=True)
    by_cause = {name: count for name, count in row.items() if name.startswith("lost_")}
    assert row["lost"] == sum(by_cause.values()) > 0
    assert row["refused"] <= row["lost"] < row["run_lost"]
    assert max(by_cause.values()) <= row["offered"] < row["run_offered"]
    no_warmup = run(chain(**keys | {"warmup": "0 s", "duration": "10 s"})).flows.row(0, named=True)
    assert no_warmup["lost"] == no_warmup["run_lost"] == row["run_lost"]


def test_starved_flows_and_transfers_are_counted() -> None:
    """Nothing reaches node c; the third flow ends before measuring begins and does not count."""
    places = {"a": "0 m", "b": "100 m", "c": "9 km"}
    file = {"kind": "file", "size": "20 kB", "start": "0.1 s", "start_jitter": "0 s"}
    scenario = chain(
        topology={"kind": "explicit"},
        routing={"kind": "aodv"},
        node=[{"name": name, "x": x, "y": "0 m"} for name, x in places.items()],
        flow=[
            {"from": "a", "to": "b"},
            {"from": "a", "to": "c"},
            {"from": "b", "to": "a", **file},
            {"from": "b", "to": "c", **file},
        ],
        warmup="5 s",
        duration="20 s",
    )
    result = run(scenario)
    summary = result.runs.row(0, named=True)
    assert result.flows["delivered"].to_list()[1:] == [0, 0, 0]
    assert summary["starved_share"] == pytest.approx(2 / 3)
    assert summary["completed_share"] == 0.5
    times = result.flows["completion_time_s"].to_list()
    assert [math.isfinite(time) for time in times] == [False, False, True, False]
    ends = result.flows.row(2, named=True)
    assert times[2] == pytest.approx(ends["last_delivery_s"] - ends["first_offer_s"])
    assert summary["completion_time_mean_s"] == times[2]


def test_events_need_a_trace(base: Scenario) -> None:
    with pytest.raises(KeyError, match="events=True"):
        _ = run(base).events


def test_congestion_needs_to_be_measured(base: Scenario) -> None:
    with pytest.raises(KeyError, match="congestion_potential = true"):
        _ = run(base).congestion


def test_write_gives_parquet_with_units(traced: Result, tmp_path: Path) -> None:
    paths = traced.write(tmp_path / "new" / "folder")
    assert {path.stem for path in paths} == set(COLUMNS) - {"messages"}
    assert pl.read_parquet(paths[0]).equals(traced.runs)
    dictionary = json.loads(pl.read_parquet_metadata(paths[0])["multihop.columns"])
    assert dictionary["goodput_bit_s"]["unit"] == "bit/s"
    assert sorted(path.name for path in paths[0].parent.iterdir()) == sorted(p.name for p in paths)


def test_a_folder_that_cannot_be_written_is_named(traced: Result, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    with pytest.raises(OutputError, match=r"cannot write to '.*file.*'.*--out"):
        traced.write(blocked / "out")


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_text("old")
    with contextlib.suppress(RuntimeError), replacing(path) as temporary:
        temporary.write_text("half")
        raise RuntimeError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def chain(**overrides: object) -> Scenario:
    return Scenario.from_toml(
        """
        warmup = "0 s"
        duration = "2 s"
        topology = { kind = "chain", hops = 2 }
        scheme = { name = "udp" }
        traffic = { load = "100 kbit/s", start = "0 s", start_jitter = "0 s" }
        """
    ).with_(**overrides)


def test_a_flow_that_delivers_is_not_reported() -> None:
    assert unreached(run(chain()), chain()) == []


def test_a_flow_that_delivers_nothing_is_reported_with_the_cause() -> None:
    destroyed = chain(**{"radio.bit_error_rate": 0.01})
    assert unreached(run(destroyed), destroyed) == [
        "'n0->n2' delivered nothing: the MAC dropped packets after all attempts; the next node is "
        "out of reach, or other frames destroy its frames: lower the load or the distance "
        "(packets: 30)"
    ]
    late = chain(**{"traffic.start": "1.999 s"})
    assert unreached(run(late), late) == [
        "'n0->n2' delivered nothing: still under way; the run may be too short: raise duration, or "
        "start earlier (packets: 1)"
    ]
    before = chain(
        **{"traffic.start": "0 s", "traffic.stop": "0.5 s", "warmup": "9 s", "duration": "1 s"},
        **{"radio.bit_error_rate": 0.01},
    )
    (sentence,) = unreached(run(before), before)
    assert "all its packets were lost before measuring began; lower warmup" in sentence
    flooded = chain(**{"traffic.load": "9 Mbit/s", "radio.bit_error_rate": 0.01})
    assert "the queue was full" in unreached(run(flooded), flooded)[0]
    nodes = [
        {"name": name, "x": x, "y": "0 m"}
        for name, x in (("a", "0 m"), ("b", "1 m"), ("c", "9 km"))
    ]
    apart = chain(
        topology={"kind": "explicit"},
        routing={"kind": "aodv"},
        node=nodes,
        flow=[{"from": "a", "to": "c"}, {"from": "a", "to": "b"}],
        duration="20 s",
    )
    (sentence,) = unreached(run(apart), apart)
    assert sentence.startswith("'a->c' delivered nothing: no route to its destination was found")


def test_a_cause_for_which_there_is_no_advice_is_named_all_the_same() -> None:
    result = run(chain())
    offered = pl.col("offered")
    flows = result.flows.with_columns(delivered=pl.lit(0), lost_too_many_flows=offered)
    (sentence,) = unreached(Result({**result.tables, "flows": flows}), chain())
    assert "lost: a node had no room for another flow" in sentence
