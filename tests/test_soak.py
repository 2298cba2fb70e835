"""A short form of `make soak`: what it does to nodes, they survive."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from multihop.lab import Lab
from tests.labs import chain, needs_linux

pytestmark = pytest.mark.engine
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benches"))

import soak  # noqa: E402


@pytest.mark.long
@needs_linux
def test_ten_nodes_survive_a_third_of_a_minute(home: Path) -> None:
    command = [sys.executable, "benches/soak.py", "--minutes", "0.33", "--seed", "3"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=os.environ)
    assert done.returncode == 0, done.stdout + done.stderr
    *rows, last = (json.loads(line) for line in done.stdout.splitlines())
    assert sum(row["times"] for row in rows) > 0
    assert last["whole_transfers"] > 0
    assert last["problems"] == []


@needs_linux
def test_a_transfer_that_is_not_whole_and_memory_that_grows_are_problems(home: Path) -> None:
    with Lab.up(chain(1), "soak") as lab:
        one = soak.Soak(lab, random.Random(1), 1.0)
        assert one.process("multihop-node", "--node", "n0") is not None
        assert one.process("multihop-ether") is not None
        assert one.process("multihop-node", "--node", "n9") is None
        # a server that sends other bytes than were asked for
        wrong = soak.SERVER.replace("Random(seed)", "Random(seed + 1)")
        with lab.popen("n1", [sys.executable, "-S", "-c", wrong, "8000"]) as server:
            while not one.wrong:
                one.transfers = one.transfers or [("n1 to n0", one.fetch("n0", "n1", 500))]
                one.look(more=False)
                one.wrong = [said for said in one.wrong if "is wrong" in said]
            server.kill()
        assert "byte 0 or behind it is wrong" in one.wrong[0]
    one.memory = {1: [(0.0, 5_000), (1.0, 5_000), (9.0, 9_000)], 2: [(0.0, 5_000), (9.0, 6_000)]}
    assert one.grown(10.0) == ["process 1 grew from 5000 to 9000 kB"]
