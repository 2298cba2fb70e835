"""What schemes give to applications on Linux: a download, pings, names, keystrokes, two-way TCP.

    python benches/applications.py --runs 2 --at-once 3 --out benches/applications.json

Real processes in a chain of five hops at 2 Mbit/s, for every scheme that carries IP, and for some
with proxies, which end TCP at the nodes. Each run is a lab of its own:

1. for five seconds nothing but pings;
2. `curl` fetches 1 MB from the other end, with pings, questions for names (UDP, 40 B there and
   100 B back) and keystrokes (TCP, one byte there and back, as ssh does) beside it;
3. a source sends 1 Mbit/s of UDP, more than five hops carry, with pings;
4. TCP both ways at once, with CUBIC and with BBR, with pings.

The page is `docs/guides/applications.md`; `python -m tests.generate` makes its tables.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from on_linux import PING, stream, waits

from multihop import Scenario
from multihop._multihop import schemes
from multihop.lab import Lab, Options, tools
from multihop.lab.traffic import DATAGRAMS, HEADERS, running
from multihop_papers.compare.entries import STANDS_FOR

HOPS, RATE = 5, "2 Mbit/s"
FIRST, LAST = "n0", f"n{HOPS}"
FILE_BYTES = 1_000_000
# So long a download may take, and what else runs beside pings, in s.
PATIENCE_S, IDLE_S, LOADED_S = 120.0, 5.0, 20.0
FLOOD_BYTES, FLOOD_S = 512, 512 * 8 / 1e6
# Ends of TCP at the nodes are made for schemes with back-pressure; plain forwarding shows why.
WITH_PROXIES = ("udp", "cxcc", "hxh", "wake")

# Serves a file of so many bytes over HTTP.
SERVER = """
import http.server, sys
body = b"." * int(sys.argv[1])
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *words):
        pass
server = http.server.ThreadingHTTPServer(("", 8000), Handler)
print("ready", flush=True)
server.serve_forever()
"""

# Answers 100 B to every datagram.
NAMES = """
import socket
link = socket.socket(type=socket.SOCK_DGRAM)
link.bind(("", 53))
print("ready", flush=True)
while True:
    question, peer = link.recvfrom(2000)
    link.sendto(question[:2].ljust(100, b"."), peer)
"""

# Asks twice a second, and says how long the answer took, or "lost" after five seconds.
ASKING = """
import socket, sys, time
link = socket.socket(type=socket.SOCK_DGRAM)
link.connect((sys.argv[1], 53))
number = 0
while True:
    number += 1
    name = number.to_bytes(2, "big")
    begun = time.monotonic()
    try:
        link.send(name.ljust(40, b"."))
        while True:
            link.settimeout(max(begun + 5 - time.monotonic(), 1e-3))
            if link.recv(200)[:2] == name:
                break
        print(time.monotonic() - begun, flush=True)
    except OSError:
        print("lost", flush=True)
    time.sleep(0.5)
"""

# Gives every byte back.
ECHO = """
import socket
with socket.create_server(("", 22)) as server:
    print("ready", flush=True)
    link, _ = server.accept()
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    while data := link.recv(100):
        link.sendall(data)
"""

# Types five keys a second, and says how long each took to come back.
KEYS = """
import socket, sys, time
with socket.create_connection((sys.argv[1], 22), timeout=60) as link:
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    while True:
        begun = time.monotonic()
        link.sendall(b"k")
        link.recv(1)
        print(time.monotonic() - begun, flush=True)
        time.sleep(max(begun + 0.2 - time.monotonic(), 0))
