"""Applications in namespaces, over nodes and a medium that are processes.

The medium runs in real time, so nothing here depends on how fast this machine is.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from multihop import Scenario
from multihop.engine import programs
from multihop.engine.errors import LabError
from multihop.lab import Lab, Options, lab as labs, tools
from multihop.reproducing import stored
from multihop.reproducing.registry import ROWS
from multihop.running.capturing import write_dissector
from multihop_papers.cxcc import on_linux as testbed
from multihop_papers.cxcc.setup import RFA, UDP
from tests.conftest import Cli
from tests.labs import (
    PATIENCE_S,
    PING,
    SPRAY,
    application,
    chain,
    counter,
    eventually,
    needs_linux,
    python,
)

pytestmark = pytest.mark.engine
ROOT = Path(__file__).resolve().parent.parent


def has_nft() -> bool:
    try:
        tools.nft()
    except LabError:
        return False
    return True


@pytest.fixture
def lab(home: Path) -> Iterator[Lab]:
    with Lab.up(chain(4), "test") as lab:
        yield lab


SERVE = """
import socket, sys
with socket.create_server(("", 8000)) as server:
    print("ready", flush=True)
    while True:
        link, _ = server.accept()
        with link, open(sys.argv[1], "rb") as file:
            link.sendall(file.read())
"""

FETCH = """
import hashlib, socket, sys
hash, got = hashlib.sha256(), 0
with socket.create_connection((sys.argv[1], 8000), timeout=60) as link:
    while part := link.recv(65536):
        hash.update(part)
        got += len(part)
        print(got, flush=True)
print(hash.hexdigest())
"""


@pytest.fixture
def served(lab: Lab, tmp_path: Path) -> Iterator[str]:
    with serving(lab, tmp_path) as checksum:
        yield checksum


@contextmanager
def serving(lab: Lab, tmp_path: Path) -> Iterator[str]:
    """Serve a file at n4, and return its checksum."""
    file = tmp_path / "file"
    file.write_bytes(bytes(n * n % 251 for n in range(30_000)))
    with application(lab, "n4", python(SERVE, str(file))) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == "ready\n"
        yield hashlib.sha256(file.read_bytes()).hexdigest()


def processes(home: Path, *words: str) -> list[int]:
    """Return the processes whose command line has these words, and one in a folder."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = file.read_text(errors="replace")
        except OSError:
            continue
        if f"{home}/" in line and set(words) <= set(line.split("\0")):
            found.append(int(file.parent.name))
    return found


