"""Many short flows, many connections, and a node that is gone: what a lab of processes bears."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from multihop.lab import Lab, Options
from tests.labs import PING, application, chain, counter, eventually, needs_linux, python
from tests.test_lab import needs_nft, processes

pytestmark = pytest.mark.engine

# A datagram from each of so many ports.
SCAN = """
import socket, sys, time
for _ in range(int(sys.argv[2])):
    with socket.socket(type=socket.SOCK_DGRAM) as link:
        link.sendto(bytes(20), (sys.argv[1], 9))
    time.sleep(0.004)
"""

# Answers a word, again and again.
ANSWERS = """
import socket
with socket.create_server(("", 8000), backlog=100) as server:
    print("ready", flush=True)
    while True:
        link, _ = server.accept()
        with link:
            link.sendall(link.recv(10))
"""

# Asks so many times, each over a connection of its own.
ASKS = """
import socket, sys
done = 0
for _ in range(int(sys.argv[2])):
    with socket.create_connection((sys.argv[1], 8000), timeout=60) as link:
        link.sendall(b"hello")
        done += link.recv(10) == b"hello"
print(done)
"""


@needs_linux
def test_a_node_whose_ports_are_scanned_is_reached_by_others(home: Path) -> None:
    # more than a node keeps of ends that others have opened, and more than its own flows
    ports = 1_300
    with (
        Lab.up(chain(2), "test", Options(time_scale=0.2)) as lab,
        application(lab, "n2", python(ANSWERS)) as server,
    ):
        assert server.stdout is not None
        assert server.stdout.readline() == "ready\n"
        lab.run("n0", python(SCAN, "n2", str(ports)))
        eventually("they arrive", lambda: counter(lab, 2, "to_applications") >= ports * 0.9)
        for node in ("n1", "n0"):
            assert lab.run(node, python(ASKS, "n2", "3"), timeout=30) == "3\n", node
            assert lab.run(node, python(PING, "n2"), timeout=30) == "(7, 1)\n", node
        dropped = lab.status()["nodes"][2]["dropped"]
        assert "too_many_flows" not in dropped, dropped


@needs_linux
@needs_nft
def test_a_proxy_carries_more_connections_in_a_minute_than_streams_at_a_time(home: Path) -> None:
    connections = 600
    with (
        Lab.up(chain(1), "test", Options(time_scale=0.05, tcp_proxy=True)) as lab,
        application(lab, "n1", python(ANSWERS)) as server,
    ):
        assert server.stdout is not None
        assert server.stdout.readline() == "ready\n"
        asked = lab.run("n0", python(ASKS, "n1", str(connections)), timeout=100)
        assert asked == f"{connections}\n"
        proxies = [node["proxy"] for node in lab.status()["nodes"]]
    assert [proxy["refused"] for proxy in proxies] == [0, 0]


@needs_linux
def test_frames_to_a_process_that_is_gone_become_few(home: Path) -> None:
    # ten seconds of the medium in one
    scale = 0.1
    with Lab.up(chain(3), "test", Options(time_scale=scale, respawn_s=-1)) as lab:
        [last] = processes(home, "--node", "n3")
        os.kill(last, signal.SIGKILL)
        lab.run("n0", python(SCAN, "n3", "20"))
        time.sleep(20 * scale)
        before = counter(lab, 2, "frames_sent")
        time.sleep(20 * scale)
        assert 0 < counter(lab, 2, "frames_sent") - before <= 20 * 5
