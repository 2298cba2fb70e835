"""Every parameter of the layers that a paper's scenarios use, each with other values to try.

The engine lists the parameters: those of parts by themselves, those of `[radio]` in the schema of
scenario files. Other
values follow from type and bounds: a switch is turned, of a choice each other one is taken, a
number is halved and doubled, of nothing an example or a small value is taken. What a scenario gives
goes before the default.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from .._multihop import (
    macs,
    mobilities,
    routings,
    schema,
    schemes,
    topologies,
    traffic,
    traffics,
)
from ..scenario.form import Scenario

# No routing: what schemes with routes cannot do without, as those of the papers.
UNROUTED = "none"
# What a part is, and is given elsewhere: `traffic.kind` is the set-up itself.
KINDS = ("traffic.kind", "mobility.kind", "topology.kind", "mobility.file", "mobility.movements")
QUANTITY = re.compile(r"\s*([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)\s*([a-zA-Z/]*)\s*")
# Where the default follows another key, the first that is named is that of 802.11 with DSSS.
DEFAULT = re.compile(r'Default: ("[^"]*"|[0-9.eE+-]*[0-9]|true|false)')
FACTORS = (0.5, 2.0)
# How many values of scenarios that differ are written out.
SHOWN = 3
# Kinds whose values are taken as they are.
WHOLE = {"text": "a text has", "numbers": "numbers in brackets have", "table": "a table has"}
# What is taken in place of nothing, by its unit: a number has none.
SMALL = {
    "ns": "10 ms",
    "us": "10 ms",
    "ms": "10 ms",
    "s": "10 ms",
    "min": "10 ms",
    "h": "10 ms",
    "": 0.1,
}
BOUNDS = (("min", float("-inf")), ("max", float("inf")))
# Another start by a few milliseconds changes nothing but random numbers.
CHANCE_KEY = "traffic.start"
CHANCE_MS = (3, 7)


class Parameter(NamedTuple):
    """A parameter by its key, its value in the scenarios, and other values or why it has none."""

    key: str
    value: Any
    others: tuple[Any, ...]
    why: str = ""


class Scaled(NamedTuple):
    """A value that follows each scenario's own: its number or quantity, so many times."""

    factor: float
    param: Mapping[str, Any]

    def __str__(self) -> str:
        return f"{self.factor:g} times"

    def __call__(self, own: Any) -> Any:
        """Return the value where a scenario has `own`, `None` where that has no other one.

        Where a scenario has none, it is the default of the layer, unless that follows other keys.
        """
        value = self.param.get("default") if own is None else own
        if value is None:
            return None
        number, unit = _quantity(value) if isinstance(value, str) else (value, "")
        if number == 0:
            return _small(unit, self.param) if self.factor > 1 else None
        return _scaled(value, self.factor, self.param)


# What a layer says of a parameter, and the values that scenarios have; what they give comes first.
Found = dict[str, tuple[Mapping[str, Any], list[Any]]]


def parameters(scenarios: Sequence[Scenario]) -> list[Parameter]:
    """List the parameters of all layers of some scenarios, each once.

    A scheme's parameters have its name before the dot: they are those of that scheme alone. Numbers
    in which scenarios differ are halved and doubled in each (`Scaled`).
    """
    tables = list({scenario.json: scenario.to_dict() for scenario in scenarios}.values())
    named = {scheme["name"]: scheme for scheme in schemes()}
    found: Found = {}
    for name in dict.fromkeys(table["scheme"]["name"] for table in tables):
        own = [table["scheme"] for table in tables if table["scheme"]["name"] == name]
        # A scheme in Python is unknown to the engine's list.
        params = named[name]["params"] if name in named else ()
        _list(found, name, params, own)
    parts = {"routing": routings(), "topology": topologies(), "mac": macs()}
    for part, known in parts.items():
        kinds = {kind["name"]: kind for kind in known}
        tabled = [table.get(part) or {} for table in tables]
        default = known[0]["name"]
        for name in dict.fromkeys(table.get("kind", default) for table in tabled):
            own = [table for table in tabled if table.get("kind", default) == name]
            _list(found, part, kinds[name]["params"], own)
    definitions = json.loads(schema())["$defs"]
    for section, key in (("routing", "kind"), ("radio", "propagation")):
        among = [one for one in definitions[section]["properties"][key]["enum"] if one != UNROUTED]
        asked = {"name": key, "kind": "choice", "default": among[0], "among": among}
        _list(found, section, [asked], [table.get(section) or {} for table in tables[:1]])
    radios = [table.get("radio") or {} for table in tables]
    for model in definitions["radio"]["anyOf"]:
        keys = dict(model["properties"])
        name = keys.pop("propagation")["const"]
        own = [radio for radio in radios if radio.get("propagation", "two-ray-ground") == name]
        if own:
            _list(found, "radio", (_described(*key, definitions) for key in keys.items()), own)
    # Nodes ask for addresses below any protocol.
    arp = definitions["routing"]["anyOf"][0]["properties"]["arp"]
    among = [one["const"] for one in arp["oneOf"]]
    asked = {"name": "arp", "kind": "choice", "default": arp["default"], "among": among}
    _list(found, "routing", [asked], [table.get("routing") or {} for table in tables])
    moving = [table["mobility"] for table in tables if table.get("mobility")]
    for model in mobilities():
        if own := [table for table in moving if table["kind"] == model["name"]]:
            _list(found, "mobility", model["params"], own)
    sending = [table["traffic"] for table in tables if table.get("traffic")]
    params = [*traffic()["params"], *(param for kind in traffics() for param in kind["params"])]
    _list(found, "traffic", params, sending)
    return [
        _with_others(key, values, param)
        for key, (param, values) in found.items()
        if key not in KINDS and not _is_seed(key)
    ]


