"""Ten nodes under faults at random, with transfers whose every byte is checked.

    python benches/soak.py --minutes 10      # make soak, SOAK_MINUTES
    python benches/soak.py --minutes 0.3 --seed 7 --faults "killed,disk full"

Processes are killed and stopped, devices switched off, file descriptors, memory and disk taken
away, nodes flooded by members and told to reload. Every node that starts has another monotonic
clock, by a time namespace, as after a reboot. Recordings go to a disk that is soon full. Three
transfers at a time cross the network meanwhile. After each fault another node fetches a few bytes
from the victim: that is the recovery time. Some nodes are never killed, nor is the medium in the
last two thirds of the time: their memory shows whether it grows.

The end is a table of recovery times and one of memory. Exit code 1: a transfer was not whole, a
victim did not come back, a process ended or panicked that was not killed, or one has grown.
"""

from __future__ import annotations

import argparse
import errno
import json
import os
import random
import resource
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
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
# A process whose memory has a slope that adds both in the time of a run has grown.
GROWTH_KB = 2_000
GROWTH = 0.25
# So often the memory of processes is noted, in seconds.
WEIGH_EACH_S = 1.0
# Nodes that are never killed, at an end and in the middle.
SPARED = ("n0", "n2")
# What a process may have besides its memory when it is short of that.
HEADROOM = 8 << 20
# The disk with logs, states and sockets, and the one with recordings, which is soon full.
DISK, RECORDS = 24 << 20, 1 << 20
# Says that this process has these disks.
INSIDE = "MULTIHOP_SOAK_DISKS"

# A node's program: with a monotonic clock of its own, up to half a year ahead.
NODE = """#!/bin/sh
ahead=$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')
exec unshare --time --fork --kill-child --monotonic "$ahead" -- {node} "$@"
"""

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

