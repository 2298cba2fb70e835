"""The engine: Rust behind a narrow door. One specification goes in, columns come out."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, final

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
    @property
    def cancelled(self) -> bool: ...

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

# The features of each agent of each environment, all in a row; whether the next action of each
# counts; of each environment the time in s, and whether its episode is over.
Known = tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.float64], NDArray[np.bool_]]

class Environments:
    """Runs that go on by control steps, each on one of the engine's threads."""

    def __init__(
        self,
        threads: int,
        step: tuple[int, str | None],
        controls: list[tuple[str, float, float]],
        air: bool,
        overhears: bool,
    ) -> None:
        """Say how long steps are (in ns), which event ends them before, and what agents have.

        Agents have controls (name, low end, high end), and may see costly things.
        """

    def begin(self, episodes: list[tuple[int, str, list[str]]]) -> Known:
        """Begin episodes: of each environment its number, its scenario, and its agents' nodes.

        Return what is known at the end of the warm-up. The interpreter lock is released.
        """

    def step(self, environments: list[int], actions: NDArray[np.float64]) -> Known:
        """Go on by a control step, and return what is known then, as `begin` does.

        `actions` has a number from 0 to 1 for each control of each agent of each environment.
        """

    def finish(self, environment: int) -> dict[str, Columns]:
        """Go on to the end of a run, and return its tables, as `run` does."""

