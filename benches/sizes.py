"""What size costs: set-up, and CPU time per transmission, of networks that are equally dense."""

from __future__ import annotations

import json
import resource
import statistics
from typing import Any

from rich.console import Console
from rich.table import Table

from multihop import _multihop as engine

# Nodes, and the simulated time in which they transmit about as often.
SIZES = {1_000: 30.0, 10_000: 3.0}
# Nodes on a square metre, as in the network of 150 nodes.
DENSITY = 150 / 1500**2
SETUP_S = 0.001
# Of 10,000 nodes: how long the set-up may take, and how many times the CPU per transmission
# of 1,000 nodes.
SETUP_BAR_S, GROWTH_BAR = 0.3, 1.5


def network(nodes: int) -> dict[str, Any]:
    """Return a random network with a flow for every 50 nodes."""
    side = f"{(nodes / DENSITY) ** 0.5:.0f} m"
    topology = {"kind": "random", "nodes": nodes, "flows": nodes // 50, "topology_seed": 1}
    return {
        "topology": topology | {"width": side, "height": side},
        "scheme": {"name": "udp"},
        "traffic": {"kind": "cbr", "load": "100 kbit/s", "payload": "512 B", "start": "0 s"},
    }


def run(nodes: int, duration: float) -> tuple[float, int]:
    """Run a network: user CPU seconds, and how many frames were put on the air."""
    text = json.dumps(network(nodes) | {"warmup": "0 s", "duration": f"{duration} s"})
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    runs = engine.run(text)["runs"]
    seconds = resource.getrusage(resource.RUSAGE_SELF).ru_utime - before
    return seconds, int(runs["transmissions"][0])


def measure(repeats: int) -> dict[str, Any]:
    """Measure both sizes, in turn: medians of the set-up and per transmission, in s."""
    setups: dict[int, list[float]] = {nodes: [] for nodes in SIZES}
    sending: dict[int, list[float]] = {nodes: [] for nodes in SIZES}
    for _ in range(repeats):
        for nodes, duration in SIZES.items():
            setup, _ = run(nodes, SETUP_S)
            seconds, transmissions = run(nodes, duration)
            setups[nodes].append(setup)
            sending[nodes].append((seconds - setup) / transmissions)
    rows = [
        {
            "nodes": nodes,
            "setup_s": statistics.median(setups[nodes]),
            "per_transmission_s": statistics.median(sending[nodes]),
        }
        for nodes in SIZES
    ]
    growth = rows[-1]["per_transmission_s"] / rows[0]["per_transmission_s"]
    return {"sizes": rows, "growth": growth}


def show(measured: dict[str, Any], console: Console) -> None:
    """Print what size costs."""
    table = Table(title="Networks of equal density, UDP: set-up, and CPU per transmission")
    for column in ("nodes", "set-up", "per transmission"):
        table.add_column(column, justify="right")
    for row in measured["sizes"]:
        setup, each = f"{row['setup_s']:.3f} s", f"{row['per_transmission_s'] * 1e6:.2f} us"
        table.add_row(f"{row['nodes']:,}", setup, each)
    console.print(table)
    setup, growth = measured["sizes"][-1]["setup_s"], measured["growth"]
    verdicts = ["met" if setup <= SETUP_BAR_S else "missed"]
    verdicts.append("met" if growth <= GROWTH_BAR else "missed")
    console.print(
        f"set-up of the larger one {setup:.3f} s (bar {SETUP_BAR_S:g} s: {verdicts[0]}), "
        f"{growth:.2f} times the CPU per transmission (bar {GROWTH_BAR:g}: {verdicts[1]})"
    )
