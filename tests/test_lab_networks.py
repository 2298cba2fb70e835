"""Networks behind nodes, and what applications are told of packets that go no further."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from multihop.lab import Lab, Options, tools
from tests.labs import PING, application, chain, counter, needs_linux, python

pytestmark = [pytest.mark.engine, needs_linux]

# Sends datagrams that may go over one hop, two, and so on, and prints who answers what.
TRACE = """
import socket, sys
with (
    socket.socket(type=socket.SOCK_DGRAM) as out,
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP) as back,
):
    back.settimeout(60)
    for hops in range(1, int(sys.argv[2]) + 1):
        out.setsockopt(socket.IPPROTO_IP, socket.IP_TTL, hops)
        out.sendto(b"hello", (sys.argv[1], 33434))
        answer, (who, _) = back.recvfrom(600)
        print(who, answer[20], answer[21])
"""

# Prints what an application is told that connects to somebody.
TELL = """
import socket, sys
try:
    socket.create_connection((sys.argv[1], 9), timeout=60)
except OSError as error:
    print(error.strerror)
"""

# Joins a group as a daemon of multicast DNS does, says so, and prints who says what to the group.
JOIN = """
import socket, sys
with socket.socket(type=socket.SOCK_DGRAM) as link:
    link.bind(("", 5353))
    joined = socket.inet_aton("224.0.0.251") + socket.inet_aton(sys.argv[1])
    link.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, joined)
    print("ready", flush=True)
    for _ in range(2):
        said, (who, _) = link.recvfrom(600)
        print(who, said.decode(), flush=True)
"""

# Says hello to the group, from the node's own address, and to everybody by broadcast.
HELLO = """
import socket, sys
with socket.socket(type=socket.SOCK_DGRAM) as out:
    out.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(sys.argv[1]))
    out.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
    out.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, b"multihop0")
    out.sendto(b"multicast", ("224.0.0.251", 5353))
    out.sendto(b"broadcast", ("255.255.255.255", 5353))
    for _ in range(int(sys.argv[2])):
        out.sendto(b"flood", ("224.0.0.251", 5354))
"""


def test_a_group_hears_what_is_said_to_it_over_two_hops(home: Path) -> None:
    with (
        Lab.up(chain(2), "test") as lab,
        application(lab, "n1", python(JOIN, "10.0.0.1")) as near,
        application(lab, "n2", python(JOIN, "10.0.0.2")) as far,
    ):
        assert near.stdout is not None
        assert far.stdout is not None
        for joined in (near.stdout, far.stdout):
            assert joined.readline() == "ready\n"
        lab.run("n0", python(HELLO, "10.0.0.0", "50"))
        for joined in (near.stdout, far.stdout):
            said = {joined.readline(), joined.readline()}
            assert said == {"10.0.0.0 multicast\n", "10.0.0.0 broadcast\n"}
        assert counter(lab, 0, "too_many_for_groups") >= 40, "the flood was not carried"


def test_a_trace_shows_every_hop_and_an_absent_node_is_unreachable(home: Path) -> None:
    with Lab.up(chain(3), "test") as lab:
        traced = lab.run("n0", python(TRACE, "n3", "3"))
        assert traced == "10.0.0.1 11 0\n10.0.0.2 11 0\n10.0.0.3 3 3\n", "no port is open there"
        assert lab.run("n0", python(TELL, "10.9.9.9")) == "No route to host\n"


def test_a_network_behind_a_node_is_reached_and_reaches_others(home: Path) -> None:
    networks = home / "networks.toml"
    networks.write_text('[[network]]\nprefix = "192.168.7.0/24"\nnode = "n2"\n')
    with Lab.up(chain(2), "test", Options(node_flags=("--networks", str(networks)))) as lab:
        lab.run("n2", [tools.ip(), "address", "add", "192.168.7.1/32", "dev", "lo"])
        assert lab.run("n0", python(PING, "192.168.7.1")) == "(7, 1)\n"
        assert "192.168.7.0/24 dev multihop0" in lab.run("n0", [tools.ip(), "route"])
        assert "192.168.7.0/24" not in lab.run("n2", [tools.ip(), "route"])
        # a host there asks, too
        bound = PING.replace("ping.settimeout", "ping.bind(('192.168.7.1', 0)); ping.settimeout")
        assert lab.run("n2", python(bound, "n0")) == "(7, 1)\n"
        # and nobody else may send in its name
        lab.run("n1", [tools.ip(), "address", "add", "192.168.7.9/32", "dev", "lo"])
        forged = bound.replace("192.168.7.1", "192.168.7.9").replace(
            "settimeout(60)", "settimeout(1)"
        )
        with pytest.raises(subprocess.CalledProcessError):
            lab.run("n1", python(forged, "n0"), stderr=subprocess.DEVNULL)
        assert lab.status()["nodes"][1]["counters"]["forged"] >= 1
