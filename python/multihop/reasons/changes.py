"""Changes that a user can make: of keys, of the scheme, and of one relay's place."""

from __future__ import annotations

from collections.abc import Iterator

from .._multihop import ScenarioError, network, schemes
from ..scenario.explicit import Tables, explicit
from ..scenario.fitting import fitting
from ..sweeping.axes import quantity
from .edits import Edit, Subject, keys
from .mechanisms import Change
from .trials import Trials

# By timing: the rates of data.
DSSS = (1.0, 2.0, 5.5, 11.0)
OFDM = (6.0, 9.0, 12.0, 18.0, 24.0, 36.0, 48.0, 54.0)
# A place for a relay is looked for on a grid of so many by so many, over all nodes.
GRID = 4
# Links that get a channel of their own, those first that take most of the air.
CHANNELS = 2
# Relays that are moved, those first that send most, and how far: in parts of the receive range.
MOVED = 2
STEP = 0.25
# Places are compared with a seed that no verdict uses, which lies so far from the first.
APART = 1_000


def changes(subject: Subject, trials: Trials) -> list[Change]:
    """List the changes that this scenario can have; the search for a relay's place takes runs."""
    return [
        *_of_mac(subject),
        *_of_lora(subject),
        *_of_wires(subject),
        *_of_power(subject),
        *_of_scheme(subject),
        *_of_traffic(subject),
        *_channels(subject),
        *_relays(subject, trials),
        *_schemes(subject),
    ]


def _change(name: str, about: str, edit: Edit) -> Change:
    return Change(name, name, about, edit)


def _key(subject: Subject, key: str, value: object, about: str) -> Iterator[Change]:
    """Set a key, unless the scenario refuses it, or says that it has no effect."""
    said = str(value).lower() if isinstance(value, bool) else value
    edit = keys(**{key.replace(".", "__"): value})
    yield from _heeded(subject, key, _change(f"{key} = {said}", about, edit))


def _heeded(subject: Subject, key: str, change: Change) -> Iterator[Change]:
    """Make a change, unless the scenario refuses it, or says that a key has no effect."""
    try:
        fresh = set(subject.changed(change.edit).notes) - set(subject.scenario.notes)
    except ScenarioError:
        return
    idle = (f"not heeded: {key} ", f"not heeded: {key}[")
    if not any(note.startswith(idle) for note in fresh):
        yield change


def _of_mac(subject: Subject) -> Iterator[Change]:
    mac = subject.network["mac"]
    if mac is None:
        return
    given, known = subject.tables.get("mac", {}), subject.scenario.conditions
    rate = (subject.network["rate_bit_s"] or 0) / 1e6
    rates = OFDM if str(given.get("timing", "")).startswith("ofdm") else DSSS
    if rate in rates:
        at = rates.index(rate)
        for other in {*rates[max(at - 1, 0) : at + 2], rates[-1]} - {rate}:
            follow = "" if rates is OFDM else ", with ranges as they are"
            about = f"data is sent at {other:g} Mbit/s{follow}"
            yield from _key(subject, "mac.data_rate", f"{other:g} Mbit/s", about)
    if known.get("rts_cts") in (False, "off"):
        yield from _key(subject, "mac.rts_cts", True, "data frames go behind RTS and CTS")
    if (window := known.get("cw_min")) is not None:
        wider = min(4 * int(window) + 3, int(known.get("cw_max") or 1023))
        about = f"the smallest contention window has {wider} slots"
        yield from _key(subject, "mac.cw_min", wider, about)
    if (attempts := known.get("short_retry_limit")) is not None:
        about = f"the MAC makes {2 * int(attempts)} attempts"
        yield from _key(subject, "mac.short_retry_limit", 2 * int(attempts), about)


def _of_wires(subject: Subject) -> Iterator[Change]:
    if "wired" in subject.tables:
        rate = 2 * subject.network["rate_bit_s"] / 1e6
        about = "wires carry twice as much"
        yield from _key(subject, "wired.rate", f"{rate:g} Mbit/s", about)


def _of_lora(subject: Subject) -> Iterator[Change]:
    """Change what stations of LoRa have: other MACs have no such keys."""
    known = subject.scenario.conditions
    if known.get("cad") == "false":
        about = "nodes detect channel activity before they send"
        yield from _key(subject, "mac.cad", True, about)
    if (symbols := known.get("spreading_factor")) is not None:
        factor = int(symbols) - 1
        about = f"frames have spreading factor {factor}: about half as long, and weaker links"
        yield from _key(subject, "mac.spreading_factor", factor, about)
    if (window := known.get("window")) is not None:
        about = f"nodes draw from {2 * int(window)} slots"
        yield from _key(subject, "mac.window", 2 * int(window), about)


