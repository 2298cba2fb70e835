"""Scenarios: what is simulated. The engine defines and checks them; here they are a value."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from operator import index
from pathlib import Path
from typing import Any, NamedTuple, Protocol, SupportsIndex, TypeAlias, TypeVar

from .._multihop import ScenarioError, conditions, movement, normalize, notes
from ..engine import texts

T = TypeVar("T")
FORMATS = {".toml": "toml", ".json": "json"}


class Override(NamedTuple):
    """A key that is given beside a scenario, and the option that it was given with.

    A dot leads into a table; the value `None` takes a key away.
    """

    key: str
    value: Any
    option: str = ""


class Base(Protocol):
    """Whatever overrides can be applied to: a scenario, or a file that is not checked yet."""

    def override(self, values: Mapping[str, Any], option: str = "") -> Scenario:
        """Return a checked scenario with keys replaced; errors name the option."""


# What the functions of the package take as a scenario: a checked one, a file, or its path.
Given: TypeAlias = Base | str | Path


def as_base(given: Given) -> Base:
    """Return what overrides can be applied to; a path is read as a `ScenarioFile`."""
    return ScenarioFile.read(given) if isinstance(given, str | Path) else given


def as_scenario(given: Given) -> Scenario:
    """Return a checked scenario of one, of a file, or of the path of a file."""
    return given if isinstance(given, Scenario) else as_base(given).override({})


def seed_list(seeds: int | Iterable[int]) -> list[int]:
    """Return the seeds that are meant: 1 to `seeds` if that is a number, else what it lists."""
    if isinstance(seeds, SupportsIndex):
        return list(range(1, index(seeds) + 1))
    return [index(seed) for seed in seeds]


def simulator_of(scenario: str) -> str:
    """Return what carries out the runs of a scenario in its normal form: multihop or ns3."""
    # Read without taking all of it apart; quotation marks within text have a backslash before them.
    return "ns3" if '"simulator": "ns3"' in scenario else "multihop"


@dataclass(frozen=True, slots=True)
class Scenario:
    """A checked scenario, immutable.

    It holds the engine's normal form: JSON of the given keys, without defaults. Two scenarios are
    equal if their normal forms are. A scenario that cannot be run raises `ScenarioError`.
    """

    json: str

    @classmethod
    def from_file(cls, path: str | Path, overrides: Mapping[str, Any] | None = None) -> Scenario:
        """Read a scenario from a `.toml` or `.json` file; `overrides` apply before it is checked.

        >>> Scenario.from_file("chain.toml", {"topology.hops": 4})
        """
        return ScenarioFile.read(path).override(overrides or {})

    @classmethod
    def from_toml(cls, text: str) -> Scenario:
        """Read a scenario from TOML text."""
        return cls(normalize(text, "toml"))

    @classmethod
    def from_dict(cls, tables: dict[str, Any]) -> Scenario:
        """Make a scenario from nested dictionaries of the TOML file's shape."""
        try:
            text = json.dumps(tables, allow_nan=False, default=_plain)
        except ValueError:
            raise ScenarioError(_not_finite(tables)) from None
        return cls(normalize(text, "json"))

    def to_dict(self) -> dict[str, Any]:
        """Return the given keys of a scenario as nested dictionaries, without defaults."""
        tables: dict[str, Any] = json.loads(self.json)
        return tables

    def with_(self, **overrides: Any) -> Scenario:
        """Return a scenario with keys replaced; a dot leads into a table, `None` removes a key.

        >>> base.with_(**{"scheme.rfa": True, "traffic.load": "100 kbit/s", "seed": 3})
        """
        return self.override(overrides)

    def override(self, values: Mapping[str, Any], option: str = "") -> Scenario:
        """Return a scenario with keys replaced; errors name the command-line option of a key."""
        given = [_row(Override(key, value, option)) for key, value in values.items()]
        return Scenario(normalize(self.json, "json", None, given))

    @property
    def notes(self) -> list[str]:
        """Warnings about a scenario: keys without effect, and causes of odd results.

        >>> Scenario.from_file("chain.toml", {"radio.transmit_power": "1 W"}).notes
        """
        return [sentence for _, sentence in notes(self.json, "json")]

    @property
    def conditions(self) -> dict[str, Any]:
        """The conditions of a scenario's scheme, by keys and defaults: MAC, queue, headers, rates.

        Names have their units in them; a value is `None` where there is no such thing.
        """
        found: dict[str, Any] = json.loads(conditions(self.json))
        return found

    def movement(self) -> str:
        """Return positions and movement of the nodes as an ns-2 movement file (m, s, m/s)."""
        return movement(self.json)

    @property
    def name(self) -> str:
        """The scenario's name, "" if it has none."""
        return str(self.to_dict().get("name", ""))


