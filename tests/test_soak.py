"""A short form of `make soak`: what it does to nodes, they survive."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from multihop.lab import Lab, Options
from tests.labs import chain, eventually, needs_linux

pytestmark = pytest.mark.engine
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benches"))

import soak  # noqa: E402


@pytest.mark.long
@needs_linux
def test_ten_nodes_survive_six_seconds_of_faults(home: Path) -> None:
    faults = "killed,disk full,short of memory,saturated"
    command = [sys.executable, "benches/soak.py", "--minutes", "0.1", "--seed", "3"]
    command += ["--faults", faults]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=os.environ)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {row["fault"] for row in rows if "fault" in row} <= set(faults.split(","))
    assert sum(row.get("times", 0) for row in rows) > 0
    [watched] = [row["processes_watched"] for row in rows if "processes_watched" in row]
    assert watched >= len(soak.SPARED), "those that are never killed"
    assert rows[-1]["whole_transfers"] > 0
    assert rows[-1]["recordings_ended_by_a_full_disk"] > 0
    assert rows[-1]["problems"] == []


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


@needs_linux
def test_a_process_that_ends_by_itself_or_panics_is_a_problem(home: Path) -> None:
    with Lab.up(chain(1), "soak", Options(respawn_s=0.1)) as lab:
        one = soak.Soak(lab, random.Random(1), 1.0)
        one.weigh()
        for by_itself in (False, True):
            before = one.there["n1"]
            if by_itself:
                os.kill(before, signal.SIGABRT)
            else:
                one.kill("n1")
            eventually("it is back", lambda before=before: again(one, "n1") not in (None, before))
            one.weigh()
            assert len(one.wrong) == by_itself
        assert one.wrong[0].startswith("n1 ended by itself")
        assert one.panics() == []
        with lab.plan.log("n1").open("a") as log:
            log.write("thread 'main' panicked at somewhere\n")
        assert one.panics() == ["n1: thread 'main' panicked at somewhere"]


def again(one: soak.Soak, node: str) -> int | None:
    return one.process("multihop-node", "--node", node)


def test_memory_that_grows_over_the_time_of_a_run_is_a_problem() -> None:
    one = soak.Soak.__new__(soak.Soak)
    seconds = [float(second) for second in range(100)]
    one.memory = {
        # grows all the time; jumps at its beginning and at its end; lives too short to say
        1: [(now, 5_000 + 50 * int(now)) for now in seconds],
        2: [(now, 4_000 + 1_000 * (now > 3) + 500 * (now > 97)) for now in seconds],
        3: [(now, 5_000 + 500 * int(now)) for now in seconds[70:]],
    }
    assert set(one.slopes(100.0)) == {1, 2}
    assert one.grown(100.0) == ["process 1 grows by 180000 kB/h from 7500 kB"]
