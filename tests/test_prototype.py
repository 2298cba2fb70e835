"""What is written in Python of a scheme: queues, ends, congestion controls."""

import random
import struct
from pathlib import Path
from typing import Any, ClassVar

import polars as pl
import pytest

import multihop
from multihop import prototype, run
from multihop.prototype import Context, Packet, Params, Received, Request, Sent, Tcp
from multihop.running.capturing import read_headers
from multihop.running.runner import run_many
from tests.prototypes import (
    AODV,
    EXAMPLES,
    RESTART,
    Reno,
    fingerprint,
    fingerprint_of,
    forgotten,
    registered,
    scenario,
)

pytestmark = pytest.mark.engine

__all__ = ["forgotten"]


@pytest.mark.parametrize(
    "change",
    [{}, {"mac": {"rts_cts": True}}, AODV, AODV | RESTART, {"routing": {"kind": "dsr"}}],
    ids=["", "rts", "aodv", "restart", "dsr"],
)
def test_a_queue_in_python_does_what_the_built_in_one_does(change: dict[str, Any]) -> None:
    name = registered(hop=prototype.Fifo)
    assert fingerprint(name, change) == fingerprint("udp", change)


def test_the_queue_heeds_the_parameters_of_its_base() -> None:
    short = {"queue_limit": 3}
    udp = scenario("udp", {"scheme": {"name": "udp"} | short})
    own = scenario(registered(hop=prototype.Fifo), {"scheme": {"name": "mine"} | short})
    assert fingerprint_of(own) == fingerprint_of(udp) != fingerprint("udp")
    first = {"acknowledgments_first": True, "queue_limit": 5}
    ftp = {"traffic": {"kind": "ftp", "start": "0 s"}}
    tcp = scenario("newreno", ftp, {"scheme": {"name": "newreno"} | first})
    name = registered(hop=prototype.Fifo, base="newreno")
    own = scenario(name, ftp, {"scheme": {"name": name} | first})
    assert fingerprint_of(own) == fingerprint_of(tcp)
    tcp = scenario("newreno", ftp, {"scheme": {"name": "newreno", "queue_limit": 5}})
    assert fingerprint_of(own) != fingerprint_of(tcp)
    # CXCC has no such parameter
    assert run(scenario(registered(hop=prototype.Fifo, base="cxcc"))).runs["transmissions"][0] > 0


def test_ends_in_python_do_what_built_in_ones_do_with_two_bytes_more() -> None:
    name = registered(source=prototype.Datagram, destination=prototype.Datagram)
    # 250 packets a second of 510 B behind a header of 2 B, or of 512 B
    own = {"traffic": {"load": "1020 kbit/s", "payload": "510 B", "start": "0 s"}}
    like = {"traffic": {"load": "1024 kbit/s", "payload": "512 B", "start": "0 s"}}
    for change in ({}, AODV, AODV | RESTART):
        mine, udp = run(scenario(name, own, change)), run(scenario("udp", like, change))
        for table, column in (("runs", "transmissions"), ("flows", "delivered"), ("flows", "lost")):
            expected = getattr(udp, table)[column].to_list()
            assert getattr(mine, table)[column].to_list() == expected, column


@pytest.mark.parametrize("control", [Reno, prototype.CongestionControl])
@pytest.mark.parametrize("change", [{}, AODV, RESTART], ids=["", "aodv", "restart"])
def test_a_congestion_control_in_python_is_newreno_where_it_leaves_all_to_it(
    control: type[prototype.CongestionControl], change: dict[str, Any]
) -> None:
    ftp = {"traffic": {"kind": "ftp", "start": "0 s"}}
    name = registered(control=control)
    assert fingerprint(name, ftp, change) == fingerprint("newreno", ftp, change)


def test_a_control_sets_window_threshold_and_pace_and_is_told_what_has_happened() -> None:
    seen: dict[str, list[Any]] = {"ack": [], "loss": [], "rto": [], "tick": []}

    class Curious(prototype.CongestionControl):
        deadline_s = 1.0

        def on_ack(self, context: Context, tcp: Tcp) -> None:
            seen["ack"].append((tcp.acknowledged, tcp.round_trip_s, tcp.in_flight))
            tcp.window += 1

        def on_loss(self, context: Context, tcp: Tcp) -> None:
            seen["loss"].append((tcp.window_before, tcp.window))
            tcp.window = 0.75 * tcp.window_before

        def on_retransmission_timeout(self, context: Context, tcp: Tcp) -> None:
            seen["rto"].append((tcp.window_before, tcp.window, tcp.threshold))
            tcp.threshold = 5

        def on_deadline(self, context: Context, tcp: Tcp) -> None:
            seen["tick"].append((context.now_s, tcp.window))
            self.deadline_s = context.now_s + 1

    ftp = {"traffic": {"kind": "ftp", "start": "0 s"}, "duration": "30 s"}
    run(scenario(registered(control=Curious), ftp))
    trips = [trip for _, trip, _ in seen["ack"] if trip is not None]
    assert len(trips) > 100
    assert all(0.01 < trip < 10 for trip in trips)
    assert all(count >= 1 and flight >= 0 for count, _, flight in seen["ack"])
    assert seen["loss"]
    assert all(window < before for before, window in seen["loss"])
    assert all(window == 1 and threshold >= 2 for _, window, threshold in seen["rto"])
    # of two flows, each 29 times within the run
    assert len(seen["tick"]) == 2 * 29

    class Paced(Reno):
        def on_ack(self, context: Context, tcp: Tcp) -> None:
            super().on_ack(context, tcp)
            tcp.pace_s = 0.5

    paced = run(scenario(registered(control=Paced), ftp)).flows["delivered"].to_list()
    assert all(55 <= delivered <= 65 for delivered in paced), paced