class PolicyData:
    """A policy that was checked; `ValueError` says what is wrong with its text (JSON)."""

    def __init__(self, text: str) -> None: ...
    def act(self, seen: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the actions for rows of features, all in a row, in the order of the rows."""

def gym_agents(scenario: str, given: list[str], is_word: bool) -> list[str]:
    """Return the nodes that a word (senders, relays, nodes) or names mean, or a `ValueError`."""

def gym_controls() -> list[tuple[str, str, float, float, str]]:
    """Return all controls: name, unit, the usual ends, and what it does."""

def gym_events() -> list[tuple[str, str, bool]]:
    """Return all events that end steps: name, what happens, and whether it is of own flows."""

def gym_weights(scenario: str) -> None:
    """Refuse a scenario whose routes do not follow weights, with a `ValueError`."""

def gym_features() -> list[tuple[str, str, str, str, float]]:
    """Return all features: name, unit, who knows it, what it is, and its largest value."""

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

def notes(
    text: str,
    format: str,
    folder: str | None = None,
    overrides: list[tuple[str, str, str]] = ...,
) -> list[tuple[str, str]]:
    """Return what the author of a valid scenario may not expect: keys, each with a sentence.

    Keys that have no effect, and causes of results that look like a network's. The arguments are
    those of `normalize`.
    """

def identity(scenario_json: str) -> str:
    """Return 32 digits, which are equal for scenarios that mean the same."""

def conditions(scenario_json: str) -> str:
    """Return, as JSON, what the MAC, the queue and the headers of a scenario's scheme are like."""

def base_units(text: str) -> tuple[float, str] | None:
    """Return a quantity in base units, and which these are; `None` if the text is no quantity."""

def movement(scenario_json: str) -> str:
    """Return the positions and the movement of the nodes as an ns-2 movement file."""

def survey(scenario_json: str, at_s: float = 0.0) -> dict[str, Columns]:
    """Return who hears whom at that time, how long frames take, and the ways that flows go.

    Nodes and flows are named by their numbers. The tables: `nodes` (name), `signals` (from, to,
    power_w in the mean, probability that a frame is sensed and decoded, neighbours), `flows`,
    `hops` of all flows with fixed routes, `mac` (one row). Refused if the medium is wired.
    """

def hearers(scenario_json: str, times_s: Sequence[float]) -> dict[str, Columns]:
    """Return who hears whom at each of these times, in s after the start.

    Nodes are named by their numbers. The tables: `nodes` (name), `signals` (moment, from, to,
    power_w in the mean, probability that a frame keeps the node from sending (`sensed`) and is
    decoded, neighbours), `rules` (one row: powers in W from which stations defer and decode, ratios
    by which frames survive later and earlier ones, whether what overlaps adds up, whether nodes
    move, noise_w, 0 where it does not count). Refused if the medium is wired.
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

def macs() -> list[dict[str, Any]]:
    """Return the MACs over the radio: name, title, about, source, offers, params.

    Without `mac.kind`, a scheme has the first that offers what it needs, and does not offer what it
    does itself.
    """

def rates() -> list[dict[str, Any]]:
    """Return the ways to choose rates: name, about, source, params; the first is the default."""

def propagations() -> list[dict[str, Any]]:
    """Return the models of propagation: name, about, source, params; the first is the default."""

def radio() -> dict[str, Any]:
    """Return what radios have in common, whatever the propagation: name, params."""

def wired() -> dict[str, Any]:
    """Return duplex links, which take the place of radio and MAC: name, params."""

def topologies() -> list[dict[str, Any]]:
    """Return the topologies: name, about, params."""

def mobilities() -> list[dict[str, Any]]:
    """Return the models of movement: name, title, about, source, params."""

def traffics() -> list[dict[str, Any]]:
    """Return the kinds of traffic: name, title, about, source, params, lacks.

    The first is the default. `lacks` are the names of the parameters of every flow (see `traffic`)
    that the kind does not have.
    """

def traffic() -> dict[str, Any]:
    """Return what flows have in common, whatever they send: name, params."""

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
    roles (None for nodes without one), flows (name, the numbers of both ends), ranges_m (up to
    which frames are decoded and sensed; None where distances do not decide), rate_bit_s.
    """

def record(scenario_json: str, node: str, cancel: Cancel | None = None) -> str:
    """Run a scenario and return what one node was told and did, for `replay`."""

def replay(scenario_json: str, node: str, recording: str) -> int:
    """Tell a fresh node what the recorded one was told and return how many lines were compared.

    Raises `ReplayError` at the first thing that it does differently.
    """

# ---- what schemes in Python are made of; see `multihop.prototype`

@final
class Flow:
    """A flow, or the packets that go against its data. Flows are equal if they are the same."""

    @property
    def source(self) -> int:
        """The number of the node that its packets come from."""

    @property
    def destination(self) -> int:
        """The number of the node that they go to."""

    @property
    def is_reverse(self) -> bool:
        """Whether it goes against data."""

    def reverse(self) -> Flow:
        """Return the same flow's packets in the other direction."""

    def __hash__(self) -> int: ...

@final
class Message:
    """What an application sends."""

    @property
    def length(self) -> int:
        """Its length in bytes."""

@final
class Packet:
    """A packet. What somebody is given is a copy: what becomes of it changes no other."""

    # What a hop protocol or a transport has written: at most 253 B, and 2 B more on the air.
    hop_header: bytes | None
    transport_header: bytes | None
    # A router was congested (RFC 3168).
    congestion_experienced: bool

    def __init__(self, flow: Flow, message: Message) -> None: ...
    def answer(self, length: int = 0) -> Packet:
        """Return a packet of a transport back to where this one comes from, with so many bytes."""

    def copy(self) -> Packet: ...
    @property
    def flow(self) -> Flow: ...
    @property
    def length(self) -> int:
        """The length in bytes that the MAC sees: network header, other headers, payload."""

    @property
    def payload(self) -> int:
        """The length of its data in bytes."""

    @property
    def ttl(self) -> int:
        """How many hops are left."""

    @property
    def hops(self) -> int:
        """How often it was forwarded."""

@final
class AirTime:
    """What a radio has done with its time since the start, in seconds; the rest was free for it."""

    @property
    def sending_s(self) -> float: ...
    @property
    def receiving_s(self) -> float: ...
    @property
    def sensed_s(self) -> float:
        """It sensed what it could not decode."""

    @property
    def waiting_s(self) -> float:
        """It waited in an exchange of its own."""

    @property
    def reserved_s(self) -> float:
        """The medium was reserved by others."""

@final
class Context:
    """The time, the node, its randomness, and what a method wants done. It counts for one call."""

    @property
    def now_s(self) -> float:
        """Seconds since the start."""

    @property
    def node(self) -> int:
        """The number of the node that is called."""

    @property
    def incarnation(self) -> int:
        """Which life of the node this is: another number after every restart."""

    @property
    def air(self) -> AirTime:
        """What the radio has done with its time, for hop protocols with `watches_air`."""

    def random(self) -> float:
        """Return a random number in [0, 1), which scenario and seed decide."""

    def deliver(self, packet: Packet) -> None:
        """Hand the packet to the application at this node."""

    def drop(self, packet: Packet, cause: str) -> None:
        """Give the packet up; causes are those of the columns `lost_*`, as "queue_full"."""

    def release(self, packet: Packet) -> None:
        """Let the packet go: the next hop has it."""

    def copy(self, packet: Packet) -> None:
        """Note that a further copy of a packet goes on its way: a transport sends it again."""

    def withdraw(self) -> None:
        """Take back the frame that waits for its air time; `on_tx_done` gets it, as "withdrawn"."""

    def mark(self) -> None:
        """Mark the frame that waits for its air time: congestion experienced."""

    def trace(self, kind: str, packet: Packet, sequence: int = 0) -> None:
        """Write an event about a packet into the trace, as "retransmission"."""

    def show_window(self, flow: Flow, packets: float) -> None:
        """Show a congestion window, for traces and series."""

    def show_round_trip(self, flow: Flow, seconds: float) -> None:
        """Show a sample of the round-trip time."""

    def show_acknowledged(self, flow: Flow, packets: int) -> None:
        """Show that so many packets more were acknowledged."""

@final
class Received:
    """A frame that the radio has decoded."""

    @property
    def sender(self) -> int:
        """The number of the neighbour that has transmitted it."""

    @property
    def heard(self) -> Literal["for_me", "overheard", "broadcast"]: ...
    @property
    def rate_bit_s(self) -> int: ...
    @property
    def air_time_s(self) -> float: ...
    @property
    def packet(self) -> Packet: ...

@final
class Sent:
    """A frame with which the MAC has finished."""

    @property
    def to(self) -> int | None:
        """Whom it was for; None if for everyone."""

    @property
    def outcome(self) -> Literal["sent", "acknowledged", "failed", "withdrawn"]: ...
    @property
    def service_s(self) -> float:
        """From its hand-over to the MAC until now."""

    @property
    def air_time_s(self) -> float:
        """How long this radio transmitted for it."""

    @property
    def attempts(self) -> int:
        """How often the MAC put a frame on the air for it; an RTS is one, too."""

    @property
    def retries(self) -> int: ...
    @property
    def rate_bit_s(self) -> int: ...
    @property
    def packet(self) -> Packet: ...

@final
class Request:
    """A frame for the MAC: to a neighbour, or to everyone (None).

    Unless given, rate, smallest contention window in slots, and attempts are the MAC's own;
    `first` slots go before those that are drawn (none).
    """

    def __init__(
        self,
        packet: Packet,
        to: int | None,
        *,
        rate_bit_s: int | None = None,
        cw_min: int | None = None,
        first: int | None = None,
        attempts: int | None = None,
    ) -> None: ...

@final
class Params:
    """The values of a scheme's parameters, and what it may know of its links."""

    def __getitem__(self, name: str) -> Any:
        """Return the value of a parameter; times are in seconds."""

    def get(self, name: str, default: Any) -> Any:
        """Return it, and `default` where the scheme has no such parameter."""

    @property
    def data_rate_bit_s(self) -> int: ...
    def hop_time_s(self, length: int) -> float:
        """Return how long a hop takes for a packet of this length in bytes, if it is alone."""

@final
class Tcp:
    """The windows of a TCP connection, in segments."""

    # How many segments may be on their way: at least 1.
    window: float
    # Below it, the window opens by slow start.
    threshold: int
    # From one segment to the next at least, in seconds; 0 at first.
    pace_s: float

    @property
    def flow(self) -> Flow: ...
    @property
    def window_before(self) -> float:
        """The window before a loss."""

    @property
    def acknowledged(self) -> int:
        """How many segments this acknowledgment confirms."""

    @property
    def in_flight(self) -> int:
        """How many segments are on their way."""

    @property
    def round_trip_s(self) -> float | None:
        """How long the last of them took; None if it was sent more than once."""

def register_prototype(description: object) -> None:
    """Make a scheme known that `multihop.prototype.register` has described."""

def unregister_prototype(name: str) -> None:
    """Forget it."""
