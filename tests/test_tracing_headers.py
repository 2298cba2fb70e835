"""Packets without data that can be followed in a trace, and the fields of headers."""

from pathlib import Path

import polars as pl
import pytest

from multihop import Scenario, Trace, TraceError, prototype, run
from multihop.prototype import Context, Packet
from tests.prototypes import forgotten, registered, scenario

__all__ = ["forgotten"]

TCP = {
    "warmup": "0 s",
    "duration": "10 s",
    "topology": {"kind": "chain", "hops": 4},
    "scheme": {"name": "newreno"},
    "traffic": {"kind": "ftp", "start": "0 s"},
}


def trace_of(tmp_path: Path, one: Scenario) -> Trace:
    run(one, trace=tmp_path / "trace")
    return Trace(tmp_path / "trace")


@pytest.mark.parametrize("routing", ["fixed", "aodv", "dsr"])
def test_an_acknowledgment_has_one_number_from_end_to_end(tmp_path: Path, routing: str) -> None:
    trace = trace_of(tmp_path, Scenario.from_dict(TCP | {"routing": {"kind": routing}}))
    frames = trace.decoded("tcp")
    acks = frames.filter(pl.col("class") == "transport_ack", pl.col("source") == 4)
    assert acks.height > 100
    assert acks["packet"].unique().to_list() == [-1]
    assert acks["control"].min() == 0
    # The same bytes at every hop, and at none again.
    ways = acks.group_by("control", maintain_order=True).agg("sender", "tcp.sequence", "tcp.kind")
    if routing == "fixed":  # else some wait for a route, and are given up
        assert ways["control"].to_list() == list(range(ways.height))
    for row in ways.iter_rows(named=True):
        hops = list(dict.fromkeys(row["sender"]))
        assert hops == [4, 3, 2, 1][: len(hops)]
        assert len(set(row["tcp.sequence"])) == 1
    whole = ways.filter(pl.col("sender").list.unique().list.len() == 4)
    assert whole.height > 50
    # Data has none, and everything else has neither.
    data = frames.filter(pl.col("class") == "data")
    assert data["control"].unique().to_list() == [-1]
    assert (data["packet"] >= 0).all()
    others = frames.filter(~pl.col("class").is_in(["data", "transport_ack"]))
    below = others.filter(pl.col("class").is_in(["link_ack", "rreq", "rrep", "rerr", "routing"]))
    assert below["control"].unique().to_list() in ([-1], [])


def test_an_acknowledgment_that_is_lost_is_named_where_it_is_given_up(tmp_path: Path) -> None:
    crowded = TCP | {"topology": {"kind": "bidirectional-chain", "hops": 4}}
    crowded |= {"scheme": {"name": "newreno", "queue_limit": 2}}
    trace = trace_of(tmp_path, Scenario.from_dict(crowded))
    lost = trace.scan("drops").filter(pl.col("packet") == -1).collect()
    assert lost.height > 0
    assert (lost["control"] >= 0).all()
    frames = trace.scan("frames").collect()
    on_the_way = 0
    for row in lost.iter_rows(named=True):
        sent = frames.filter(pl.col(key) == row[key] for key in ("flow", "source", "control"))
        # It was on its way to the node that has given it up, and no node sends it after that.
        assert sent.is_empty() or row["node"] in sent["receiver"].to_list()
        assert not sent.filter(pl.col("start_ns") > row["time_ns"]).height
        on_the_way += sent.height > 0
    assert on_the_way > 0


def test_a_restarted_end_goes_on_with_other_numbers(tmp_path: Path) -> None:
    restart = {"restart": [{"node": "n4", "at": "5 s"}]}
    trace = trace_of(tmp_path, Scenario.from_dict(TCP | restart))
    acks = trace.scan("frames").filter(pl.col("class") == "transport_ack", pl.col("sender") == 4)
    numbers = acks.filter(pl.col("source") == 4).collect()
    before = numbers.filter(pl.col("start_ns") < 5e9)["control"].to_list()
    after = numbers.filter(pl.col("start_ns") > 5e9)["control"].to_list()
    assert before
    assert after
    assert not set(before) & set(after)


def test_events_in_memory_have_the_numbers_too() -> None:
    events = run(Scenario.from_dict(TCP), events=True).tables["events"]
    sent = events.filter(pl.col("event") == "transmit_start", pl.col("frame") == "transport_ack")
    assert (sent["control"] >= 0).all()
    assert (sent["packet"] == -1).all()
    offered = events.filter(pl.col("frame") == "data")
    assert (offered["control"] == -1).all()


def test_fields_have_columns_with_words_and_what_is_behind_them(tmp_path: Path) -> None:
    trace = trace_of(tmp_path, Scenario.from_dict(TCP | {"routing": {"kind": "aodv"}}))
    frames = trace.decoded()
    assert frames.height == trace.scan("frames").collect().height
    assert set(frames["tcp.kind"].drop_nulls()) == {"syn", "data", "ack"}
    assert frames["tcp.sequence"].dtype == pl.Int64
    assert frames["tcp.options"].dtype == pl.Binary
    # Requests for a route have fields of their own, and none of TCP's.
    requests = frames.filter(pl.col("class") == "rreq")
    assert requests.height > 0
    assert requests["tcp.kind"].null_count() == requests.height
    assert any(name.startswith("aodv_rreq.") for name in frames.columns)
    chosen = trace.decoded("tcp", frames=trace.scan("frames").head(50))
    assert chosen.height == 50
    assert not any(name.startswith("aodv") for name in chosen.columns)
    with pytest.raises(TraceError, match="there is no header 'udp'; there are: cxcc, "):
        trace.decoded("udp")
    with pytest.raises(TraceError, match="these frames have no column 'header'"):
        trace.decoded(frames=trace.scan("frames").select("frame"))


def test_what_a_scheme_in_python_says_is_there_as_bytes(tmp_path: Path) -> None:
    class Numbered(prototype.Fifo):
        def on_enqueue(self, context: Context, packet: Packet, to: int) -> None:
            packet.hop_header = b"\x07\x08"
            super().on_enqueue(context, packet, to)

    trace = trace_of(tmp_path, scenario(registered(hop=Numbered)))
    frames = trace.decoded().filter(pl.col("class") == "data")
    assert set(frames["prototype_hop.body"]) == {b"\x07\x08"}
