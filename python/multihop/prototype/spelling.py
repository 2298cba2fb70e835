"""Names of a class that look like those that the engine knows, and are none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from difflib import SequenceMatcher
from functools import partial
from types import FunctionType
from typing import Any

from ..engine.errors import PrototypeError
from .reading import assigned
from .values import is_installed

# What the engine asks an object for, beside its methods.
ATTRIBUTES = ("deadline_s", "promiscuous", "watches_air")
# Methods that have another name now, and which.
RENAMED = {
    "on_timeout": "on_deadline (deadline_s has come) or on_retransmission_timeout (that of TCP)",
}
# From so alike on, one name is taken for another that is misspelt.
ALIKE = 0.8
# A shorter name is a word that many others are like.
SHORTEST = 5
CALLED = re.compile(r"(on|poll)(_|[A-Z])")


def refuse_misspelt(scheme: str, cls: type, base: type) -> None:
    """Refuse a class that changes nothing, or that has a name which nothing reads."""
    problem = next(_problems(cls, base), None)
    if problem:
        raise PrototypeError(f"scheme '{scheme}': {problem}")


def maker(scheme: str, cls: type, base: type) -> Callable[..., object]:
    """Return what makes objects of a class, and refuses attributes that nothing reads."""
    if is_installed(cls.__module__):
        return cls
    return partial(_made, scheme, cls, base)


def _made(scheme: str, cls: type, base: type, *arguments: Any) -> object:
    made = cls(*arguments)
    problem = next(_set(cls, base, getattr(made, "__dict__", ())), None)
    if problem:
        raise PrototypeError(f"scheme '{scheme}': {problem}")
    return made


def _problems(cls: type, base: type) -> Iterator[str]:
    """Say what is wrong, one thing after another."""
    own = [each for each in cls.__mro__ if not is_installed(each.__module__)]
    if not own:
        return
    special = {name for name in dir(type) if name != "__init__"} | {"__weakref__"}
    given = {name for each in own for name in vars(each)} - special
    known = {name for each in cls.__mro__ if each not in own for name in dir(each)}
    methods = _methods(base)
    for name in sorted(given - known):
        place = f"{cls.__name__}.{name}"
        if name in RENAMED:
            yield f"{place} has another name now: {RENAMED[name]}"
        if not callable(getattr(cls, name)):
            continue
        called = CALLED.match(name)
        like = _like(name, methods) or (called and _begins(name, methods))
        meant = f"did you mean {like}? The" if like else "the"
        if like or called:
            yield (
                f"{place} is never called; {meant} methods of a {base.__name__} are: "
                f"{_said(methods)}"
            )
    set_in = {
        name for each in own for value in vars(each).values() for name in assigned(_code(value))
    }
    plain = {name for name in given if not callable(getattr(cls, name))}
    yield from _set(cls, base, set_in | plain)
    if not given & known:
        yield (
            f"{cls.__name__} changes nothing of {own[-1].__base__.__name__}; "  # type: ignore[union-attr]
            f"the methods of a {base.__name__} are: {_said(methods)}"
        )


def _set(cls: type, base: type, names: Iterable[str]) -> Iterator[str]:
    """Say which attributes that are set are never read."""
    attributes = [name for name in ATTRIBUTES if hasattr(base, name)]
    for name in names:
        if name in _methods(base):
            yield f"{cls.__name__} sets self.{name}, which is never called; define the method"
        if name not in attributes and (like := _like(name, attributes)):
            yield (
                f"{cls.__name__} sets {name}, which nothing reads; did you mean {like}? If not, "
                f"call it otherwise, as _{name}"
            )


def _methods(base: type) -> list[str]:
    """List the methods that the engine calls."""
    return [name for name, value in vars(base).items() if callable(value) and name[0] != "_"]


def _said(methods: list[str]) -> str:
    return ", ".join(methods)


def _like(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that another one is most like, if it is much."""
    if name.startswith("_"):
        return None
    alike = {other: _ratio(name, other) for other in known}
    best = max(alike, key=alike.__getitem__, default="")
    return best if alike.get(best, 0) >= ALIKE else None


def _begins(name: str, known: Iterable[str]) -> str | None:
    """Return the known name with which another one begins, as `on_ack` for `on_acknowledgment`."""
    return max((other for other in known if name.startswith(other)), key=len, default=None)


def _ratio(name: str, known: str) -> float:
    """Say how alike two names are: 1 if only capitals and underscores differ, or the unit."""
    short, long = _bare(name), _bare(known)
    if short == long or short == _bare(known.removesuffix("_s")):
        return 1
    return SequenceMatcher(None, name, known).ratio() if len(known) >= SHORTEST else 0


def _bare(name: str) -> str:
    return name.replace("_", "").lower()


def _code(value: Any) -> Any:
    """Return the code of a method, under its decorators; None of anything else."""
    value = getattr(value, "__func__", value)
    value = getattr(value, "fget", value)
    while hasattr(value, "__wrapped__"):
        value = value.__wrapped__
    return value.__code__ if isinstance(value, FunctionType) else None
