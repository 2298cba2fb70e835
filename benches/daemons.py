#!/usr/bin/env python3
"""How an unmodified routing daemon does on a good and on a bad day, on a medium and on link models.

    python benches/daemons.py                         # all cases three times, a quarter of an hour
    python benches/daemons.py --daemon babeld --runs 1 --day bad --network medium

Two nodes, `left` and `right`, have two disjoint routes of two hops between them, over `upper` and
`lower`. Beside them are two strangers, which run no daemon. On a busy day one of them sends the
other as much as half fills the medium, on a bad one more than the medium carries. It is hidden from
`left`, and disturbs what the relays get from it.

The network is once the medium emulator with Ethernet ports, and once a link model: a veth pair for
each two nodes in range, and the same rate for each direction of each by `tc` (a token bucket, which
is netem's rate without its delay and loss). Frames of different links do not meet there.

`left` pings `right` five times a second from before the daemons start. Without a route nothing is
sent. A run is: daemons start, a ping is answered, a time at rest, the relay in use dies without a
word, a ping is answered again. `--out FILE` keeps the runs; docs/guides/routing-daemons.md shows
those of benches/daemons.json.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from subprocess import DEVNULL, Popen

from multihop import Scenario
from multihop.lab import Lab, Options, tools

RATE_MBIT = 2
REACH_M = 250
PLACES = {
    "left": (0, 0),
    "upper": (200, 140),
    "lower": (200, -140),
    "right": (400, 0),
    # out of left's sense range, in that of all others
    "sender": (570, 0),
    "receiver": (770, 0),
}
ROUTERS = ("left", "upper", "lower", "right")
RELAYS = ("upper", "lower")
# How long the sender waits between datagrams of 1000 bytes, in seconds: a frame with its
# acknowledgment and the wait before it takes the air for five milliseconds.
DAYS = {"good": None, "busy": 0.01, "bad": 0.003}
NETWORKS = ("medium", "links")
PING_EACH_S, ANSWER_WITHIN_S = 0.2, 1.0
REST_S, AFTER_S, PATIENCE_S = 10.0, 3.0, 60.0

# Says when it sends an ICMP echo request, and when an answer comes.
PINGS = """
import select, socket, struct, sys, time
peer, interval = sys.argv[1], float(sys.argv[2])
link = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
link.setblocking(False)
number, due = 0, time.monotonic()
while True:
    wait = due - time.monotonic()
    if wait > 0:
        if select.select([link], [], [], wait)[0]:
            kind, code, check, name, which = struct.unpack("!BBHHH", link.recv(200)[20:28])
            if (kind, name) == (0, 7):
                print("answered", which, time.monotonic(), flush=True)
        continue
    due, number = due + interval, number + 1
    words = (8 << 8, 7, number, *([0x6d68] * 28))
    total = sum(words)
    total = (total & 0xFFFF) + (total >> 16)
    request = struct.pack("!HH30H", words[0], ~total & 0xFFFF, *words[1:])
    print("sent", number, time.monotonic(), flush=True)
    try:
        link.sendto(request, (peer, 0))
    except OSError:
        pass
"""

# Sends datagrams of 1000 bytes.
STREAM = """
import socket, sys, time
with socket.socket(type=socket.SOCK_DGRAM) as link:
    while True:
        try:
            link.sendto(bytes(1000), (sys.argv[1], 9))
        except OSError:
            pass
        time.sleep(float(sys.argv[2]))