@pytest.mark.parametrize(
    ("field", "value", "error"),
    [
        ("window", 0.5, r"tcp.window is 0.5; it is at least 1 segment"),
        ("window", float("nan"), r"tcp.window is NaN"),
        ("pace_s", -1.0, r"tcp.pace_s is -1; it is a time in seconds"),
        ("threshold", 2.5, "float"),
        ("acknowledged", 2, "acknowledged"),
    ],
)
def test_a_window_that_cannot_be_is_refused(field: str, value: Any, error: str) -> None:
    def on_ack(_: prototype.CongestionControl, context: Context, tcp: Tcp) -> None:
        setattr(tcp, field, value)

    name = registered(control=type("Wrong", (prototype.CongestionControl,), {"on_ack": on_ack}))
    with pytest.raises((ValueError, TypeError, AttributeError), match=error) as raised:
        run(scenario(name))
    place = "the congestion control of 'mine': Wrong.on_ack at node"
    assert any(note.startswith(place) for note in raised.value.__notes__)


@pytest.mark.parametrize("name", ["few", "lifo", "reports"])
def test_the_examples_do_what_every_scheme_must(name: str) -> None:
    assert prototype.load(EXAMPLES / f"{name}.py") == [name]
    rows = prototype.check(name)
    assert [row for row in rows if not row.ok] == []
    assert len(rows) == 7


def test_the_examples_make_a_difference() -> None:
    for name in ("few", "lifo", "reports"):
        prototype.load(EXAMPLES / f"{name}.py")
    long = {"topology": {"kind": "bidirectional-chain", "hops": 10}, "duration": "60 s"}
    runs = {
        name: run(scenario(name, long)).runs.row(0, named=True)
        for name in ("udp", "lifo", "reports", "newreno", "few")
    }
    assert runs["reports"]["goodput_bit_s"] > 1.3 * runs["udp"]["goodput_bit_s"]
    assert runs["lifo"]["network_delay_mean_s"] < runs["udp"]["network_delay_mean_s"]
    assert runs["few"]["network_delay_mean_s"] < runs["newreno"]["network_delay_mean_s"]


def test_an_exception_ends_the_run_and_says_where_it_was() -> None:
    class Broken(prototype.Fifo):
        def on_enqueue(self, context: Context, packet: Packet, to: int) -> None:
            if context.now_s > 2:
                raise ZeroDivisionError("a mistake")
            super().on_enqueue(context, packet, to)

    name = registered(hop=Broken)
    with pytest.raises(ZeroDivisionError, match="a mistake") as raised:
        run(scenario(name))
    (note,) = raised.value.__notes__
    assert note.startswith("the hop protocol of 'mine': Broken.on_enqueue at node ")
    assert 2 < float(note.rsplit(", ", 1)[1].removesuffix(" s")) < 2.1
    # one that fails stops the others, and whatever comes after is not disturbed
    with pytest.raises(ZeroDivisionError):
        run_many([scenario(name), scenario("udp"), scenario(name)], progress=False)
    assert fingerprint("udp") == fingerprint("udp")


def test_a_trace_of_a_run_that_failed_can_be_read(tmp_path: Path) -> None:
    class Broken(prototype.Fifo):
        def poll_transmit(self, context: Context) -> Request | None:
            assert context.now_s < 2
            return super().poll_transmit(context)

    with pytest.raises(AssertionError):
        run(scenario(registered(hop=Broken)), trace=tmp_path / "trace")
    frames = multihop.Trace(tmp_path / "trace").scan("frames").collect()
    assert 1.9e9 < max(frames["start_ns"]) < 2.1e9


@pytest.mark.parametrize(
    ("method", "answer", "error"),
    [
        (
            "on_heard",
            "nonsense",
            "there is no cause of a loss 'nonsense'; there are: source_buffer",
        ),
        ("on_heard", 7, "on_heard returns True"),
        ("on_tx_done", "x", "on_tx_done returns None, a packet"),
        ("poll_transmit", "x", "Request"),
        ("admits", "x", "bool"),
        ("way", "n3", "int"),
        ("frame_class", "x", "there is no class of frames 'x'; there are: data"),
        ("on_neighbour_lost", 3, "list|sequence|Sequence"),
    ],
)
def test_a_wrong_answer_is_refused(method: str, answer: Any, error: str) -> None:
    wrong = type("Wrong", (prototype.Fifo,), {method: lambda *_: answer})
    with pytest.raises((ValueError, TypeError, OverflowError), match=error):
        run(scenario(registered(hop=wrong), AODV | RESTART))


