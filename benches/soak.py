"""Ten nodes under faults at random, with transfers whose every byte is checked.

    python benches/soak.py --minutes 10      # make soak, SOAK_MINUTES
    python benches/soak.py --minutes 0.3 --seed 7

Processes are killed and stopped, devices switched off, file descriptors taken away, nodes flooded
by a member and told to reload. Three transfers at a time cross the network meanwhile. After each
fault another node fetches a few bytes from the victim: that is the recovery time. The end is a
table of these times. Exit code 1: a transfer was not whole, a victim did not come back, or a
process that was there for half of the time has grown.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from multihop import Scenario
from multihop.lab import Lab, Options, tools

SCENARIO = """
name = "soak"
topology = { kind = "grid", rows = 2, columns = 5, spacing = "200 m", horizontal_flows = 1 }
mac = { data_rate = "11 Mbit/s" }
scheme = { name = "cxcc" }
traffic = { load = "1 kbit/s" }
"""
PORT = 8000
AT_ONCE = 3
# So many seconds of the medium a transfer may stand still, and a victim be away.
PATIENCE_S = 300.0
GROWTH_KB = 2_000
GROWTH = 1.25

# Sends to whoever asks as many bytes as it wants, drawn from the seed that it names.
SERVER = """
import random, socketserver
class Answer(socketserver.StreamRequestHandler):
    def handle(self):
        seed, size = map(int, self.rfile.readline().split())
        self.wfile.write(random.Random(seed).randbytes(size))
class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True
    request_queue_size = 64
Server(("", int(__import__("sys").argv[1])), Answer).serve_forever()
"""

# Asks for bytes, and ends with 0 only if every one of them is right. While one of its ends is being
# restarted, a connection cannot begin, and is tried again; one that brings bytes has to bring all.
CLIENT = """
import random, socket, sys, time
server, port, seed, size, patience = sys.argv[1], *map(int, sys.argv[2:])
wanted, end, got = random.Random(seed).randbytes(size), time.monotonic() + patience, 0
while got < size:
    try:
        with socket.create_connection((server, port), timeout=patience) as link:
            link.sendall(f"{seed} {size}\\n".encode())
            while part := link.recv(65536):
                if wanted[got:got + len(part)] != part:
                    sys.exit(f"byte {got} or behind it is wrong")
                got += len(part)
        if got < size:
            sys.exit(f"{got} of {size} bytes")
    except OSError as error:
        if got or time.monotonic() > end:
            sys.exit(f"{error} after {got} of {size} bytes")
        time.sleep(0.1)
"""

# A datagram from each of many ports: what a member with bad manners does.
FLOOD = """
import socket, sys
for _ in range(300):
    with socket.socket(type=socket.SOCK_DGRAM) as link:
        link.sendto(bytes(20), (sys.argv[1], 9))