"""

BIRD = """
router id {address};
protocol device {{ scan time 1; }}
protocol kernel {{ ipv4 {{ export all; import none; }}; }}
protocol ospf v2 {{
  ecmp no;
  ipv4 {{ import all; export none; }};
  area 0 {{ interface {interfaces} {{ hello 1; dead count 4; {kind} }}; }};
}}
"""


@dataclass(frozen=True)
class Run:
    """What one run gave; times in seconds, and nothing where patience ended first."""

    daemon: str
    network: str
    day: str
    start_s: float | None
    # Of the pings at rest, how many had no answer in time.
    rest_lost: float | None
    # How often left's route to right changed at rest.
    rest_changes: int | None
    repair_s: float | None
    # How many pings had no answer between the death of the relay and the repair.
    repair_lost: int | None
    # 99 % of the medium's events were at most so late.
    late_s: float | None


def scenario() -> Scenario:
    """Return the network."""
    # from 10.0.0.1 on: 10.0.0.0 would be the name of OSPF's subnet
    nodes = [
        {"name": name, "x": f"{x} m", "y": f"{y} m", "address": f"10.0.0.{number}"}
        for number, (name, (x, y)) in enumerate(PLACES.items(), 1)
    ]
    return Scenario.from_dict(
        {
            "topology": {"kind": "explicit"},
            "radio": {"receive_range": f"{REACH_M} m"},
            "mac": {"data_rate": f"{RATE_MBIT} Mbit/s"},
            "scheme": {"name": "udp"},
            "traffic": {"load": "1 kbit/s"},
            "node": nodes,
            "flow": [{"from": "left", "to": "right"}],
        }
    )


def links() -> list[tuple[str, str]]:
    """Return which nodes are in range of each other."""
    names = list(PLACES)
    return [
        (one, other)
        for number, one in enumerate(names)
        for other in names[number + 1 :]
        if math.dist(PLACES[one], PLACES[other]) <= REACH_M
    ]


class Network:
    """A lab whose nodes are joined by the medium, or by links of their own."""

    def __init__(self, lab: Lab, kind: str) -> None:
        """Join the nodes."""
        self.lab, self.kind = lab, kind
        self.devices: dict[str, list[str]] = {name: ["mesh0"] for name in PLACES}
        if kind == "links":
            self.devices = {name: [] for name in PLACES}
            for one, other in links():
                self._link(one, other)

    def ip(self, node: str, *words: str) -> str:
        """Run `ip` in a node."""
        return self.lab.run(node, [tools.ip(), *words])

    def _link(self, one: str, other: str) -> None:
        # a number of the lab's process namespace, in which the command runs
        there = str(self.lab.namespaces[other])
        peer = ("peer", "name", f"to-{one}", "netns", there)
        self.ip(one, "link", "add", "name", f"to-{other}", "type", "veth", *peer)
        for node, device in ((one, f"to-{other}"), (other, f"to-{one}")):
            self.ip(node, "address", "add", f"{self.lab.addresses[node]}/32", "dev", device)
            self.ip(node, "link", "set", device, "up")
            rate = ["tbf", "rate", f"{RATE_MBIT}mbit", "burst", "1600", "limit", "75000"]
            self.lab.run(node, ["tc", "qdisc", "add", "dev", device, "root", *rate])
            self.devices[node].append(device)

    def device_to(self, node: str, peer: str) -> str:
        """Return by which device a node reaches a neighbour."""
        return "mesh0" if self.kind == "medium" else f"to-{peer}"

    def kill(self, node: str) -> None:
        """Let a node fall silent, without a word to its neighbours."""
        if self.kind == "medium":
            [port] = self.lab.processes("multihop-ether", "port", node)
            os.kill(port, signal.SIGKILL)
            return
        # devices stay up, as those of radios do whose neighbour is gone
        chains = "".join(
            f"chain {hook} {{ type filter hook {hook} priority -400; policy drop; }}\n"
            for hook in ("prerouting", "output")
        )
        self.lab.run(node, [tools.nft(), "-f", "-"], input=f"table inet silent {{\n{chains}}}\n")


@contextmanager
def program(lab: Lab, node: str, command: list[str], out: Path) -> Iterator[Popen[str]]:
    """Run a command in a node while the block lasts, and keep what it says."""
    with out.open("w") as file, lab.popen(node, command, stdout=file, stderr=DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


def command(daemon: str, network: Network, node: str, folder: Path) -> list[str]:
    """Return how a daemon is started in a node: Hellos each second, else its defaults."""
    devices = network.devices[node]
    devices = [one for one in devices if not one.startswith(("to-sender", "to-receiver"))]
    file = folder / node
    if daemon == "babeld":
        words = ["babeld", "-I", f"{file}.pid", "-S", f"{file}.state", "-L", f"{file}.log"]
        # the device of a radio, for babeld: no split horizon, links weighed by lost Hellos
        words += ["-h", "1", "-H", "1", "-C", "default type wireless"]
        return [*words, *devices]
    medium = network.kind == "medium"
    if medium:
        # OSPF has neighbours in a subnet of its device
        address = network.lab.addresses[node]
        network.ip(node, "address", "flush", "dev", "mesh0", "scope", "global")
        network.ip(node, "address", "add", f"{address}/24", "dev", "mesh0")
    near = [set(pair) - {node} for pair in links() if node in pair and set(pair) <= set(ROUTERS)]
    neighbours = " ".join(f"{network.lab.addresses[peer]};" for (peer,) in near)
    Path(f"{file}.conf").write_text(
        BIRD.format(
            address=network.lab.addresses[node],
            interfaces=", ".join(f'"{one}"' for one in devices),
            kind=f"type ptmp; neighbors {{ {neighbours} }};" if medium else "type ptp;",
        )
    )
    return ["bird", "-f", "-c", f"{file}.conf", "-s", f"{file}.ctl", "-P", f"{file}.pid"]


def pings(file: Path) -> list[tuple[float, bool]]:
    """Return of every ping when it was sent, and whether it was answered in time."""
    sent: dict[int, float] = {}
    answered: dict[int, float] = {}
    for line in file.read_text().splitlines():
        words = line.split()
        if len(words) == 3:
            (sent if words[0] == "sent" else answered)[int(words[1])] = float(words[2])
    return [
        (at, answered.get(number, math.inf) - at <= ANSWER_WITHIN_S) for number, at in sent.items()
    ]


def first_answer(file: Path, since: float) -> float | None:
    """Wait until a ping that was sent since then is answered; return how long after it was sent."""
    while time.monotonic() - since < PATIENCE_S:
        for at, answered in pings(file):
            if at >= since and answered:
                return at - since
        time.sleep(PING_EACH_S)
    return None


def run(daemon: str, kind: str, day: str) -> Run:
    """Do one run."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        options = Options(ports="ethernet", respawn_s=-1.0)
        lab = stack.enter_context(Lab.up(scenario(), f"daemons-{os.getpid()}", options))
        network = Network(lab, kind)
        right = lab.addresses["right"]
        if (each_s := DAYS[day]) is not None:
            disturb(stack, network, folder, each_s)
        python = [sys.executable, "-S", "-u", "-c"]
        seen, changes = folder / "pings", folder / "changes"
        ping = [*python, PINGS, right, str(PING_EACH_S)]
        commands = {node: command(daemon, network, node, folder) for node in ROUTERS}
        stack.enter_context(program(lab, "left", ping, seen))
        watch = [tools.ip(), "monitor", "route"]
        stack.enter_context(program(lab, "left", watch, changes))
        begun = time.monotonic()
        for node, words in commands.items():
            stack.enter_context(program(lab, node, words, folder / f"{node}.out"))
        start_s = first_answer(seen, begun)
        if start_s is None:
            return Run(daemon, kind, day, None, None, None, None, None, late(network))
        time.sleep(REST_S / 5)
        rest, before = time.monotonic(), changes.stat().st_size
        time.sleep(REST_S)
        relay = first_hop(network)
        rested = time.monotonic()
        told = changes.read_text()[before:].splitlines()
        rest_changes = sum(line.startswith(f"{right} via") for line in told)
        network.kill(relay)
        # pings that are sent while the command starts still pass
        dead = time.monotonic()
        repair_s = first_answer(seen, dead)
        time.sleep(AFTER_S)
        kept = pings(seen)
        calm = [answered for at, answered in kept if rest <= at < rested - ANSWER_WITHIN_S]
        repair_lost = None
        if repair_s is not None:
            repair_lost = sum(not ok for at, ok in kept if dead <= at < dead + repair_s)
        lost = 1 - sum(calm) / len(calm)
        return Run(
            daemon, kind, day, start_s, lost, rest_changes, repair_s, repair_lost, late(network)
        )


