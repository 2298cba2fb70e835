"""What the tests share: a scenario small enough to run in milliseconds."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from multihop import Scenario

TINY = """
name = "tiny"
warmup = "1 s"
duration = "2 s"

[topology]
kind = "chain"
hops = 3

[scheme]
name = "cxcc"

[traffic]
load = "50 kbit/s"
"""

Cli = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def base() -> Scenario:
    return Scenario.from_toml(TINY)


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.toml"
    path.write_text(TINY)
    return path


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """Run the command line in a folder of its own, 120 columns wide."""

    def call(*arguments: str | Path) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "multihop", *map(str, arguments)],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "COLUMNS": "120"},
            timeout=120,
        )

    return call
