"""A short form of `make operations`: lists of operations drawn at random, on processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.labs import needs_linux

pytestmark = pytest.mark.engine
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benches"))

import operations  # noqa: E402

needs_lists = pytest.mark.skipif(
    not operations.PROGRAM.exists(), reason="cargo test builds what draws the lists"
)


@needs_linux
@needs_lists
def test_reliable_flows_of_processes_deliver_all_once_in_order(home: Path) -> None:
    # another list each time, but where changes are judged
    seed = 1 if "CI" in os.environ else int.from_bytes(os.urandom(3), "big")
    drawn = operations.drawn(seed, operations.NODES, operations.COUNT)
    assert {operation["do"] for operation in drawn} <= {
        "send",
        "kill",
        "stop",
        "end_medium",
        "wait",
    }
    assert operations.keeps(drawn, "drawn") == [], (seed, drawn)


def test_what_is_lost_repeated_or_out_of_order_is_wrong() -> None:
    whole, broken = operations.Flow(sent=3), operations.Flow(sent=3, broken=True)
    assert whole.wrong(["0", "1", "2"]) == ""
    for arrived in (["0", "1"], ["0", "1", "1", "2"], ["1", "0", "2"], ["0", "1", "damaged"]):
        assert whole.wrong(arrived), arrived
    assert broken.wrong(["0", "2", "2"]) == ""
    assert broken.wrong(["3"]) == "3 of 3 packets"


@needs_lists
def test_a_network_of_one_node_is_refused() -> None:
    words = [str(operations.PROGRAM), "1", "1", "5"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode != 0
    assert "it takes two" in done.stderr
