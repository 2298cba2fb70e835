"""What the results of a scheme depend on: its code, and every value that this code refers to.

Functions, classes and modules of the user's own are followed; what is installed counts by its name
and version. Values are told apart by their content, as pickling sees it.
"""

from __future__ import annotations

import builtins
import enum
import functools
import hashlib
import importlib
import importlib.util
import site
import sys
import sysconfig
from collections.abc import Callable, Iterable, Set
from functools import cache
from pathlib import Path
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any, NamedTuple

from .outside import Outside, outside
from .reading import Names, digest, hashed, names

PLAIN = (type(None), bool, int, float, complex, str, bytes, type(...), type(NotImplemented), range)
# What a class has of itself, and not from what stands in it.
OF_CLASSES = {
    *("__abstractmethods__", "__annotate__", "__annotate_func__", "__annotations__"),
    *("__annotations_cache__", "__dataclass_fields__", "__dataclass_params__", "__dict__"),
    *("__doc__", "__firstlineno__", "__match_args__", "__module__", "__orig_bases__"),
    *("__parameters__", "__qualname__", "__static_attributes__", "__weakref__", "_abc_impl"),
}
# Code that makes names while it runs.
BY_NAME = {"eval", "exec", "globals", "__import__", "import_module"}
# Code that may take any attribute of a module.
ANY_ATTRIBUTE = {"getattr", "vars", "__dict__", "attrgetter"}


class Unknown(NamedTuple):
    """Something that code refers to, by `name`, and of which nobody can tell the content."""

    name: str
    about: str


class Found:
    """What classes depend on: a hash for each value by its name, and what is beyond them."""

    def __init__(self, classes: Iterable[type]) -> None:
        self.named: dict[str, bytes] = {}
        self.unknown: list[Unknown] = []
        self.outside: list[Outside] = []
        self._seen: dict[int, int] = {}
        # No other object gets the number of one that lives.
        self._kept: list[object] = []
        self._modules: list[tuple[ModuleType, Set[str] | None]] = []
        self.digest = hashed(*(self._value(cls.__qualname__, cls) for cls in classes))

    def changed(self, later: Found) -> list[str]:
        """Return the names of the values that are others in `later`."""
        names = dict.fromkeys((*self.named, *later.named))
        return [name for name in names if self.named.get(name) != later.named.get(name)]

    def _value(self, name: str, value: Any) -> bytes:
        if type(value) in PLAIN:
            return hashed(type(value).__name__.encode(), repr(value).encode())
        kind = type(value).__name__.encode()
        if type(value) is tuple:
            return hashed(kind, *(self._value(name, one) for one in value))
        if id(value) in self._seen:
            return hashed(b"again", str(self._seen[id(value)]).encode())
        self._seen[id(value)] = len(self._seen)
        self._kept.append(value)
        if isinstance(value, (set, frozenset)) and type(value) in (set, frozenset):
            return hashed(kind, *sorted(self._value(name, one) for one in value))
        if type(value) is list:
            return hashed(kind, *(self._value(name, one) for one in value))
        if type(value) is dict:
            pairs = (part for pair in value.items() for part in pair)
            return hashed(kind, *(self._value(name, part) for part in pairs))
        for wanted, follow in self._ways():
            if isinstance(value, wanted):
                return hashed(kind, follow(name, value))
        return hashed(kind, self._content(name, value))

    def _ways(self) -> list[tuple[Any, Callable[[str, Any], bytes]]]:
        """Return how to follow what has code, by its type."""

        def inside(*parts: str) -> Callable[[str, Any], bytes]:
            return lambda name, value: hashed(
                *(self._value(name, getattr(value, part)) for part in parts)
            )

        return [
            (FunctionType, self._function),
            (type, self._class),
            (ModuleType, lambda name, value: self._module(name, value, None)),
            (CodeType, lambda _, value: digest(value)),
            (MethodType, inside("__func__", "__self__")),
            (BuiltinFunctionType, self._builtin),
            ((staticmethod, classmethod), inside("__func__")),
            (property, inside("fget", "fset", "fdel")),
            (functools.cached_property, inside("func")),
            (functools._lru_cache_wrapper, inside("__wrapped__")),
            ((MemberDescriptorType, GetSetDescriptorType), lambda _, value: _named(value)),
            (enum.Enum, lambda name, value: self._value(name, (type(value), value.name))),
        ]

    def _function(self, name: str, value: FunctionType) -> bytes:
        if is_installed(value.__module__):
            return _named(value)
        found = names(value.__code__)
        parts = [digest(value.__code__)]
        parts += [self._value(name, value.__defaults__), self._value(name, value.__kwdefaults__)]
        parts += [self._value(name, dict(vars(value)))]
        for variable, cell in zip(value.__code__.co_freevars, value.__closure__ or (), strict=True):
            try:
                content = cell.cell_contents
            except ValueError:  # not set yet
                continue
            parts.append(self._referred(variable, content, found, value))
        for variable in sorted(found.globals):
            if variable in value.__globals__:
                content = value.__globals__[variable]
                parts.append(self._referred(variable, content, found, value))
            elif hasattr(builtins, variable):
                self._note_outside(getattr(builtins, variable), found.of(variable), value)
                if variable in BY_NAME:
                    self._refuse(variable, f"which makes names while it runs, {_place(value)}")
        for level, imported in sorted(found.imported):
            parts.append(self._imported(level, imported, found, value))
        return hashed(*parts)

    def _referred(self, variable: str, content: Any, found: Names, by: FunctionType) -> bytes:
        """Follow a global, or a variable around a function, to which `by` refers."""
        attributes = found.of(variable)
        if self._note_outside(content, attributes, by) and not isinstance(content, ModuleType):
            return hashed(b"outside", variable.encode())
        if isinstance(content, ModuleType):
            every = found.globals & ANY_ATTRIBUTE or found.attributes & ANY_ATTRIBUTE
            return self._module(variable, content, None if every else attributes)
        said = hashed(variable.encode(), self._value(variable, content))
        if not isinstance(content, (type, FunctionType)):
            self.named.setdefault(f"{variable} ({by.__module__})", said)
        return said

    def _imported(self, level: int, name: str, found: Names, by: FunctionType) -> bytes:
        """Follow a module that a function imports when it is called."""
        package = by.__globals__.get("__package__") or ""
        try:
            whole = importlib.util.resolve_name("." * level + name, package)
            module = importlib.import_module(whole)
        except (ImportError, ValueError):  # what the function makes of that is its affair
            return hashed(b"absent", name.encode())
        if "importlib" in whole and found.attributes & BY_NAME:
            self._refuse(whole, f"which makes names while it runs, {_place(by)}")
        top = sys.modules[whole.partition(".")[0]]
        attributes = found.attributes | set(whole.split("."))
        said = []
        for each in dict.fromkeys((top, module)):
            self._note_outside(each, attributes, by)
            said.append(self._module(each.__name__, each, attributes))
        return hashed(*said)

    def _module(self, name: str, value: ModuleType, wanted: Set[str] | None) -> bytes:
        """Follow what code may take of a module; all of it for `None`."""
        if is_installed(value.__name__):
            return _named(value)
        if (value, wanted) in self._modules:
            return b"again"
        self._modules.append((value, wanted))
        said = [value.__name__.encode()]
        for key, content in sorted(vars(value).items()):
            if key in (wanted if wanted is not None else vars(value)) and not _is_special(key):
                if isinstance(content, ModuleType):
                    said.append(self._module(key, content, wanted))
                    continue
                part = hashed(key.encode(), self._value(f"{name}.{key}", content))
                if not isinstance(content, (type, FunctionType)):
                    self.named.setdefault(f"{name}.{key}", part)
                said.append(part)
        return hashed(*said)

    def _class(self, name: str, value: type) -> bytes:
        if is_installed(value.__module__):
            return _named(value)
        parts = [value.__name__.encode(), self._value(name, type(value))]
        parts += [self._value(name, base) for base in value.__bases__]
        for key, content in vars(value).items():
            if key in OF_CLASSES:
                continue
            part = hashed(key.encode(), self._value(f"{value.__name__}.{key}", content))
            if not callable(content) and not _is_special(key):
                self.named[f"{value.__name__}.{key}"] = part
            parts.append(part)
        return hashed(*parts)

    def _builtin(self, name: str, value: BuiltinFunctionType) -> bytes:
        if value.__self__ is None or isinstance(value.__self__, (ModuleType, type)):
            return _named(value)
        return hashed(value.__name__.encode(), self._value(name, value.__self__))

    def _content(self, name: str, value: Any) -> bytes:
        """Follow an object as pickling does: its class, and its state."""
        if value is sys.stdout or value is sys.stderr:
            return b"output"
        try:
            reduced = value.__reduce_ex__(4)
        except Exception:
            self._refuse(name, f"an object of {type(value).__module__}.{type(value).__qualname__}")
            return _named(type(value))
        if isinstance(reduced, str):
            return hashed(_named(type(value)), reduced.encode())
        parts = [list(part) if hasattr(part, "__next__") else part for part in reduced]
        return hashed(*(self._value(name, part) for part in parts))

    def _refuse(self, name: str, about: str) -> None:
        self.unknown.append(Unknown(name, about))

    def _note_outside(self, content: object, attributes: Set[str], by: FunctionType) -> bool:
        """Note what code takes from outside by something; return whether it is any."""
        found = outside(content, attributes, _place(by))
        self.outside += [one for one in found if one not in self.outside]
        return bool(found)