@contextmanager
def lab_command(*words: str, **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Start a command of `multihop lab`, which ends with the block."""
    with subprocess.Popen([sys.executable, "-m", "multihop", "lab", *words], **options) as command:
        try:
            yield command
        finally:
            command.kill()


@needs_linux
def test_a_lab_that_is_up_has_its_programs_in_its_records(home: Path, tiny: Path, cli: Cli) -> None:
    try:
        done = cli("lab", "up", tiny, "--name", "told", "--json")
        told = json.loads(done.stdout)
        assert told["versions"] == Lab("told").plan.versions == tools.versions()
        assert told["programs"] == {name: tools.program(name) for name in tools.PROGRAMS}
        # these are built here, and not on the path
        assert f"programs: {tools.program('multihop-node')}, version" in done.stderr
    finally:
        cli("lab", "down", "--name", "told")


@needs_linux
def test_applications_cross_four_hops_and_a_relay_that_is_killed_comes_back(
    lab: Lab, served: str, home: Path
) -> None:
    assert lab.run("n0", python(PING, "n4")) == "(7, 1)\n"
    assert lab.run("n0", python(PING, "n0")) == "(7, 1)\n", "a node reaches itself"
    with application(lab, "n0", python(FETCH, "n4")) as fetch:
        assert fetch.stdout is not None
        assert int(fetch.stdout.readline()) > 0
        [relay] = processes(home, "--node", "n2")
        os.kill(relay, signal.SIGKILL)
        lines = fetch.stdout.read().split()
    assert lines[-1] == served
    assert processes(home, "--node", "n2") != [relay], "it is another one"


# Sends numbered datagrams, so many of them, one after the other.
NUMBERED = """
import socket, sys, time
with socket.socket(type=socket.SOCK_DGRAM) as link:
    for number in range(int(sys.argv[2])):
        link.sendto(number.to_bytes(4, "big").ljust(200, b"."), (sys.argv[1], 9))
        print(number, flush=True)
        time.sleep(0.02)
"""

# Prints the numbers of those that come, up to the last one, and for a while after it.
NUMBERS = """
import socket, sys
with socket.socket(type=socket.SOCK_DGRAM) as link:
    link.bind(("", 9))
    print("ready", flush=True)
    number = -1
    while True:
        try:
            number = int.from_bytes(link.recv(1000)[:4], "big")
        except TimeoutError:
            break
        print(number, flush=True)
        if number == int(sys.argv[1]) - 1:
            link.settimeout(2)
"""


@pytest.mark.long
@needs_linux
def test_reliable_ends_lose_nothing_when_relays_are_killed_and_stopped(home: Path) -> None:
    count = 250
    scenario = chain(4).with_(**{"scheme.reliable": True, "scheme.report_interval": "1 s"})
    # who sends is not told that there is no room: there is for all
    options = Options(node_flags=("--queue", "1000"))
    with (
        Lab.up(scenario, "test", options) as lab,
        application(lab, "n4", python(NUMBERS, str(count))) as taking,
    ):
        assert taking.stdout is not None
        assert taking.stdout.readline() == "ready\n"
        with application(lab, "n0", python(NUMBERED, "n4", str(count))) as sending:
            assert sending.stdout is not None
            for line in sending.stdout:
                [relay] = processes(home, "--node", "n2")[:1] or [0]
                if int(line) in (60, 180):
                    os.kill(relay, signal.SIGKILL)
                elif int(line) == 20:
                    # its clock jumps, as far as it can see
                    [stopped] = processes(home, "--node", "n1")
                    os.kill(stopped, signal.SIGSTOP)
                elif int(line) == 50:
                    os.kill(stopped, signal.SIGCONT)
        assert [int(line) for line in taking.stdout] == list(range(count)), "in order, each once"
        assert counter(lab, 0, "queue_full") == 0
        assert counter(lab, 0, "from_applications") == count


DIAMOND = """
topology = { kind = "explicit" }
mac = { data_rate = "2 Mbit/s" }
routing = { kind = "dsr" }
scheme = { name = "udp" }
traffic = { load = "1 kbit/s" }
node = [
  { name = "n0", x = "0 m", y = "0 m" },
  { name = "n1", x = "200 m", y = "100 m" },
  { name = "n2", x = "200 m", y = "-100 m" },
  { name = "n4", x = "400 m", y = "0 m" },
]
flow = [{ from = "n0", to = "n4" }]
"""


@pytest.mark.long
@needs_linux
def test_a_connection_survives_the_relay_that_it_used(home: Path, tmp_path: Path) -> None:
    with Lab.up(Scenario.from_toml(DIAMOND), "test", Options(respawn_s=-1)) as lab:  # noqa: SIM117
        with serving(lab, tmp_path) as checksum:
            with application(lab, "n0", python(FETCH, "n4")) as fetch:
                assert fetch.stdout is not None
                assert int(fetch.stdout.readline()) > 0
                used = max(("n1", "n2"), key=lambda name: counter(lab, int(name[1]), "frames_sent"))
                [relay] = processes(home, "--node", used)
                os.kill(relay, signal.SIGKILL)
                lines = fetch.stdout.read().split()
            assert lines[-1] == checksum
            assert not processes(home, "--node", used), "it stays away"


@needs_linux
@pytest.mark.skipif(shutil.which("tshark") is None, reason="no tshark: apt install tshark")
def test_tshark_reads_what_applications_send_over_the_air(
    lab: Lab, tmp_path: Path, home: Path, cli: Cli
) -> None:
    plugin = write_dissector(tmp_path / "multihop.lua")
    file = tmp_path / "air.pcapng"
    with lab_command("pcap", "--name", "test", "--out", str(file)) as capturing:
        eventually("it has begun", lambda: file.exists() and file.stat().st_size > 0)
        lab.run("n0", python(PING, "n4"))
        eventually("the answer is there", lambda: b"multihop" in file.read_bytes()[-8000:])
        capturing.send_signal(signal.SIGINT)
        assert capturing.wait(PATIENCE_S) == 0
    names = ("frame.comment", "wlan.ta", "ip.src", "icmp.type")
    words = [word for name in names for word in ("-e", name)]
    command = ["tshark", "-X", f"lua_script:{plugin}", "-r", str(file), "-T", "json", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "Lua" not in done.stderr
    frames = [packet["_source"]["layers"] for packet in json.loads(done.stdout)]
    requests = [frame for frame in frames if frame.get("icmp.type") == ["8"]]
    # the packet of an application inside the packet of the scheme, at every hop
    assert {frame["wlan.ta"][0][-1] for frame in requests} == {"0", "1", "2", "3"}
    assert all(frame["ip.src"] == ["10.0.0.0", "10.0.0.0"] for frame in requests)
    first = requests[0]["frame.comment"][0]
    assert first.startswith("frame ")
    assert "\nheard at n1" in first


@pytest.mark.long
@needs_linux
def test_a_capture_says_what_there_is_none_of(home: Path, cli: Cli) -> None:
    assert "no lab 'lab'" in cli("lab", "pcap").stderr
    with Lab.up(chain(1), "test", Options(respawn_s=-1)):
        done = cli("lab", "pcap", "--name", "test", "--duration", "0.1", "--json", "-o", "a.pcapng")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout) == {"file": "a.pcapng", "dissector": None}
        assert "--out" in cli("lab", "pcap", "--name", "test", "-o", "no/such.pcapng").stderr
        [ether] = [
            pid for pid in processes(home) if "ether" in Path(f"/proc/{pid}/comm").read_text()
        ]
        with lab_command("pcap", "--name", "test", "-o", "-", stdout=subprocess.PIPE) as capturing:
            assert capturing.stdout is not None
            assert capturing.stdout.read(4) == b"\x0a\x0d\x0d\x0a"
            os.kill(ether, signal.SIGKILL)
            assert capturing.wait(PATIENCE_S) == 1
        assert "has ended" in cli("lab", "pcap", "--name", "test").stderr


needs_nft = pytest.mark.skipif(not has_nft(), reason="no nft: apt install nftables")

# Sends a file, says that it sends no more, and expects its checksum.
ASK = """
import socket, sys
with socket.create_connection((sys.argv[1], 8000), timeout=60) as link:
    with open(sys.argv[2], "rb") as file:
        link.sendall(file.read())
    link.shutdown(socket.SHUT_WR)
    print(link.makefile().read())
"""

ANSWER = """
import hashlib, socket
with socket.create_server(("", 8000)) as server:
    print("ready", flush=True)
    link, (client, _) = server.accept()
    with link, link.makefile("rb") as asked:
        link.sendall(f"{hashlib.sha256(asked.read()).hexdigest()} for {client}".encode())
    link, _ = server.accept()
    link.recv(10)
    link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, bytes([1, 0, 0, 0, 0, 0, 0, 0]))
    link.close()
    input()
