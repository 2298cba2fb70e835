"""What a scheme says of itself, and how scenarios come to know it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

from .._multihop import register_prototype, schemes, unregister_prototype
from ..engine.errors import PrototypeError
from .control import CongestionControl
from .hop import Hop
from .identity import KNOWN, remember
from .spelling import maker, refuse_misspelt
from .transport import Transport

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
PARAMETER = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
COLOR = re.compile(r"#[0-9a-fA-F]{6}")
# Names that `--set scheme.name=` would read as values.
VALUES = ("nan", "inf", "true", "false")
MACS = ("dcf", "csma")
MOST_COUNT = 2**32 - 1
# A parameter that every TCP has.
OF_TCP = "window_limit"
# A year: no scenario lasts longer.
MOST_SECONDS = 366 * 86_400.0


class Class(NamedTuple):
    """What makes the objects of a class, and its methods that are not those of its base."""

    cls: Callable[..., object]
    own: list[str]


@dataclass(frozen=True)
class Param:
    """A parameter of a scheme: a key of `[scheme]` in scenarios.

    Its type follows from its default: a switch (`True`), a count (`7`), a number (`0.5`), or a
    time (`timedelta(milliseconds=20)`; scenarios say "20 ms", and `params[name]` is in seconds).
    """

    name: str
    default: bool | int | float | timedelta
    about: str = ""
    unit: str = ""
    least: float | timedelta = 0
    most: float | timedelta = math.inf

    def __post_init__(self) -> None:
        if not PARAMETER.fullmatch(self.name):
            raise PrototypeError(
                f"parameter '{self.name}': a name has small letters, digits and _ between them"
            )
        if not isinstance(self.default, bool | int | float | timedelta):
            kind = type(self.default).__name__
            raise PrototypeError(
                f"parameter '{self.name}': a default is True, False, a number or a timedelta, "
                f"not {kind}"
            )
        least, most, default = map(_number, (self.least, self.most, self.default))
        if not least <= default <= most:
            raise PrototypeError(
                f"parameter '{self.name}': its default {self.default} does not lie between "
                f"{self.least} and {self.most}"
            )

    @property
    def kind(self) -> str:
        """The parameter's type: switch, count, number or time."""
        kinds = {bool: "switch", int: "count", float: "number", timedelta: "time"}
        return kinds[type(self.default)]

    def described(self) -> _Described:
        """Return the parameter's description for the engine."""
        least, most, default = map(_number, (self.least, self.most, self.default))
        if self.kind == "count":
            least, most = max(least, 0), min(most, MOST_COUNT)
        elif self.kind == "time":
            least, most = max(least, 0), min(most, MOST_SECONDS)
        about = self.about or self.name.replace("_", " ")
        unit = "s" if self.kind == "time" else self.unit
        return _Described(self.name, about, unit, self.kind, default, least, most)


class _Described(NamedTuple):
    name: str
    about: str
    unit: str
    kind: str
    default: float
    least: float
    most: float