def _place(function: FunctionType) -> str:
    name = function.__qualname__.rpartition("<locals>.")[2]
    return f"{name}, line {function.__code__.co_firstlineno}"


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _named(value: Any) -> bytes:
    """Name what is installed; files of this package count by their text."""
    if not isinstance(value, (type, ModuleType)) and not getattr(value, "__module__", None):
        value = getattr(value, "__objclass__", value)
    module = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "")
    name = getattr(value, "__qualname__", "")
    top = sys.modules.get(str(module).partition(".")[0])
    version = getattr(top, "__version__", "")
    text = _text_of(str(module)) if str(module).startswith("multihop") else b""
    return hashed(b"installed", f"{module} {name} {version}".encode(), text)


@cache
def _text_of(module: str) -> bytes:
    file = getattr(sys.modules.get(module), "__file__", None)
    is_text = file is not None and file.endswith(".py")
    return hashlib.blake2b(Path(file).read_bytes()).digest() if file and is_text else b""


def is_installed(module: str | None) -> bool:
    """Whether a module is Python's, this package's, or an installed one, and not the user's own."""
    if not module or module == "__main__":
        return False
    if module.partition(".")[0] == "multihop" or module in sys.builtin_module_names:
        return True
    known = sys.modules.get(module)
    file = getattr(known, "__file__", None)
    if file is None:
        origin = getattr(getattr(known, "__spec__", None), "origin", None)
        return origin in ("built-in", "frozen")
    return any(Path(file).is_relative_to(root) for root in _roots())


@cache
def _roots() -> list[Path]:
    paths = sysconfig.get_paths()
    found = [paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")]
    found += [*site.getsitepackages(), site.getusersitepackages()]
    return [root for path in found for root in (Path(path), Path(path).resolve())]
