"""The Debian package in a Debian of its own, which systemd runs: installed, upgraded, removed.

    make deb-some

builds what is tried, and names in `MULTIHOP_DEBIAN` a folder in which Debian 12 is. The folder is
not changed: what a test writes there lies above it, in memory.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO

import pytest

from tests.labs import python

ROOT = Path(__file__).resolve().parent.parent
UNIT = "multihop-node@{}.service"
STATE = "/var/lib/private/multihop"
PATIENCE_S = 30.0
OLD = "0.0.1-1"

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(
        "MULTIHOP_DEBIAN" not in os.environ, reason="make deb-some builds what is tried"
    ),
]


class Machine:
    """A Debian that runs."""

    def __init__(self, first: int) -> None:
        """Take its first process, as it is numbered outside."""
        self.first = first

    def call(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command there."""
        spaces = ["--mount", "--uts", "--ipc", "--net", "--pid", "--root", "--wd"]
        words = ["nsenter", "--target", str(self.first), *spaces, "--", *command]
        env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"}
        return subprocess.run(words, capture_output=True, text=True, env=env)

    def run(self, *command: str) -> str:
        """Run a command there, which has to succeed, and return what it prints."""
        done = self.call(*command)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout.strip()

    def shell(self, script: str) -> str:
        """Run a script there, all of whose commands have to succeed."""
        return self.run("sh", "-euc", script)

    @contextmanager
    def application(
        self, network: str, code: str, *words: str
    ) -> Iterator[tuple[subprocess.Popen[str], IO[str]]]:
        """Run a program of Python, which that Debian does not have, in a network there.

        Yields it with what it prints; it ends with the block, also where that fails.
        """
        enter = ["nsenter", f"--net=/proc/{self.first}/{network}", "--"]
        command = [*enter, *python(code, *words)]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as started:
            assert started.stdout
            try:
                yield started, started.stdout
            finally:
                started.kill()

    def process(self, node: str) -> int:
        """Return the process of a node, as it is numbered there; 0 if it does not run."""
        command = ("systemctl", "show", "--value", "--property=MainPID", UNIT.format(node))
        return int(self.run(*command))

    def status(self, node: str) -> dict[str, object]:
        """Return what a node says of itself."""
        command = ("multihop-node", "status", "--json", f"/run/multihop-{node}/control")
        return dict(json.loads(self.run(*command)))

    def journal(self) -> str:
        """Return what the nodes have said."""
        return self.run("journalctl", "--no-pager", "--output=cat", "--unit=multihop-node@*")

    def heard(self, node: str) -> tuple[str, dict[str, int]]:
        """Return the fingerprint of the key, and the counters of other nodes' frames."""
        first, *lines = self.run("cat", f"{STATE}/{node}.heard").splitlines()
        return first, {other: int(counter) for other, counter in (line.split() for line in lines)}

    def files(self) -> set[str]:
        """Return every file and folder of its disk."""
        return set(self.run("find", "/", "-xdev").splitlines())


