"""Traces in folders: they say what the run did, need little memory, and survive what goes wrong."""

import errno
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from multihop import OutputError, Result, Scenario, Trace, TraceError, run, tracing
from multihop._multihop import Cancel, Interrupted, vocabulary
from multihop.columns import TRACE
from multihop.tracing import TraceWriter, run_traced

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
    # Who watches wants to be woken at the end of every frame.
    assert plain.runs.drop("events").equals(result.runs.drop("events"))
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
        assert json.loads(about) == {name: column._asdict() for name, column in columns.items()}


def test_the_frames_are_those_of_the_run(traced: Traced) -> None:
    """The table of events in memory is made in another place, of the same observations."""
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
    decoded = heard.filter(pl.col("outcome").is_in(["decoded", "overheard"]))
    received = events.filter(event="receive")
    told = pl.Series((received["time_s"] * 1e9).round().cast(pl.Int64))
    assert decoded["end_ns"].to_list() == told.to_list()
    assert decoded["node"].to_list() == received["node"].to_list()
    assert decoded["sender"].to_list() == received["peer"].to_list()
    lost = heard.join(decoded, on=["frame", "node"], how="anti")
    losses = events.filter(event="loss")
    for name, other in (("node", "node"), ("outcome", "cause"), ("packet", "packet")):
        assert lost[name].to_list() == losses[other].to_list()


def test_a_frame_has_one_fate_at_a_node_and_those_that_collide_overlap(traced: Traced) -> None:
    trace = traced[2]
    frames = trace.scan("frames").collect()
    heard = trace.scan("receptions").collect().join(frames, on="frame")
    assert not heard.select("frame", "node").is_duplicated().any()
    start = pl.col("end_ns") - pl.col("length_ns")
    # A wire takes as long as it likes.
    assert traced[0].to_dict().get("wired") or heard.filter(start < pl.col("start_ns")).is_empty()
    assert set(heard["outcome"]) <= set(vocabulary()["outcomes"])
    by_frame = heard.select("frame", "node", "sender", "end_ns", "length_ns")
    pairs = heard.filter(pl.col("other") >= 0).join(
        by_frame, left_on=["other", "node"], right_on=["frame", "node"], suffix="_other"
    )
    assert pairs.height == (heard["outcome"].is_in(["collision", "capture_lost"])).sum()
    other_start = pl.col("end_ns_other") - pl.col("length_ns_other")
    apart = (start >= pl.col("end_ns_other")) | (other_start >= pl.col("end_ns"))
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
    lost = sum(flows[name].sum() for name in flows.columns if name.startswith("lost_"))
    assert drops.height >= lost
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
        result.flows["delay_mean_s"].item(), rel=1e-6
    )


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


def everything(folder: Path) -> dict[str, pl.DataFrame]:
    return {table: Trace(folder).scan(table).collect() for table in TRACE}


def test_memory_is_that_of_a_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the run, no more than a batch of rows is handed over, and all of them are."""
    sizes: list[int] = []
    write = TraceWriter.write

    def watch(self: TraceWriter, table: str, columns: dict[str, Any]) -> None:
        write(self, table, columns)
        sizes.append(self._rows[table] - sum(rows.get(table, 0) for rows in [dict(seen)]))
        seen[table] = self._rows[table]

    seen: dict[str, int] = {}
    monkeypatch.setattr(TraceWriter, "write", watch)
    scenario = Scenario.from_toml(UDP)
    run_traced(scenario, tmp_path / "small", batch=100)
    assert max(sizes) == 100
    assert len(sizes) > 50
    run_traced(scenario, tmp_path / "large")
    small, large = everything(tmp_path / "small"), everything(tmp_path / "large")
    assert all(small[table].equals(large[table], null_equal=True) for table in TRACE)


def stopped(monkeypatch: pytest.MonkeyPatch, parts: int, stop: Callable[[], None]) -> None:
    """Do `stop` before a batch is written after so many."""
    write, written = TraceWriter.write, [0]

    def limited(self: TraceWriter, table: str, columns: dict[str, Any]) -> None:
        written[0] += 1
        if written[0] == parts:
            stop()
        write(self, table, columns)

    monkeypatch.setattr(TraceWriter, "write", limited)


def test_an_interrupted_trace_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cancel = Cancel()
    stopped(monkeypatch, 20, cancel.cancel)
    long = Scenario.from_toml(UDP).with_(duration="10000 s")
    with pytest.raises(Interrupted):
        run_traced(long, tmp_path, cancel=cancel, batch=500)
    trace = Trace(tmp_path)
    assert not trace.is_complete
    frames = trace.scan("frames").collect()
    assert frames["frame"].to_list() == list(range(frames.height))
    # What was not yet written when it was stopped is written, too.
    assert frames.height % 500 != 0
    assert trace.scan("drops").collect_schema() == tracing.schema("drops")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_a_full_disk_stops_the_run_and_leaves_what_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    write = pl.DataFrame.write_parquet

    def fail(self: pl.DataFrame, file: Path, **options: Any) -> None:
        write(self, file, **options)
        if sum(1 for _ in tmp_path.rglob("part-*.parquet")) == 10:
            Path(file).write_bytes(b"PAR1, cut off")
            raise OSError(number, "as the system says it")

    monkeypatch.setattr(pl.DataFrame, "write_parquet", fail)
    long = Scenario.from_toml(UDP).with_(duration="10000 s")
    with pytest.raises(OutputError, match=r"make room|writable") as told:
        run_traced(long, tmp_path, batch=500)
    assert "--trace" in str(told.value)
    assert not list(tmp_path.rglob("*.tmp"))
    assert sum(trace.height for trace in everything(tmp_path).values()) == 10 * 500


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
