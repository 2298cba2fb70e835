#!/usr/bin/env python3
"""Measure the CPU time that ns-2 needs for one simulated second of saturated traffic.

The user time of the ns process (getrusage of children), median of several runs, minus the
median of the same scenario with 0.01 s of traffic; nothing is traced.  Prints JSON:

    {case: {cpu_s_per_simulated_s, setup_s, repeats, min, max}}

`min` and `max` are the smallest and largest cpu_s_per_simulated_s of the runs.  Run it on an
otherwise idle machine.  The random cases simulate the network in random150.json.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
NO_NS = "ns-2 is not installed: apt-get install ns2"
SETUP_S = 0.01
CHAIN = ["chain_cbr.tcl", "-topo", "bichain", "-hops", "10", "-rp", "STATIC", "-load", "400"]
RANDOM = ["random_cbr.tcl", "-load", "400", "-rp"]
TCP = ["chain_tcp.tcl", "-topo", "file", "-scen", "random150.json", "-tcp", "Newreno", "-cwnd", "0"]
RTS = ["-rts", "0"]
NO_RTS = ["-rts", "3000"]
# name: (script and options, simulated seconds of traffic)
CASES = {
    "bichain10_cbr400_rts": ([*CHAIN, *RTS], 120.0),
    "bichain10_cbr400_norts": ([*CHAIN, *NO_RTS], 120.0),
    "random150_cbr400_static_rts": ([*RANDOM, "TUNNEL", *RTS], 60.0),
    "random150_cbr400_static_norts": ([*RANDOM, "TUNNEL", *NO_RTS], 60.0),
    "random150_cbr400_aodv_rts": ([*RANDOM, "AODV", *RTS], 60.0),
    "random150_cbr400_aodv_norts": ([*RANDOM, "AODV", *NO_RTS], 60.0),
    "random150_newreno_aodv_rts": ([*TCP, "-rp", "AODV", *RTS], 60.0),
    "random150_newreno_aodv_norts": ([*TCP, "-rp", "AODV", *NO_RTS], 60.0),
}


def user_seconds(options: list[str], duration: float) -> float:
    """Run ns once and return its user CPU time."""
    script, *rest = options
    command = ["ns", str(HERE / script), *rest, "-prewarm", "1", "-pkt", "512", "-rate", "1Mb"]
    command += ["-warm", "0", "-dur", str(duration)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    if "RESULT " not in done.stdout:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout}\n{done.stderr}")
    return after - before


def measure(options: list[str], duration: float, repeats: int) -> dict[str, float | int]:
    """Measure one case."""
    setups, totals = [], []
    for _ in range(repeats):
        setups.append(user_seconds(options, SETUP_S))
        totals.append(user_seconds(options, duration))
    setup = statistics.median(setups)
    rates = [(total - setup) / (duration - SETUP_S) for total in totals]
    return {
        "cpu_s_per_simulated_s": round(statistics.median(rates), 6),
        "setup_s": round(setup, 4),
        "repeats": repeats,
        "min": round(min(rates), 6),
        "max": round(max(rates), 6),
    }


def main() -> int:
    """Parse the arguments, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", help=f"default all: {' '.join(CASES)}")
    parser.add_argument("-n", "--repeats", type=int, default=5, help="runs per case")
    parser.add_argument("--scale", type=float, default=1.0, help="multiply the simulated seconds")
    args = parser.parse_args()
    unknown = set(args.cases) - set(CASES)
    if unknown:
        parser.error(f"unknown: {' '.join(sorted(unknown))}; known: {' '.join(CASES)}")
    if shutil.which("ns") is None:
        print(NO_NS, file=sys.stderr)
        return 3
    result = {}
    for name in args.cases or CASES:
        options, duration = CASES[name]
        result[name] = measure(options, duration * args.scale, args.repeats)
    print(json.dumps(result, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