"""


def carriers() -> list[tuple[str, bool]]:
    """List the schemes that carry IP and vary no other one, and whether TCP ends at nodes."""
    names = [s["name"] for s in schemes() if not s["floods"] and s["name"] not in STANDS_FOR]
    return [
        (name, proxy) for name in names for proxy in (False, True)[: 1 + (name in WITH_PROXIES)]
    ]


def chain(scheme: str) -> Scenario:
    """Return a chain of five hops; what would be sent in the simulator matters there only."""
    return Scenario.from_toml(f"""
    topology = {{ kind = "chain", hops = {HOPS}, spacing = "200 m" }}
    mac = {{ data_rate = "{RATE}" }}
    scheme = {{ name = "{scheme}" }}
    traffic = {{ load = "1 kbit/s" }}
    """)


def answers(process: subprocess.Popen[str]) -> dict[str, Any]:
    """End a process that prints how long each answer took; return their median, and the lost."""
    process.kill()
    times, lost = waits(process)
    return {
        "median_s": times[len(times) // 2] if times else None,
        "p95_s": times[int(0.95 * len(times))] if times else None,
        "answered": len(times),
        "lost": lost,
    }


def download(lab: Lab) -> dict[str, Any]:
    """Fetch a file, and look how long others wait meanwhile."""
    with ExitStack() as stack:
        for code in (SERVER, NAMES, ECHO):
            words = (str(FILE_BYTES),) if code is SERVER else ()
            server = stack.enter_context(running(lab, LAST, code, *words))
            assert server.stdout is not None
            server.stdout.readline()
        keys = stack.enter_context(running(lab, FIRST, KEYS, LAST))
        time.sleep(2)
        curl = ["curl", "-s", "-o", "/dev/null", "-w", "%{size_download} %{time_total}"]
        curl += ["-m", f"{PATIENCE_S:g}", f"http://{LAST}:8000/"]
        fetching = lab.popen(FIRST, curl, stdout=subprocess.PIPE)
        beside = {
            "keys": keys,
            "ping": stack.enter_context(running(lab, FIRST, PING, LAST, "1")),
            "names": stack.enter_context(running(lab, FIRST, ASKING, LAST)),
        }
        said, _ = fetching.communicate()
        size, seconds = map(float, said.split())
        found = {name: answers(process) for name, process in beside.items()}
        return {"whole": size == FILE_BYTES, "kbit_s": round(8e-3 * size / seconds, 1), **found}


def pinged(lab: Lab, seconds: float) -> dict[str, Any]:
    """Ping for so long."""
    with running(lab, FIRST, PING, LAST, "1") as ping:
        time.sleep(seconds)
        return answers(ping)


def flooded(lab: Lab) -> dict[str, Any]:
    """Ping while a source sends more than the network carries."""
    words = (LAST, str(FLOOD_BYTES - HEADERS), str(FLOOD_S))
    with running(lab, FIRST, DATAGRAMS, *words), running(lab, LAST, DATAGRAMS, FIRST, "4", "1e9"):
        time.sleep(2)
        return pinged(lab, LOADED_S)


def measured(number: int, scheme: str, proxy: bool) -> dict[str, Any]:
    """Put all loads on a lab of its own, one after the other."""
    given = argparse.Namespace(time_scale=1.0, duration=LOADED_S)
    row: dict[str, Any] = {"scheme": scheme, "proxies": proxy}
    with Lab.up(chain(scheme), f"applications-{number}", Options(tcp_proxy=proxy)) as lab:
        row["idle"] = pinged(lab, IDLE_S)
        row["download"] = download(lab)
        for control in ("cubic", "bbr"):
            time.sleep(5)
            row[control] = stream(lab, HOPS, control, 2, given)
        time.sleep(5)
        row["flood"] = flooded(lab)
        row["lag_p99_s"] = lab.status()["ether"]["lag"]["p99_s"]
    return row


def main(words: Sequence[str]) -> None:
    """Measure, and keep the rows."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=2, help="labs of each kind")
    parser.add_argument("--at-once", type=int, default=3, help="labs at the same time")
    parser.add_argument("--schemes", nargs="+", help="these alone")
    parser.add_argument("--out", type=Path, help="where the rows are kept")
    given = parser.parse_args(words)
    if given.out is not None and (slow := tools.slow()):
        parser.error(f"nothing is kept of {slow}")
    kinds = [kind for kind in carriers() if given.schemes is None or kind[0] in given.schemes]
    cases = [kind for kind, _ in itertools.product(kinds, range(given.runs))]

    def one(number: int) -> dict[str, Any]:
        row = measured(number, *cases[number])
        print(json.dumps(row), flush=True)
        return row

    with ThreadPoolExecutor(given.at_once) as pool:
        rows = list(pool.map(one, range(len(cases))))
    kept = {
        "command": f"python benches/applications.py --runs {given.runs} --at-once {given.at_once}",
        "kernel_tcp": Path("/proc/sys/net/ipv4/tcp_congestion_control").read_text().strip(),
        "versions": tools.versions(),
        "cores": os.cpu_count(),
        "load_average": round(os.getloadavg()[2], 1),
        "worst_lag_p99_s": max(row["lag_p99_s"] for row in rows),
        "median_lag_p99_s": statistics.median(row["lag_p99_s"] for row in rows),
        "rows": rows,
    }
    if given.out is not None:
        given.out.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
