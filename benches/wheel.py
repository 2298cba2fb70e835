#!/usr/bin/env python3
"""Build the wheel, optimised by the profile of the runs in `train.py`.

maturin builds it three times over: with counters, the training, and with what was counted. Merging
the counts takes `llvm-profdata`, of the same LLVM as the compiler's.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOL = "llvm-profdata"
MISSING = """error: {tool} of LLVM {llvm} is missing, which merges the profiles; install it:
  Rust by rustup:  rustup component add llvm-tools
  Rust by Debian:  apt-get install llvm-{llvm}
or build a wheel without a profile, which gives the same results, more slowly:
  {python} -m maturin build --release"""


def told(*command: str) -> str:
    """Return what the compiler says of itself."""
    return subprocess.run(["rustc", *command], capture_output=True, text=True, check=True).stdout


def folder_of_tool() -> Path | None:
    """Return the folder of the tool that fits the compiler; rustup's, or the system's."""
    compiler = told("-vV")
    host = re.findall(r"^host: (.*)$", compiler, re.MULTILINE)[0]
    llvm = llvm_version(compiler)
    own = Path(told("--print", "sysroot").strip()) / "lib/rustlib" / host / "bin"
    for folder in (own, Path(f"/usr/lib/llvm-{llvm}/bin")):
        if (folder / TOOL).exists():
            return folder
    found = shutil.which(TOOL)
    if found is None:
        return None
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True)
    return Path(found).parent if f"version {llvm}." in version.stdout else None


def llvm_version(compiler: str) -> str:
    """Return the first number of the LLVM in what the compiler says of itself."""
    return re.findall(r"^LLVM version: (\d+)", compiler, re.MULTILINE)[0]


def main() -> int:
    """Build into `dist`."""
    folder = folder_of_tool()
    if folder is None:
        message = MISSING.format(tool=TOOL, llvm=llvm_version(told("-vV")), python=sys.executable)
        print(message, file=sys.stderr)
        return 1
    command = [sys.executable, "-m", "maturin", "build", "--release", "--pgo", "--out", "dist"]
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(command, cwd=ROOT, env={**os.environ, "PATH": path}).returncode


if __name__ == "__main__":
    sys.exit(main())
