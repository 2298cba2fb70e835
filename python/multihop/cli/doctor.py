"""A look at the installation: versions, cores, and whether the engine keeps its promises."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version

import polars as pl

from ..engine.programs import find
from ..lab.tools import missing
from ..running import ns3
from ..running.runner import run_many
from ..scenario.form import Scenario
from ..sweeping.batches import engine

PACKAGES = ("numpy", "polars", "matplotlib", "typer", "rich", "highspy")

CHECK = """
warmup = "1 s"
duration = "5 s"
topology = { kind = "bidirectional-chain", hops = 4 }
scheme = { name = "cxcc" }
traffic = { load = "100 kbit/s" }
"""


def examine() -> dict[str, str]:
    """Return what was found; `check`, `lab` and `ns3` are "ok" or say what is wrong."""
    return {
        "multihop": engine(),
        "python": f"{platform.python_version()} on {platform.platform()}",
        **{package: version(package) for package in PACKAGES},
        "cores": str(os.cpu_count()),
        "lab": missing() or "ok",
        "ns3": "ok" if find(ns3.PROGRAM) else ns3.MISSING,
        "check": _check(),
    }


def _check() -> str:
    """Run one scenario twice: same fingerprint, deliveries, conservation of packets."""
    scenario = Scenario.from_toml(CHECK)
    first, second = run_many([scenario, scenario], progress=False)
    if first.runs["fingerprint"].to_list() != second.runs["fingerprint"].to_list():
        return "two runs of the same scenario differ"
    if first.runs["goodput_bit_s"].item() <= 0:
        return "nothing was delivered"
    accounted = pl.col("run_delivered") + pl.col("run_lost") + pl.col("run_inside")
    if not first.flows.select((pl.col("run_offered") == accounted).all()).item():
        return "packets were neither delivered, lost nor still inside"
    return "ok"