def chance(scenarios: Sequence[Scenario]) -> Parameter:
    """Return starts that are a few milliseconds later: what they flip, chance decides."""
    own = [table for s in scenarios if (table := s.to_dict().get("traffic"))]
    start = next((table["start"] for table in own if "start" in table), "1 s")
    seconds = in_seconds(start)
    return Parameter(
        CHANCE_KEY, start, tuple(f"{seconds + shift / 1e3:g} s" for shift in CHANCE_MS)
    )


def in_seconds(text: str) -> float:
    """Return the seconds of a time with its unit."""
    number, unit = _quantity(text)
    return number * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0}[unit]


def _quantity(text: str) -> tuple[float, str]:
    match = QUANTITY.fullmatch(text)
    if match is None:
        raise ValueError(f"'{text}' is no number with a unit")
    return float(match[1]), match[2]


def _is_seed(key: str) -> bool:
    return key.endswith("_seed")


def _list(
    found: Found,
    part: str,
    params: Iterable[Mapping[str, Any]],
    tables: Sequence[Mapping[str, Any]],
) -> None:
    """Add a part's parameters by their keys; `tables` are what scenarios have of the part."""
    for param in params:
        name = param["name"]
        _, values = found.setdefault(f"{part}.{name}", (param, []))
        given = [table[name] for table in tables if name in table]
        others = [param.get("default")] if len(given) < len(tables) or not tables else []
        for value in [*given, *others]:
            if value not in values:
                values.append(value)


def _with_others(key: str, values: Sequence[Any], param: Mapping[str, Any]) -> Parameter:
    value = next((value for value in values if value is not None), None)
    if param["kind"] in WHOLE:
        return Parameter(key, value, (), f"{WHOLE[param['kind']]} no half and no double")
    example = param.get("example")
    if value is None and example is not None:
        return Parameter(key, value, (example,))
    if value is None:
        return Parameter(key, value, (), f"not given; without it: {param.get('otherwise', 'none')}")
    if param["kind"] == "switch":
        return Parameter(key, value, (not value,))
    if param["kind"] == "choice":
        return Parameter(key, value, tuple(one for one in param["among"] if one != value))
    if len(values) > 1:
        return Parameter(key, _some(values), tuple(Scaled(factor, param) for factor in FACTORS))
    number, unit = _quantity(value) if isinstance(value, str) else (value, "")
    if number == 0:
        small = _small(unit, param)
        why = f"{value} has no half and no double" if small is None else ""
        return Parameter(key, value, () if small is None else (small,), why)
    others = dict.fromkeys(_scaled(value, factor, param) for factor in FACTORS)
    return Parameter(key, value, tuple(other for other in others if other != value))


def _some(values: Sequence[Any]) -> str:
    """Write the values that scenarios have, the first few of many."""
    known = [
        f"{value:g}" if isinstance(value, float) else str(value)
        for value in values
        if value is not None
    ]
    more = ", ..." if len(known) > SHOWN else ""
    return ", ".join(known[:SHOWN]) + more


def _small(unit: str, param: Mapping[str, Any]) -> Any:
    """Return what is taken in place of nothing, or `None`."""
    example = param.get("example")
    small = example if example is not None else SMALL.get(unit)
    return 1 if small is not None and param["kind"] == "count" else small


def _scaled(value: Any, factor: float, param: Mapping[str, Any]) -> Any:
    """Return a number or quantity times a factor, within its bounds."""
    low, high = (_number(param.get(end), default) for end, default in BOUNDS)
    if isinstance(value, str):
        number, unit = _quantity(value)
        # Bounds of quantities may be in another unit; the engine refuses what is beyond.
        return f"{number * factor:g}{' ' if unit else ''}{unit}"
    scaled = min(max(value * factor, low), high)
    if isinstance(value, int):
        return int(scaled) if factor < 1 else round(scaled)
    return scaled


def _number(bound: Any, default: float) -> float:
    return float(bound) if isinstance(bound, int | float) else default


def _described(name: str, key: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    """Return a key of the schema as the engine describes parameters."""
    about = " ".join(key.get("description", "").split())
    types = key.get("type", ["string"])
    said = DEFAULT.search(about)
    described: dict[str, Any] = {"name": name, "otherwise": about.rpartition("Default: ")[2]}
    if said:
        described["default"] = json.loads(said[1])
    if "default" in key:
        described["default"] = key["default"]
    if "oneOf" in key:
        among = [one["const"] for one in key["oneOf"]]
        return described | {"kind": "choice", "among": among}
    names = [
        one["$ref"].rpartition("/")[2] for one in (key, *key.get("anyOf", ())) if "$ref" in one
    ]
    if names:
        among = [one["const"] for one in definitions[names[0]]["oneOf"]]
        return described | {"kind": "choice", "among": among}
    kind = "switch" if "boolean" in types else "number"
    described |= {"min": key.get("minimum"), "max": key.get("maximum")}
    # Of texts there are examples for every unit, which say nothing of the key.
    if said and "string" not in types and key.get("examples"):
        described["example"] = key["examples"][0]
    return described | {"kind": kind}
