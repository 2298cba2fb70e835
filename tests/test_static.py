"""The static programs of Linux run: those for this processor, and for ARM in an emulator.

    make linux-static-some

builds them and runs these tests; `MULTIHOP_STATIC` names the folder in which Cargo has put them.
"""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import TINY

ROOT = Path(__file__).resolve().parent.parent
# What runs programs for a processor: nothing for those of this one.
EMULATORS = {"x86_64": ["qemu-x86_64-static"], "aarch64": ["qemu-aarch64-static"]}
PATIENCE_S = 20.0

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(
        "MULTIHOP_STATIC" not in os.environ, reason="make linux-static-some builds what is tried"
    ),
]


def program(processor: str, name: str) -> list[str]:
    """Return the command that runs a program; skips the test where nothing can run it."""
    emulator = EMULATORS[processor]
    if os.uname().machine == processor:
        emulator = []
    elif shutil.which(emulator[0]) is None:
        pytest.skip(f"nothing here runs programs for {processor} (apt install qemu-user-static)")
    folder = ROOT / "target" / f"{processor}-unknown-linux-musl" / os.environ["MULTIHOP_STATIC"]
    return [*emulator, str(folder / name)]


@contextmanager
def ether(processor: str, folder: Path) -> Iterator[str]:
    """Run the medium of a scenario, and yield where it listens."""
    scenario, socket = folder / "tiny.toml", str(folder / "ether")
    scenario.write_text(TINY)
    command = [*program(processor, "multihop-ether"), str(scenario), socket]
    with subprocess.Popen(command) as process:
        try:
            yield socket
        finally:
            process.terminate()
            process.wait(PATIENCE_S)


@pytest.mark.parametrize("processor", EMULATORS)
def test_a_medium_runs_and_answers(processor: str, tmp_path: Path) -> None:
    with ether(processor, tmp_path) as socket:
        begun = time.monotonic()
        asked = [*program(processor, "multihop-ether"), "status", socket]
        while True:
            done = subprocess.run(asked, capture_output=True, text=True)
            if done.returncode == 0 or time.monotonic() - begun > PATIENCE_S:
                break
            time.sleep(0.05)
    assert done.returncode == 0, done.stderr
    status = json.loads(done.stdout)
    assert [node["name"] for node in status["nodes"]] == ["n0", "n1", "n2", "n3"]


@pytest.mark.parametrize("processor", EMULATORS)
def test_a_node_reads_its_flags_and_draws_a_key(processor: str, tmp_path: Path) -> None:
    node = program(processor, "multihop-node")
    version = subprocess.run([*node, "--version"], capture_output=True, text=True, check=True)
    assert version.stdout.startswith("multihop-node ")
    subprocess.run([*node, "key", str(tmp_path / "key")], check=True)
    assert len((tmp_path / "key").read_text().strip()) == 64
    wrong = subprocess.run([*node, "--mtu", "1"], capture_output=True, text=True)
    assert wrong.returncode == 2


def test_they_need_no_library(tmp_path: Path) -> None:
    if shutil.which("ldd") is None:
        pytest.skip("there is no ldd")
    [binary] = program(os.uname().machine, "multihop-node")
    done = subprocess.run(["ldd", binary], capture_output=True, text=True)
    assert "statically linked" in done.stdout or "not a dynamic" in done.stderr
