"""Where the programs are that are built beside this package."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
BUILDS = ("release", "quick", "debug")


def find(name: str) -> str | None:
    """Return where a program of multihop is: in `MULTIHOP_BIN`, built here, or on the path."""
    given = os.environ.get("MULTIHOP_BIN")
    built = [REPOSITORY / "target" / build / name for build in BUILDS]
    newest = max((path for path in built if path.exists()), key=_age, default=None)
    found = (given and shutil.which(name, path=given)) or newest or shutil.which(name)
    return str(found) if found else None


def version(program: str) -> str:
    """Return what a program says is its version: "0.1.0", or "0.1.0 (debug)" if it is slow.

    Nothing if it cannot be run.
    """
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return said.stdout.strip().partition(" ")[2]


def _age(path: Path) -> float:
    return path.stat().st_mtime
