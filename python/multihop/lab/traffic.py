"""Applications for measurements in labs."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from .lab import Lab

# What stands before the data of a UDP packet.
HEADERS = 28

# Sends datagrams at a rate, and reads those that come, so that nobody answers that nobody is there.
DATAGRAMS = """
import random, select, socket, sys, time
peer, size, interval = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
link = socket.socket(type=socket.SOCK_DGRAM)
link.bind(("", 9))
link.setblocking(False)
due, number = time.monotonic() + random.random() * interval, 0
while True:
    wait = due - time.monotonic()
    if wait > 0:
        if select.select([link], [], [], wait)[0]:
            link.recv(65535)
        continue
    due += interval * random.uniform(0.9, 1.1)
    number += 1
    try:
        link.sendto(number.to_bytes(4, "big").ljust(size, b"."), (peer, 9))
    except BlockingIOError:
        pass
"""


@contextmanager
def running(lab: Lab, node: str, code: str, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Run Python in a node as long as the block lasts."""
    command = [sys.executable, "-S", "-u", "-c", code, *words]
    with lab.popen(node, command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


def goodput(
    lab: Lab,
    nodes: Sequence[int],
    warmup_s: float,
    duration_s: float,
    pause: Callable[[float], None] = time.sleep,
) -> float:
    """Return the bits of IP packets that applications of these nodes get in a second.

    Seconds are the medium's; `pause` waits for so many of the machine's.
    """
    scale = lab.status()["ether"]["time_scale"]
    pause(warmup_s * scale)
    begun, before = _taken(lab, nodes)
    pause(duration_s * scale)
    ended, after = _taken(lab, nodes)
    return 8 * (after - before) / (ended - begun)


def _taken(lab: Lab, nodes: Sequence[int]) -> tuple[float, int]:
    """Return the time of the medium, and how many bytes applications of these nodes have got."""
    status = lab.status()
    got = [status["nodes"][node]["counters"]["to_applications_bytes"] for node in nodes]
    return status["ether"]["now_s"], sum(got)
