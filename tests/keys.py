"""Every scalar key of a scenario, and other values that it may have."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from multihop import routings, schema, schemes, topologies

SCHEMA: dict[str, Any] = json.loads(schema())
TABLES = ("measure", "mobility", "radio", "mac", "wired", "traffic")
BY_UNIT = {
    "s": ["7 us", "3 ms", "0.7 s", "2 s", "4 s", "5 s"],
    "m": ["7 m", "150 m", "300 m", "700 m"],
    "bit/s": ["0.5 Mbit/s", "2 Mbit/s", "11 Mbit/s", "70 kbit/s"],
    "B": ["40 B", "400 B", "3 kB"],
    "W": ["5 mW", "9 W"],
    "dB": ["1 dB", "9 dB"],
    "dBm": ["-60 dBm", "-80 dBm", "-95 dBm"],
    "Hz": ["2.4 GHz", "100 MHz"],
    "m/s": ["1 m/s", "30 m/s"],
}
WHOLE = [0, 1, 2, 3, 5, 7, 15, 40, 100, 500, 1000]
NUMBERS = [0, 0.01, 0.3, 0.6, 0.99, 1, 1.5, 2, 5, 20, 100]
TIMES = ["1 ms", "10 ms", "0.1 s", "0.5 s", "1 s", "3 s", "20 s"]


def of_tables() -> dict[str, list[Any]]:
    """List the keys of the root and of all tables but those of parts."""
    found = {
        key: values
        for key, described in SCHEMA["properties"].items()
        if (values := _values(described))
    }
    for table in TABLES:
        described = _plain(SCHEMA["properties"][table])
        # A part's keys are those of its alternatives.
        for one in (described, *described.get("anyOf", ())):
            found |= {f"{table}.{key}": _values(value) for key, value in one["properties"].items()}
    return found


def of_parts(section: str) -> Iterator[tuple[str, dict[str, list[Any]]]]:
    """List every part of a section with the keys of its parameters."""
    parts = {"scheme": schemes, "routing": routings, "topology": topologies}[section]()
    for part in parts:
        yield part["name"], {f"{section}.{p['name']}": _others(p) for p in part["params"]}


def _plain(described: Mapping[str, Any]) -> Mapping[str, Any]:
    """Follow references, and leave null out."""
    while True:
        if "$ref" in described:
            described = SCHEMA["$defs"][described["$ref"].rpartition("/")[2]]
        elif {"type": "null"} in described.get("anyOf", ()):
            described = next(one for one in described["anyOf"] if one != {"type": "null"})
        else:
            return described


def _values(described: Mapping[str, Any]) -> list[Any]:
    described = _plain(described)
    kinds = described.get("type", ())
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if "oneOf" in described:
        return [one["const"] for one in described["oneOf"] if "const" in one]
    if "x-units" in described:
        return next(BY_UNIT[unit] for unit in BY_UNIT if unit in described["x-units"])
    if "boolean" in kinds:
        return [True, False]
    if "integer" in kinds:
        return [*WHOLE, described.get("maximum", 1_000_000)]
    return list(NUMBERS) if "number" in kinds else []


def _others(param: Mapping[str, Any]) -> list[Any]:
    """Return values of a parameter within its bounds."""
    default = param.get("default", param.get("example"))
    match param["kind"]:
        case "switch":
            return [True, False]
        case "choice":
            return list(param["among"])
        case "time":
            return TIMES
        case "measure":
            return BY_UNIT[param["unit"]]
        case "length":
            return ["100 m", "180 m", "240 m"]
        case "seed":
            return [3, 4]
        case "size":
            return [f"{size} B" for size in (0, 4, 5, 16, 40, 100)]
        case "numbers":
            return [list(range(50)), [0, 1, 2]]
        case "table":
            return [[1, 2, 3, 4, 5, 6, 7, 8]]
    factors = (2, 4, 16, 0.5, 0.25)
    near = [default * by for by in factors] + [default + 1, default - 1]
    ends = [param[end] for end in ("min", "max") if end in param]
    least, most = param.get("min", float("-inf")), param.get("max", float("inf"))
    given = [int(v) if param["kind"] == "count" else v for v in (*near, *ends)]
    return [value for value in given if least <= value <= most]
