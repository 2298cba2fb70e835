"""Networks behind nodes, IPv6, and what applications are told of packets that go no further."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from multihop.lab import Lab, Options, tools
from tests.labs import PING, application, chain, counter, eventually, needs_linux, python
from tests.test_lab_service import asked

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


NETWORK6 = "fd6d:6873::/64"

# An ICMP echo request of IPv6; the kernel makes its checksum.
PING6 = """
import socket, struct, sys
with socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_ICMPV6) as ping:
    ping.settimeout(60)
    ping.sendto(struct.pack("!BBHHH", 128, 0, 0, 7, 1) + b"multihop", (sys.argv[1], 0))
    while (answer := ping.recv(200))[0] != 129:
        pass
    assert answer[8:] == b"multihop", answer
    print(struct.unpack("!BBHHH", answer[:8])[3:])
"""

TRACE6 = """
import socket, sys
with (
    socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as out,
    socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_ICMPV6) as back,
):
    back.settimeout(60)
    for hops in range(1, int(sys.argv[2]) + 1):
        out.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_UNICAST_HOPS, hops)
        out.sendto(b"hello", (sys.argv[1], 33434))
        answer, (who, *_) = back.recvfrom(600)
        print(who, answer[0], answer[1])
"""

# Answers one request over HTTP with so many bytes.
SERVE6 = """
import socket, sys
with socket.create_server(("::", 8000), family=socket.AF_INET6) as server:
    print("ready", flush=True)
    client, _ = server.accept()
    with client:
        client.recv(1000)
        head = f"HTTP/1.0 200 OK\\r\\nContent-Length: {sys.argv[1]}\\r\\n\\r\\n"
        client.sendall(head.encode() + bytes(int(sys.argv[1])))
"""

JOIN6 = """
import socket, struct
with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as link:
    link.bind(("", 5353))
    device = socket.if_nametoindex("multihop0")
    joined = socket.inet_pton(socket.AF_INET6, "ff02::fb") + struct.pack("@I", device)
    link.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, joined)
    print("ready", flush=True)
    said, (who, *_) = link.recvfrom(600)
    print(who.split("%")[0], said.decode(), flush=True)
"""

HELLO6 = """
import socket
with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as out:
    out.sendto(b"multicast", ("ff02::fb%multihop0", 5353))
"""


def test_curl_ping_trace_and_groups_of_ipv6_over_two_hops(home: Path) -> None:
    with (
        Lab.up(chain(2), "test", Options(network6=NETWORK6)) as lab,
        application(lab, "n2", python(SERVE6, "30000")) as server,
        application(lab, "n2", python(JOIN6)) as joined,
    ):
        for program in (server, joined):
            assert program.stdout is not None
            assert program.stdout.readline() == "ready\n"
        assert lab.run("n0", python(PING6, "fd6d:6873::10.0.0.2")) == "(7, 1)\n"
        traced = lab.run("n0", python(TRACE6, "fd6d:6873::a00:2", "2"))
        assert traced == "fd6d:6873::a00:1 3 0\nfd6d:6873::a00:2 1 4\n", "no port is open there"
        curl = shutil.which("curl")
        if curl is not None:
            fetched = lab.run("n0", [curl, "-6", "-s", "--max-time", "100", "http://n2:8000/"])
            assert fetched == "\0" * 30_000
        lab.run("n0", python(HELLO6))
        assert joined.stdout is not None
        assert joined.stdout.readline() == "fe80::a00:0 multicast\n"
        told = python(TELL, "fd6d:6873::10.9.9.9")
        assert lab.run("n0", told) == "No route to host\n"
        lines = asked(lab, "status", "n0")
        assert "ipv6        fd6d:6873::a00:0 of fd6d:6873::/64\n" in lines
        # what was removed is restored
        lab.run("n0", [tools.ip(), "-6", "address", "flush", "dev", "multihop0"])
        addresses = lambda: lab.run("n0", [tools.ip(), "-6", "address"])  # noqa: E731
        eventually("it is restored", lambda: "fd6d:6873::a00:0/128" in addresses())
        assert lab.run("n0", python(PING6, "n2")) == "(7, 1)\n"


def test_networks_that_nodes_announce_are_reached_while_they_are_there(home: Path) -> None:
    networks = "0.0.0.0/0,192.168.7.0/24,fd00:7::/32"
    flags = ("--announce", networks, "--accept", networks)
    with Lab.up(chain(2), "test", Options(network6=NETWORK6, node_flags=flags)) as lab:
        ip = lambda node, *words: lab.run(node, [tools.ip(), *words])  # noqa: E731
        # a site behind the last node, and a way out behind the one between
        for node, device in (("n2", "site0"), ("n1", "out0")):
            ip(node, "link", "add", device, "type", "veth", "peer", "name", "peer0")
            for end in (device, "peer0"):
                ip(node, "link", "set", end, "up")
        ip("n2", "address", "add", "192.168.7.1/24", "dev", "site0")
        ip("n2", "address", "add", "fd00:7::1/32", "dev", "site0", "nodad")
        ip("n1", "address", "add", "203.0.113.1/24", "dev", "out0")
        ip("n1", "address", "add", "198.51.100.7/32", "dev", "lo")
        ip("n1", "route", "add", "default", "via", "203.0.113.2")
        routes = lambda: ip("n0", "route") + ip("n0", "-6", "route")  # noqa: E731
        for route in ("default", "192.168.7.0/24", "fd00:7::/32"):
            eventually(route, lambda route=route: f"{route} dev multihop0" in routes())
        for address, ping in (
            ("192.168.7.1", PING),
            ("198.51.100.7", PING),
            ("fd00:7::1", PING6),
        ):
            assert lab.run("n0", python(ping, address)) == "(7, 1)\n", address
        lines = asked(lab, "status", "n0")
        assert "network     192.168.7.0/24 behind n2, 2 hops away\n" in lines
        assert "network     0.0.0.0/0 behind n1, 1 hops away\n" in lines
        assert "network     192.168.7.0/24 is here, announced\n" in asked(lab, "status", "n2")
        assert "0.0.0.0/0 is here, not announced" in asked(lab, "status", "n2")
        explained = asked(lab, "explain", "n0", "192.168.7.9")
        assert "it lies in 192.168.7.0/24 behind n2 (announced, for " in explained
        assert "default via 203.0.113.2 dev out0" in ip("n1", "route"), "its own way stays"
        # what somebody has removed is restored
        ip("n0", "route", "del", "192.168.7.0/24")
        eventually("restored", lambda: "192.168.7.0/24 dev multihop0" in routes())
        # the way out is lost, and found again
        ip("n1", "link", "set", "out0", "down")
        eventually("withdrawn", lambda: "default" not in routes())
        assert lab.run("n0", python(TELL, "198.51.100.8")) == "Network is unreachable\n"
        ip("n1", "link", "set", "out0", "up")
        ip("n1", "route", "add", "default", "via", "203.0.113.2")
        eventually("announced", lambda: "default dev multihop0" in routes())
        assert counter(lab, 0, "announcements") > 0
        assert counter(lab, 0, "networks_refused") == 0
