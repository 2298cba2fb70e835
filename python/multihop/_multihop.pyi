"""The engine: Rust behind a narrow door. One specification goes in, columns come out."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Columns = dict[str, NDArray[np.generic] | list[str]]
# A column of many runs, and where it is known: not in rows of runs that do not have it.
Stacked = tuple[NDArray[np.generic] | list[str], NDArray[np.bool_]]

version: str
# A hash of what the engine was built from: sources, Cargo.lock, features.
sources: str

class ScenarioError(ValueError):
    """A scenario that cannot be run; the message names the line or key and a remedy."""

    # What is wrong, as in "traffic.load"; None if it is no single key.
    key: str | None

class ReplayError(ValueError):
    """A recording does not fit the node; the message names the line."""

class Interrupted(Exception):
    """A run was stopped by its `Cancel`."""

class Cancel:
    """Stops every run that was given it."""

    def __init__(self) -> None: ...
    def cancel(self) -> None: ...

class Runs:
    """Runs one after another, whose tables are put together by the engine."""

    def __init__(self) -> None: ...
    def run(self, scenario_json: str, tables: Sequence[str], cancel: Cancel | None = None) -> None:
        """Run a scenario without holding the interpreter lock and keep some of its tables.

        A run that fails leaves nothing behind.
        """

    def tables(self) -> dict[str, tuple[NDArray[np.uint32], dict[str, Stacked]]]:
        """Hand over the tables that any run has; nothing is left here.

        For each, the number of every row's run, from 0 in the order of those that did not fail, and
        the columns.
        """

def normalize(
    text: str,
    format: str,
    folder: str | None = None,
    overrides: list[tuple[str, str, str]] = ...,
) -> str:
    """Check a scenario ("toml" or "json") and return it as JSON: only what was given.

    A movement file that it names is read, relative to `folder`, and its text takes its place.
    Before anything is checked, every override replaces a key: its name, its value as JSON (`null`
    takes it away), and the option that it was given with, which stands before errors about it.
    """

def movement(scenario_json: str) -> str:
    """Return the positions and the movement of the nodes as an ns-2 movement file."""

def survey(scenario_json: str, at_s: float = 0.0) -> dict[str, Columns]:
    """Return who hears whom at that time, how long frames take, and the ways that flows go.

    Nodes and flows are named by their numbers. The tables: `nodes` (name), `signals` (from, to,
    power_w in the mean, probability that a frame is sensed and decoded, neighbours), `flows`,
    `hops` of all flows with fixed routes, `mac` (one row). Refused if the medium is wired.
    """

def schema() -> str:
    """Return the JSON Schema of scenarios."""

def wxcp_transitions() -> list[tuple[str, str, str, str]]:
    """Return the arrows of WXCP's figure 1: from, trigger, to, and what the paper says of it."""

def schemes() -> list[dict[str, Any]]:
    """Return the schemes: name, title, paper, color, marker, mac, params, counters.

    A parameter has name, kind, unit and about; a default, or an example and what holds otherwise;
    and min, max or the names that it is among, where it has such. Counters are columns of runs and
    nodes (name, unit, about) that only the scheme's runs have.
    """

def routings() -> list[dict[str, Any]]:
    """Return the routing protocols: name, title, about, source, params."""

def topologies() -> list[dict[str, Any]]:
    """Return the topologies: name, about, params."""

def vocabulary() -> dict[str, dict[str, str]]:
    """Return the words of tables and what they mean.

    `drop_causes` by the columns of flows that count them; `frame_classes`, `events`, `outcomes`
    (of a frame at a radio) and `timers` by their names in traces.
    """

def run(
    scenario_json: str, events: bool = False, cancel: Cancel | None = None
) -> dict[str, Columns]:
    """Run a scenario without holding the interpreter lock and return its tables.

    Always runs, flows, nodes and series; congestion if the scenario measures it, positions if any
    node moves, events if asked for.
    """

def run_traced(
    scenario_json: str,
    folder: str | Path,
    batch: int = ...,
    cancel: Cancel | None = None,
) -> tuple[dict[str, Columns], dict[str, int]]:
    """Run a scenario and write its trace into `folder`, `batch` rows of a table at a time.

    Returns the tables of the run, and how many rows each table of the trace has. What is left over
    at the end is written, also of a run that was stopped. A disk that takes no more raises
    `OSError`, stops the run, and cancels `cancel`, if given.
    """

def run_observed(scenario_json: str) -> None:
    """Run a scenario and make the rows of its trace, which nobody keeps: what that alone costs."""

def trace_tables() -> dict[str, tuple[str, dict[str, tuple[str, str, str]]]]:
    """Return the tables of a trace: what a row is, and unit, meaning and type of every column."""

def capture(scenario_json: str, path: str, cancel: Cancel | None = None) -> None:
    """Run a scenario and write everything that was transmitted into a pcapng file.

    Raises `OSError` if that cannot be written.
    """

def headers() -> list[dict[str, Any]]:
    """Return the layouts of all headers and of the messages behind them.

    number, message (the first byte that tells messages with one number apart, or None), name,
    title, fields (name, empty for zeros; bits; about; holds: number, signed, address, word, zero;
    words: pairs of a number and what it stands for) and rest (what may stand behind the fields). A
    header begins with two bytes, the number of the next one and its own length, which are not
    listed.
    """

def network(scenario_json: str) -> dict[str, Any]:
    """Return the network of a scenario, for what shows a trace.

    seed, scheme, routing, warmup_ns, duration_ns (of the whole run), nodes (name, x in m, y in m),
    flows (name, the numbers of both ends), ranges_m (up to which frames are decoded and sensed;
    None where distances do not decide), rate_bit_s.
    """

def record(scenario_json: str, node: str, cancel: Cancel | None = None) -> str:
    """Run a scenario and return what one node was told and did, for `replay`."""

def replay(scenario_json: str, node: str, recording: str) -> int:
    """Tell a fresh node what the recorded one was told and return how many lines were compared.

    Raises `ReplayError` at the first thing that it does differently.
    """
