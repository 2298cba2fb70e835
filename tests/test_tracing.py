"""Traces in folders: they say what the run did, need little memory, and survive what goes wrong."""

import errno
import json
import math
import os
import resource
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from multihop import OutputError, Result, Scenario, Trace, TraceError, run
from multihop._multihop import Cancel, Interrupted, vocabulary
from multihop.results.columns import TRACE
from multihop.running import tracing
from multihop.running.tracing import run_traced

CHAIN = """
warmup = "0 s"
duration = "2 s"
topology = { kind = "chain", hops = 6 }
traffic = { load = "200 kbit/s", start = "0.1 s" }
"""
UDP = CHAIN + 'scheme = { name = "udp" }\n'
# What differs: acknowledgments, searches for routes, movement, lives, wires, addresses.
SCENARIOS = {
    "udp": UDP,
    "cxcc": CHAIN + 'scheme = { name = "cxcc" }\n[radio]\nbit_error_rate = 1e-5\n',
    "tcp over aodv, moving": """
        warmup = "0 s"
        duration = "3 s"
        topology = { kind = "chain", hops = 4 }
        scheme = { name = "newreno" }
        routing = { kind = "aodv" }
        traffic = { kind = "ftp", start = "0.1 s" }
        mac = { rts_cts = true }
        move = [{ node = "n2", at = "1 s", x = "400 m", y = "900 m", speed = "500 m/s" }]
        restart = [{ node = "n1", at = "0.8 s" }]
    """,
    "wires": UDP + "[wired]\nqueue = 3\n",
}


@pytest.fixture(scope="module", params=SCENARIOS.values(), ids=SCENARIOS)
def traced(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Scenario, Result, Trace]:
    scenario = Scenario.from_toml(request.param)
    folder = tmp_path_factory.mktemp("trace")
    return scenario, run(scenario, trace=folder), Trace(folder)


Traced = tuple[Scenario, Result, Trace]


def test_a_trace_changes_nothing(traced: Traced) -> None:
    scenario, result, _ = traced
    plain = run(scenario)
    assert plain.runs.equals(result.runs)
    assert plain.flows.equals(result.flows, null_equal=True)


def test_every_table_is_there_as_the_dictionary_says(traced: Traced) -> None:
    trace = traced[2]
    assert trace.is_complete
    assert sorted(path.name for path in trace.folder.iterdir()) == sorted(
        ["run.json", *(f"{table}.parquet" for table in TRACE)]
    )
    for table, columns in TRACE.items():
        frame = trace.scan(table)
        assert frame.collect_schema() == tracing.schema(table)
        assert trace.about["tables"][table] == frame.select(pl.len()).collect().item()
        about = pl.read_parquet_metadata(trace.folder / f"{table}.parquet")["multihop.columns"]
        assert json.loads(about) == {name: column.said() for name, column in columns.items()}


def test_the_frames_are_those_of_the_run(traced: Traced) -> None:
    """The table of events in memory is made of the rows that a trace writes."""
    scenario, result, trace = traced
    frames = trace.scan("frames").collect()
    assert frames["frame"].to_list() == list(range(frames.height))
    assert frames.height == result.runs["transmissions"].item()
    events = run(scenario, events=True).events
    sent = events.filter(event="transmit_start")
    assert frames["class"].to_list() == sent["frame"].to_list()
    for name in ("flow", "packet", "bytes"):
        assert frames[name].to_list() == sent[name].to_list()
    heard = trace.scan("receptions").collect().join(frames, on="frame")
    assert heard["frame"].is_sorted()
    decoded = heard.filter(pl.col("outcome").is_in(["decoded", "overheard"])).select(
        pl.col("end_ns").alias("time"), "node", "sender", "class", "packet"
    )
    when = (pl.col("time_s") * 1e9).round().cast(pl.Int64).alias("time")
    peer, frame = pl.col("peer").cast(pl.Int32), pl.col("frame")
    told = events.filter(event="receive").select(
        when, pl.col("node").cast(pl.Int32), peer.alias("sender"), frame.alias("class"), "packet"
    )
    assert decoded.height > 0
    assert decoded.sort(decoded.columns).rows() == told.sort(told.columns).rows()
    # Of what is too weak a trace tells only where it was sent to.
    lost = heard.join(decoded, left_on=["end_ns", "node"], right_on=["time", "node"], how="anti")
    losses = events.filter(event="loss")
    for cause in set(losses["cause"]) - {"too_weak"}:
        assert lost.filter(outcome=cause).height == losses.filter(cause=cause).height
    weak = lost.filter(outcome="too_weak")
    assert (weak["node"] == weak["receiver"]).all()