def disturb(stack: ExitStack, network: Network, folder: Path, each_s: float) -> None:
    """Let one stranger send the other a datagram so often, as long as the stack stands."""
    lab = network.lab
    for here, there in (("sender", "receiver"), ("receiver", "sender")):
        device = network.device_to(here, there)
        network.ip(here, "route", "add", lab.addresses[there], "dev", device)
    words = [sys.executable, "-S", "-c", STREAM, lab.addresses["receiver"], str(each_s)]
    stack.enter_context(program(lab, "sender", words, folder / "sender.out"))


def first_hop(network: Network) -> str:
    """Return over which relay left sends to right now; the first, if over none."""
    lab = network.lab
    by_address = {lab.addresses[name]: name for name in RELAYS}
    told = network.ip("left", "route", "show", lab.addresses["right"])
    found = re.search(r"via (\S+)", told)
    return by_address[found[1]] if found else RELAYS[0]


def late(network: Network) -> float | None:
    """Return how late 99 % of the medium's events were at most; nothing if it had no work."""
    if network.kind == "links":
        return None
    return float(network.lab.status()["ether"]["lag"]["p99_s"])


def main() -> None:
    """Do the runs, in turn."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--daemon", nargs="+", choices=("babeld", "bird"), default=["babeld"])
    parser.add_argument("--network", nargs="+", choices=NETWORKS, default=NETWORKS)
    parser.add_argument("--day", nargs="+", choices=tuple(DAYS), default=tuple(DAYS))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--out", type=Path, help="keep the runs here, beside those of other cases")
    given = parser.parse_args()
    if given.out and (slow := tools.slow()):
        parser.error(f"nothing is kept of {slow}")
    runs = []
    for number in range(given.runs):
        for daemon in given.daemon:
            for kind in given.network:
                for day in given.day:
                    done = run(daemon, kind, day)
                    print(number, done, flush=True)
                    runs.append(asdict(done) | {"versions": tools.versions()})
    if given.out:
        keep(given.out, runs)


def keep(file: Path, runs: list[dict[str, object]]) -> None:
    """Put runs into a file, in place of those of the same cases."""
    case = lambda one: (one["daemon"], one["network"], one["day"])  # noqa: E731
    done = {case(one) for one in runs}
    old = json.loads(file.read_text())["runs"] if file.exists() else []
    kept = [one for one in old if case(one) not in done] + runs
    kept.sort(key=case)
    load = statistics.mean(os.getloadavg()[:2])
    told = {"load_average": round(load, 1), "cores": os.cpu_count(), "runs": kept}
    file.write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
