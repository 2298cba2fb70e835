"""What the tests of labs share: networks, programs in their nodes, and waiting for them."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from multihop import Scenario
from multihop.lab import Lab, tools

PATIENCE_S = 120.0


needs_linux = pytest.mark.skipif(bool(tools.missing()), reason=tools.missing() or "there is all")


def chain(hops: int, scheme: str = "cxcc") -> Scenario:
    return Scenario.from_toml(f"""
    topology = {{ kind = "chain", hops = {hops}, spacing = "200 m" }}
    mac = {{ data_rate = "2 Mbit/s" }}
    scheme = {{ name = "{scheme}" }}
    traffic = {{ load = "1 kbit/s" }}
    """)


# An ICMP echo request, answered by the kernel of the other node.
PING = """
import os, socket, struct, sys
with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP) as ping:
    ping.settimeout(60)
    request = struct.pack("!BBHHH", 8, 0, 0, 7, 1) + b"multihop"
    total = sum(struct.unpack(f"!{len(request) // 2}H", request))
    total = (total >> 16) + (total & 0xFFFF)
    ping.sendto(request[:2] + struct.pack("!H", ~total & 0xFFFF) + request[4:], (sys.argv[1], 0))
    while (answer := ping.recv(200)[20:])[0] != 0:
        pass
    assert answer[8:] == b"multihop", answer
    print(struct.unpack("!BBHHH", answer[:8])[3:])
"""

SPRAY = """
import socket, sys
with socket.socket(type=socket.SOCK_DGRAM) as link:
    for number in range(200):
        link.sendto(bytes(100), (sys.argv[1], 9))
"""


def python(code: str, *arguments: str) -> list[str]:
    return [sys.executable, "-S", "-c", textwrap.dedent(code), *arguments]


def eventually(what: str, true: Callable[[], bool]) -> None:
    begun = time.monotonic()
    while not true():
        assert time.monotonic() - begun < PATIENCE_S, what
        time.sleep(0.02)


@contextmanager
def application(
    lab: Lab, node: str, command: list[str], **options: Any
) -> Iterator[subprocess.Popen[str]]:
    """Start a command in a node, which ends with the block, also where that fails."""
    with lab.popen(node, command, stdout=subprocess.PIPE, **options) as started:
        try:
            yield started
        finally:
            started.kill()


def counter(lab: Lab, node: int, name: str) -> int:
    counters = lab.status()["nodes"][node].get("counters", {})
    return int(counters.get(name, 0))