@dataclass(frozen=True)
class Scheme:
    """A scheme in Python: its own parts, and `base`, the built-in scheme with the remaining parts.

    `hop` is the hop protocol of every node; `source` and `destination` are the two ends of a flow,
    and go together; in their place, `control` is the congestion control of a TCP. The base is `udp`
    unless given, or `newreno` with a `control`. Parameters come on top of those of the base.
    """

    name: str
    base: str = ""
    hop: type[Hop] | None = None
    source: type[Transport] | None = None
    destination: type[Transport] | None = None
    control: type[CongestionControl] | None = None
    params: Sequence[Param] = ()
    title: str = ""
    paper: str = "None: a prototype in Python"
    color: str = "#101010"
    marker: str = "*"
    mac: str | None = None

    def __post_init__(self) -> None:
        if not self.base:
            base = "udp" if self.control is None else "newreno"
            object.__setattr__(self, "base", base)
        problem = next(self._problems(), None)
        if problem:
            raise PrototypeError(f"scheme '{self.name}': {problem}")

    def _problems(self) -> Any:
        """Say what is wrong, one thing after another."""
        built_in = {scheme["name"]: scheme for scheme in schemes() if scheme["name"] not in KNOWN}
        if not NAME.fullmatch(self.name):
            yield "a name has small letters and digits, and - between them"
        if self.name in VALUES:
            yield "the command line reads this name as a number or a switch; take another name"
        if self.name in built_in:
            yield "there is one of this name already; take another name"
        if self.base not in built_in:
            yield f"there is no base '{self.base}'; built in are: {', '.join(built_in)}"
        if not self._parts():
            yield "give a hop protocol, a source and a destination, or a congestion control"
        if (self.source is None) != (self.destination is None):
            yield "a source and a destination go together; give both"
        if self.source is not None and self.control is not None:
            yield "a congestion control is that of TCP's ends; leave source and destination out"
        for part, cls, wanted in self._parts():
            if not (isinstance(cls, type) and issubclass(cls, wanted)):
                yield f"{part} is a class derived from {wanted.__name__}, not {cls!r}"
        taken = {param["name"] for param in built_in[self.base]["params"]}
        if self.control is not None and OF_TCP not in taken:
            yield f"a congestion control is that of a TCP, and '{self.base}' is none; take newreno"
        for param in self.params:
            if not isinstance(param, Param):
                yield f"params are of prototype.Param, not {type(param).__name__}"
            if param.name in taken:
                yield f"parameter '{param.name}' is there already; take another name"
            taken.add(param.name)
        if not COLOR.fullmatch(self.color):
            yield f"a colour is #rrggbb, not '{self.color}'"
        if self.mac not in (None, *MACS):
            yield f"mac is {' or '.join(MACS)}, not '{self.mac}'"

    def _parts(self) -> list[tuple[str, type, type]]:
        parts: list[tuple[str, Any, type]] = [
            ("hop", self.hop, Hop),
            ("source", self.source, Transport),
            ("destination", self.destination, Transport),
            ("control", self.control, CongestionControl),
        ]
        return [part for part in parts if part[1] is not None]


class _Description(NamedTuple):
    """A scheme as the engine reads it."""

    name: str
    base: str
    title: str
    paper: str
    color: str
    marker: str
    mac: str | None
    params: list[_Described]
    hop: Class | None
    source: Class | None
    destination: Class | None
    control: Class | None
    overhears: bool
    watches_air: bool


def register(scheme: Scheme, *, depends: Sequence[str | Path] | None = None) -> Scheme:
    """Register a scheme: scenarios of this process can name it from now on.

    A scheme of the same name that was registered before is replaced, as in a notebook whose cell is
    run again. Stores tell its runs apart by its code and by every value that the code refers to.
    `depends` lists further files and folders on which results depend, and environment variables as
    "$NAME". Raises `PrototypeError` if a class has a misspelt method or attribute, or if its
    code takes a value whose content cannot be compared and `depends` is not given.

    >>> prototype.register(prototype.Scheme("mine", hop=Mine), depends=["table.csv", "$GAIN"])
    """
    for _, cls, wanted in scheme._parts():
        refuse_misspelt(scheme.name, cls, wanted)
    parts = [cls for _, cls, _ in scheme._parts()]
    remember(scheme.name, parts, repr(scheme), depends)
    classes = {part: _class(scheme.name, cls, wanted) for part, cls, wanted in scheme._parts()}
    register_prototype(
        _Description(
            scheme.name,
            scheme.base,
            scheme.title or scheme.name,
            scheme.paper,
            scheme.color,
            scheme.marker,
            scheme.mac,
            [param.described() for param in scheme.params],
            classes.get("hop"),
            classes.get("source"),
            classes.get("destination"),
            classes.get("control"),
            scheme.hop is not None and scheme.hop.promiscuous,
            scheme.hop is not None and scheme.hop.watches_air,
        )
    )
    return scheme


def unregister(name: str) -> None:
    """Remove a registered scheme: scenarios cannot name it any more."""
    unregister_prototype(name)
    KNOWN.pop(name, None)


def _class(scheme: str, cls: type, base: type) -> Class:
    names = [name for name in vars(base) if callable(getattr(base, name))]
    own = [name for name in names if getattr(cls, name) is not getattr(base, name)]
    return Class(maker(scheme, cls, base), own)


def _number(value: float | timedelta) -> float:
    return value.total_seconds() if isinstance(value, timedelta) else value
