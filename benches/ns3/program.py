"""The CPU time that ns-3 needs: `network.cc`, built against the installed ns-3, and run."""

from __future__ import annotations

import resource
import subprocess
from collections.abc import Sequence
from pathlib import Path

SOURCE = Path(__file__).resolve().with_name("network.cc")
NO_NS3 = "ns-3 is not installed: apt-get install g++ libns3-dev"
MODULES = ("applications", "internet", "wifi", "mobility", "network", "core")


def build(folder: Path) -> Path | None:
    """Build the program into `folder`; `None` if ns-3 or the compiler is not installed."""
    compiler = ["g++", "-std=c++17"]
    try:
        asked = [*compiler, "-x", "c++", "-fsyntax-only", "-"]
        header = '#include "ns3/core-module.h"'
        if subprocess.run(asked, input=header, capture_output=True, text=True).returncode:
            return None
    except FileNotFoundError:
        return None
    program = folder / "network"
    libraries = [f"-lns3-{module}" for module in MODULES]
    subprocess.run([*compiler, "-O2", SOURCE, "-o", program, *libraries], check=True)
    return program


def describe(places: Sequence[Sequence[float]], routes: Sequence[Sequence[int]]) -> str:
    """Write a network as the program reads it."""
    lines = [[len(places)], *places, [len(routes)], *([len(route), *route] for route in routes)]
    return "".join(f"{' '.join(map(str, line))}\n" for line in lines)


def user_seconds(program: Path, network: str, rts: bool, duration: float) -> float:
    """Run a network once and return the user CPU time."""
    file = program.with_name("network.txt")
    file.write_text(network)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(
        [program, f"--file={file}", f"--duration={duration}", f"--rts={int(rts)}"],
        capture_output=True,
        text=True,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    if not done.stdout.startswith("RESULT "):
        raise RuntimeError(f"{done.stdout}\n{done.stderr}")
    return after - before
