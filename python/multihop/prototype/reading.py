"""What the code of a function names: globals, attributes, imports, and what it sets of `self`."""

from __future__ import annotations

import dis
import hashlib
from collections.abc import Iterator
from functools import cache
from types import CodeType
from typing import NamedTuple

# Instructions whose name is looked up among the globals.
GLOBAL = {"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS", "STORE_GLOBAL", "DELETE_GLOBAL"}
# A class statement stores names of the class, and no attributes.
LOCAL = {"STORE_NAME", "DELETE_NAME"}

# Instructions that load a variable.
VARIABLE = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_FAST", "LOAD_CLASSDEREF")


class Names(NamedTuple):
    """The names in a code object and in those inside it.

    `imported` has the level and the name of each import, `chains` a variable and the attributes
    that are taken of it at once, as `("np", "random", "shuffle")`.
    """

    globals: frozenset[str]
    attributes: frozenset[str]
    imported: frozenset[tuple[int, str]]
    chains: frozenset[tuple[str, ...]]

    def of(self, variable: str) -> frozenset[str]:
        """Return the attributes that may be taken of a variable."""
        chains = [chain[1:] for chain in self.chains if chain[0] == variable]
        if not all(chains):  # handed on, or under another name
            return self.attributes
        return frozenset(name for chain in chains for name in chain)


@cache
def names(code: CodeType) -> Names:
    """Return the names in a code object and in those inside it."""
    at_globals: set[str] = set()
    attributes: set[str] = set()
    imported: set[tuple[int, str]] = set()
    chains: set[tuple[str, ...]] = set()
    for each in nested(code):
        chain: tuple[str, ...] = ()
        before: list[dis.Instruction] = []
        for instruction in dis.get_instructions(each):
            name, operation = instruction.argval, instruction.opname
            if operation == "IMPORT_NAME":
                level = before[-2].argval if len(before) > 1 else 0
                imported.add((level if isinstance(level, int) else 0, name))
            elif operation in GLOBAL:
                at_globals.add(name)
            elif instruction.opcode in dis.hasname and operation not in LOCAL:
                attributes.add(name)
                chain += (name,) if chain and operation in ("LOAD_ATTR", "LOAD_METHOD") else ()
                before.append(instruction)
                continue
            chains.add(chain)
            chain = (name,) if operation.startswith(VARIABLE) and isinstance(name, str) else ()
            before.append(instruction)
        chains.add(chain)
    chains.discard(())
    found = (at_globals, attributes, imported, chains)
    return Names(*map(frozenset, found))  # type: ignore[arg-type]


def nested(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and those inside it: of functions, classes and comprehensions."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from nested(constant)


def assigned(code: CodeType | None) -> set[str]:
    """Return the attributes that a method sets of its first argument, `self`."""
    if code is None or not code.co_argcount:
        return set()
    own = code.co_varnames[0]
    found = set()
    for each in nested(code):
        last: object = None
        for instruction in dis.get_instructions(each):
            if instruction.opname == "STORE_ATTR" and last == own:
                found.add(instruction.argval)
            # One instruction may load two variables; the last is the object.
            value = instruction.argval
            last = value[-1] if isinstance(value, tuple) and value else value
    return found


@cache
def digest(code: CodeType) -> bytes:
    """Return a hash of what code does: where it stands, and comments, do not matter."""
    said = [
        code.co_code,
        code.co_exceptiontable,
        *(repr(part).encode() for part in _shape(code)),
        *(_constant(constant) for constant in code.co_consts),
    ]
    return hashed(b"code", *said)


def _shape(code: CodeType) -> tuple[object, ...]:
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    return (counts, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)


def _constant(constant: object) -> bytes:
    if isinstance(constant, CodeType):
        return digest(constant)
    if isinstance(constant, tuple):
        return hashed(b"tuple", *map(_constant, constant))
    if isinstance(constant, frozenset):
        return hashed(b"set", *sorted(map(_constant, constant)))
    return repr(constant).encode()


def hashed(*parts: bytes) -> bytes:
    """Return a hash of parts, each told from the next."""
    whole = hashlib.blake2b(digest_size=16)
    for part in parts:
        whole.update(len(part).to_bytes(8, "big"))
        whole.update(part)
    return whole.digest()
