#!/usr/bin/env python3
"""How fast and how large: CPU seconds per simulated second beside ns-2 and ns-3, and peak memory.

The simulators run the same networks in turn, in one session, each case several times; the
tables have the medians, also of the ratios of each turn, without set-up and without traces. What
is not installed is left out. A third table has the price of movement: the same network, its nodes
at rest and moving, in turn.
`--json` prints the numbers for other programs.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from multihop import _multihop as engine

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "ns2"), str(HERE / "ns3")]

import program as ns3  # noqa: E402  (these are no packages: their scripts run alone)
import prototypes  # noqa: E402
import sizes  # noqa: E402
import timing as ns2  # noqa: E402
import traces  # noqa: E402

# So long that all simulators take about as long: a short run is at the mercy of a noisy machine.
SIMULATED_S = 600.0
CHAIN_SIMULATED_S = 3000.0
SETUP_S = 0.01
# How many times faster than ns-2: the bars, and for the chain what would be better still (a
# program that can do nothing but the chain reaches 28 to 37).
CHAIN_BAR, CHAIN_STRETCH = 13.0, 20.0
NETWORK_BAR = 35.0
TCP_BAR = 28.0
# How many times faster than ns-3.
NS3_CHAIN_BAR, NS3_NETWORK_BAR = 200.0, 300.0
# Simulated by ns-3, which takes about as long for it.
NS3_SIMULATED_S = 5.0
MEMORY_BAR_MB = 200.0
MOVING_BAR = 2.0
MOVING_SIMULATED_S = 100.0
# What stations that measure may cost beside stations that do not, on the same grid.
STATIONS_BAR = 1.5
STATIONS_SIMULATED_S = 60.0
TRAFFIC = {
    "kind": "cbr",
    "load": "400 kbit/s",
    "payload": "512 B",
    "start": "0 s",
    "start_jitter": "5 ms",
}

# Transfers without end, one congestion window of 20 segments each.
TCP = {"kind": "ftp", "payload": "512 B", "start": "0 s", "start_jitter": "5 ms"}

NETWORK = json.loads((HERE / "ns2" / "random150.json").read_text())
NS3_NETWORK = ns3.describe(NETWORK["nodes"], NETWORK["routes"])
HOPS, SPACING_M = 10, 200
NS3_CHAIN = ns3.describe(
    [(SPACING_M * node, 0) for node in range(HOPS + 1)],
    [range(HOPS + 1), range(HOPS, -1, -1)],
)


def chain(scheme: dict[str, Any], mac: dict[str, Any]) -> dict[str, Any]:
    """Return the 10-hop chain with overload at both ends."""
    topology = {"kind": "bidirectional-chain", "hops": HOPS, "spacing": f"{SPACING_M} m"}
    return {"topology": topology, "scheme": scheme, "mac": mac, "traffic": TRAFFIC}


def random150(scheme: dict[str, Any], mac: dict[str, Any]) -> dict[str, Any]:
    """Return the 150-node network with five flows that ns-2 runs, too."""
    nodes = [
        {"name": f"n{number}", "x": f"{x} m", "y": f"{y} m"}
        for number, (x, y) in enumerate(NETWORK["nodes"])
    ]
    flows = [{"from": f"n{source}", "to": f"n{end}"} for source, end in NETWORK["flows"]]
    scenario = {"topology": {"kind": "explicit"}, "node": nodes, "flow": flows}
    return scenario | {"scheme": scheme, "mac": mac, "traffic": TRAFFIC}


def tcp150(mac: dict[str, Any]) -> dict[str, Any]:
    """Return five NewReno flows over AODV in the same network."""
    scenario = random150({"name": "newreno"}, mac)
    return scenario | {"routing": {"kind": "aodv"}, "traffic": TCP}


UDP = {"name": "udp"}
# What a trace costs.
TRACED = {"chain": chain(UDP, {}), "150 nodes": random150(UDP, {})}


class Case(NamedTuple):
    """A run in all simulators, or in ours alone."""

    scenario: dict[str, Any]
    # ns-2's case; None where ns-2 has no such scheme
    ns2: str | None = None
    bar: float | None = None
    stretch: float | None = None
    # ns-3's network; None where no program is here for it
    ns3: str | None = None
    ns3_bar: float | None = None


CASES: dict[str, Case] = {
    "chain of 10 hops, RTS/CTS": Case(
        chain(UDP, {"rts_cts": True}),
        *("bichain10_cbr400_rts", CHAIN_BAR, CHAIN_STRETCH),
        *(NS3_CHAIN, NS3_CHAIN_BAR),
    ),
    "chain of 10 hops": Case(
        chain(UDP, {}),
        *("bichain10_cbr400_norts", CHAIN_BAR, CHAIN_STRETCH),
        *(NS3_CHAIN, NS3_CHAIN_BAR),
    ),
    "chain of 10 hops, CXCC+RFA": Case(chain({"name": "cxcc"}, {})),
    "150 nodes, RTS/CTS": Case(
        random150(UDP, {"rts_cts": True}),
        *("random150_cbr400_static_rts", NETWORK_BAR, None),
        *(NS3_NETWORK, NS3_NETWORK_BAR),
    ),
    "150 nodes": Case(
        random150(UDP, {}),
        *("random150_cbr400_static_norts", NETWORK_BAR, None),
        *(NS3_NETWORK, NS3_NETWORK_BAR),
    ),
    "150 nodes, CXCC+RFA": Case(random150({"name": "cxcc"}, {})),
    "150 nodes, NewReno, AODV, RTS/CTS": Case(
        tcp150({"rts_cts": True}), "random150_newreno_aodv_rts", TCP_BAR
    ),
    "150 nodes, NewReno, AODV": Case(tcp150({}), "random150_newreno_aodv_norts", TCP_BAR),
}


def grid(scheme: str) -> dict[str, Any]:
    """Return eight transfers across a grid of 13 x 13 nodes (WXCP 4.3)."""
    lines = {"rows": 13, "columns": 13, "horizontal_flows": 4, "vertical_flows": 4}
    return {
        "topology": {"kind": "grid", "spacing": "200 m"} | lines,
        "scheme": {"name": scheme},
        "mac": {"rts_cts": True, "data_rate": "2 Mbit/s"},
        "routing": {"kind": "aodv"},
        "traffic": {"kind": "ftp", "payload": "1000 B", "start": "0 s"},
    }


def random200(keys: dict[str, Any]) -> dict[str, Any]:
    """Return 200 nodes with five flows over AODV, as dense as the 150 nodes above."""
    size = {"width": "1700 m", "height": "1700 m"}
    topology = {"kind": "random", "nodes": 200, "flows": 5} | size
    return {"topology": topology, "routing": {"kind": "aodv"}} | keys


# Random waypoints at 1 to 20 m/s.
MOVING = {"kind": "random-waypoint", "min_speed": "1 m/s", "max_speed": "20 m/s"}
PAUSES = {"min_pause": "5 s", "max_pause": "25 s"}
# title: the scenario at rest
MOVING_CASES: dict[str, dict[str, Any]] = {
    "UDP": random200({"scheme": UDP, "traffic": TRAFFIC}),
    "NewReno, RTS/CTS": random200(
        {"scheme": {"name": "newreno"}, "mac": {"rts_cts": True}, "traffic": TCP}
    ),
}


def user_seconds(scenario: dict[str, Any], duration: float) -> float:
    """Run our engine once and return its user CPU time."""
    text = json.dumps(scenario | {"warmup": "0 s", "duration": f"{duration} s"})
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    engine.run(text)
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime - before


def per_simulated_second(measure: Callable[[float], float], duration: float) -> float:
    """Return CPU seconds per simulated second, set-up subtracted."""
    setup = measure(SETUP_S)
    return (measure(duration) - setup) / (duration - SETUP_S)


def others(case: Case, title: str, program: Path | None) -> dict[str, Callable[[], float]]:
    """Return how to measure the case in each of the other simulators that can run it."""
    found: dict[str, Callable[[], float]] = {}
    if case.ns2 and shutil.which("ns"):
        options, duration = ns2.CASES[case.ns2]
        run = partial(ns2.user_seconds, options)
        found["ns2"] = partial(per_simulated_second, run, duration)
    if case.ns3 and program:
        run = partial(ns3.user_seconds, program, case.ns3, "RTS" in title)
        found["ns3"] = partial(per_simulated_second, run, NS3_SIMULATED_S)
    return found


def speed(repeats: int, console: Console) -> list[dict[str, Any]]:
    """Measure every case in all simulators, in turn."""
    with tempfile.TemporaryDirectory() as folder:
        program = ns3.build(Path(folder))
        for there, message in ((shutil.which("ns"), ns2.NO_NS), (program, ns3.NO_NS3)):
            if there is None:
                console.print(f"{message}; it is left out")
        return [compared(title, case, program, repeats) for title, case in CASES.items()]


def compared(title: str, case: Case, program: Path | None, repeats: int) -> dict[str, Any]:
    """Measure a case in all simulators that are there, in turn."""
    duration = CHAIN_SIMULATED_S if title.startswith("chain") else SIMULATED_S
    own = partial(per_simulated_second, partial(user_seconds, case.scenario), duration)
    measures = {"multihop": own} | others(case, title, program)
    seconds: dict[str, list[float]] = {name: [] for name in measures}
    for _ in range(repeats):
        for name, measure in measures.items():
            seconds[name].append(measure())
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    row: dict[str, Any] = {"case": title, "multihop_s": medians["multihop"]}
    for name in ("ns2", "ns3"):
        row[f"{name}_s"] = medians.get(name)
        row[f"{name}_ratio"] = ratio(seconds.get(name, []), seconds["multihop"])
    return row | {"ns2_bar": case.bar, "stretch": case.stretch, "ns3_bar": case.ns3_bar}


def ratio(others: list[float], own: list[float]) -> float | None:
    """Return the median of the ratios of each turn: what both had of the machine was alike."""
    pairs = [other / ours for other, ours in zip(others, own, strict=False)]
    return statistics.median(pairs) if pairs else None


def movement(repeats: int) -> list[dict[str, Any]]:
    """Measure what movement costs: every case at rest and moving, in turn.

    Routes that break make AODV and TCP do other things than at rest, so the ratio is that of the
    CPU time per event.
    """
    rows = []
    for title, scenario in MOVING_CASES.items():
        variants = {
            "still": scenario,
            "pausing": scenario | {"mobility": MOVING | PAUSES},
            "moving": scenario | {"mobility": MOVING},
        }
        seconds: dict[str, list[float]] = {name: [] for name in variants}
        for _ in range(repeats):
            for name, variant in variants.items():
                measure = partial(user_seconds, variant)
                seconds[name].append(per_simulated_second(measure, MOVING_SIMULATED_S))
        row: dict[str, Any] = {"case": title}
        for name, variant in variants.items():
            row[f"{name}_s"] = statistics.median(seconds[name])
            row[f"{name}_per_event_s"] = row[f"{name}_s"] / events_per_second(variant)
        moving = max(row["pausing_per_event_s"], row["moving_per_event_s"])
        rows.append(row | {"ratio": moving / row["still_per_event_s"]})
    return rows


def stations(repeats: int) -> dict[str, Any]:
    """Return the CPU seconds per simulated second of NewReno and of WXCP, and their ratio."""
    seconds: dict[str, list[float]] = {"newreno": [], "wxcp": []}
    for _ in range(repeats):
        for name, times in seconds.items():
            measure = partial(user_seconds, grid(name))
            times.append(per_simulated_second(measure, STATIONS_SIMULATED_S))
    medians = {name: statistics.median(times) for name, times in seconds.items()}
    return medians | {"ratio": medians["wxcp"] / medians["newreno"], "bar": STATIONS_BAR}


def events_per_second(scenario: dict[str, Any]) -> float:
    """Return how many events a simulated second has."""
    text = json.dumps(scenario | {"warmup": "0 s", "duration": f"{MOVING_SIMULATED_S} s"})
    return float(engine.run(text)["runs"]["events"][0]) / MOVING_SIMULATED_S


def memory() -> float:
    """Return the peak memory in MB of a process that runs 1,000 nodes with 20 flows."""
    scenario = {
        "duration": "10 s",
        "topology": {
            "kind": "random",
            "nodes": 1000,
            "width": "3900 m",
            "height": "3900 m",
            "flows": 20,
        },
        "scheme": {"name": "cxcc"},
        "traffic": TRAFFIC | {"load": "50 kbit/s"},
    }
    program = (
        "import resource, sys; from multihop import _multihop as engine; "
        "engine.run(sys.stdin.read()); "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(scenario),
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def show_movement(rows: list[dict[str, Any]], console: Console) -> None:
    """Print what movement costs."""
    table = Table(title="200 nodes, five flows over AODV: CPU per simulated second, per event")
    columns = ("case", "at rest", "pauses 5-25 s", "no pauses", "ratio", f"bar: {MOVING_BAR:g}")
    for column in columns:
        table.add_column(column, justify="left" if column == "case" else "right")
    for row in rows:
        times = [
            f"{row[f'{name}_s'] * 1e3:.2f} ms, {row[f'{name}_per_event_s'] * 1e6:.2f} us"
            for name in ("still", "pausing", "moving")
        ]
        verdict = "met" if row["ratio"] < MOVING_BAR else "missed"
        table.add_row(row["case"], *times, f"{row['ratio']:.2f}", verdict)
    console.print(table)


def show_stations(measured: dict[str, Any], console: Console) -> None:
    """Print what WXCP's stations cost."""
    verdict = "met" if measured["ratio"] <= STATIONS_BAR else "missed"
    console.print(
        f"13 x 13 grid, CPU seconds per simulated second: NewReno {measured['newreno']:.4f}, "
        f"WXCP {measured['wxcp']:.4f}, ratio {measured['ratio']:.2f} "
        f"(bar: {STATIONS_BAR:g}, {verdict})"
    )


