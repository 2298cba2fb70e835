"""Schemes that are written in Python."""

import random
import struct
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, ClassVar

import polars as pl
import pytest

import multihop
from multihop import PrototypeError, Scenario, ScenarioError, prototype, record, replay, run
from multihop import sweep as run_sweep
from multihop.capturing import read_headers
from multihop.examples import prototypes
from multihop.prototype import Context, Link, Packet, Received, Request, Sent, Tcp
from multihop.prototype.scheme import DIGESTS
from multihop.runner import run_many
from multihop.tracing import made_by
from tests.conftest import Cli

EXAMPLES = Path(__file__).resolve().parent.parent / "examples" / "prototypes"

CHAIN = {
    "warmup": "0 s",
    "duration": "10 s",
    "topology": {"kind": "bidirectional-chain", "hops": 5},
    "scheme": {"name": "udp"},
    "traffic": {"load": "150 kbit/s", "start": "0 s"},
}
AODV: dict[str, Any] = {"routing": {"kind": "aodv"}}
RESTART: dict[str, Any] = {"restart": [{"node": "n2", "at": "3 s"}]}


class Queue(prototype.Fifo):
    """The usual one."""


class Reno(prototype.CongestionControl):
    """Opens the window as NewReno does."""

    def on_ack(self, context: Context, tcp: Tcp) -> None:
        super().on_ack(context, tcp)


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """Forget every scheme after its test: others list all schemes."""
    yield
    for name in list(DIGESTS):
        prototype.unregister(name)


def registered(**keys: Any) -> str:
    """Register a scheme and return its name."""
    return prototype.register(prototype.Scheme(**{"name": "mine"} | keys)).name


def scenario(name: str, *changes: dict[str, Any]) -> Scenario:
    """Return the chain with this scheme."""
    tables = CHAIN | {"scheme": {"name": name}}
    for change in changes:
        tables = tables | change
    return Scenario.from_dict(tables)


def fingerprint(name: str, *changes: dict[str, Any]) -> str:
    return str(run(scenario(name, *changes)).runs["fingerprint"][0])


@pytest.mark.parametrize(
    "change",
    [{}, {"mac": {"rts_cts": True}}, AODV, AODV | RESTART, {"routing": {"kind": "dsr"}}],
    ids=["", "rts", "aodv", "restart", "dsr"],
)
def test_a_queue_in_python_does_what_the_built_in_one_does(change: dict[str, Any]) -> None:
    name = registered(hop=Queue)
    assert fingerprint(name, change) == fingerprint("udp", change)


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


@pytest.mark.parametrize("control", [Reno, type("Left", (prototype.CongestionControl,), {})])
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

        def on_timeout(self, context: Context, tcp: Tcp) -> None:
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
    place = "the congestion control of 'mine': on_ack at node"
    assert any(note.startswith(place) for note in raised.value.__notes__)


@pytest.mark.parametrize("name", ["few", "lifo", "reports"])
def test_the_examples_do_what_every_scheme_must(name: str) -> None:
    assert prototype.load(EXAMPLES / f"{name}.py") == [name]
    rows = prototype.check(name)
    assert [row for row in rows if not row.ok] == []
    assert len(rows) == 5


def test_the_examples_make_a_difference() -> None:
    for name in ("few", "lifo", "reports"):
        prototype.load(EXAMPLES / f"{name}.py")
    long = {"topology": {"kind": "bidirectional-chain", "hops": 10}, "duration": "60 s"}
    runs = {
        name: run(scenario(name, long)).runs.row(0, named=True)
        for name in ("udp", "lifo", "reports", "newreno", "few")
    }
    assert runs["reports"]["goodput_bit_s"] > 1.3 * runs["udp"]["goodput_bit_s"]
    assert runs["lifo"]["delay_mean_s"] < runs["udp"]["delay_mean_s"]
    assert runs["few"]["delay_mean_s"] < runs["newreno"]["delay_mean_s"]


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
    assert note.startswith("the hop protocol of 'mine': on_enqueue at node ")
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

        def on_timeout(self, context: Context) -> None:
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
        def __init__(self, link: Link) -> None:
            super().__init__(link)
            self.deadline_s = random.Random(7).random()

        def on_timeout(self, context: Context) -> None:
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
            assert packet.length in (before, before)
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


