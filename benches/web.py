#!/usr/bin/env python3
"""How fast the engine is as a WebAssembly module, how large, and what a first visit sees.

The native engine and the module run the same scenarios in turn, several times; the table has
medians of CPU time, also of the ratios of each turn, without set-up. Fingerprints have to be equal.
Needs the module (`make web`), Node, `viewer/node_modules`, and Chromium for the last part; what is
missing is said and left out.
`--json` prints the numbers for other programs.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent))

import bench  # no package: its scripts run alone

from multihop import _multihop as engine
from multihop.viewing.playground import MODULE

VIEWER = Path(__file__).resolve().parent.parent / "viewer"
# The runs, and how many times the CPU time of the native engine each may take.
CHAIN_BAR, NETWORK_BAR = 1.6, 2.0
BARS = {
    "chain of 10 hops, RTS/CTS": CHAIN_BAR,
    "chain of 10 hops": CHAIN_BAR,
    "chain of 10 hops, CXCC+RFA": CHAIN_BAR,
    "150 nodes": NETWORK_BAR,
    "150 nodes, NewReno, AODV": NETWORK_BAR,
}
# A module is compiled by a better compiler while it runs, which is not what is measured: so much of
# a run goes ahead.
AHEAD = 0.5
# Compressed bytes of all that a first visit loads.
LOAD_BAR_KB = 1500.0


class Node:
    """The module in a process of Node, which is asked for one run after the other."""

    def __init__(self, module: Path) -> None:
        self.process = subprocess.Popen(
            ["node", "tools/bench.mjs", str(module.resolve())],
            cwd=VIEWER,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, scenario: dict[str, Any], duration: float) -> tuple[float, str]:
        """Return the user CPU time of a run, and its fingerprint."""
        assert self.process.stdin
        assert self.process.stdout
        question = {"scenario": scenario, "duration": f"{duration} s"}
        print(json.dumps(question), file=self.process.stdin, flush=True)
        answer = json.loads(self.process.stdout.readline())
        return answer["seconds"], answer["fingerprint"]

    def end(self) -> None:
        """End the process."""
        self.process.communicate()


def native(scenario: dict[str, Any], duration: float) -> tuple[float, str]:
    """Return the user CPU time of a run of the native engine, and its fingerprint."""
    text = json.dumps(scenario | {"warmup": "0 s", "duration": f"{duration} s"})
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    runs = engine.run(text)["runs"]
    seconds = resource.getrusage(resource.RUSAGE_SELF).ru_utime - before
    return seconds, str(runs["fingerprint"][0])


def compared(title: str, node: Node, repeats: int) -> dict[str, Any]:
    """Measure one of the runs in both, in turn."""
    scenario = bench.CASES[title].scenario
    duration = bench.CHAIN_SIMULATED_S if title.startswith("chain") else bench.SIMULATED_S
    node.run(scenario, AHEAD * duration)
    seconds: dict[str, list[float]] = {"native": [], "web": []}
    for _ in range(repeats):
        prints = set()
        for name, measure in (("native", native), ("web", node.run)):
            setup, _ = measure(scenario, bench.SETUP_S)
            whole, fingerprint = measure(scenario, duration)
            seconds[name].append((whole - setup) / (duration - bench.SETUP_S))
            prints.add(fingerprint)
        if len(prints) > 1:
            raise SystemExit(
                f"{title}: the module has another fingerprint; build it anew: make web"
            )
    row = {f"{name}_s": statistics.median(values) for name, values in seconds.items()}
    ratio = bench.ratio(seconds["web"], seconds["native"])
    return {"case": title, **row, "ratio": ratio, "bar": BARS[title]}


@contextmanager
def served() -> Iterator[str]:
    """Serve the playground, and give its address."""
    command = [sys.executable, "-m", "multihop", "playground"]
    options = ["--no-browser", "--json", "--port", "0"]
    server = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True)
    assert server.stdout
    text = ""
    while not text.rstrip().endswith("}"):
        text += server.stdout.readline()
    try:
        yield json.loads(text)["url"]
    finally:
        server.terminate()
        server.wait()


def first_picture() -> dict[str, Any] | None:
    """Measure a first visit; None without Chromium."""
    if not Path(os.environ.get("CHROMIUM", "/usr/bin/chromium")).exists():
        return None
    with served() as url:
        command = ["node", "tools/first.mjs", url]
        done = subprocess.run(command, cwd=VIEWER, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout))


def show(found: dict[str, Any], console: Console) -> None:
    """Print it."""
    table = Table(title="CPU per simulated second, native and as a WebAssembly module in Node")
    for column in ("case", "native", "module", "ratio", "bar", ""):
        table.add_column(column, justify="left" if column == "case" else "right")
    for row in found["runs"]:
        times = [f"{row[f'{name}_s'] * 1e3:.2f} ms" for name in ("native", "web")]
        verdict = "met" if row["ratio"] <= row["bar"] else "missed"
        table.add_row(row["case"], *times, f"{row['ratio']:.2f}", f"{row['bar']:g}", verdict)
    console.print(table)
    size = found["module_bytes"], found["module_gzip_bytes"]
    console.print(f"the module: {size[0] / 1e6:.2f} MB, {size[1] / 1e6:.2f} MB compressed")
    if page := found["page"]:
        verdict = "met" if page["kilobytes"] <= LOAD_BAR_KB else "missed"
        console.print(
            f"a first visit: the network after {page['open_ms'] / 1e3:.1f} s, a replay after "
            f"{page['replay_ms'] / 1e3:.1f} s, {page['kilobytes']:.0f} kB compressed "
            f"(bar: {LOAD_BAR_KB:.0f} kB: {verdict})"
        )
        console.print(
            f"the replay: {page['frames_s']:.0f} frames a second, "
            f"{page['drawing_ms']:.1f} ms to draw one"
        )


def missing(module: Path) -> str | None:
    """Return what is not here, and how to get it."""
    if not module.is_file():
        return f"there is no '{module}': make web"
    if not shutil.which("node"):
        return "there is no Node: apt-get install nodejs npm"
    if not (VIEWER / "node_modules").is_dir():
        return "the page's packages are not here: make viewer/node_modules"
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--module", type=Path, default=MODULE, help="another build of the module")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    console = Console()
    if reason := missing(given.module):
        print(f"left out: {reason}", file=sys.stderr)
        return 0
    node = Node(given.module)
    runs = [compared(title, node, given.repeats) for title in BARS]
    node.end()
    content = given.module.read_bytes()
    found = {
        "runs": runs,
        "module_bytes": len(content),
        "module_gzip_bytes": len(gzip.compress(content, 9)),
        "page": first_picture(),
    }
    if given.json:
        print(json.dumps(found))
    else:
        show(found, console)
    return 0


if __name__ == "__main__":
    sys.exit(main())