@dataclass(frozen=True, slots=True)
class ScenarioFile:
    """A scenario file that is not checked yet, and keys to replace in it.

    So a file may lack keys that an override gives.
    """

    path: Path
    format: str
    text: str
    overrides: tuple[Override, ...] = ()

    @classmethod
    def read(cls, path: str | Path) -> ScenarioFile:
        """Read the text of a `.toml` or `.json` file."""
        path = Path(path)
        return cls(path, *read_text(path))

    def scheme(self) -> str | None:
        """Return the name of the scheme in the file, if it names one."""
        try:
            name = texts.parsed(self.text, self.format)["scheme"]["name"]
        except (ValueError, KeyError, TypeError):
            # What is wrong with the file, the check says.
            return None
        return name if isinstance(name, str) else None

    def with_(self, values: Mapping[str, Any], option: str) -> ScenarioFile:
        """Return the scenario file with more keys to replace, unchecked."""
        more = tuple(Override(key, value, option) for key, value in values.items())
        return replace(self, overrides=(*self.overrides, *more))

    def override(self, values: Mapping[str, Any], option: str = "") -> Scenario:
        """Replace keys of the file, check the result, and return the scenario."""
        return Scenario(_asked(self.with_(values, option), normalize))

    @property
    def notes(self) -> list[str]:
        """Warnings about the file's scenario, each with its line or option."""
        return [sentence for _, sentence in _asked(self, notes)]


def _asked(file: ScenarioFile, engine: Callable[..., T]) -> T:
    """Return what the engine says of a file; errors name it."""
    given = [*map(_row, file.overrides)]
    try:
        return engine(file.text, file.format, str(file.path.parent), given)
    except ScenarioError as error:
        named = ScenarioError(f"{file.path}: {error}")
        named.key = error.key
        raise named from None


def read_text(path: Path) -> tuple[str, str]:
    """Read a file that is TOML or JSON, and return which of them, and its text."""
    kind = FORMATS.get(path.suffix)
    if kind is None:
        raise ScenarioError(f"{path}: a scenario file ends in .toml or .json")
    if path.exists() and not path.is_file():
        raise ScenarioError(f"{path}: cannot be read: it is not a file; check the path")
    try:
        return kind, texts.read_text(path)
    except ValueError as error:
        raise ScenarioError(str(error)) from None


def _row(given: Override) -> tuple[str, str, str]:
    try:
        return given.key, json.dumps(given.value, default=_plain), given.option
    except TypeError:
        kind = type(given.value).__name__
        raise ScenarioError(f"{given.key}: a scenario has no values of type {kind}") from None


def _plain(value: Any) -> Any:
    """Return a number or an array of NumPy as JSON has it, and the text of a path."""
    if isinstance(value, Path):
        return str(value)
    if callable(as_list := getattr(value, "tolist", None)):
        return as_list()
    raise TypeError(f"no value of a scenario: {type(value).__name__}")


def _not_finite(value: Any, key: str = "") -> str:
    """Name the key of the first number within `value` that is not finite; "" if there is none."""
    if isinstance(value, float) and not math.isfinite(value):
        return f"{key}: {value} cannot be used; expected a finite number"
    if isinstance(value, dict):
        inner = ((inside, f"{key}.{name}".lstrip(".")) for name, inside in value.items())
    elif isinstance(value, list | tuple):
        inner = ((inside, f"{key}[{at}]") for at, inside in enumerate(value))
    else:
        return ""
    return next(filter(None, (_not_finite(inside, path) for inside, path in inner)), "")