def judged(ratio: float | None, bar: float | None, stretch: float | None = None) -> str:
    """Return whether a case meets its bar, and its stretch where it has one."""
    if ratio is None or bar is None:
        return "-"
    if ratio < bar:
        return "missed"
    if stretch is None:
        return "met"
    return f"met, and the stretch of {stretch:g} " + ("too" if ratio >= stretch else "missed")


def show(rows: list[dict[str, Any]], other: str, title: str, console: Console) -> None:
    """Print the table beside another simulator: `other` is its name in the rows."""
    table = Table(title=f"CPU per simulated second, 512 B at 1 Mbit/s, beside {title}")
    for column in ("case", "multihop", title, "ratio", "bar", "verdict"):
        table.add_column(column, justify="left" if column == "case" else "right")
    for row in rows:
        theirs, ratio, bar = (row[f"{other}_{name}"] for name in ("s", "ratio", "bar"))
        stretch = row["stretch"] if other == "ns2" else None
        table.add_row(
            row["case"],
            f"{row['multihop_s'] * 1e3:.3f} ms",
            "-" if theirs is None else f"{theirs * 1e3:.3f} ms",
            "-" if ratio is None else f"{ratio:.1f}",
            "-" if bar is None else f"{bar:g}",
            judged(ratio, bar, stretch),
        )
    console.print(table)