"""

RESET = """
import socket, sys
with socket.create_connection((sys.argv[1], int(sys.argv[2])), timeout=60) as link:
    try:
        link.sendall(b"hello")
        print(link.recv(10))
    except ConnectionResetError:
        print("reset")
"""


@needs_linux
@needs_nft
def test_a_proxy_carries_streams_ends_and_resets_over_a_relay_that_is_killed(
    home: Path, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.write_bytes(bytes(n * n % 251 for n in range(60_000)))
    with (
        Lab.up(chain(4), "test", Options(tcp_proxy=True)) as lab,
        application(lab, "n4", python(ANSWER), stdin=subprocess.PIPE) as server,
    ):
        assert server.stdout is not None
        assert server.stdout.readline() == "ready\n"
        with application(lab, "n0", python(ASK, "n4", str(file))) as asking:
            eventually("some of it is there", lambda: counter(lab, 4, "to_applications") > 5)
            [relay] = processes(home, "--node", "n2")
            os.kill(relay, signal.SIGKILL)
            assert asking.stdout is not None
            said = asking.stdout.read().split()
        assert said == [hashlib.sha256(file.read_bytes()).hexdigest(), "for", "10.0.0.4"]
        assert lab.run("n0", python(RESET, "n4", "8000")) == "reset\n"
        assert lab.run("n0", python(RESET, "n4", "9")) == "reset\n", "nobody listens"
        assert lab.run("n0", python(PING, "n4")) == "(7, 1)\n", "what is no TCP goes as before"
        first, last = (lab.status()["nodes"][number]["proxy"] for number in (0, 4))
        assert (first["carried"], last["carried"]) == (3, 3)
        assert first["refused"] == last["refused"] == first["malformed"] == 0


DEAF = """
import socket
with socket.socket(type=socket.SOCK_DGRAM) as link:
    link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    link.bind(("", 9))
    print("ready", flush=True)
    input()
