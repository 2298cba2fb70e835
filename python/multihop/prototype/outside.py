"""What code takes from outside: files, the environment, clocks, randomness that no seed gives."""

from __future__ import annotations

import sys
from collections.abc import Set
from functools import cache
from types import ModuleType
from typing import NamedTuple

FILES, CLOCK, RANDOM = "files and environment", "clock", "randomness"
# What is outside, by module; an empty set stands for all of a module but SEEDED.
OUTSIDE: dict[str, dict[str, set[str]]] = {
    FILES: {
        "builtins": {"open", "input"},
        "io": {"open_code", "FileIO"},
        "os": {"environ", "environb", "getenv", "getenvb", "open", "popen", "system"}
        | {"listdir", "scandir", "walk", "stat", "getcwd", "getpid", "cpu_count"},
        "sys": {"argv", "stdin"},
        "pathlib": {"read_text", "read_bytes", "open", "iterdir", "glob", "exists", "stat"},
        "numpy": {"load", "loadtxt", "genfromtxt", "fromfile", "memmap"},
        "polars": {"read_csv", "read_parquet", "read_json", "scan_csv", "scan_parquet"},
        "pandas": {"read_csv", "read_parquet", "read_json", "read_excel", "read_pickle"},
        "subprocess": set(),
        "socket": set(),
        "sqlite3": set(),
        "urllib.request": set(),
        "requests": set(),
        "importlib.resources": set(),
    },
    CLOCK: {
        "time": {"time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "ctime"}
        | {"perf_counter_ns", "process_time", "process_time_ns", "localtime", "gmtime"},
        "datetime": {"now", "utcnow", "today"},
    },
    RANDOM: {
        "random": set(),
        "numpy.random": set(),
        "secrets": set(),
        "uuid": {"uuid1", "uuid4"},
        "os": {"urandom", "getrandom"},
    },
}
# What has a seed of its own.
SEEDED = {"Random", "Generator", "RandomState", "SeedSequence", "default_rng"}
SEEDED |= {"PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64"}
# Methods of paths, whatever is called so.
OF_PATHS = {"read_text", "read_bytes"}


class Outside(NamedTuple):
    """Something from outside that code refers to: of which kind, its name, and where."""

    kind: str
    name: str
    place: str


def outside(content: object, attributes: Set[str], place: str) -> list[Outside]:
    """List what code takes from outside by `content`, of which it takes these attributes."""
    found = []
    for kind, modules in OUTSIDE.items():
        for name, entries in modules.items():
            module = sys.modules.get(name)
            if module is not None:
                taken = _taken(content, module, entries, attributes)
                found += [Outside(kind, f"{name}.{entry}", place) for entry in sorted(taken)]
    found += [Outside(FILES, name, place) for name in sorted(attributes & OF_PATHS)]
    return [one._replace(name=one.name.removeprefix("builtins.")) for one in found]


def _taken(
    content: object, module: ModuleType, entries: set[str], attributes: Set[str]
) -> set[str]:
    """Return what of a module is taken by something that is it, holds it, or comes from it."""
    wanted = entries or _all_of(module)
    if content is module:
        return set(attributes & wanted)
    if isinstance(content, ModuleType):  # a package that has it, by a name that the code takes
        by = {key for key in attributes if getattr(content, key, None) is module}
        return set(attributes & wanted - by) if by else set()
    # Taken out of the module before, or a class with such methods.
    direct = {key for key in wanted if _is_entry(getattr(module, key, None), content)}
    if isinstance(content, type) and content.__module__.partition(".")[0] == module.__name__:
        direct |= attributes & wanted
    return direct


@cache
def _all_of(module: ModuleType) -> set[str]:
    """Return what a module offers, without what has a seed of its own."""
    return {key for key in dir(module) if not key.startswith("_")} - SEEDED


def _is_entry(entry: object, content: object) -> bool:
    """Whether something is an entry of a module, and no plain value that happens to be one."""
    return entry is content and (callable(entry) or type(entry).__module__ not in ("builtins",))