def eventually(what: str, true: Callable[[], bool]) -> None:
    begun = time.monotonic()
    while not true():
        assert time.monotonic() - begun < PATIENCE_S, what
        time.sleep(0.1)


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the package that was built, and with the same as an older version."""
    folder = tmp_path_factory.mktemp("packages")
    built = (ROOT / "target" / "debian").glob("multihop-linux_*.deb")
    newest = max(built, key=lambda path: path.stat().st_mtime)
    os.link(newest, folder / "new.deb")
    subprocess.run(["dpkg-deb", "-R", newest, folder / "old"], check=True)
    control = folder / "old" / "DEBIAN" / "control"
    control.write_text(re.sub("(?m)^Version: .*$", f"Version: {OLD}", control.read_text()))
    pack = ["dpkg-deb", "-Zgzip", "-z1", "-b", str(folder / "old"), str(folder / "old.deb")]
    subprocess.run(pack, check=True, stdout=subprocess.DEVNULL)
    return folder


def first(nspawn: int) -> int | None:
    """Return the first process of the Debian that systemd-nspawn runs, once that is systemd."""
    for child in Path(f"/proc/{nspawn}/task/{nspawn}/children").read_text().split():
        # others, which prepare it, have ended
        with suppress(OSError):
            if Path(f"/proc/{child}/comm").read_text() == "systemd\n":
                return int(child)
    return None


@pytest.fixture
def machine(packages: Path) -> Iterator[Machine]:
    """Start a Debian, with the packages in /packages; everything in it ends with the test."""
    command = ["systemd-nspawn", "--quiet", f"--directory={os.environ['MULTIHOP_DEBIAN']}"]
    command += [f"--machine=multihop-{os.getpid()}", "--register=no", "--keep-unit"]
    command += ["--volatile=overlay", "--private-network"]
    command += [f"--bind-ro={packages}:/packages", "--console=pipe", "--boot"]
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        try:
            eventually("it has a first process", lambda: first(process.pid) is not None)
            machine = Machine(first(process.pid) or 0)
            runs = ("systemctl", "is-system-running", "--wait")
            eventually("systemd runs", lambda: machine.call(*runs).stdout == "running\n")
            # udev gives it this mode, and does not run there: systemd-nspawn copies the host's
            machine.run("chmod", "666", "/dev/net/tun")
            yield machine
        finally:
            # the second one does not wait for its services
            process.terminate()
            time.sleep(0.1)
            process.terminate()
            process.wait(PATIENCE_S)
            said.seek(0)
            print(said.read())


# Node n2 has a network of its own, joined with that of the machine, in which n1 is.
PAIR = """
examples=/usr/share/doc/multihop-linux/examples
cp $examples/mesh.toml /etc/multihop
cp $examples/node.toml /etc/multihop/n1.toml
sed s/n1/n2/g $examples/node.toml >/etc/multihop/n2.toml
multihop-node key /etc/multihop/network.key
ip netns add n2
ip link add wlan0 mtu 2072 type veth peer name wlan0 mtu 2072 netns n2
ip link set wlan0 up
ip -n n2 link set wlan0 up
mkdir /etc/systemd/system/multihop-node@n2.service.d
cat >/etc/systemd/system/multihop-node@n2.service.d/network.conf <<END
[Service]
NetworkNamespacePath=/run/netns/n2
END
systemctl daemon-reload
"""
NETWORKS = {"n1": "ns/net", "n2": "root/run/netns/n2"}
# Pings need a moment: CXCC and the radio begin anew.
PING = ("ping", "-c", "3", "-i", "0.2", "-W", "5", "10.0.0.2")


def start(machine: Machine, package: str) -> None:
    """Install a package, and start a pair of nodes as its guide says."""
    machine.run("dpkg", "--install", f"/packages/{package}.deb")
    machine.shell(PAIR)
    machine.run("systemctl", "enable", "--now", UNIT.format("n1"), UNIT.format("n2"))


def test_it_installs_what_it_should_and_starts_nothing(machine: Machine) -> None:
    machine.run("dpkg", "--install", "/packages/new.deb")
    assert machine.run("dpkg", "--audit") == ""
    machine.run("apt-get", "check")
    names = machine.run("dpkg", "--listfiles", "multihop-linux").splitlines()
    listed = machine.run("stat", "--format=%n %a %U %F", *names[1:]).splitlines()
    files = {line.split()[0]: line.split()[1] for line in listed if line.endswith("regular file")}
    assert {name: mode for name, mode in files.items() if "/doc/" not in name} == {
        "/usr/bin/multihop-node": "755",
        "/usr/bin/multihop-ether": "755",
        "/usr/lib/systemd/system/multihop-node@.service": "644",
    }
    documents = {Path(name).name: mode for name, mode in files.items() if "/doc/" in name}
    assert set(documents.values()) == {"644"}
    assert {"copyright", "operations.md", "node.toml", "mesh.toml"} <= set(documents)
    assert all(line.split()[2] == "root" for line in listed)
    assert machine.run("stat", "--format=%a", "/etc/multihop") == "755"
    for program in ("multihop-node", "multihop-ether"):
        assert program in machine.run(program, "--help")
    assert machine.run("systemctl", "list-units", "--no-legend", UNIT.format("*")) == ""
    # the shortest Debian has all that the service calls
    assert machine.call("systemd-analyze", "verify", UNIT.format("n1")).stderr == ""
    machine.run("systemd-analyze", "security", "--threshold=15", UNIT.format("n1"))


def test_the_packaged_configuration_carries_packets(machine: Machine) -> None:
    machine.run("dpkg", "--install", "/packages/new.deb")
    machine.shell(PAIR)
    doctor = ("multihop-node", "doctor", "--json", "--config", "/etc/multihop/n1.toml")
    found = json.loads(machine.run(*doctor))
    assert [finding for finding in found if not finding["ok"]] == []
    machine.run("systemctl", "enable", "--now", UNIT.format("n1"), UNIT.format("n2"))
    machine.run(*PING)
    assert machine.status("n1")["radio"] is True
    machine.shell("echo 'most-flows = 64' >>/etc/multihop/n1.toml")
    machine.run("systemctl", "reload", UNIT.format("n1"))
    eventually("it is told", lambda: "taken over: most-flows" in machine.journal())
    # a service that has run leaves the state to the next one
    state = machine.run("stat", "--format=%n %a", f"{STATE}/n1.life", f"{STATE}/n2.life")
    assert state.splitlines() == [f"{STATE}/n1.life 600", f"{STATE}/n2.life 600"]


SERVER = """
import socket, sys
with socket.create_server((sys.argv[1], 8000)) as server:
    print("listens", flush=True)
    link, _ = server.accept()
    with link, link.makefile() as lines:
        for number, line in enumerate(lines):
            assert int(line) == number, (number, line)
            print(number, flush=True)