"""


@needs_linux
def test_an_application_that_never_reads_holds_nobody_up(lab: Lab) -> None:
    with application(lab, "n1", python(DEAF), stdin=subprocess.PIPE) as deaf:
        assert deaf.stdout is not None
        assert deaf.stdout.readline() == "ready\n"
        lab.run("n0", python(SPRAY, "n1"))
        assert lab.run("n0", python(PING, "n1")) == "(7, 1)\n"
    status = lab.status()["nodes"]
    assert status[0]["counters"]["from_applications"] >= 201
    assert status[1]["counters"]["to_applications"] > 5


@needs_linux
def test_what_goes_nowhere_is_counted(lab: Lab) -> None:
    send = (
        "import socket, sys; socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', (sys.argv[1], 9))"
    )
    lab.run("n0", python(send, "10.9.9.9"))
    eventually("it is counted", lambda: counter(lab, 0, "no_such_node") == 1)
    metrics = subprocess.run(
        [tools.program("multihop-node"), "metrics", str(lab.plan.control("n0"))],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert 'multihop_no_such_node_total{node="n0"} 1\n' in metrics
    assert metrics.endswith("# EOF\n")


@needs_linux
def test_a_lab_is_nowhere_where_others_could_have_put_one(home: Path) -> None:
    (home / "multihop").mkdir()
    (home / "multihop").chmod(0o777)
    for use in (labs.names, lambda: Lab("lab"), lambda: Lab.up(chain(1))):
        with pytest.raises(LabError, match="others could put a lab there"):
            use()
    (home / "multihop").rmdir()
    (home / "multihop").symlink_to(home)
    with pytest.raises(LabError, match="others could put a lab there"):
        labs.names()


@needs_linux
def test_a_node_has_a_name_for_hosts_and_files(home: Path) -> None:
    places = "".join(
        f'[[node]]\nname = "{name}"\nx = "0 m"\ny = "0 m"\n' for name in ("a", "../evil")
    )
    scenario = Scenario.from_toml(f"""
    topology = {{ kind = "explicit" }}
    scheme = {{ name = "udp" }}
    traffic = {{ load = "1 kbit/s" }}
    {places}
    [[flow]]
    from = "a"
    to = "../evil"
    """)
    with pytest.raises(LabError, match="is no name for a node of a lab"):
        Lab.up(scenario)
    assert not list(home.glob("*.log"))


@needs_linux
def test_a_lab_that_crashes_leaves_nothing_and_is_cleared_away(home: Path) -> None:
    lab = Lab.up(chain(1), "crash", Options(time_scale=2.0))
    assert lab.status()["ether"]["time_scale"] == 2.0
    with pytest.raises(LabError, match="is up already"):
        Lab.up(chain(1), "crash")
    with pytest.raises(LabError, match="no node 'n9'; it has n0, n1"):
        lab.command("n9", ["true"])
    os.kill(lab.supervisor, signal.SIGKILL)
    eventually("its processes are gone", lambda: not processes(home))
    with pytest.raises(LabError, match="has crashed"):
        Lab("crash")
    labs.down("crash")
    assert not labs.names()
    with pytest.raises(LabError, match="no lab 'crash'"):
        labs.down("crash")


def test_the_testbeds_claims_are_judged_from_what_linux_gives_and_kept(tmp_path: Path) -> None:
    def curve(variant: str, rates: tuple[float, ...], runs: int) -> list[testbed.Measured]:
        # the mean over runs is the rate, from which they differ by up to 2 %
        return [
            testbed.Measured(variant, load, run, rate * part, 2 * rate * part, 0.0)
            for load, rate in zip((0.05, 0.1, 0.2, 0.5, 2.0), rates, strict=True)
            for run in range(1, runs + 1)
            for part in [1 + 0.01 * (run - (runs + 1) / 2)]
        ]

    own, drops = (100, 200, 200, 205, 190), (100, 200, 250, 50, 2)
    stays = (100, 200, 250, 240, 245)
    for rates, runs, holds in ((drops, 5, True), (drops, 1, None), (stays, 5, False)):
        measured = curve(RFA, own, runs) + curve(UDP, rates, runs)
        [(_, finding), (_, stable)] = testbed.judged(measured)
        assert finding.holds is holds, finding
        assert stable.holds is (None if holds is None else True), stable
    testbed.keep(measured, 5, 0.2, tmp_path / "cxcc-fig22-linux.json")
    [row] = [row for row in ROWS if row.elsewhere]
    assert [v.verdict for v in stored.found_elsewhere(row, tmp_path)] == ["differs", "calibrated"]
    kept = json.loads((tmp_path / "cxcc-fig22-linux.json").read_text())
    assert kept["command"] == "multihop lab fig22 --runs 5 --time-scale 0.2"
    at_most = testbed.rows(measured)[4]
    assert at_most.load_kbit_s == 2.0
    assert at_most.bit_s[UDP] == pytest.approx((245, 490))
    assert at_most.bit_s[RFA] == pytest.approx((190, 380))


@needs_linux
def test_a_run_of_the_testbed_counts_what_both_ends_get(home: Path) -> None:
    small = replace(testbed.NODES, quick_values=(0.1,), quick_variants=(RFA,))
    with mock.patch.object(testbed, "NODES", small):
        # a busy machine needs more time
        for time_scale in (0.01, 0.05, 0.2):
            [one] = testbed.measure(1, time_scale, 1)
            if one.linux == pytest.approx(200, rel=0.3):
                break
    assert (one.variant, one.load_kbit_s, one.run) == (RFA, 0.1, 1)
    assert one.linux == pytest.approx(200, rel=0.3)
    assert one.simulator == pytest.approx(200, rel=0.1)
    assert not labs.names(), "it is down"


@needs_linux
def test_who_stops_the_testbed_does_not_wait_for_the_end_of_its_runs(home: Path) -> None:
    def interrupted() -> None:
        if labs.names():
            raise KeyboardInterrupt

    held = nullcontext(interrupted)
    with (
        mock.patch.object(testbed, "held_interrupts", return_value=held),
        pytest.raises(KeyboardInterrupt),
    ):
        # each of them would take hours
        list(testbed.measure(runs=1, time_scale=100, at_once=2))
    assert not labs.names(), "they are down"


def test_a_proxy_without_nft_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    with pytest.raises(LabError, match="apt install nftables"):
        tools.nft()


@pytest.fixture
def builds(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of builds that say their versions; those without optimisation are newer."""
    monkeypatch.setattr(programs, "REPOSITORY", home)
    monkeypatch.delenv("MULTIHOP_BIN", raising=False)
    for age, build, version in ((2, "release", "0.1.0"), (1, "debug", "0.1.0 (debug)")):
        for name in tools.PROGRAMS:
            file = home / "target" / build / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"#!/bin/sh\necho '{name} {version}'\n")
            file.chmod(0o755)
            os.utime(file, (1e9 - age, 1e9 - age))
    return home / "target"


