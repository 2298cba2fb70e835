"""CXCC's figure 22 by real processes: six nodes in a chain at 19.2 kbit/s, a source at either end.

Its scenario, schemes, loads and claims are those of `multihop reproduce cxcc/fig22`, which runs
them in the simulator. What is measured here depends on the machine and differs from run to run, so
`reproduce` does not run it; it shows what is kept of a run.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

import polars as pl

from multihop.engine.interrupts import held_interrupts
from multihop.lab.lab import Lab, Options
from multihop.lab.traffic import DATAGRAMS, HEADERS, goodput, running
from multihop.reproducing import stored
from multihop.reproducing.spec import Claim, Data, Finding, StudyData
from multihop.running.runner import POLL_S, run_many
from multihop.scenario.noting import told_before
from multihop.sweeping.plans import Point

from . import ON_LINUX, testbed
from .relations import GOODPUT
from .rivals import NODES

WARMUP_S, DURATION_S = 20.0, 120.0
# CXCC 8: 32 B of payload. Here that is a whole IP packet, so that as much is on the air.
PAYLOAD = 32
SMALLEST_MTU = 68


@dataclass(frozen=True)
class Measured:
    """What both ends together have got at one load, on Linux and in the simulator, in bit/s."""

    variant: str
    load_kbit_s: float
    run: int
    linux: float
    simulator: float
    # 99 % of the medium's events were not later than this, in its seconds.
    lag_p99_s: float


def measure(runs: int, time_scale: float, at_once: int) -> Iterator[Measured]:
    """Measure every load so many times, in so many labs at once, each as soon as it is done.

    Raises `LabError` if there can be no lab here.
    """
    points = NODES.points(NODES.efforts.choose(quick=True, seeds=runs))
    simulated = [
        result.runs.row(0, named=True)[GOODPUT]
        for result in run_many([point.scenario for point in points], tell=told_before)
    ]
    stop = threading.Event()

    def pause(seconds: float) -> None:
        if stop.wait(seconds):
            raise CancelledError

    def one(number: int) -> Measured:
        name = f"testbed-{os.getpid()}-{number}"
        return _one(points[number], simulated[number], name, time_scale, pause)

    with held_interrupts() as check_interrupts, ThreadPoolExecutor(at_once) as pool:
        waiting = {pool.submit(one, number) for number in range(len(points))}
        try:
            while waiting:
                done, waiting = wait(waiting, POLL_S, FIRST_COMPLETED)
                check_interrupts()
                for each in done:
                    yield each.result()
        finally:
            # after an error or Ctrl-C, those that run take their labs down
            stop.set()
            pool.shutdown(cancel_futures=True)


def _one(
    point: Point, simulated: float, name: str, time_scale: float, pause: Callable[[float], None]
) -> Measured:
    load = float(point.labels["x"])
    interval_s = PAYLOAD * 8 / (load * 1e3) * time_scale
    words = (str(PAYLOAD - HEADERS), str(interval_s))
    with (
        Lab.up(point.scenario, name, _options(time_scale)) as lab,
        running(lab, "n0", DATAGRAMS, "n5", *words),
        running(lab, "n5", DATAGRAMS, "n0", *words),
    ):
        measured = goodput(lab, (0, 5), WARMUP_S, DURATION_S, pause)
        lag = lab.status()["ether"]["lag"]["p99_s"]
    variant, seed = str(point.labels["variant"]), int(point.labels["seed"])
    return Measured(variant, load, seed, measured, simulated, lag)


def _options(time_scale: float) -> Options:
    """Return how a lab is whose nodes are those of the simulator."""
    flags = ("--defaults", "paper")
    return Options(time_scale=time_scale, mtu=SMALLEST_MTU, node_flags=flags)


def judged(measured: list[Measured]) -> list[tuple[Claim, Finding]]:
    """Return what the paper claims of its testbed, and what was found on Linux."""
    rows = [
        {
            "study": NODES.name,
            "variant": one.variant,
            "x": one.load_kbit_s,
            "seed": one.run,
            GOODPUT: one.linux,
        }
        for one in sorted(measured, key=lambda one: (one.variant, one.load_kbit_s, one.run))
    ]
    runs = pl.DataFrame(rows)
    flows = runs.select("study", "variant", "x", "seed").with_columns(flow=0)
    data = Data({NODES.name: StudyData(NODES, runs, flows)})
    return [(claim, claim.judge(data)) for claim in (testbed.drops(), testbed.stable())]


def keep(measured: list[Measured], runs: int, time_scale: float, path: Path) -> None:
    """Write into a file what was found, as `multihop reproduce` shows it."""
    late = max(one.lag_p99_s for one in measured) * 1e3
    each = "1 run" if runs == 1 else f"{runs} runs"
    found = {
        "command": f"{ON_LINUX.command} --runs {runs} --time-scale {time_scale:g}",
        "about": f"{each} of every load and scheme, {DURATION_S:g} s measured after "
        f"{WARMUP_S:g} s; 99 % of the medium's events were at most {late:.0f} ms late",
        "claims": [
            stored.written_claim(claim.verdict(ON_LINUX.id, finding)._asdict())
            for claim, finding in judged(measured)
        ],
    }
    stored.keep(found, path)


@dataclass(frozen=True)
class Row:
    """A load, and what it gives by variant: the mean of all runs on Linux, and in the simulator."""

    load_kbit_s: float
    bit_s: dict[str, tuple[float, float]]


def rows(measured: list[Measured]) -> list[Row]:
    """Return what was measured, a row for every load."""
    found = []
    for load in sorted({one.load_kbit_s for one in measured}):
        at = [one for one in measured if one.load_kbit_s == load]
        variants = {
            variant: [one for one in at if one.variant == variant] for variant in NODES.variants
        }
        means = {
            variant: (mean(one.linux for one in ones), mean(one.simulator for one in ones))
            for variant, ones in variants.items()
        }
        found.append(Row(load, means))
    return found
