"""Values of files that anybody may have written: numbers, tables, names, places."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..engine.errors import MeshError

# A number and the unit behind it.
QUANTITY = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([a-zA-Z%/]*)\s*")
# Places so near latitude 0, longitude 0 (in degrees) are what devices without a position send.
NULL_ISLAND = 1e-4
LATITUDE, LONGITUDE = ("lat", "latitude"), ("lon", "lng", "long", "longitude")
HEIGHT = ("altitude", "alt", "height", "elevation", "ele", "z")
OFF = {"false", "0", "no", "offline", "down", "off"}
ON = {"true", "1", "yes", "online", "up", "on"}


def is_given(value: Any) -> bool:
    """Whether a file says anything here: 0 and false are something, empty text is not."""
    return value is not None and value != "" and value != [] and value != {}


def first(table: Mapping[str, Any], names: Sequence[str]) -> Any:
    """Return the first value that is given under one of some names; `None` without one."""
    return next((table[name] for name in names if is_given(table.get(name))), None)


def table(value: Any, where: str) -> Mapping[str, Any]:
    """Return a table of keys, empty where a file has nothing, or say where it is none."""
    if value and not isinstance(value, dict):
        raise MeshError(f"{where}: is no table of keys and values")
    return value or {}


def objects(value: Any, where: str) -> list[Any]:
    """Return a list, empty where a file has nothing, or say where it is none."""
    if value is not None and not isinstance(value, list):
        raise MeshError(f"{where}: is no list")
    return value or []


def identity(value: Any, where: str) -> str:
    """Return what a file calls a node by: text or a number, also those of a tuple."""
    if isinstance(value, list) and value and not any(isinstance(v, list | dict) for v in value):
        return ",".join(str(part) for part in value)
    if isinstance(value, bool) or not isinstance(value, str | int | float) or value == "":
        raise MeshError(f"{where}: {value!r:.40} is no name of a node; give text or a number")
    return str(value).strip()


def number(value: Any, where: str, *, low: float = -math.inf, high: float = math.inf) -> float:
    """Read a number within bounds, or say where it is none."""
    if value is None:
        raise MeshError(f"{where}: is missing")
    try:
        if isinstance(value, bool):
            raise TypeError
        found = float(value)
    except (TypeError, ValueError, OverflowError):
        raise MeshError(f"{where}: {value!r:.40} is no number") from None
    if not (math.isfinite(found) and low <= found <= high):
        raise MeshError(f"{where}: {value!s:.40} is not from {low:g} to {high:g}")
    return found


def quantity(value: Any, where: str) -> tuple[float, str]:
    """Read a number and its unit, "" without one, as in `-70 dBm` or `0.9`."""
    if isinstance(value, str):
        parts = QUANTITY.fullmatch(value)
        if parts is None:
            raise MeshError(f"{where}: {value!r:.40} is no number")
        return number(parts[1], where), parts[2].lower()
    return number(value, where), ""


def degrees(latitude: Any, longitude: Any, where: str) -> tuple[float, float] | None:
    """Read a place on Earth; `None` for latitude 0, longitude 0, which no node has."""
    place = (
        number(latitude, f"{where}: latitude", low=-90, high=90),
        number(longitude, f"{where}: longitude", low=-180, high=180),
    )
    return None if max(map(abs, place)) < NULL_ISLAND else place


def place_of(told: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Read where a node is: `degrees` or `metres`, and `height_m`, as far as they are given."""
    found: dict[str, Any] = {}
    latitude, longitude = first(told, LATITUDE), first(told, LONGITUDE)
    if latitude is not None or longitude is not None:
        for value, names in ((latitude, LATITUDE), (longitude, LONGITUDE)):
            if value is None:
                raise MeshError(
                    f"{where}: has no {names[0]}; name the column {' or '.join(names[:2])}"
                )
        found["degrees"] = degrees(latitude, longitude, where)
    elif is_given(told.get("x")) or is_given(told.get("y")):
        x, y = (number(told.get(axis), f"{where}: {axis}", low=-1e9, high=1e9) for axis in "xy")
        found["metres"] = (x, y)
    if (height := first(told, HEIGHT)) is not None:
        found["height_m"] = number(height, f"{where}: height", low=-1e6, high=1e9)
    return found


def is_online(value: Any, where: str) -> bool:
    """Read whether a node is on; what is not told is on."""
    if not is_given(value) or isinstance(value, bool):
        return value is not False
    text = str(value).strip().lower()
    if text not in ON | OFF:
        raise MeshError(f"{where}: {value!r:.40} is neither true nor false, online nor offline")
    return text in ON
