"""What a scheme costs that is written in Python, beside the same one that is built in."""

from __future__ import annotations

import json
import resource
import statistics
from typing import Any

from rich.console import Console

from multihop import _multihop as engine, prototype

SIMULATED_S = 300.0


class Queue(prototype.Fifo):
    """The usual one."""


class Reno(prototype.CongestionControl):
    """Opens the window as NewReno does."""

    def on_ack(self, context: prototype.Context, tcp: prototype.Tcp) -> None:
        super().on_ack(context, tcp)


DATAGRAMS = {"source": prototype.Datagram, "destination": prototype.Datagram}
# name: the scheme, the built-in one, and what is sent
SCHEMES = {
    "queue-in-python": (prototype.Scheme("queue-in-python", hop=Queue), "udp"),
    "all-in-python": (prototype.Scheme("all-in-python", hop=Queue, **DATAGRAMS), "udp"),
    "window-in-python": (prototype.Scheme("window-in-python", control=Reno), "newreno"),
}


def user_seconds(scenario: dict[str, Any], scheme: str) -> float:
    """Run a scenario with a scheme; return its user CPU time."""
    keys = {"scheme": {"name": scheme}, "warmup": "0 s", "duration": f"{SIMULATED_S} s"}
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    engine.run(json.dumps(scenario | keys))
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime - before


def measure(scenario: dict[str, Any], repeats: int) -> dict[str, Any]:
    """Measure each beside the scheme that it stands for, in turn: medians in s, and their ratio."""
    rows = {}
    for name, (scheme, built_in) in SCHEMES.items():
        prototype.register(scheme)
        pairs = [
            (user_seconds(scenario, name), user_seconds(scenario, built_in)) for _ in range(repeats)
        ]
        prototype.unregister(name)
        own, other = (statistics.median(values) for values in zip(*pairs, strict=True))
        rows[name] = {"python_s": own, "built_in_s": other, "ratio": own / other}
    return rows


def show(rows: dict[str, Any], console: Console) -> None:
    """Print what they cost."""
    for name, row in rows.items():
        console.print(
            f"chain of 10 hops, {name}: {row['python_s']:.3f} s of CPU for {SIMULATED_S:g} s, "
            f"built in {row['built_in_s']:.3f} s, ratio {row['ratio']:.2f}"
        )
