"""Real daemons beside the simulator, and the kernel's TCP over them.

    python benches/on_linux.py tcp       # TCP over chains, end to end and through proxies
    python benches/on_linux.py agree     # UDP over four hops, on Linux and in the simulator
    python benches/on_linux.py many      # how late a medium of 25 nodes is; --radio a54 --nodes 50
    python benches/on_linux.py flood     # the memory of a node under a million frames of noise

Every row is printed as it is measured. `--time-scale 0.2` runs five times faster than real time.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import re
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from multihop import Scenario, run
from multihop.lab import Lab, Options
from multihop.lab.traffic import DATAGRAMS, HEADERS, goodput, running

UDP = {"scheme.name": "udp"}
CXCC = {"scheme.name": "cxcc"}
HXH = {"scheme.name": "hxh"}
# TCP end to end over each, and ended at the edge.
CARRIERS = [(scheme, proxy) for scheme in (UDP, CXCC, HXH) for proxy in (False, True)]
# Reads all that comes over one TCP connection, and says every half second how much that was.
SINK = """
import json, select, socket, time
with socket.create_server(("", 5001)) as server:
    print("ready", flush=True)
    link, _ = server.accept()
    link.setblocking(False)
    got = 0
    while True:
        if select.select([link], [], [], 0.05)[0]:
            part = link.recv(65536)
            got += len(part)
            if not part:
                break
        print(json.dumps([time.monotonic(), got]), flush=True)
"""

# Sends over one TCP connection for ever.
FLOOD = """
import socket, sys
with socket.create_connection((sys.argv[1], 5001), timeout=120) as link:
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, sys.argv[2].encode())
    while True:
        link.sendall(b"." * 4096)
"""

# Hears frames for a while, then sends noise, and what it has heard: cut off, changed, again.
NOISE = """
import random, socket, sys, time
link = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x88B5))
link.bind(("radio0", 0))
heard = [link.recv(2000) for _ in range(200)]
draw = random.Random(1)
def frame(kind):
    whole = draw.choice(heard)
    if kind == 0:
        return whole[:18] + draw.randbytes(draw.randrange(500))
    if kind == 1:
        return whole[:draw.randrange(14, len(whole))]
    if kind == 2:
        at = draw.randrange(18, len(whole))
        return whole[:at] + bytes([whole[at] ^ draw.randrange(1, 256)]) + whole[at + 1:]
    return whole
