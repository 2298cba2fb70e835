"""Operations drawn at random, on real processes: what a flow promises, it keeps.

    python benches/operations.py --lists 20      # make operations, OPERATION_LISTS
    python benches/operations.py --lists 1 --seed 7

The lists are those that hosts in virtual time get (crates/testkit/src/operations.rs). Applications
send, nodes are killed and stopped, the medium is killed. Over CXCC with reliable transport, all
packets of a flow arrive in order, each once, unless one of its ends was killed since its first
packet. Of such a flow only packets arrive that were sent. After a list, every node reaches every
other one. Exit code 1: a list after which that is not so; it is printed with its seed.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from multihop import Scenario
from multihop.lab import Lab, Options, tools

# Draws lists. `cargo build -p multihop-testkit --example operations` builds it, and `cargo test`.
PROGRAM = Path(__file__).resolve().parent.parent / "target" / "debug" / "examples" / "operations"
NODES = 4
COUNT = 16
SCENARIO = f"""
name = "operations"
topology = {{ kind = "chain", hops = {NODES - 1}, spacing = "200 m" }}
mac = {{ data_rate = "11 Mbit/s" }}
scheme = {{ name = "cxcc", reliable = true, report_interval = "1 s" }}
traffic = {{ load = "1 kbit/s" }}
"""
SCALE = 0.2
PORT = 9
# So many seconds of the machine a packet may take when all is well again.
PATIENCE_S = 60.0

# Applications of a node: they send as their input says (node, port, first number, count) and print
# what arrives (address, port, number). One flow to each node from each port. While the node is
# being restarted there is no device, and they wait.
APPLICATIONS = """
import os, select, socket, sys, time
def data(number):
    return number.to_bytes(4, "big").ljust(200, bytes([number % 251]))
links = {}
for port in map(int, sys.argv[1:]):
    links[port] = socket.socket(type=socket.SOCK_DGRAM)
    links[port].setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
    links[port].bind(("", port))
print("ready", flush=True)
while True:
    ready, _, _ = select.select([sys.stdin, *links.values()], [], [])
    for port, link in links.items():
        if link in ready:
            got, (whence, _) = link.recvfrom(1000)
            number = int.from_bytes(got[:4], "big")
            print(whence, port, number if got == data(number) else "damaged", flush=True)
    if sys.stdin in ready:
        for order in os.read(0, 1 << 12).decode().split(";")[:-1]:
            node, *numbers = order.split()
            port, first, count = map(int, numbers)
            for number in range(first, first + count):
                while True:
                    try:
                        links[port].sendto(data(number), (node, port))
                        break
                    except OSError:
                        time.sleep(0.02)
