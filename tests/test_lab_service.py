"""Nodes as services: what their machine and their administrator do to them."""

from __future__ import annotations

import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from multihop.lab import Lab, Options, tools
from tests.labs import PING, application, chain, counter, eventually, needs_linux, python
from tests.test_lab import processes

pytestmark = [pytest.mark.engine, needs_linux]

# Another network than that of the lab's own node, so that both may be in a namespace.
ELSEWHERE = ("--tun", "other0", "--network", "172.20.0.0/16")


def status(control: Path) -> dict[str, Any]:
    """Return how a node is; nothing while it does not answer."""
    asked = [tools.program("multihop-node"), "status", "--json", str(control)]
    done = subprocess.run(asked, capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else {}


def asked(lab: Lab, what: str, node: str, *words: str) -> str:
    """Return what a node answers to people."""
    command = [tools.program("multihop-node"), what, str(lab.plan.control(node)), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


# Runs a program in the sandbox of the service, as far as that is not systemd's: no sockets of the
# Internet's protocols, and no change of rights. Numbers of calls are the kernel's (seccomp(2)).
SANDBOX = """
import ctypes, errno, os, platform, struct, sys
SOCKET, CAPSET = {"x86_64": (41, 126), "aarch64": (198, 91)}[platform.machine()]
def load(at): return struct.pack("HBBI", 0x20, 0, 0, at)
def skip_unless(value, count): return struct.pack("HBBI", 0x15, 0, count, value)
def answer(value): return struct.pack("HBBI", 0x06, 0, 0, value)
def fail(error): return answer(0x00050000 | error)
ALLOW = answer(0x7FFF0000)
code = [
    load(0), skip_unless(CAPSET, 1), fail(errno.EPERM),
    skip_unless(SOCKET, 5), load(16),
    skip_unless(2, 1), fail(errno.EAFNOSUPPORT), skip_unless(10, 1), fail(errno.EAFNOSUPPORT),
    ALLOW,
]
buffer = ctypes.create_string_buffer(b"".join(code))
program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(code), ctypes.addressof(buffer)))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, program, 0, 0) == 0, os.strerror(ctypes.get_errno())
os.execv(sys.argv[1], sys.argv[1:])
"""


@contextmanager
def beside(
    lab: Lab, node: str, *flags: str, first: Sequence[str] = (), **options: Any
) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """Run one more node in the namespace of `node`, and yield it with its socket."""
    control = Path(lab.plan.folder) / "beside.control"
    command = [*first, tools.program("multihop-node")]
    command += ["--scenario", f"{lab.plan.folder}/scenario.json"]
    command += ["--node", "n1", "--plain", "--control", str(control), *ELSEWHERE, *flags]
    with application(lab, node, command, stderr=subprocess.PIPE, **options) as process:
        yield process, control


def one_beside(home: Path, control: Path) -> int:
    """Return the process of the node that runs beside others, not of what started it there."""
    all_of_it = processes(home, "--control", str(control))
    [node] = [pid for pid in all_of_it if "multihop-node" in Path(f"/proc/{pid}/comm").read_text()]
    return node


def test_a_device_that_was_off_has_its_route_again_and_people_see_it(home: Path) -> None:
    with Lab.up(chain(1), "test", Options(respawn_s=-1)) as lab:
        state = lambda: lab.status()["nodes"][0]["device_state"]  # noqa: E731
        link = [tools.ip(), "link", "set", "multihop0"]
        lab.run("n0", [*link, "down"])
        eventually("it is seen", lambda: state() == "down")
        assert "ip link set multihop0 up" in asked(lab, "explain", "n0", "n1")
        lab.run("n0", [*link, "up"])
        eventually("it is restored", lambda: state() == "ready")
        assert lab.run("n0", python(PING, "n1")) == "(7, 1)\n"
        lab.run("n0", [tools.ip(), "address", "flush", "dev", "multihop0"])
        eventually("so is an address", lambda: lab.run("n0", [tools.ip(), "route"]) != "")
        assert "10.0.0.0/8" in lab.run("n0", [tools.ip(), "route"])
        assert "device      multihop0: ready" in asked(lab, "status", "n0")
        said = lab.plan.log("n0").read_text()
        assert "warning: the TUN device multihop0: down" in said


def test_a_route_of_the_machine_stays_and_another_network_is_taken(home: Path) -> None:
    with Lab.up(chain(1), "test") as lab:
        before = lab.run("n0", [tools.ip(), "route"])
        ether = ("--ether", str(lab.plan.socket))
        with beside(lab, "n0", *ether, "--network", "10.0.0.0/8") as (node, _):
            _, error = node.communicate(timeout=20)
            assert node.returncode == 2
            assert "has a route to 10.0.0.0/8 already" in error
            assert "--network" in error
        assert lab.run("n0", [tools.ip(), "route"]) == before
        with beside(lab, "n0", *ether) as (_, control):
            eventually("it runs", lambda: status(control).get("address") == "172.20.0.1")
            assert "172.20.0.0/16 dev other0" in lab.run("n0", [tools.ip(), "route"])
        eventually("it is gone", lambda: lab.run("n0", [tools.ip(), "route"]) == before)


def test_an_interface_that_comes_late_is_waited_for(home: Path) -> None:
    with Lab.up(chain(1), "test") as lab, beside(lab, "n1", "--interface", "late0") as one:
        _, control = one
        eventually("it runs", lambda: status(control).get("radio") is False)
        assert status(control)["radio_lacks"] == "late0: there is no such network interface"
        command = [tools.program("multihop-node"), "doctor", "--interface", "late0", "--plain"]
        command += ["--scenario", f"{lab.plan.folder}/scenario.json", "--node", "n1"]
        doctor = subprocess.run(lab.command("n1", command), capture_output=True, text=True)
        assert doctor.returncode == 1
        assert "problem  radio          late0: there is no such network interface" in doctor.stdout
        lab.run("n1", [tools.ip(), "link", "add", "late0", "type", "veth", "peer", "name", "late1"])
        for end in ("late0", "late1"):
            lab.run("n1", [tools.ip(), "link", "set", end, "up"])
        eventually("it has its radio", lambda: status(control).get("radio") is True)
        assert asked(lab, "metrics", "n1").count("# HELP multihop_foreign ") == 1
        # a frame of somebody else, who uses the same type
        noise = "import socket; s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW); "
        noise += "s.bind(('late1', 0)); s.send(b'\\xff' * 12 + b'\\x88\\xb5' + bytes(60))"
        lab.run("n1", python(noise))
        eventually("it is counted", lambda: status(control)["counters"]["foreign"] == 1)


def test_a_node_runs_in_the_sandbox_of_its_service(home: Path) -> None:
    sandbox = python(SANDBOX)
    with Lab.up(chain(1), "test", Options(respawn_s=-1)) as lab:
        lab.run("n1", [tools.ip(), "link", "add", "late0", "type", "veth", "peer", "name", "late1"])
        for end in ("late0", "late1"):
            lab.run("n1", [tools.ip(), "link", "set", end, "up"])
        flags = ("--interface", "late0", "--network6", "fd00:9::/64", "--accept", "0.0.0.0/0")
        with beside(lab, "n1", *flags, first=sandbox) as (node, control):
            eventually("it has its radio", lambda: status(control).get("radio") is True)
            assert "172.20.0.0/16 dev other0" in lab.run("n1", [tools.ip(), "route"])
            lab.run("n1", [tools.ip(), "route", "del", "172.20.0.0/16"])
            eventually("restored", lambda: "172.20.0.0/16" in lab.run("n1", [tools.ip(), "route"]))
            os.kill(one_beside(home, control), signal.SIGTERM)
            _, said = node.communicate(timeout=20)
            assert node.returncode == 0
            assert "warning: rights cannot be given up" in said
        for flag, value in (("--metrics-port", "9464"), ("--tcp-proxy", "48999")):
            with beside(lab, "n1", *flags, flag, value, first=sandbox) as (node, _):
                _, error = node.communicate(timeout=20)
                assert node.returncode == 2
                assert "local.conf of the package allows them" in error


def test_systemd_hears_of_a_node_and_a_hang_up_ends_nothing(home: Path, tmp_path: Path) -> None:
    config = tmp_path / "node.toml"
    config.write_text('log = "info"\n')
    with (
        Lab.up(chain(1), "test") as lab,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener,
    ):
        listener.bind(str(tmp_path / "notify"))
        listener.settimeout(30)
        told = lambda: listener.recv(200).decode().split("\n")[0].split("=")[0]  # noqa: E731

        def next_but(*others: str) -> str:
            while (word := told()) in others:
                pass
            return word

        systemd = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "300000"}
        flags = ("--interface", "none0", "--config", str(config))
        with beside(lab, "n1", *flags, env={**os.environ, **systemd}) as (_, control):
            assert told() == "READY"
            assert [next_but("STATUS") for _ in range(3)] == ["WATCHDOG"] * 3
            node = one_beside(home, control)
            config.write_text('log = "debug"\nmtu = 500\n')
            os.kill(node, signal.SIGHUP)
            assert next_but("STATUS", "WATCHDOG") == "RELOADING"
            assert next_but("STATUS", "WATCHDOG") == "READY"
            assert status(control)["node"] == "n1"
            os.kill(node, signal.SIGTERM)
            assert next_but("STATUS", "WATCHDOG") == "STOPPING"


def test_a_reload_says_what_it_takes_over_and_a_wrong_one_changes_nothing(
    home: Path, tmp_path: Path
) -> None:
    config = tmp_path / "node.toml"
    config.write_text("")
    with Lab.up(chain(1), "test") as lab:
        flags = ("--interface", "none0", "--config", str(config))
        with beside(lab, "n1", *flags) as (node, control):
            assert node.stderr is not None
            eventually("it runs", lambda: bool(status(control)))
            process = one_beside(home, control)
            for text in ('log = "debug"\nmtu = 500\n', "mtu = 1\n"):
                config.write_text(text)
                os.kill(process, signal.SIGHUP)
                time.sleep(0.2)
            os.kill(process, signal.SIGTERM)
            said = node.stderr.read()
    assert "the configuration was read again; taken over: log" in said
    assert "warning: a restart is needed for: mtu" in said
    assert "error: the configuration stays as it was: mtu = 1" in said


METRICS = """
import sys, urllib.request
with urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/metrics") as answer:
    print(answer.headers["Content-Type"], answer.read().decode())
"""


def test_counters_are_served_and_an_absent_node_is_explained(home: Path) -> None:
    options = Options(respawn_s=-1, node_flags=("--metrics-port", "9464"))
    with Lab.up(chain(2), "test", options) as lab:
        assert lab.run("n0", python(PING, "n2")) == "(7, 1)\n"
        metrics = lab.run("n0", python(METRICS, "9464"))
        assert metrics.startswith("application/openmetrics-text")
        assert 'multihop_from_applications_total{node="n0"} ' in metrics
        assert metrics.rstrip().endswith("# EOF")
        # every user of the machine can read them: no addresses of nodes
        assert "10.0.0." not in metrics
        well = asked(lab, "explain", "n0", "n2")
        assert "frames for n2 go to n1; the last packet of n2 came" in well
        assert asked(lab, "explain", "n0", "10.0.0.2").startswith("n2 (10.0.0.2)")
        assert "no other node of this network" in asked(lab, "explain", "n0", "10.9.9.9")
        # what it may do: CAP_NET_ADMIN alone
        [node] = processes(home, "--node", "n0")
        rights = [
            line.split()
            for line in Path(f"/proc/{node}/status").read_text().splitlines()
            if line.startswith(("CapEff", "CapPrm", "NoNewPrivs"))
        ]
        assert rights == [
            ["CapPrm:", f"{1 << 12:016x}"],
            ["CapEff:", f"{1 << 12:016x}"],
            ["NoNewPrivs:", "1"],
        ]


def test_a_node_that_can_open_no_more_files_rests_and_answers_later(home: Path) -> None:
    with Lab.up(chain(1), "test") as lab:
        [node] = processes(home, "--node", "n0")
        before = resource.prlimit(node, resource.RLIMIT_NOFILE)
        open_now = len(os.listdir(f"/proc/{node}/fd"))
        resource.prlimit(node, resource.RLIMIT_NOFILE, (open_now, before[1]))
        waiting = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with waiting:
            waiting.connect(str(lab.plan.control("n0")))
            begun = busy_s(node)
            time.sleep(1)
            assert busy_s(node) - begun < 0.3
            assert lab.run("n0", python(PING, "n1")) == "(7, 1)\n", "packets go on"
            resource.prlimit(node, resource.RLIMIT_NOFILE, before)
            eventually("it answers", lambda: counter(lab, 0, "from_applications") > 0)
        assert "questions have to wait" in lab.plan.log("n0").read_text()


def busy_s(process: int) -> float:
    """Return how many seconds of processor time a process has had."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_what_was_recorded_before_a_restart_is_refused_after_it(home: Path) -> None:
    with Lab.up(chain(1), "test", Options(sealed=True, wire=True)) as lab:
        # everything that n0 sends, as it was on the wire
        listen = (
            "import socket, sys; s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0x88B5); "
        )
        listen += "s.bind(('radio0', 0x88B5)); print('ready', flush=True)\n"
        listen += "while True: print(s.recv(3000).hex(), flush=True)"
        with application(lab, "n1", python(listen)) as ear:
            assert ear.stdout is not None
            assert ear.stdout.readline() == "ready\n"
            assert lab.run("n0", python(PING, "n1")) == "(7, 1)\n"
            sent = [ear.stdout.readline().strip() for _ in range(2)]
        [node] = processes(home, "--node", "n1")
        os.kill(node, signal.SIGTERM)
        back = lambda: processes(home, "--node", "n1") not in ([], [node])  # noqa: E731
        eventually("it is another one", back)
        lab.wait_for_radios()
        kept = Path(lab.plan.folder) / "n1.heard"
        assert kept.stat().st_mode & 0o777 == 0o600
        again = "import socket, sys; s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW); "
        again += "s.bind(('radio0', 0)); [s.send(bytes.fromhex(word)) for word in sys.argv[1:]]"
        mine = [frame for frame in sent if frame[12:24] == mac(lab, "n0")]
        assert mine
        lab.run("n0", [sys.executable, "-c", again, *mine])
        eventually("they are refused", lambda: counter(lab, 1, "replayed") >= len(mine))


def mac(lab: Lab, node: str) -> str:
    """Return the hardware address of a node's interface, as it stands in frames."""
    shown = lab.run(node, [tools.ip(), "link", "show", "radio0"]).split()
    return shown[shown.index("link/ether") + 1].replace(":", "")