def _of_power(subject: Subject) -> Iterator[Change]:
    if subject.geometry is None:
        return
    power = quantity(subject.tables.get("radio", {}).get("transmit_power", "0.28183815 W"))
    if power is not None and power.unit == "W":
        value = f"{2 * power.number:g} W"
        yield from _key(subject, "radio.transmit_power", value, "all nodes send with 3 dB more")


def _of_scheme(subject: Subject) -> Iterator[Change]:
    limit = subject.scenario.conditions.get("queue_limit")
    if isinstance(limit, int) and limit > 0:
        for value in (4 * limit, max(limit // 4, 1)):
            about = f"an interface queue holds {value} packets"
            yield from _key(subject, "scheme.queue_limit", value, about)
    hops = subject.tables.get("scheme", {}).get("hop_limit")
    if isinstance(hops, int):
        for value in (hops + 1, hops - 1):
            yield from _key(subject, "scheme.hop_limit", value, f"the hop limit is {value}")


def _of_traffic(subject: Subject) -> Iterator[Change]:
    tables = subject.tables
    if subject.network["routing"] == "fixed":
        about = "routes are those of the least air time"
        yield from _key(subject, "routing.metric", "airtime", about)
    load = quantity(tables.get("traffic", {}).get("load"))
    if load is not None and not any("load" in row for row in tables.get("flow", [])):
        value = f"{load.number / 2:g} {load.unit}"
        yield from _key(subject, "traffic.load", value, f"each flow offers {value}")


def _channels(subject: Subject) -> Iterator[Change]:
    """Give each of the links that take most of the air a channel of its own, both ways."""
    pairs = dict.fromkeys((min(link), max(link)) for link, _ in subject.links)
    for pair in list(pairs)[:CHANNELS]:
        one, other = (subject.names[node] for node in pair)
        about = f"{one} and {other} have a channel of their own for what they send to each other"
        yield from _heeded(
            subject, "channel", _change(f"channel for {one}, {other}", about, _channel(one, other))
        )


def _channel(one: str, other: str) -> Edit:
    def edit(tables: Tables) -> None:
        tables.setdefault("channel", []).append({"nodes": [one, other]})

    return edit


def _schemes(subject: Subject) -> Iterator[Change]:
    own = subject.network["scheme"]
    for scheme in schemes():
        name = str(scheme["name"])
        if name == own:
            continue
        try:
            changed, _ = fitting(subject.scenario, {"scheme.name": name}, [own], "")
        except ScenarioError:
            continue
        # Schemes that flood have no routes, and answer another question.
        if network(changed.json)["routing"] != subject.network["routing"]:
            continue
        edit = _replacing(changed.to_dict())
        yield _change(f"scheme.name = {name}", f"the scheme is {name}", edit)


def _replacing(wanted: Tables) -> Edit:
    def edit(tables: Tables) -> None:
        tables.clear()
        tables.update(wanted)

    return edit


def _relays(subject: Subject, trials: Trials) -> Iterator[Change]:
    """Add a relay, and move one: the best place of a few, if it is better than none there."""
    around = subject.geometry
    ranges = subject.network["ranges_m"]
    if around is None or around.moves or ranges is None or "link" in subject.tables:
        return
    for places in (_added(subject), _moved(subject, ranges[0])):
        best = trials.best(places, APART)
        if best is not None:
            yield best


def _added(subject: Subject) -> list[Change]:
    xs, ys = ([node[axis] for node in subject.network["nodes"]] for axis in (1, 2))
    return [
        _change(
            f"relay at {x:.0f} m, {y:.0f} m",
            f"one more node stands at {x:.0f} m, {y:.0f} m",
            _placed(subject, "relay", x, y),
        )
        for x in _between(min(xs), max(xs))
        for y in _between(min(ys), max(ys))
    ]


def _between(low: float, high: float) -> list[float]:
    if low == high:
        return [low]
    return [low + (high - low) * (at + 0.5) / GRID for at in range(GRID)]


def _moved(subject: Subject, range_m: float) -> list[Change]:
    ends = {node for _, pair in subject.flows for node in pair}
    senders = dict.fromkeys(sender for (sender, _), _ in subject.links)
    found = []
    for node in [node for node in senders if node not in ends][:MOVED]:
        name, x, y = subject.network["nodes"][node]
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            to = x + dx * STEP * range_m, y + dy * STEP * range_m
            found.append(
                _change(
                    f"{name} at {to[0]:.0f} m, {to[1]:.0f} m",
                    f"the relay {name} stands at {to[0]:.0f} m, {to[1]:.0f} m",
                    _placed(subject, name, *to),
                )
            )
    return found


def _placed(subject: Subject, name: str, x: float, y: float) -> Edit:
    """Put a node of this name somewhere, a new one if there is none."""

    def edit(tables: Tables) -> None:
        explicit(tables, subject.network)
        row = next((row for row in tables["node"] if row["name"] == name), None)
        if row is None:
            row = {"name": name}
            tables["node"].append(row)
        row |= {"x": f"{x!r} m", "y": f"{y!r} m"}

    return edit