"""

# From one node to another, from this port.
Key = tuple[str, str, int]


def drawn(seed: int, nodes: int, count: int) -> list[dict[str, Any]]:
    """Return a list of operations; raises `FileNotFoundError` if nothing can draw it."""
    words = [str(PROGRAM), str(seed), str(nodes), str(count)]
    printed = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in printed.splitlines()]


@dataclass
class Flow:
    """What was sent from one node to another."""

    sent: int = 0
    # Whether one of its ends was killed since its first packet.
    broken: bool = False

    def wrong(self, arrived: list[str]) -> str:
        """Return what of that is not as promised, or nothing."""
        all_of_it = [str(number) for number in range(self.sent)]
        kept = set(arrived) <= set(all_of_it) if self.broken else arrived == all_of_it
        return "" if kept else f"{', '.join(arrived)} of {self.sent} packets"


class Network:
    """A lab, its applications, and what they have sent."""

    def __init__(self, lab: Lab, stack: ExitStack) -> None:
        """Start the applications."""
        self.lab, self.names = lab, list(lab.namespaces)
        self.flows: dict[Key, Flow] = {}
        self.of_address = {address: name for name, address in lab.addresses.items()}
        self.folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        command = [sys.executable, "-S", "-u", "-c", APPLICATIONS, str(PORT), str(PORT + 1)]
        self.pipes: dict[str, IO[str]] = {}
        for name in self.names:
            out = stack.enter_context((self.folder / name).open("w"))
            application = lab.popen(name, command, stdin=subprocess.PIPE, stdout=out)
            stack.callback(application.wait)
            stack.callback(application.kill)
            assert application.stdin is not None
            self.pipes[name] = application.stdin
        self.until(lambda: all((self.folder / name).read_text() for name in self.names))

    def until(self, true: Callable[[], bool]) -> bool:
        """Wait until that is true, at most for the time that a packet may take."""
        end = time.monotonic() + PATIENCE_S
        while not (found := true()) and time.monotonic() < end:
            time.sleep(0.05)
        return found

    def send(self, here: str, there: str, count: int, port: int = PORT) -> None:
        """Let an application send so many packets."""
        flow = self.flows.setdefault((here, there, port), Flow())
        self.pipes[here].write(f"{there} {port} {flow.sent} {count};")
        self.pipes[here].flush()
        flow.sent += count

    def kill(self, node: str) -> None:
        """End a node; the lab starts another process."""
        for pid in self.lab.processes("multihop-node", "--node", node):
            os.kill(pid, signal.SIGKILL)
            # a device that is about to vanish takes packets, which are lost
            self.until(lambda pid=pid: not Path(f"/proc/{pid}").exists())
        for (here, there, _), flow in self.flows.items():
            flow.broken |= node in (here, there)

    def apply(self, operation: dict[str, Any]) -> None:
        """Do what a list says."""
        of = lambda key: self.names[operation[key]]  # noqa: E731
        pause = operation.get("millis", 0) / 1000 * SCALE
        match operation["do"]:
            case "send":
                self.send(of("from"), of("to"), operation["count"])
            case "kill":
                self.kill(of("node"))
            case "stop":
                stopped = self.lab.processes("multihop-node", "--node", of("node"))
                for number in (signal.SIGSTOP, signal.SIGCONT):
                    for pid in stopped:
                        os.kill(pid, number)
                    time.sleep(pause * (number == signal.SIGSTOP))
            case "end_medium":
                for pid in self.lab.processes("multihop-ether"):
                    os.kill(pid, signal.SIGKILL)
            case "wait":
                time.sleep(pause)

    def arrived(self) -> dict[Key, list[str]]:
        """Return the numbers that arrived, by flow and in their order."""
        found: dict[Key, list[str]] = {key: [] for key in self.flows}
        for there in self.names:
            # the last line may be half written
            for line in (self.folder / there).read_text().split("\n")[1:-1]:
                address, port, number = line.split()
                found.setdefault((self.of_address[address], there, int(port)), []).append(number)
        return found

    def wrong(self) -> list[str]:
        """Return the flows that have not delivered what they promise."""
        arrived = self.arrived()
        cases = ((key, self.flows.get(key, Flow()).wrong(got)) for key, got in arrived.items())
        return [f"{key[0]} to {key[1]}: {case}" for key, case in cases if case]


def keeps(operations: list[dict[str, Any]], name: str) -> list[str]:
    """Apply a list to a network of its own; return what is not as promised."""
    options = Options(time_scale=SCALE, node_flags=("--queue", "1000", "--idle", "600"))
    with Lab.up(Scenario.from_toml(SCENARIO), name, options) as lab, ExitStack() as stack:
        network = Network(lab, stack)
        for operation in operations:
            network.apply(operation)
        for here in network.names:
            for there in network.names:
                if here != there:
                    network.send(here, there, 1, PORT + 1)
        network.until(lambda: not network.wrong())
        # what comes a second time comes soon
        time.sleep(5 * SCALE)
        return network.wrong()


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lists", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1, help="of the first list")
    given = parser.parse_args()
    if lacking := tools.missing():
        print(f"skipped: {lacking}")
        return 0
    failed = 0
    for seed in range(given.seed, given.seed + given.lists):
        operations = drawn(seed, NODES, COUNT)
        begun = time.monotonic()
        problems = keeps(operations, "operations")
        took = round(time.monotonic() - begun, 1)
        row: dict[str, Any] = {"seed": seed, "seconds": took, "problems": problems}
        if problems:
            failed += 1
            row["operations"] = operations
        print(json.dumps(row), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