"""

# Lines until a word comes.
CLIENT = """
import itertools, select, socket, sys, time
with socket.create_connection((sys.argv[1], 8000), 30) as link:
    for number in itertools.count():
        link.sendall(f"{number}\\n".encode())
        if select.select([sys.stdin], [], [], 0.02)[0]:
            break
    print(number)
"""


def test_an_upgrade_keeps_state_configuration_and_connections(machine: Machine) -> None:
    start(machine, "old")
    machine.run(*PING)
    # so that there is a file of what was heard
    machine.run("systemctl", "restart", UNIT.format("n1"), UNIT.format("n2"))
    nodes = ("n1", "n2")
    configured = machine.shell("sha256sum /etc/multihop/*")
    processes = {node: machine.process(node) for node in nodes}
    heard = {node: machine.heard(node) for node in nodes}
    assert all(counters for _, counters in heard.values())
    keys = {node: machine.status(node)["key"] for node in nodes}
    with ExitStack() as stack:
        server, arrived = stack.enter_context(
            machine.application(NETWORKS["n2"], SERVER, "10.0.0.2")
        )
        assert arrived.readline() == "listens\n"
        client, _ = stack.enter_context(machine.application(NETWORKS["n1"], CLIENT, "10.0.0.2"))
        while arrived.readline() != "20\n":
            assert server.poll() is None
        upgraded = machine.call("dpkg", "--install", "/packages/new.deb")
        assert upgraded.returncode == 0, upgraded.stderr
        assert f"over ({OLD})" in upgraded.stdout
        assert "has not come back" not in upgraded.stderr
        for node in nodes:
            assert machine.process(node) not in (0, processes[node])
            exe = machine.run("readlink", f"/proc/{machine.process(node)}/exe")
            assert exe == "/usr/bin/multihop-node", "no program that was deleted"
            # 1 at its start, 2 after the restart, 3 after the upgrade
            assert machine.run("cat", f"{STATE}/{node}.life") == "3"
            key, counters = machine.heard(node)
            assert key == heard[node][0]
            assert all(counters[other] > counter for other, counter in heard[node][1].items())
        assert {node: machine.status(node)["key"] for node in nodes} == keys
        machine.run(*PING)
        sent, _ = client.communicate("\n", timeout=PATIENCE_S)
        received, _ = server.communicate(timeout=PATIENCE_S)
        assert received.split()[-1] == sent.strip()
        assert int(sent) > 40
        assert (client.returncode, server.returncode) == (0, 0)
    assert machine.shell("sha256sum /etc/multihop/*") == configured
    assert machine.run("dpkg-query", "--showformat=${Conffiles}", "--show", "multihop-linux") == ""


def test_a_node_that_does_not_come_back_is_told_and_ends_no_upgrade(machine: Machine) -> None:
    start(machine, "old")
    machine.shell("echo 'mtuu = 900' >>/etc/multihop/n1.toml")
    upgraded = machine.call("dpkg", "--install", "/packages/new.deb")
    assert upgraded.returncode == 0, upgraded.stderr
    assert "a node has not come back" in upgraded.stderr
    assert machine.run("dpkg", "--audit") == ""
    wrong = "/etc/multihop/n1.toml: mtuu: unknown flag 'mtuu', did you mean 'mtu'?"
    assert wrong in machine.journal()
    assert machine.process("n2") > 0
    machine.shell("sed -i /mtuu/d /etc/multihop/n1.toml")
    machine.run("systemctl", "restart", UNIT.format("n1"))
    machine.run(*PING)


# What Debian keeps of a package that is gone, and what the machine writes by itself.
KEPT = ("/var/lib/dpkg/", "/var/log/", "/var/cache/", "/var/lib/systemd/", "/run/", "/tmp/")


def test_a_removal_keeps_what_a_purge_takes(machine: Machine) -> None:
    before = machine.files()
    start(machine, "new")
    machine.run("dpkg", "--remove", "multihop-linux")
    assert machine.run("systemctl", "list-units", "--no-legend", UNIT.format("*")) == ""
    assert machine.run("ip", "-json", "link", "show", "type", "tun") == "[]"
    left = machine.files() - before
    assert not any(name.startswith("/usr/") for name in left)
    kept = ["/etc/multihop/network.key", "/etc/multihop/n1.toml", f"{STATE}/n1.life"]
    assert set(kept) <= left
    # an installation goes on where the last one ended
    machine.run("dpkg", "--install", "/packages/new.deb")
    machine.run("systemctl", "start", UNIT.format("n1"), UNIT.format("n2"))
    assert machine.run("cat", f"{STATE}/n1.life") == "2"
    machine.run("dpkg", "--purge", "multihop-linux")
    left = {name for name in machine.files() - before if not name.startswith(KEPT)}
    # made by the administrator, in a folder of systemd's
    own = "/etc/systemd/system/multihop-node@n2.service.d"
    assert left == {own, f"{own}/network.conf"}