"""


@dataclass
class Soak:
    """A lab, what is done to it, and what came of it."""

    lab: Lab
    rng: random.Random
    scale: float
    transfers: list[tuple[str, subprocess.Popen[str]]] = field(default_factory=list)
    whole: int = 0
    wrong: list[str] = field(default_factory=list)
    recoveries: dict[str, list[float]] = field(default_factory=dict)
    memory: dict[int, list[tuple[float, int]]] = field(default_factory=dict)

    def process(self, program: str, *words: str) -> int | None:
        """Return the process of a program of the lab whose command line has these words."""
        for file in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                line = file.read_bytes().decode(errors="replace").split("\0")
            except OSError:
                continue
            here = any(word.startswith(f"{self.lab.plan.folder}/") for word in line)
            if here and Path(line[0]).name == program and set(words) <= set(line):
                return int(file.parent.name)
        return None

    def fetch(self, here: str, there: str, size: int) -> subprocess.Popen[str]:
        """Start a transfer."""
        words = (there, str(PORT), str(self.rng.getrandbits(32)), str(size))
        command = [
            sys.executable,
            "-S",
            "-c",
            CLIENT,
            *words,
            str(int(PATIENCE_S * self.scale) + 60),
        ]
        return self.lab.popen(here, command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def pair(self) -> tuple[str, str]:
        """Draw two nodes."""
        here, there = self.rng.sample(list(self.lab.namespaces), 2)
        return here, there

    def look(self, *, more: bool) -> None:
        """Take the transfers that have ended, and begin others."""
        for name, transfer in list(self.transfers):
            if transfer.poll() is None:
                continue
            self.transfers.remove((name, transfer))
            assert transfer.stderr is not None
            said = transfer.stderr.read().strip()
            if transfer.returncode == 0:
                self.whole += 1
            else:
                self.wrong.append(
                    f"{name}: {said.splitlines()[-1] if said else transfer.returncode}"
                )
        while more and len(self.transfers) < AT_ONCE:
            here, there = self.pair()
            size = self.rng.randrange(2_000, 40_000)
            self.transfers.append((f"{there} to {here}", self.fetch(here, there, size)))

    def weigh(self, now: float) -> None:
        """Note the memory of every program."""
        programs = [("multihop-node", "--node", name) for name in self.lab.namespaces]
        for words in (*programs, ("multihop-ether",)):
            if (pid := self.process(*words)) is None:
                continue
            try:
                lines = Path(f"/proc/{pid}/status").read_text().splitlines()
            except OSError:
                continue
            [resident] = [int(line.split()[1]) for line in lines if line.startswith("VmRSS")]
            self.memory.setdefault(pid, []).append((now, resident))

    def fault(self) -> None:
        """Do something bad to a node, and wait until it is well again."""
        victim, other = self.pair()
        kinds: dict[str, Callable[[str], None]] = {
            "killed": self.kill,
            "stopped": self.stop,
            "switched off": self.flap,
            "without files": self.starve,
            "flooded": self.flood,
            "told to reload": self.hang_up,
            "without a medium": self.end_medium,
        }
        kind = self.rng.choice(list(kinds))
        kinds[kind](victim)
        begun = time.monotonic()
        while True:
            self.look(more=False)
            probe = self.fetch(other, victim, 200)
            try:
                if probe.wait(PATIENCE_S * self.scale) == 0:
                    break
            except subprocess.TimeoutExpired:
                probe.kill()
            if time.monotonic() - begun > PATIENCE_S * self.scale:
                self.wrong.append(f"{victim}, which was {kind}, was not reached from {other}")
                return
            time.sleep(0.1 * self.scale)
        self.recoveries.setdefault(kind, []).append((time.monotonic() - begun) / self.scale)

    def pause(self) -> None:
        """Wait for a while."""
        time.sleep(self.rng.uniform(0.5, 3) * self.scale)

    def kill(self, victim: str) -> None:
        """End its process; the lab starts another one."""
        if pid := self.process("multihop-node", "--node", victim):
            os.kill(pid, signal.SIGKILL)

    def stop(self, victim: str) -> None:
        """Let its process stand still: for it, the clock jumps."""
        if pid := self.process("multihop-node", "--node", victim):
            os.kill(pid, signal.SIGSTOP)
            self.pause()
            os.kill(pid, signal.SIGCONT)

    def flap(self, victim: str) -> None:
        """Switch its device off and on."""
        link = [tools.ip(), "link", "set", "multihop0"]
        self.lab.run(victim, [*link, "down"])
        self.pause()
        self.lab.run(victim, [*link, "up"])

    def starve(self, victim: str) -> None:
        """Let its process open no more files for a while."""
        if pid := self.process("multihop-node", "--node", victim):
            before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
            open_now = len(os.listdir(f"/proc/{pid}/fd"))
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (open_now, before[1]))
            self.pause()
            resource.prlimit(pid, resource.RLIMIT_NOFILE, before)

    def flood(self, victim: str) -> None:
        """Let another node open many flows to it."""
        here = self.rng.choice([name for name in self.lab.namespaces if name != victim])
        self.lab.run(here, [sys.executable, "-S", "-c", FLOOD, victim])

    def hang_up(self, victim: str) -> None:
        """Tell it to read its configuration again."""
        if pid := self.process("multihop-node", "--node", victim):
            os.kill(pid, signal.SIGHUP)

    def end_medium(self, _victim: str) -> None:
        """End the medium; the lab starts another one."""
        if pid := self.process("multihop-ether"):
            os.kill(pid, signal.SIGKILL)

    def grown(self, seconds: float) -> list[str]:
        """Return the processes that have grown, of those that were there for half of the time."""
        grown = []
        for pid, points in self.memory.items():
            (first, before), (last, after) = points[len(points) // 4], points[-1]
            if last - first > seconds / 2 and after > before * GROWTH + GROWTH_KB:
                grown.append(f"process {pid} grew from {before} to {after} kB")
        return grown


def run(minutes: float, seed: int, scale: float) -> int:
    """Run for so long; return the exit code."""
    rng = random.Random(seed)
    with (
        tempfile.TemporaryDirectory(prefix="multihop-soak-") as folder,
        Lab.up(Scenario.from_toml(SCENARIO), "soak", Options(time_scale=scale, sealed=True)) as lab,
    ):
        soak = Soak(lab, rng, scale)
        server = [sys.executable, "-S", "-c", SERVER, str(PORT)]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
        servers = [lab.popen(node, server, **quiet) for node in lab.namespaces]
        try:
            begun = time.monotonic()
            while (now := time.monotonic() - begun) < minutes * 60:
                soak.look(more=True)
                soak.weigh(now)
                soak.fault()
            end = time.monotonic() + PATIENCE_S * scale + 60
            while soak.transfers and time.monotonic() < end:
                soak.look(more=False)
                time.sleep(0.05)
        finally:
            for process in (*servers, *(transfer for _, transfer in soak.transfers)):
                process.kill()
    unfinished = [f"{name} did not end" for name, _ in soak.transfers]
    problems = [*soak.wrong, *unfinished, *soak.grown(minutes * 60)]
    for kind, times in sorted(soak.recoveries.items()):
        worst, median = round(max(times), 2), round(statistics.median(times), 2)
        print(
            json.dumps({"fault": kind, "times": len(times), "median_s": median, "worst_s": worst})
        )
    print(json.dumps({"seed": seed, "whole_transfers": soak.whole, "problems": problems}))
    return 1 if problems or not soak.whole else 0


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--time-scale", type=float, default=0.3)
    given = parser.parse_args()
    if lacking := tools.missing():
        print(f"skipped: {lacking}")
        return 0
    return run(given.minutes, given.seed, given.time_scale)


if __name__ == "__main__":
    sys.exit(main())