def test_a_trace_says_who_hears_whom(tmp_path: Path) -> None:
    def about(scenario: Scenario, name: str) -> dict[str, Any]:
        run(scenario, trace=tmp_path / name)
        return Trace(tmp_path / name).about

    def hears(scenario: Scenario, name: str) -> list[list[int]] | None:
        found = about(scenario, name)["hears"]
        return found and [pair[:3] for pair in found]

    chain = Scenario.from_toml(UDP).with_(**{"topology.hops": 3, "duration": "1 s"})
    near = [[a, b, 2] for a in range(4) for b in range(4) if abs(a - b) == 1]
    far = [[a, b, 1] for a in range(4) for b in range(4) if abs(a - b) == 2]
    assert sorted(hears(chain, "chain") or []) == sorted(near + far)
    assert hears(chain.with_(wired={}), "wired") is None
    examples = Path(__file__).parent.parent / "examples"
    relays = Scenario.from_file(examples / "lora-hidden-relays.toml", {"duration": "60 s"})
    assert {(a, b) for a, b, _ in hears(relays, "lora") or []}.isdisjoint({(1, 2), (2, 1)})
    moving = Scenario.from_file(examples / "mobile-lattice.toml", {"duration": "1 s"})
    assert hears(moving.with_(warmup="0 s"), "moving") is None


def test_a_trace_says_how_strong_signals_are(tmp_path: Path) -> None:
    lora = Scenario.from_toml(UDP).with_(
        **{
            "scheme": {"name": "meshtastic"},
            "mac": {"kind": "lora", "preset": "long-fast"},
            "radio": {"propagation": "log-distance", "transmit_power": "1 W"},
            "topology.spacing": "1500 m",
            "traffic.payload": "40 B",
            "traffic.load": "100 bit/s",
            "duration": "1 s",
            "warmup": "0 s",
        }
    )
    run(lora, trace=tmp_path / "lora")
    about = Trace(tmp_path / "lora").about
    # Thermal noise in 250 kHz and a noise figure of 6 dB; SF 11 needs 17.5 dB less.
    assert about["noise_dbm"] == pytest.approx(-174 + 10 * math.log10(250e3) + 6, abs=0.06)
    assert about["decodes_from_dbm"] == pytest.approx(about["noise_dbm"] - 17.5, abs=0.11)
    decoded = [signal for _, _, well, signal in about["hears"] if well == 2]
    assert decoded
    assert min(decoded) >= about["decodes_from_dbm"] - 0.1
    run(Scenario.from_toml(UDP).with_(duration="1 s"), trace=tmp_path / "chain")
    about = Trace(tmp_path / "chain").about
    assert about["noise_dbm"] is None
    near, far = ({row[3] for row in about["hears"] if row[2] == well} for well in (2, 1))
    assert min(near) >= about["decodes_from_dbm"] > max(far)


def test_intervals_of_a_day_are_longer(tmp_path: Path) -> None:
    day = {"duration": "24 h", "warmup": "0 s", "traffic.load": "1 bit/s", "topology.hops": 3}
    run(Scenario.from_toml(UDP).with_(**day), trace=tmp_path / "day")
    series = Trace(tmp_path / "day").scan("series").collect()
    assert series.height == 5 * 86_400  # four nodes and a flow
    assert series["time_ns"].unique().sort().diff().unique().to_list() == [None, 1_000_000_000]