def test_what_would_never_end_is_refused() -> None:
    class Still(prototype.Fifo):
        deadline_s = 1.5

        def on_deadline(self, context: Context) -> None:
            pass

    with pytest.raises(RuntimeError, match="deadline_s has come and was not moved"):
        run(scenario(registered(hop=Still)))

    class Endless(prototype.Datagram):
        def poll_send(self, context: Context) -> Packet | None:
            self.deadline_s = context.now_s
            return super().poll_send(context)

    with pytest.raises(RuntimeError, match="a million calls at one moment"):
        run(scenario(registered(source=Endless, destination=prototype.Datagram)))

    class Backwards(prototype.Fifo):
        deadline_s = -1.0

    with pytest.raises(ValueError, match=r"deadline_s is -1; it is a time of the run"):
        run(scenario(registered(hop=Backwards)))


def test_a_deadline_is_never_early() -> None:
    late: list[float] = []

    class Timed(prototype.Fifo):
        def __init__(self, params: Params) -> None:
            super().__init__(params)
            self.deadline_s = random.Random(7).random()

        def on_deadline(self, context: Context) -> None:
            late.append(context.now_s - self.deadline_s)
            self.deadline_s = context.now_s + context.random() / 100

    run(scenario(registered(hop=Timed)))
    assert len(late) > 10_000
    assert min(late) >= 0
    assert max(late) < 2e-9


def test_a_context_counts_for_its_call_only() -> None:
    class Keeper(prototype.Fifo):
        kept: Context | None = None

        def on_enqueue(self, context: Context, packet: Packet, to: int) -> None:
            Keeper.kept = context
            super().on_enqueue(context, packet, to)

    run(scenario(registered(hop=Keeper)))
    assert Keeper.kept is not None
    with pytest.raises(RuntimeError, match="a call that has ended"):
        _ = Keeper.kept.now_s


@pytest.mark.parametrize("method", ["on_enqueue", "on_tx_done"])
def test_a_packet_that_leaves_twice_is_refused(method: str) -> None:
    def twice(self: prototype.Fifo, context: Context, *arguments: Any) -> Any:
        if method == "on_tx_done":
            context.release(arguments[0].packet)
        else:
            context.drop(arguments[0], "queue_full")
        return getattr(prototype.Fifo, method)(self, context, *arguments)

    name = registered(hop=type("Twice", (prototype.Fifo,), {method: twice}))
    with pytest.raises(RuntimeError, match="more packets have left than have come"):
        run(scenario(name))


def test_headers_travel_and_packets_are_copies() -> None:
    class Marking(prototype.Fifo):
        promiscuous = True
        heard: ClassVar[set[str]] = set()

        def on_heard(self, context: Context, frame: Received) -> bool | str:
            self.heard.add(frame.heard)
            header = frame.packet.hop_header
            assert header is not None
            sender, number = struct.unpack(">IB", header)
            assert sender == frame.sender
            if frame.heard == "for_me":
                assert number == frame.packet.hops
            return super().on_heard(context, frame)

        def poll_transmit(self, context: Context) -> Request | None:
            if self.sending or not self.waiting:
                return None
            self.sending = True
            packet, to = self.waiting.popleft()
            before = packet.length
            marked = packet.copy()
            marked.hop_header = struct.pack(">IB", context.node, packet.hops)
            assert packet.length == before
            assert marked.length == (before if packet.hop_header else before + 7)
            return Request(marked, to)

        def on_tx_done(self, context: Context, frame: Sent) -> Packet | int | None:
            assert frame.attempts >= 1
            assert frame.service_s > 0
            return super().on_tx_done(context, frame)

    run(scenario(registered(hop=Marking)))
    assert Marking.heard == {"for_me", "overheard"}
    packet_of = type("Long", (prototype.Datagram,), {"poll_send": _too_long})
    with pytest.raises(ValueError, match="a header has at most 253 B, not 254"):
        run(scenario(registered(source=packet_of, destination=prototype.Datagram)))


def test_a_trace_has_the_headers(tmp_path: Path) -> None:
    class Numbered(prototype.Fifo):
        def on_enqueue(self, context: Context, packet: Packet, to: int) -> None:
            packet.hop_header = b"\x07"
            super().on_enqueue(context, packet, to)

    ends = {"source": prototype.Datagram, "destination": prototype.Datagram}
    run(scenario(registered(hop=Numbered, **ends)), trace=tmp_path / "trace")
    frames = multihop.Trace(tmp_path / "trace").scan("frames").collect()
    data = frames.filter(pl.col("class") == "data")["header"].unique().to_list()
    assert {bytes(header[-5:]) for header in data} == {bytes((247, 3, 7, 253, 2))}
    names = [[name for name, _ in read_headers(header)] for header in data]
    assert all(found == ["prototype_hop", "prototype_transport"] for found in names)


def _too_long(self: prototype.Datagram, context: Context) -> Packet | None:
    packet = self.give_up()
    if packet is not None:
        packet.transport_header = bytes(254)
    return packet
