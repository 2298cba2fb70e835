"""The wheel beside `multihop`: its scheme, MAC, event and drop cause are there as all others are.

    make outside

builds it, and runs these tests with it installed in a folder of its own.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import multihop
from multihop import Scenario

CHAIN = """
warmup = "0 s"
duration = "10 s"
[topology]
kind = "chain"
hops = 4
[scheme]
name = "freshest"
patience = "200 ms"
[traffic]
load = "800 kbit/s"
"""
BROADCASTS = """
warmup = "0 s"
duration = "20 s"
[topology]
kind = "chain"
hops = 2
[scheme]
name = "udp"
[mac]
kind = "aloha"
[traffic]
load = "60 kbit/s"
"""


def command(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "multihop", *arguments],
        env={**os.environ, "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(("what", "name"), [("schemes", "freshest"), ("macs", "aloha")])
def test_its_parts_are_listed(what: str, name: str) -> None:
    listed = {part["name"] for part in json.loads(command("list", what, "--json"))}
    assert {name} < listed, "beside those that are built in"


def test_its_scheme_runs_and_its_words_are_columns() -> None:
    result = multihop.run(Scenario.from_toml(CHAIN))
    assert result.flows["lost_too_old"].sum() > 0
    assert result.nodes["overtaken"].sum() > 0
    offered, delivered, lost, inside = (
        result.flows[f"run_{what}"].sum() for what in ("offered", "delivered", "lost", "inside")
    )
    assert offered == delivered + lost + inside


def test_its_mac_carries_frames() -> None:
    result = multihop.run(Scenario.from_toml(BROADCASTS))
    assert result.flows["run_delivered"].sum() > 10


def test_its_parameters_are_checked() -> None:
    text = CHAIN.replace("200 ms", "0 ms")
    with pytest.raises(multihop.ScenarioError, match="patience"):
        multihop.run(Scenario.from_toml(text))


def test_traces_have_its_event_and_its_cause(tmp_path: Path) -> None:
    (tmp_path / "chain.toml").write_text(CHAIN)
    command("run", str(tmp_path / "chain.toml"), "--trace", str(tmp_path / "trace"))
    events = pl.read_parquet(tmp_path / "trace" / "events.parquet")
    assert (events["event"] == "overtaken").any()
    drops = pl.read_parquet(tmp_path / "trace" / "drops.parquet")
    assert (drops["cause"] == "too_old").any()


def test_a_store_of_runs_tells_it_from_the_engine_that_is_built_in() -> None:
    from multihop import _multihop

    own, extension = _multihop.sources.split("+")
    assert len(own) == len(extension) == 16