def test_a_frame_has_one_fate_at_a_node_and_those_that_collide_overlap(traced: Traced) -> None:
    trace = traced[2]
    frames = trace.scan("frames").collect()
    heard = trace.scan("receptions").collect().join(frames, on="frame")
    assert not heard.select("frame", "node").is_duplicated().any()
    start = pl.col("end_ns") - pl.col("length_ns")
    # A wire takes as long as it likes.
    assert traced[0].to_dict().get("wired") or heard.filter(start < pl.col("start_ns")).is_empty()
    assert set(heard["outcome"]) <= set(vocabulary()["outcomes"])
    pairs = heard.filter(pl.col("other") >= 0).join(
        frames, left_on="other", right_on="frame", suffix="_other"
    )
    assert pairs.height == (heard["outcome"].is_in(["collision", "capture_lost"])).sum()
    # How long the other was on its way to the node is not written down.
    on_its_way = 10_000
    other_end = pl.col("start_ns_other") + pl.col("length_ns_other") + on_its_way
    apart = (start >= other_end) | (pl.col("start_ns_other") >= pl.col("end_ns"))
    assert pairs.filter(apart | (pl.col("sender") == pl.col("sender_other"))).is_empty()


def test_drops_and_queues_balance_with_the_books(traced: Traced) -> None:
    scenario, result, trace = traced
    flows = result.flows
    last = trace.scan("queues").group_by("node", "flow").last().collect()
    wired = scenario.to_dict().get("wired") is not None
    transport = scenario.to_dict()["scheme"]["name"] == "newreno"
    inside = flows["run_inside"].sum()
    # What is in a wire is in no node; a packet can be in several.
    if not wired and not transport:
        assert last["length"].sum() >= inside
        assert (last["length"].sum() > 0) == (inside > 0)
    assert (trace.scan("queues").collect()["length"] >= 0).all()
    drops = trace.scan("drops").filter(pl.col("packet") >= 0).collect()
    assert drops.height >= flows["run_lost"].sum()
    assert set(drops["cause"]) <= {name[5:] for name in vocabulary()["drop_causes"]}


def test_the_series_adds_up(traced: Traced) -> None:
    scenario, result, trace = traced
    series = trace.scan("series").collect()
    flows, nodes = series.filter(pl.col("node") < 0), series.filter(pl.col("flow") < 0)
    assert flows.height + nodes.height == series.height
    delivered = result.series["delivered_bytes"].sum() * 8
    assert flows["goodput_bit_s"].sum() * 0.1 == pytest.approx(delivered)
    assert (flows["rate_bit_s"].sum() > 0) is True
    if scenario.to_dict().get("wired"):
        assert nodes["air_sending"].is_nan().all()
        return
    spent = nodes.group_by("node", maintain_order=True).agg(
        pl.col("air_sending", "air_receiving", "air_busy").mean()
    )
    duration = result.runs["duration_s"].item()
    told = (result.nodes["transmit_s"] / duration).to_list()
    assert spent["air_sending"].to_list() == pytest.approx(told, abs=0.003)
    total = nodes["air_sending"] + nodes["air_receiving"] + nodes["air_busy"]
    assert total.max() <= 1 + 1e-9


def test_delays_are_those_of_the_flows(tmp_path: Path) -> None:
    result = run(Scenario.from_toml(UDP), trace=tmp_path)
    delivered = Trace(tmp_path).scan("events").filter(event="deliver").collect()
    assert delivered["duration_ns"].mean() / 1e9 == pytest.approx(  # type: ignore[operator]
        result.flows["network_delay_mean_s"].item(), rel=1e-6
    )


def test_the_end_to_end_delay_begins_with_the_offer(tmp_path: Path) -> None:
    """Where more is offered than the chain carries, packets wait at their source."""
    changes = {"traffic.load": "400 kbit/s", "scheme.name": "wake", "duration": "20 s"}
    overload = Scenario.from_toml(UDP).with_(**changes)
    result = run(overload, trace=tmp_path)
    trace = Trace(tmp_path)
    events = trace.scan("events").select("time_ns", "event", "packet").collect()
    offered, delivered = (
        events.filter(event=event).unique("packet", keep="first", maintain_order=True)
        for event in ("offer", "deliver")
    )
    both = delivered.join(offered, on="packet", suffix="_offered").sort("time_ns")
    waited = (both["time_ns"] - both["time_ns_offered"]) / 1e9
    run_row = result.runs.row(0, named=True)
    assert waited.mean() == pytest.approx(run_row["end_to_end_delay_mean_s"], rel=1e-6)
    late = waited.sort()[math.ceil(0.95 * len(waited)) - 1]
    assert late == pytest.approx(run_row["end_to_end_delay_p95_s"], rel=1e-6)
    assert run_row["end_to_end_delay_mean_s"] > 3 * run_row["network_delay_mean_s"]
    series = trace.scan("series").filter(flow=0).collect()
    delays = series.select("network_delay_s", "end_to_end_delay_s").drop_nans()
    assert (delays["end_to_end_delay_s"] >= delays["network_delay_s"]).all()
    packets = series["goodput_bit_s"] * 0.1 / 8 / 512
    whole = (series["end_to_end_delay_s"].fill_nan(0) * packets).sum() / packets.sum()
    assert whole == pytest.approx(run_row["end_to_end_delay_mean_s"], rel=1e-6)