def test_parameters_reach_the_scheme_in_seconds_and_are_checked() -> None:
    seen: list[Any] = []

    class Reading(prototype.Fifo):
        def __init__(self, link: Link) -> None:
            super().__init__(link)
            names = ("on", "count", "share", "wait", "queue_limit")
            seen.append([link[name] for name in names])
            with pytest.raises(KeyError, match="there is no parameter 'limit'; there are: queue"):
                link["limit"]
            assert link.data_rate_bit_s == 1_000_000
            assert 0.004 < link.hop_time_s(512) < 0.01

    params = [
        prototype.Param("on", True),
        prototype.Param("count", 7, "a count", "packets", 1, 9),
        prototype.Param("share", 0.5, most=1),
        prototype.Param("wait", timedelta(milliseconds=20), most=timedelta(seconds=2)),
    ]
    name = registered(hop=Reading, params=params)
    run(scenario(name))
    given = {"on": False, "count": 9, "share": 1, "wait": "1.5 s", "queue_limit": 3}
    run(scenario(name, {"scheme": {"name": name} | given}))
    assert seen[0] == [True, 7, 0.5, 0.02, 49]
    assert seen[-1] == [False, 9, 1.0, 1.5, 3]
    for key, value, error in (
        ("count", 10, r"scheme.count: must lie between 1 and 9 packets \(got 10\)"),
        ("wait", "3 s", "scheme.wait: must lie between 0 s and 2 s"),
        ("wait", 3, "scheme.wait"),
        ("on", 3, "scheme.on: wants true or false"),
        ("off", True, "unknown key 'off'; known: queue_limit, on"),
    ):
        with pytest.raises(ScenarioError, match=error):
            scenario(name, {"scheme": {"name": name, key: value}})


@pytest.mark.parametrize(
    ("keys", "error"),
    [
        ({"hop": Queue, "name": "My Scheme"}, "scheme 'My Scheme': a name has small letters"),
        ({"hop": Queue, "name": "udp"}, "scheme 'udp': there is one of this name already"),
        ({"hop": Queue, "base": "tcp"}, "there is no base 'tcp'; built in are: udp, cxcc"),
        ({}, "give a hop protocol, a source and a destination, or a congestion control"),
        ({"source": prototype.Datagram}, "a source and a destination go together"),
        ({"hop": Reno}, "hop is a class derived from Hop"),
        ({"hop": Queue(link=None)}, "hop is a class derived from Hop"),  # type: ignore[arg-type]
        ({"control": Reno, "base": "cxcc"}, "and 'cxcc' is none; take newreno"),
        ({"hop": Queue, "params": ["x"]}, "params are of prototype.Param, not str"),
        (
            {"hop": Queue, "params": [prototype.Param("queue_limit", 1)]},
            "parameter 'queue_limit' is there already",
        ),
        ({"hop": Queue, "color": "red"}, "a colour is #rrggbb, not 'red'"),
        ({"hop": Queue, "mac": "tdma"}, "mac is dcf or csma, not 'tdma'"),
        (
            {"control": Reno, "source": Queue, "destination": Queue},
            "a congestion control is that of TCP's ends",
        ),
    ],
)
def test_a_scheme_that_is_not_complete_is_refused(keys: dict[str, Any], error: str) -> None:
    with pytest.raises(PrototypeError, match=error):
        registered(**keys)


def test_a_parameter_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(PrototypeError, match="a name has small letters"):
        prototype.Param("Wait", 1)
    with pytest.raises(PrototypeError, match="not str"):
        prototype.Param("wait", "20 ms")  # type: ignore[arg-type]
    with pytest.raises(PrototypeError, match="its default 3 does not lie between 5 and 9"):
        prototype.Param("wait", 3, least=5, most=9)


def test_a_scheme_is_known_until_it_is_forgotten_and_replaced_by_the_next_of_its_name() -> None:
    def known() -> list[str]:
        return [scheme["name"] for scheme in multihop.schemes()]

    before = known()
    name = registered(hop=Queue)
    assert known() == [*before, "mine"]
    assert '"mine"' in multihop.schema()
    udp = fingerprint("udp")
    assert fingerprint(name) == udp

    class Short(prototype.Fifo):
        limit = 2

    registered(hop=Short)
    assert known() == [*before, "mine"]
    assert fingerprint(name) != udp
    prototype.unregister(name)
    assert known() == before
    with pytest.raises(ScenarioError, match="unknown scheme 'mine'"):
        scenario(name)


def test_what_needs_a_mac_that_is_not_there_is_refused() -> None:
    class Listening(prototype.Fifo):
        watches_air = True

        def on_heard(self, context: Context, frame: Received) -> bool | str:
            assert context.air.sending_s >= 0
            assert context.air.receiving_s > 0
            return super().on_heard(context, frame)

    name = registered(hop=Listening)
    run(scenario(name))
    with pytest.raises(ScenarioError, match="air time"):
        scenario(name, {"wired": {}})


