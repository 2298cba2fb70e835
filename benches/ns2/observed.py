"""One run of ns-2: what it says at its end, and what its trace says of the time measured."""

from __future__ import annotations

import itertools
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

HERE = Path(__file__).resolve().parent
Run = TypeVar("Run")
Counted = TypeVar("Counted")


def command(script: str, options: Mapping[str, object]) -> list[str]:
    """Return the ns command line of a script."""
    pairs = ((f"-{name}", str(value)) for name, value in options.items())
    return ["ns", str(HERE / f"{script}.tcl"), *itertools.chain.from_iterable(pairs)]


def result(ns: list[str], folder: str | None = None) -> dict[str, str]:
    """Run ns-2 once, in a folder; what it says at its end."""
    done = subprocess.run(ns, cwd=folder, capture_output=True, text=True)
    line = next((x for x in done.stdout.splitlines() if x.startswith("RESULT ")), None)
    if line is None:
        raise RuntimeError(f"no result from {ns}:\n{done.stdout}\n{done.stderr}")
    return dict(word.split("=", 1) for word in line.split()[1:])


def observe(
    ns: Callable[[Path], list[str]], count: Callable[[Iterable[str], float, float], Counted]
) -> tuple[dict[str, str], Counted]:
    """Run ns-2 once; `ns` is its command line for a trace file.

    Returns what it said, and what `count` makes of the trace between begin and end of measuring.
    """
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "run.tr"
        said = result(ns(trace), folder)
        with trace.open(errors="replace") as lines:
            return said, count(lines, float(said["tm"]), float(said["te"]))


def records(
    lines: Iterable[str], wanted: re.Pattern[str], begin: float, end: float
) -> Iterator[list[str]]:
    """Yield the words of those records of [begin, end] that are wanted."""
    for line in lines:
        if wanted.match(line):
            words = line.split()
            if begin <= float(words[1]) <= end:
                yield words


def add_one(counters: object, name: str) -> None:
    """Count one more."""
    setattr(counters, name, getattr(counters, name) + 1)


def runs(seeds: int, base: Run, **varied: Iterable[Any]) -> Iterator[Run]:
    """Yield every combination of the varied parameters, the seed varying fastest."""
    for values in itertools.product(*varied.values()):
        for seed in range(1, seeds + 1):
            given = dict(zip(varied, values, strict=True))
            yield replace(base, seed=seed, **given)  # type: ignore[type-var]