def test_searches_name_what_they_search(tmp_path: Path) -> None:
    run(Scenario.from_toml(SCENARIOS["tcp over aodv, moving"]), trace=tmp_path)
    trace = Trace(tmp_path)
    searches = trace.scan("events").filter(event="route_request", node=0).collect()
    assert set(searches["destination"]) == {4}
    routes = trace.scan("routes").filter(node=0, destination=4).collect()
    assert routes["next"].to_list()[0] == 1
    assert -1 in trace.scan("routes").collect()["next"].to_list()
    moved = trace.scan("positions").filter(node=2).collect()
    assert moved["x_m"].to_list()[0] == 400
    assert moved["y_m"].to_list()[-1] == 900


def test_timers_run_out_when_they_say(traced: Traced) -> None:
    """What protocols do when a timer runs out stands in another table."""
    scenario, _, trace = traced
    timers = trace.scan("timers").collect()
    assert set(timers["timer"]) <= set(vocabulary()["timers"])
    assert timers.filter(
        (pl.col("due_ns") >= 0) & (pl.col("due_ns") < pl.col("time_ns"))
    ).is_empty()
    scheme = scenario.to_dict()["scheme"]["name"]
    event, timer = {
        "cxcc": ("timeout", "hop"),
        "newreno": ("retransmission_timeout", "transport"),
    }.get(scheme, ("", ""))
    ran_out = trace.scan("events").filter(event=event).collect()
    assert (ran_out.height > 0) == (timer != "")
    for time_ns, node in ran_out.select("time_ns", "node").rows():
        told = timers.filter(pl.col("time_ns") < time_ns, node=node, timer=timer)
        assert told["due_ns"][-1] == time_ns


def everything(folder: Path) -> dict[str, pl.DataFrame]:
    return {table: Trace(folder).scan(table).collect() for table in TRACE}


def test_a_batch_is_a_row_group(tmp_path: Path) -> None:
    """However long the run, no more rows are kept than a batch; all readers see the same."""
    scenario = Scenario.from_toml(UDP)
    run_traced(scenario, tmp_path / "small", batch=100)
    run_traced(scenario, tmp_path / "large")
    small, large = everything(tmp_path / "small"), everything(tmp_path / "large")
    for table, rows in large.items():
        assert small[table].equals(rows, null_equal=True)
        file = tmp_path / "small" / f"{table}.parquet"
        with duckdb.connect() as database:
            groups = database.execute(
                f"SELECT row_group_num_rows FROM parquet_metadata('{file}')"
            ).fetchall()
            read = pl.DataFrame(database.execute(f"FROM '{file}'").fetchnumpy())
        assert max(groups, default=(0,))[0] <= 100
        assert read.columns == rows.columns
        assert read.fill_nan(None).rows() == rows.fill_nan(None).rows()


# A trace of it is longer than a part.
LONG_TEXT = UDP.replace('"2 s"', '"10000 s"')
LONG = Scenario.from_toml(LONG_TEXT)


def test_an_interrupted_trace_can_be_read(tmp_path: Path) -> None:
    cancel = Cancel()

    def stop() -> None:
        while not list(tmp_path.glob("*/part-*.parquet")):
            time.sleep(0.01)
        cancel.cancel()

    stopper = threading.Thread(target=stop)
    stopper.start()
    with pytest.raises(Interrupted):
        run_traced(LONG, tmp_path, cancel=cancel)
    stopper.join()
    trace = Trace(tmp_path)
    assert not trace.is_complete
    frames = trace.scan("frames").collect()
    assert frames["frame"].to_list() == list(range(frames.height))
    # What was not yet written when it was stopped is written, too.
    heard = trace.scan("receptions").collect()
    assert heard["frame"].max() in range(frames.height - 10, frames.height)
    assert trace.scan("drops").collect_schema() == tracing.schema("drops")