def test_check_finds_what_no_scheme_may_do() -> None:
    class Forgetful(prototype.Fifo):
        def on_tx_done(self, context: Context, frame: Sent) -> Packet | int | None:
            self.sending = False
            return None

    class Dicing(prototype.Fifo):
        def poll_transmit(self, context: Context) -> Request | None:
            random.shuffle(self.waiting)
            return super().poll_transmit(context)

    class Mute(prototype.Fifo):
        def on_enqueue(self, context: Context, packet: Packet, to: int) -> None:
            context.drop(packet, "queue_full")

    for hop, found in (
        (Forgetful, "packets are still inside"),
        (Dicing, "two runs differ"),
        (Mute, "nothing was delivered"),
    ):
        rows = prototype.check(registered(hop=hop))
        assert any(found in row.found and not row.ok for row in rows), rows
    with pytest.raises(PrototypeError, match="there is no scheme 'udp' in Python"):
        prototype.check("udp")


def test_new_writes_the_examples(cli: Cli, tmp_path: Path) -> None:
    names = [example.name for example in prototypes()]
    assert names == sorted(path.stem for path in EXAMPLES.glob("*.py"))
    assert all(len(example.about) > 20 for example in prototypes())
    assert "LIFO over 802.11" in cli("list", "prototypes").stdout
    done = cli("new", "--prototype", "lifo")
    assert done.stdout == (
        "lifo.py written; next: multihop --with lifo.py run SCENARIO --set scheme.name=lifo\n"
    )
    assert (tmp_path / "lifo.py").read_text() == (EXAMPLES / "lifo.py").read_text()
    assert "'lifo.py' is there already" in cli("new", "--prototype", "lifo").stderr
    assert cli("new", "own", "--prototype", "few").returncode == 0
    assert prototype.load(tmp_path / "own.py") == ["few"]
    assert "there are: few, lifo, reports" in cli("new", "--prototype", "planet").stderr
    both = cli("new", "--prototype", "few", "--example", "dumbbell")
    assert (both.returncode, "two files" in both.stderr) == (2, True)


def write(path: Path, limit: int) -> Path:
    path.write_text(
        "from multihop import prototype\n\n\n"
        f"class Short(prototype.Fifo):\n    limit = {limit}\n\n\n"
        "prototype.register(prototype.Scheme('short', hop=Short))\n"
    )
    return path


def test_a_changed_file_is_another_scheme_to_a_store(tmp_path: Path) -> None:
    file = tmp_path / "short.py"

    def losses(limit: int) -> tuple[int, int]:
        prototype.load(write(file, limit))
        result = run_sweep(scenario("short"), {"seed": [1]}, tmp_path / "out", progress=False)
        return result.flows["lost"].sum(), len(list((tmp_path / "out" / "parts").iterdir()))

    many, parts = losses(1)
    assert parts == 1
    assert losses(1) == (many, 1)
    few, parts = losses(30)
    assert few < many
    assert parts == 2
    first = made_by(scenario("short"))
    prototype.load(write(file, 1))
    assert made_by(scenario("short")) != first
    assert made_by(scenario("udp")).split() == first.split()[:2]


def test_a_cluster_does_not_know_schemes_of_this_process(tmp_path: Path) -> None:
    base = scenario(registered(hop=Queue))
    with pytest.raises(PrototypeError, match="known to this process only"):
        run_sweep(base, {"seed": [1]}, tmp_path, on="tcp://nobody:1", progress=False)


def test_a_node_of_a_scheme_in_python_can_be_recorded_and_replayed(tmp_path: Path) -> None:
    base = scenario(registered(hop=Queue))
    lines = record(base, "n1", tmp_path / "n1.jsonl")
    assert lines is None or lines
    assert replay(base, "n1", tmp_path / "n1.jsonl") > 100


def test_the_command_line_takes_files_of_schemes(cli: Cli, tmp_path: Path, tiny: Path) -> None:
    file = write(tmp_path / "short.py", 3)
    done = cli("--with", file, "run", tiny, "--set", "scheme.name=short")
    assert done.returncode == 0, done.stderr
    assert "short" in done.stdout
    assert "short" in cli("--with", file, "list", "schemes", "--json").stdout
    empty = tmp_path / "empty.py"
    empty.write_text("")
    for path, error in (
        (tmp_path / "none.py", "this is no Python file with schemes"),
        (tmp_path / "tiny.toml", "this is no Python file with schemes"),
        (empty, "it registers no scheme"),
    ):
        done = cli("--with", path, "list")
        assert done.returncode == 2
        assert error in done.stderr