# As many long datagrams as its device takes, for so many seconds.
SATURATE = """
import socket, sys, time
end = time.monotonic() + float(sys.argv[2])
with socket.socket(type=socket.SOCK_DGRAM) as link:
    while time.monotonic() < end:
        link.sendto(bytes(900), (sys.argv[1], 9))
        time.sleep(0.0005)
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
    # The processes that were there last, and those that were killed on purpose.
    there: dict[str, int] = field(default_factory=dict)
    killed: set[int] = field(default_factory=set)
    # Nodes that cannot start now.
    cannot_start: set[str] = field(default_factory=set)
    # Faults that are drawn; all that this machine can have, if there are none.
    chosen: tuple[str, ...] = ()
    # When it began, and when memory was noted last.
    begun: float = field(default_factory=time.monotonic)
    weighed: float = -1.0
    # Whether the medium may be killed still.
    early: bool = True

    def process(self, program: str, *words: str) -> int | None:
        """Return the process of a program of the lab whose command line has these words."""
        return next(iter(self.lab.processes(program, *words)), None)

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

    def now(self) -> float:
        """Return how long it has gone on, in seconds."""
        return time.monotonic() - self.begun

    def weigh(self) -> None:
        """Note the memory of every program, and which of them has ended."""
        now = self.weighed = self.now()
        programs = {name: ("multihop-node", "--node", name) for name in self.lab.namespaces}
        for name, words in {**programs, "ether": ("multihop-ether",)}.items():
            if (pid := self.process(*words)) is None:
                continue
            before = self.there.get(name, pid)
            if before != pid and before not in self.killed and name not in self.cannot_start:
                log = self.lab.plan.log(name).read_text(errors="replace").strip()
                said = log.splitlines()[-1] if log else "nothing"
                self.wrong.append(f"{name} ended by itself; its log ends with: {said}")
            self.there[name] = pid
            try:
                lines = Path(f"/proc/{pid}/status").read_text().splitlines()
                [resident] = [int(line.split()[1]) for line in lines if line.startswith("VmRSS")]
            except (OSError, ValueError):
                continue
            self.memory.setdefault(pid, []).append((now, resident))

    def kinds(self) -> dict[str, Callable[[str], None]]:
        """Return what can be done to a node here, by its name."""
        kinds: dict[str, Callable[[str], None]] = {
            "killed": self.kill,
            "stopped": self.stop,
            "switched off": self.flap,
            "without files": self.starve,
            "short of memory": self.squeeze,
            "flooded": self.flood,
            "saturated": self.saturate,
            "told to reload": self.hang_up,
        }
        if self.early or self.chosen:
            kinds["without a medium"] = self.end_medium
        if os.path.ismount(root()):
            kinds["disk full"] = self.fill
        return {name: kind for name, kind in kinds.items() if name in (self.chosen or kinds)}

    def fault(self) -> None:
        """Do something bad to a node, and wait until it is well again."""
        victim, other = self.pair()
        kinds = self.kinds()
        kind = self.rng.choice(list(kinds))
        if kind == "killed" and victim in SPARED:
            victim, other = next(name for name in self.lab.namespaces if name not in SPARED), victim
        kinds[kind](victim)
        begun = time.monotonic()
        while True:
            self.look(more=False)
            if self.now() - self.weighed > WEIGH_EACH_S:
                self.weigh()
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
        self.end("multihop-node", "--node", victim)

    def end(self, *words: str) -> None:
        """End a process on purpose."""
        if pid := self.process(*words):
            self.killed.add(pid)
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

    def squeeze(self, victim: str) -> None:
        """Let it have no more memory than a little, while another node floods it."""
        pid = self.process("multihop-node", "--node", victim)
        if pid is None:
            return
        status = Path(f"/proc/{pid}/status").read_text().splitlines()
        [data] = [int(line.split()[1]) << 10 for line in status if line.startswith("VmData")]
        before = resource.prlimit(pid, resource.RLIMIT_DATA)
        resource.prlimit(pid, resource.RLIMIT_DATA, (data + HEADROOM, before[1]))
        self.flood(victim)
        self.saturate(victim)
        with suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_DATA, before)

    def fill(self, victim: str) -> None:
        """Fill the disk; half of the victims are to start meanwhile, and cannot."""
        ballast = root() / "ballast"
        with ballast.open("wb", buffering=0) as file:
            try:
                while file.write(bytes(1 << 16)):
                    pass
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise
        if victim not in SPARED and self.rng.random() < 0.5:
            self.cannot_start.add(victim)
            self.kill(victim)
        self.pause()
        self.hang_up(victim)
        self.pause()
        ballast.unlink()

    def member(self, victim: str, program: str, *words: str) -> None:
        """Let another node run a program against it."""
        here = self.rng.choice([name for name in self.lab.namespaces if name != victim])
        self.lab.run(here, [sys.executable, "-S", "-c", program, victim, *words])

    def flood(self, victim: str) -> None:
        """Let another node open many flows to it."""
        self.member(victim, FLOOD)

    def saturate(self, victim: str) -> None:
        """Let another node send it more than the medium carries, for ten seconds of the medium."""
        self.member(victim, SATURATE, str(10 * self.scale))

    def hang_up(self, victim: str) -> None:
        """Tell it to read its configuration again."""
        if pid := self.process("multihop-node", "--node", victim):
            os.kill(pid, signal.SIGHUP)

    def end_medium(self, _victim: str) -> None:
        """End the medium; the lab starts another one."""
        self.end("multihop-ether")

    def slopes(self, seconds: float) -> dict[int, tuple[float, int]]:
        """Return slopes in kB/s and sizes in kB of processes that were there for long."""
        slopes = {}
        for pid, points in self.memory.items():
            # in the first half tables fill, each flood a little more of them
            settled = points[len(points) // 2 :]
            times, sizes = zip(*settled, strict=True)
            if times[-1] - times[0] > seconds / 4 and len(settled) > 2:
                slope = statistics.linear_regression(times, sizes).slope
                slopes[pid] = (slope, sizes[0])
        return slopes

    def grown(self, seconds: float) -> list[str]:
        """Return the processes that grow, of those that were there for long."""
        return [
            f"process {pid} grows by {slope * 3600:.0f} kB/h from {before} kB"
            for pid, (slope, before) in self.slopes(seconds).items()
            if slope * seconds > before * GROWTH + GROWTH_KB
        ]

    def panics(self) -> list[str]:
        """Return what the logs of all programs say of panics."""
        logs = {name: self.lab.plan.log(name) for name in (*self.lab.namespaces, "ether")}
        lines = ((name, log.read_text(errors="replace").splitlines()) for name, log in logs.items())
        return [f"{name}: {line}" for name, said in lines for line in said if "panicked" in line]


def root() -> Path:
    """Return where labs are."""
    return Path(os.environ.get("XDG_RUNTIME_DIR", f"/tmp/multihop-{os.geteuid()}"))


def inside(folder: str) -> int:
    """Run this program again with disks of its own in `folder`; return its exit code."""
    mounts = (("labs", DISK), ("records", RECORDS))
    script = " && ".join(
        f"mkdir {folder}/{name} && mount -t tmpfs -o size={size},mode=700 none {folder}/{name}"
        for name, size in mounts
    )
    command = ["unshare", *tools.own_user(), "--mount", "sh", "-c", f'{script} && exec "$@"', "sh"]
    own = {"XDG_RUNTIME_DIR": f"{folder}/labs", INSIDE: folder}
    words = [sys.executable, *sys.argv]
    return subprocess.run([*command, *words], env={**os.environ, **own}).returncode


@contextmanager
def programs(folder: str) -> Iterator[None]:
    """Let nodes start with clocks of their own, where the kernel has time namespaces."""
    probe = ["unshare", "--time", "--fork", "--monotonic", "1", "true"]
    if subprocess.run(probe, capture_output=True).returncode:
        print(json.dumps({"left_out": "clocks", "why": "no time namespaces here"}))
        yield
        return
    bin_ = Path(folder) / "bin"
    bin_.mkdir()
    (bin_ / "multihop-ether").symlink_to(tools.program("multihop-ether"))
    node = bin_ / "multihop-node"
    node.write_text(NODE.format(node=shlex.quote(tools.program("multihop-node"))))
    node.chmod(0o755)
    before = os.environ.get("MULTIHOP_BIN")
    os.environ["MULTIHOP_BIN"] = str(bin_)
    try:
        yield
    finally:
        del os.environ["MULTIHOP_BIN"]
        if before is not None:
            os.environ["MULTIHOP_BIN"] = before


def run(minutes: float, seed: int, scale: float, chosen: tuple[str, ...]) -> int:
    """Run for so long; return the exit code."""
    folder = os.environ[INSIDE]
    options = Options(
        time_scale=scale, sealed=True, node_flags=("--record", f"{folder}/records/{{node}}")
    )
    with programs(folder), Lab.up(Scenario.from_toml(SCENARIO), "soak", options) as lab:
        soak = Soak(lab, random.Random(seed), scale, chosen=chosen)
        if unknown := set(chosen) - set(soak.kinds()):
            known = ", ".join(Soak(lab, soak.rng, scale).kinds())
            print(f"--faults {', '.join(sorted(unknown))}: there are {known}")
            return 2
        server = [sys.executable, "-S", "-c", SERVER, str(PORT)]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
        servers = [lab.popen(node, server, **quiet) for node in lab.namespaces]
        try:
            soak.begun = time.monotonic()
            while soak.now() < minutes * 60:
                soak.early = soak.now() < minutes * 20
                soak.look(more=True)
                soak.weigh()
                soak.fault()
                # who could not start has by now
                soak.weigh()
                soak.cannot_start.clear()
            end = time.monotonic() + PATIENCE_S * scale + 60
            while soak.transfers and time.monotonic() < end:
                soak.look(more=False)
                time.sleep(0.05)
        finally:
            for process in (*servers, *(transfer for _, transfer in soak.transfers)):
                process.kill()
        panics = soak.panics()
        lost = sum(
            node.get("counters", {}).get("not_recorded", 0) for node in lab.status()["nodes"]
        )
    unfinished = [f"{name} did not end" for name, _ in soak.transfers]
    slopes = soak.slopes(minutes * 60)
    unwatched = [] if slopes else ["no process was there for long enough to see whether it grows"]
    problems = [*soak.wrong, *unfinished, *panics, *unwatched, *soak.grown(minutes * 60)]
    for kind, times in sorted(soak.recoveries.items()):
        worst, median = round(max(times), 2), round(statistics.median(times), 2)
        print(
            json.dumps({"fault": kind, "times": len(times), "median_s": median, "worst_s": worst})
        )
    if slopes:
        hourly = sorted(slope * 3600 for slope, _ in slopes.values())
        row = {"processes_watched": len(slopes), "median_kb_per_hour": statistics.median(hourly)}
        row |= {"worst_kb_per_hour": hourly[-1]}
        print(json.dumps({name: round(value) for name, value in row.items()}))
    last = {"seed": seed, "whole_transfers": soak.whole, "recordings_ended_by_a_full_disk": lost}
    print(json.dumps({**last, "problems": problems}))
    return 1 if problems or not soak.whole else 0


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--time-scale", type=float, default=0.3)
    parser.add_argument("--faults", default="", help="which there are, with commas; all without it")
    given = parser.parse_args()
    if lacking := tools.missing():
        print(f"skipped: {lacking}")
        return 0
    if INSIDE not in os.environ:
        with tempfile.TemporaryDirectory(prefix="multihop-soak-") as folder:
            return inside(folder)
    chosen = tuple(filter(None, given.faults.split(",")))
    return run(given.minutes, given.seed, given.time_scale, chosen)


if __name__ == "__main__":
    sys.exit(main())
