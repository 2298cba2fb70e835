"""Other people's routing daemons on Ethernet ports of the medium, unchanged."""

from __future__ import annotations

import shutil
from contextlib import ExitStack
from pathlib import Path

import pytest

from multihop.engine.errors import LabError
from multihop.lab import Lab, Options, tools
from tests.conftest import Cli
from tests.labs import PING, application, chain, counter, eventually, needs_linux, python

pytestmark = pytest.mark.engine

needs_ip = pytest.mark.skipif(shutil.which("ip") is None, reason="no ip: apt install iproute2")
needs_babeld = pytest.mark.skipif(
    shutil.which("babeld") is None, reason="no babeld: apt install babeld"
)
PORTS = Options(ports="ethernet")


@needs_linux
@needs_ip
def test_neighbours_reach_each_other_and_nobody_else(home: Path) -> None:
    with Lab.up(chain(2, "udp"), "test", PORTS) as lab:
        for node, peer in (("n0", "10.0.0.1"), ("n1", "10.0.0.0"), ("n1", "10.0.0.2")):
            lab.run(node, [tools.ip(), "route", "add", peer, "dev", "mesh0"])
        assert lab.run("n0", python(PING, "n1")) == "(7, 1)\n"
        # over a relay, which is a router as any other
        for node, peer in (("n0", "10.0.0.2"), ("n2", "10.0.0.0")):
            words = ["route", "add", peer, "via", "10.0.0.1", "dev", "mesh0", "onlink"]
            lab.run(node, [tools.ip(), *words])
        assert lab.run("n0", python(PING, "n2")) == "(7, 1)\n"
        assert counter(lab, 1, "frames_sent") >= 4
        assert counter(lab, 2, "frames_heard") >= 1
        # n2 is out of n0's reach: a frame to it is repeated by the MAC, and given up
        alone = "import socket; s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW); "
        alone += "s.bind(('mesh0', 0)); "
        alone += "s.send(bytes.fromhex('020000000002') + bytes(6) + b'\\x88\\xb5' + bytes(60))"
        lab.run("n0", python(alone))
        eventually("it is given up", lambda: counter(lab, 0, "frames_failed") >= 1)


@needs_linux
@needs_ip
@needs_babeld
def test_babeld_finds_its_ways_over_five_hops(home: Path) -> None:
    with Lab.up(chain(5, "udp"), "test", PORTS) as lab, ExitStack() as stack:
        for node in lab.namespaces:
            files = [f"{lab.plan.folder}/babel-{node}.{kind}" for kind in ("pid", "state", "log")]
            command = ["babeld", "-I", files[0], "-S", files[1], "-L", files[2], "-h", "1", "mesh0"]
            stack.enter_context(application(lab, node, command))
        ways = lambda node: lab.run(node, [tools.ip(), "route"])  # noqa: E731
        eventually("n0 knows n5", lambda: "10.0.0.5 via 10.0.0.1 " in ways("n0"))
        eventually("n5 knows n0", lambda: "10.0.0.0 via 10.0.0.4 " in ways("n5"))
        eventually("n4 does", lambda: "10.0.0.0 via 10.0.0.3 " in ways("n4"))
        assert lab.run("n0", python(PING, "n5")) == "(7, 1)\n"


def test_what_is_no_port_is_refused(home: Path) -> None:
    for options, says in (
        (Options(ports="token-ring"), "node or ethernet"),
        (Options(ports="ethernet", sealed=True), "leave out --sealed"),
    ):
        if tools.missing():
            pytest.skip(tools.missing())
        with pytest.raises(LabError, match=says):
            Lab.up(chain(1), "test", options)


@needs_linux
def test_people_see_ports_in_a_table(home: Path, cli: Cli) -> None:
    with Lab.up(chain(1, "udp"), "test", PORTS):
        done = cli("lab", "status", "--name", "test")
    assert done.returncode == 0, done.stderr
    assert "strangers" in done.stdout
    assert "10.0.0.1" in done.stdout