def test_a_full_disk_stops_the_run_and_leaves_what_can_be_read(tmp_path: Path) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (900_000, limits[1]))
    try:
        with pytest.raises(OutputError, match=os.strerror(errno.EFBIG)) as told:
            run_traced(LONG, tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "--trace" in str(told.value)
    assert_what_is_there_can_be_read(tmp_path)


def assert_what_is_there_can_be_read(folder: Path) -> None:
    """Assert that no table lacks more than its last rows."""
    assert not list(folder.rglob("*.tmp"))
    trace = Trace(folder)
    assert not trace.is_complete
    ends = []
    for table in ("frames", "receptions", "queues", "events"):
        rows = trace.scan(table).collect()
        time_ns = next(name for name in ("time_ns", "start_ns", "end_ns") if name in rows.columns)
        assert rows.height > 10_000
        ends.append(rows[time_ns].max())
    # Each lacks at most what would have been its next write, 64 kB.
    assert min(ends) > 0.7 * max(ends)  # type: ignore[type-var, operator]


# A disk of four megabytes, on which the program runs, and what was written is copied from it.
SMALL_DISK = """
mount -t tmpfs -o size=4m tmpfs "$1" || exit 77
"$2" -m multihop run "$3" --trace "$1/trace"
status=$?
cp -r "$1/trace" "$4" && exit $status
"""


def test_a_disk_that_is_full_is_said_and_what_is_there_can_be_read(tmp_path: Path) -> None:
    """The system says so (ENOSPC): a file system of four megabytes, in a namespace."""
    unshare = shutil.which("unshare")
    if unshare is None:
        pytest.skip("there is no unshare (util-linux)")
    disk, scenario = tmp_path / "disk", tmp_path / "long.toml"
    disk.mkdir()
    scenario.write_text(LONG_TEXT)
    own = [unshare, "--mount", *(() if os.geteuid() == 0 else ("--user", "--map-root-user"))]
    shell = ["sh", "-c", SMALL_DISK, "sh", disk, sys.executable, scenario, tmp_path / "kept"]
    done = subprocess.run([*own, *shell], capture_output=True, text=True, check=False)
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].endswith(
        f"cannot write to '{disk / 'trace'}': {os.strerror(errno.ENOSPC)}; make room there, or "
        "name another folder with --trace, and give the same command again"
    )
    assert_what_is_there_can_be_read(tmp_path / "kept")


def test_a_folder_with_something_in_it_is_refused(tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("precious")
    with pytest.raises(OutputError, match="not empty; name a new folder"):
        run(Scenario.from_toml(UDP), trace=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    with pytest.raises(OutputError, match="--trace"):
        run(Scenario.from_toml(UDP), trace=mine / "trace")
    with pytest.raises(TypeError, match="events=True"):
        run(Scenario.from_toml(UDP), trace=True)  # type: ignore[arg-type]


def test_what_is_no_trace_is_refused_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match=r"no trace: run\.json cannot be read .* --trace"):
        Trace(tmp_path)
    run(Scenario.from_toml(UDP), trace=tmp_path)
    with pytest.raises(TraceError, match="its tables are frames, "):
        Trace(tmp_path).scan("planets")
    (tmp_path / "frames.parquet").unlink()
    with pytest.raises(TraceError, match=r"frames\.parquet is missing"):
        Trace(tmp_path).scan("frames")
    (tmp_path / "run.json").write_text('{"format": 99}')
    with pytest.raises(TraceError, match="format 99"):
        Trace(tmp_path)
    (tmp_path / "run.json").write_text('{"form')
    with pytest.raises(TraceError, match="damaged"):
        Trace(tmp_path)


def test_two_traces_at_once(tmp_path: Path) -> None:
    scenario = Scenario.from_toml(UDP)
    threads = [
        threading.Thread(target=run_traced, args=(scenario, tmp_path / name), kwargs={"batch": 50})
        for name in ("a", "b")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    first, second = everything(tmp_path / "a"), everything(tmp_path / "b")
    assert all(first[table].equals(second[table], null_equal=True) for table in TRACE)