def show_memory(peak_mb: float, console: Console) -> None:
    """Print the peak memory."""
    verdict = "met" if peak_mb < MEMORY_BAR_MB else "missed"
    console.print(
        f"1,000 nodes, 20 flows: the whole process, Python and Polars included, peaks at "
        f"{peak_mb:.0f} MB (bar {MEMORY_BAR_MB:g} MB: {verdict})"
    )


def main() -> int:
    """Parse the arguments, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-n", "--repeats", type=int, default=5, help="runs per case (5)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args()
    console = Console(stderr=args.json)
    begin = time.monotonic()
    rows, moving, peak_mb = speed(args.repeats, console), movement(args.repeats), memory()
    measuring, in_python = stations(args.repeats), prototypes.measure(chain(UDP, {}), args.repeats)
    traced, sized = traces.measure(TRACED, args.repeats), sizes.measure(args.repeats)
    if args.json:
        numbers = {"speed": rows, "movement": moving, "stations": measuring}
        numbers |= {"peak_memory_1000_nodes_mb": peak_mb, "traces": traced, "sizes": sized}
        numbers |= {"prototypes": in_python}
        print(json.dumps(numbers, indent=2))
    else:
        show(rows, "ns2", "ns-2 2.35", console)
        show([row for row in rows if row["ns3_bar"]], "ns3", "ns-3", console)
        show_memory(peak_mb, console)
        show_movement(moving, console)
        show_stations(measuring, console)
        traces.show(traced, console)
        sizes.show(sized, console)
        prototypes.show(in_python, console)
        console.print(f"{time.monotonic() - begin:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