total = int(sys.argv[1])
for number in range(total + 1):
    if number % (total // 10) == 0:
        print(number, flush=True)
    link.send(frame(number % 4))
    if number % 100 == 0:
        time.sleep(0.002)
time.sleep(5)
"""

# ICMP echoes, one after the other: seconds until the answer, or "lost" after five.
PING = """
import socket, struct, sys, time
peer, scale = sys.argv[1], float(sys.argv[2])
ping = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
number = 0
while True:
    number = number + 1 & 0xFFFF
    head = struct.pack("!BBHHH", 8, 0, 0, 77, number)
    total = sum(struct.unpack("!4H", head))
    total = (total >> 16) + (total & 0xFFFF)
    begun = time.monotonic()
    ping.sendto(head[:2] + struct.pack("!H", ~total & 0xFFFF) + head[4:], (peer, 0))
    end = begun + 5 * scale
    said = "lost"
    while said == "lost" and (left := end - time.monotonic()) > 0:
        ping.settimeout(left)
        try:
            answer = ping.recv(200)[20:28]
        except TimeoutError:
            break
        if struct.unpack("!BBHHH", answer) [0] == 0 and answer[4:] == head[4:]:
            said = (time.monotonic() - begun) / scale
    print(said, flush=True)
    time.sleep(0.2 * scale)
"""


def show(row: dict[str, Any], lab: Lab) -> None:
    """Print a row, and how late the medium was."""
    lag = lab.status()["ether"]["lag"]
    late = {"lag_p99_ms": round(lag["p99_s"] * 1e3, 2), "versions": lab.plan.versions}
    print(json.dumps({**row, **late}), flush=True)


def agree(given: argparse.Namespace) -> None:
    """Packets of 512 B over four hops, from a source that always has some."""
    for scheme in (UDP, CXCC, {**CXCC, "scheme.rfa": False}, HXH):
        scenario = chain(4, 'kind = "ftp", payload = "512 B"').with_(**scheme)
        simulated = run(scenario).runs.row(0, named=True)["goodput_bit_s"]
        options = Options(time_scale=given.time_scale, node_flags=("--defaults", "paper"))
        with Lab.up(scenario, "agree", options) as lab:
            interval = str(0.01 * given.time_scale)
            with (
                running(lab, "n0", DATAGRAMS, "n4", str(512 - HEADERS), interval),
                running(lab, "n4", DATAGRAMS, "n0", "4", "1e9"),
            ):
                measured = goodput(lab, (4,), 5, given.duration)
            row = {**scheme, "linux_bit_s": round(measured), "simulator_bit_s": round(simulated)}
            show({**row, "ratio": round(measured / simulated, 3)}, lab)


def chain(hops: int, traffic: str = 'load = "1 kbit/s"') -> Scenario:
    """Return a chain at 1 Mbit/s; what would be sent in the simulator matters there only."""
    return Scenario.from_toml(f"""
    topology = {{ kind = "chain", hops = {hops}, spacing = "200 m" }}
    scheme = {{ name = "udp" }}
    traffic = {{ {traffic} }}
    """)


# Radios of a medium with many nodes: spacing of the grid, MAC, radio, s between two packets.
FADES = """
propagation = "log-normal-shadowing"
path_loss_exponent = 3
shadowing_deviation = "0 dB"
transmit_power = "40 mW"
"""
RADIOS = {
    "b2": ("200 m", '{ data_rate = "2 Mbit/s" }', "", 0.01),
    "a24": ("36 m", '{ timing = "ofdm-5", data_rate = "24 Mbit/s", rules = "ns3" }', FADES, 0.002),
    "a54": ("18 m", '{ timing = "ofdm-5", data_rate = "54 Mbit/s", rules = "ns3" }', FADES, 0.002),
    "n52": ("20 m", '{ timing = "ht-5", data_rate = "52 Mbit/s", rules = "ns3" }', FADES, 0.002),
}
COLUMNS = 5


def many(given: argparse.Namespace) -> None:
    """A grid with five nodes in a row, in which every row is flooded from both ends."""
    spacing, mac, radio, each_s = RADIOS[given.radio]
    rows = given.nodes // COLUMNS
    scenario = Scenario.from_toml(f"""
    mac = {mac}
    scheme = {{ name = "{given.scheme}" }}
    traffic = {{ load = "1 kbit/s" }}
    [topology]
    kind = "grid"
    rows = {rows}
    columns = {COLUMNS}
    spacing = "{spacing}"
    horizontal_flows = 1
    [radio]
    {radio}
    """)
    with (
        Lab.up(scenario, "many", Options(time_scale=given.time_scale)) as lab,
        ExitStack() as stack,
    ):
        names = list(lab.namespaces)
        for row in range(0, rows * COLUMNS, COLUMNS):
            ends = names[row], names[row + COLUMNS - 1]
            for here, there in (ends, ends[::-1]):
                words = (there, str(512 - HEADERS), str(each_s * given.time_scale))
                stack.enter_context(running(lab, here, DATAGRAMS, *words))
        [ether] = lab.processes("multihop-ether")
        began, before = time.monotonic(), cpu_s(ether)
        time.sleep(given.duration * given.time_scale)
        busy = (cpu_s(ether) - before) / (time.monotonic() - began)
        medium = {
            "radio": given.radio,
            "scheme": given.scheme,
            "nodes": rows * COLUMNS,
            "ether_cpu": round(busy, 3),
        }
        lag = {"lag": lab.status()["ether"]["lag"]}
        print(json.dumps({**medium, **lag, "versions": lab.plan.versions}))


def cpu_s(pid: int) -> float:
    """Return the processor time that a process has used, in s."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def flood(given: argparse.Namespace) -> None:
    """A million frames that are noise, cut off, changed or heard before, plain and sealed."""
    for sealed in (False, True):
        options = Options(wire=True, sealed=sealed)
        with Lab.up(chain(2).with_(**CXCC), "flood", options) as lab, ExitStack() as stack:
            [relay] = lab.processes("multihop-node", "n1")
            for here, there in (("n0", "n2"), ("n2", "n0")):
                stack.enter_context(running(lab, here, DATAGRAMS, there, "400", "0.05"))
            noise = stack.enter_context(running(lab, "n0", NOISE, str(given.frames)))
            assert noise.stdout is not None
            for sent in noise.stdout:
                status = lab.status()["nodes"][1]
                wanted = ("frames_heard", "malformed", "not_authentic", "replayed")
                counters = {name: status["counters"][name] for name in wanted}
                row: dict[str, Any] = {"sealed": sealed, "versions": lab.plan.versions}
                row |= {"sent": int(sent), "resident_kb": resident_kb(relay)}
                print(json.dumps({**row, **counters, "inside": status["footprint"]}), flush=True)


def resident_kb(pid: int) -> int:
    """Return how much memory a process has."""
    [line] = re.findall(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(line)


def tcp(given: argparse.Namespace) -> None:
    """The kernel's TCP, one and two directions: goodput, and how long a ping takes meanwhile."""

    def measure(number: int, case: tuple[int, tuple[dict[str, str], bool], str, int]) -> None:
        hops, (scheme, proxy), control, ways = case
        options = Options(time_scale=given.time_scale, tcp_proxy=proxy)
        with Lab.up(chain(hops).with_(**scheme), f"tcp-{number}", options) as lab:
            row = stream(lab, hops, control, ways, given)
            tcp = {"tcp": control, "proxies": proxy, "ways": ways}
            show({"hops": hops, **scheme, **tcp, **row}, lab)

    cases = list(itertools.product(given.hops, CARRIERS, given.controls, (1, 2)))
    with ThreadPoolExecutor(given.at_once) as pool:
        list(pool.map(measure, range(len(cases)), cases))


def stream(
    lab: Lab, hops: int, control: str, ways: int, given: argparse.Namespace
) -> dict[str, Any]:
    """Let connections run both ways or one, and a ping beside them."""
    ends = (("n0", f"n{hops}"), (f"n{hops}", "n0"))[:ways]
    scale = given.time_scale
    counts: list[list[tuple[float, int]]] = []
    with ExitStack() as stack:
        sinks = [stack.enter_context(running(lab, there, SINK)) for _, there in ends]
        for sink in sinks:
            assert sink.stdout is not None
            sink.stdout.readline()
        for here, there in ends:
            stack.enter_context(running(lab, here, FLOOD, there, control))
        ping = stack.enter_context(running(lab, "n0", PING, f"n{hops}", str(scale)))
        time.sleep((5 + given.duration) * scale)
        for process in (*sinks, ping):
            process.kill()
        for sink in sinks:
            assert sink.stdout is not None
            lines = [line for line in sink.stdout.read().splitlines() if line.endswith("]")]
            counts.append([tuple(json.loads(line)) for line in lines])
        delays, _ = waits(ping)
    rates = [rate(points, given.duration * scale) * scale for points in counts]
    median = delays[len(delays) // 2] if delays else None
    fair = min(rates) / max(rates) if ways == 2 and max(rates) > 0 else None
    return {
        "kbit_s": round(sum(rates) / 1e3, 1),
        "ping_median_s": None if median is None else round(median, 3),
        "pings": len(delays),
        "weaker_to_stronger": None if fair is None else round(fair, 2),
    }


def waits(asking: subprocess.Popen[str]) -> tuple[list[float], int]:
    """Return the waits in s that a process has printed, ascending, and how many were lost."""
    assert asking.stdout is not None
    words = asking.stdout.read().split()
    return sorted(float(word) for word in words if word != "lost"), words.count("lost")


def rate(points: list[tuple[float, int]], duration_s: float) -> float:
    """Return the bits in a second of the last so many seconds."""
    if not points:
        return 0.0
    end, total = points[-1]
    first = next((point for point in points if point[0] >= end - duration_s), points[0])
    return 8 * (total - first[1]) / max(end - first[0], 1e-9)


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("tcp", "agree", "many", "flood"))
    parser.add_argument("--time-scale", type=float, default=1.0)
    parser.add_argument("--duration", type=float, default=120.0, help="seconds of the medium")
    parser.add_argument("--hops", type=int, nargs="+", default=[2, 4, 6])
    parser.add_argument("--controls", nargs="+", default=["cubic", "bbr"])
    parser.add_argument("--at-once", type=int, default=1, help="labs of TCP at the same time")
    parser.add_argument("--radio", choices=RADIOS, default="b2", help="of many")
    parser.add_argument("--scheme", default="cxcc", help="of many")
    parser.add_argument("--nodes", type=int, default=25, help="of many, a multiple of five")
    parser.add_argument("--frames", type=int, default=1_000_000, help="of noise")
    given = parser.parse_args()
    {"tcp": tcp, "agree": agree, "many": many, "flood": flood}[given.what](given)


if __name__ == "__main__":
    main()
