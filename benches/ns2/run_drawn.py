#!/usr/bin/env python3
"""Draw scenarios at random and run them in ns-2 (docs/validation/data/ns2_drawn.json and .csv).

    python3 run_drawn.py                                  those of the page, in docs/validation/data
    python3 run_drawn.py -o FOLDER --first 5000 --count 20      others, which nobody has seen before
    python3 run_drawn.py -o FOLDER --first 5000 --count 20 --moving      whose nodes move

All of a scenario follows from its number, and whether its nodes move. One CSV row is one run of
ns-2; docs/validation/data/README_drawn.md explains the columns, and how to compare others.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import shutil
import sys
import tempfile
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import batch
from observed import command, result

# Those of the page: whose nodes rest, and whose nodes move.
RESTING, MOVING = range(1001, 1121), range(2001, 2049)
SEEDS = 20
WARM_S, DURATION_S = 10, 30
RANGE_M = 250.0
PER_KM2 = 1e-6
# Of three scenarios one has transfers.
EVERY_TRANSFER = 3
COLUMNS = ("case", "seed", "goodput_kbps", "per_flow_kbps")
# Nodes that move do so, with pauses, until all is over: at so many m/s at most.
MOVING_S, SPEEDS, SLOWEST, PAUSE_S = 42.0, (2, 5, 10, 20), 1.0, 5.0
# What of a scenario is an option of the scripts as it is.
OPTIONS = ("pkt", "rate", "basic", "rts", "ifqlen", "short", "long", "rp", "prop")

Scenario = dict[str, Any]


class Run(NamedTuple):
    """A scenario and a seed."""

    scenario: Scenario
    seed: int


def draw(number: int, moving: bool = False) -> Scenario:
    """Draw a scenario: nodes and flows, packets, rates, limits, routing, load, movement."""
    rng = random.Random(number)
    nodes = _nodes(rng)
    transfer = number % EVERY_TRANSFER == 0
    rate = rng.choice(("1Mb", "2Mb", "5.5Mb", "11Mb"))
    routing = rng.choice(("AODV", "DSR") if moving else ("TUNNEL", "AODV", "DSR"))
    queue = 50 if transfer or routing == "DSR" else rng.choice((5, 20, 50))
    shadowed = rng.random() < 0.3 and not transfer and routing == "TUNNEL"
    scenario = {
        "case": number,
        "pkt": rng.choice((64, 256, 512, 1000, 1460)),
        "rate": rate,
        "basic": rng.choice(("1Mb", "2Mb")) if rate != "1Mb" else rate,
        "rts": rng.choice((0, 3000)),
        "ifqlen": queue,
        "short": rng.choice((4, 7)),
        "long": rng.choice((2, 4, 7)),
        "rp": routing,
        "prop": "shadowing" if shadowed else "tworay",
    }
    if transfer:
        scenario |= {
            "tcp": rng.choice(("Tahoe", "Reno", "Newreno", "Sack1", "Vegas")),
            "window": rng.choice((4, 8, 20, 32)),
            "sink": rng.choice(("plain", "plain", "delack")),
        }
    else:
        share = rng.choice((0.02, 0.05, 0.1, 0.2, 0.5))
        scenario["load"] = round(1000 * float(rate.removesuffix("Mb")) * share)
    scenario |= {"nodes": nodes, "routes": _routes(rng, nodes)}
    return scenario | {"moves": _moves(rng, nodes)} if moving else scenario


def _nodes(rng: random.Random) -> list[list[float]]:
    """Draw places until every node can reach every other one."""
    count = rng.choice((8, 12, 16, 25, 40))
    area = count / (rng.choice((60, 80, 110)) * PER_KM2)
    stretch = math.sqrt(rng.choice((1, 2, 4)))
    width, height = math.sqrt(area) * stretch, math.sqrt(area) / stretch
    while True:
        nodes = [
            [round(rng.uniform(0, width), 2), round(rng.uniform(0, height), 2)]
            for _ in range(count)
        ]
        if all(_path(nodes, 0, end) for end in range(1, count)):
            return nodes


def _routes(rng: random.Random, nodes: Sequence[Sequence[float]]) -> list[list[int]]:
    """Draw flows between different pairs; of each the shortest way."""
    pairs: list[list[int]] = []
    for _ in range(rng.choice((1, 2, 3, 5))):
        pair = rng.sample(range(len(nodes)), 2)
        if pair not in pairs and pair[::-1] not in pairs:
            pairs.append(pair)
    return [_path(nodes, source, end) for source, end in pairs]


def _moves(rng: random.Random, nodes: Sequence[Sequence[float]]) -> list[list[float]]:
    """Draw ways from one random place to the next: when, which node, x, y, how fast."""
    width, height = (max(places) for places in zip(*nodes, strict=True))
    fastest = rng.choice(SPEEDS)
    moves = []
    for node, place in enumerate(nodes):
        here, at = place, rng.uniform(0, PAUSE_S)
        while at < MOVING_S:
            there = [round(rng.uniform(0.01, edge), 2) for edge in (width, height)]
            speed = round(rng.uniform(SLOWEST, fastest), 2)
            moves.append([round(at, 2), node, *there, speed])
            at += math.dist(here, there) / speed + rng.uniform(0.01, PAUSE_S)
            here = there
    return moves


def _path(nodes: Sequence[Sequence[float]], source: int, end: int) -> list[int]:
    """Return a shortest way in hops, nothing if there is none: breadth first, in node order."""
    before = {source: source}
    waiting = deque([source])
    while waiting and end not in before:
        here = waiting.popleft()
        for node, place in enumerate(nodes):
            if node not in before and math.dist(nodes[here], place) <= RANGE_M:
                before[node] = here
                waiting.append(node)
    if end not in before:
        return []
    way = [end]
    while way[-1] != source:
        way.append(before[way[-1]])
    return way[::-1]


def simulate(run: Run) -> dict[str, object]:
    """Run ns-2 once and return the CSV row."""
    scenario, seed = run
    options: dict[str, object] = {name: scenario[name] for name in OPTIONS}
    # Over DSR, and if they move, nodes ask for addresses while traffic runs; others know them.
    prewarmed = scenario["rp"] != "DSR" and "moves" not in scenario
    options |= {"seed": seed, "prewarm": int(prewarmed), "dur": DURATION_S}
    if "tcp" in scenario:
        options |= {name: scenario[name] for name in ("tcp", "window", "sink")}
        script, more = "chain_tcp", {"topo": "file", "start": 1, "warm": WARM_S}
    else:
        script, more = "random_cbr", {"load": scenario["load"], "warm": WARM_S}
    flows = [[route[0], route[-1]] for route in scenario["routes"]]
    network = {"nodes": scenario["nodes"], "flows": flows, "routes": scenario["routes"]}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "network.json"
        file.write_text(json.dumps(network), encoding="utf-8")
        if "moves" in scenario:
            more["move"] = Path(folder) / "network.ns_movements"
            more["move"].write_text(_movements(scenario["moves"]), encoding="utf-8")
        said = result(command(script, options | more | {"scen": file}), folder)
    measured = {name: said[name] for name in COLUMNS[2:]}
    return {"case": scenario["case"], "seed": seed, **measured}


def _movements(moves: Sequence[Sequence[float]]) -> str:
    """Return an ns-2 movement file."""
    lines = [
        f'$ns_ at {at} "$node_({node}) setdest {x} {y} {speed}"\n'
        for at, node, x, y, speed in moves
    ]
    return "".join(lines)


def main() -> int:
    """Parse the arguments, draw, run, and write both files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--out", type=Path, default=batch.DEFAULT_OUT, help="output folder")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="simulations at a time")
    parser.add_argument("--first", type=int, help="number of the first scenario")
    parser.add_argument("--count", type=int, default=1, help="how many scenarios")
    parser.add_argument("--moving", action="store_true", help="their nodes move")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="runs of each")
    args = parser.parse_args()
    if shutil.which("ns") is None:
        print(batch.NO_NS, file=sys.stderr)
        return 3
    args.out.mkdir(parents=True, exist_ok=True)
    if args.first is None:
        drawn = [*map(draw, RESTING), *(draw(number, moving=True) for number in MOVING)]
    else:
        numbers = range(args.first, args.first + args.count)
        drawn = [draw(number, args.moving) for number in numbers]
    lines = ",\n".join(json.dumps(scenario) for scenario in drawn)
    (args.out / "ns2_drawn.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    runs = [Run(scenario, seed) for scenario in drawn for seed in range(1, args.seeds + 1)]
    batch.write_csv(args.out / "ns2_drawn.csv", runs, simulate, COLUMNS, args.jobs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