def test_a_lab_says_which_programs_it_takes_and_that_they_are_slow(
    builds: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, fast = builds / "debug" / "multihop-node", builds / "release"
    assert tools.versions() == dict.fromkeys(tools.PROGRAMS, "0.1.0 (debug)")
    assert f"{slow}, version 0.1.0 (debug)" in tools.chosen()
    assert f"{slow} and " in tools.slow()
    assert "make linux" in tools.slow()
    for name in tools.PROGRAMS:
        os.utime(fast / name, (1e9, 1e9))
    assert tools.slow() == ""
    assert f"{fast}/multihop-node, version 0.1.0 and " in tools.chosen()
    # those of the path need no words
    monkeypatch.setenv("PATH", f"{fast}{os.pathsep}{os.environ['PATH']}")
    assert tools.chosen() == ""
    # a folder that somebody has named is believed no more than others
    monkeypatch.setenv("MULTIHOP_BIN", str(builds / "debug"))
    assert "make linux" in tools.slow()
    slow.write_text("of another processor")
    assert tools.versions()["multihop-node"] == ""


def test_what_slow_programs_give_is_not_kept(builds: Path, tmp_path: Path, cli: Cli) -> None:
    kept = tmp_path / "kept.json"
    done = cli("lab", "fig22", "--keep", kept)
    assert done.returncode == 1
    assert "nothing is kept of" in done.stderr
    assert "make linux" in done.stderr
    environment = {**os.environ, "MULTIHOP_BIN": str(builds / "debug")}
    for bench in ("applications", "daemons"):
        command = [sys.executable, f"benches/{bench}.py", "--out", str(kept)]
        bench_done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True
        )
        assert bench_done.returncode == 2, bench
        assert "nothing is kept of" in bench_done.stderr, bench
    assert not kept.exists()


def test_a_lab_without_its_programs_says_what_to_do(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "REPOSITORY", home)
    monkeypatch.delenv("MULTIHOP_BIN", raising=False)
    monkeypatch.setenv("PATH", "")
    assert "make linux" in tools.missing()
    with pytest.raises(LabError, match="make linux"):
        Lab.up(chain(1), "none")
    with pytest.raises(LabError, match="no name for a lab"):
        Lab("../etc")
    assert json.loads(json.dumps(tools.examine()))["util-linux"].startswith(
        "no unshare and no nsenter"
    )
