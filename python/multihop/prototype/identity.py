"""What tells the results of a scheme from those of any other, as long as this process lives."""

from __future__ import annotations

import hashlib
import inspect
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..engine.errors import PrototypeError
from .outside import FILES
from .values import Found

REMEDY = (
    'name what results depend on, as register(scheme, depends=["table.csv", "$GAIN"]) for a file '
    "and an environment variable, or say depends=[] if nothing of it changes them"
)


@dataclass(frozen=True)
class Registered:
    """A scheme as it was registered: its classes, what it says of itself, what it depends on.

    `found` is what its code referred to then, and `files` the text of its files.
    """

    name: str
    classes: tuple[type, ...]
    about: str
    depends: tuple[str | Path, ...] | None
    found: Found
    files: bytes


# Every registered scheme by its name.
KNOWN: dict[str, Registered] = {}
# The names of all that were registered, in order.
REGISTERED: list[str] = []
# While runs are named and done, what schemes are is found out once.
_SETTLED: list[dict[str, str]] = []


def remember(
    name: str, classes: Sequence[type], about: str, depends: Sequence[str | Path] | None
) -> None:
    """Remember a scheme, or refuse one that depends on what nobody can tell."""
    given = None if depends is None else tuple(map(_named, depends))
    text = b"\n".join(file for cls in dict.fromkeys(classes) for file in _texts(cls))
    known = Registered(name, tuple(classes), about, given, Found(classes), text)
    _refuse_unknown(known, known.found)
    _contents(known)
    for settled in _SETTLED:
        settled.pop(name, None)
    KNOWN[name] = known
    REGISTERED.append(name)


def digest_of(scenario: str) -> str:
    """Return what tells the scheme of a scenario (JSON) from what it may be tomorrow.

    It is "" for schemes that are built in, which the engine's name covers. `PrototypeError` if the
    code has come to refer to something whose content nobody can tell.
    """
    name = json.loads(scenario)["scheme"]["name"] if KNOWN else ""
    if name not in KNOWN:
        return ""
    known = _SETTLED[0] if _SETTLED else {}
    if name not in known:
        known[name] = _digest(KNOWN[name])
    return known[name]


@contextmanager
def settled() -> Iterator[None]:
    """Let schemes be for a while what they are at the first look, so that runs keep their names."""
    _SETTLED.append(_SETTLED[0] if _SETTLED else {})
    try:
        yield
    finally:
        _SETTLED.pop()


def changed(name: str, since: Found | None = None) -> list[str]:
    """Return the names of the values of a scheme's code that are others than at its registration.

    Or than `since`.
    """
    known = KNOWN[name]
    return (since or known.found).changed(Found(known.classes))


def _digest(known: Registered) -> str:
    found = Found(known.classes)
    _refuse_unknown(known, found)
    said = [known.about.encode(), known.files, found.digest, *_contents(known)]
    return hashlib.blake2b(b"\n".join(said), digest_size=12).hexdigest()


def _refuse_unknown(known: Registered, found: Found) -> None:
    """Refuse a scheme whose results depend on what nobody can tell, unless it has named that."""
    if known.depends is not None:
        return
    taken = next((one for one in found.outside if one.kind == FILES), None)
    if taken:
        raise PrototypeError(
            f"scheme '{known.name}': its code takes {taken.name} ({taken.place}), whose content is "
            f"not part of the code; {REMEDY}"
        )
    if found.unknown:
        one = found.unknown[0]
        raise PrototypeError(
            f"scheme '{known.name}': its code refers to {one.name}, {one.about}, whose content "
            f"cannot be told; take a plain value, or {REMEDY}"
        )


def _named(what: str | Path) -> str | Path:
    """Return an environment variable as it is, and a file by its whole path."""
    if not isinstance(what, (str, Path)):
        raise PrototypeError(
            f"depends has {what!r}; it lists files, and environment variables as '$NAME'"
        )
    return what if isinstance(what, str) and what.startswith("$") else Path(what).resolve()


def _contents(known: Registered) -> Iterator[bytes]:
    """Yield the content of what a scheme says that it depends on."""
    found = []
    for what in known.depends or ():
        if isinstance(what, str):
            found.append(repr((what, os.environ.get(what[1:]))).encode())
            continue
        try:
            files = sorted(file for file in what.rglob("*") if file.is_file())
            for file in files if what.is_dir() else [what]:
                found.append(hashlib.blake2b(file.read_bytes()).digest() + str(file).encode())
        except OSError as error:
            raise PrototypeError(
                f"scheme '{known.name}' depends on '{what}', which cannot be read "
                f"({error.strerror}); name a file, a folder, or an environment variable as '$NAME'"
            ) from None
    return iter(found)


def _texts(cls: type) -> list[bytes]:
    """Return the text of the file of a class, and of those beside and below it that it imports.

    There is none of a class that was typed into an interpreter, or whose file is half written.
    """
    try:
        return [file.read_bytes() for file in _files(cls)]
    except (OSError, TypeError, SyntaxError):
        return []


def _files(cls: type) -> list[Path]:
    # Not needed by schemes that are built in.
    from modulefinder import ModuleFinder

    # This fails where the file that its module names is not that of the class.
    inspect.getsource(cls)
    file, module = Path(inspect.getfile(cls)).resolve(), cls.__module__
    if module.startswith("multihop."):
        return [file]
    finder = ModuleFinder([str(file.parents[module.count(".")])], excludes=["multihop"])
    if "." in module:
        finder.import_hook(module)
    else:
        finder.run_script(str(file))
    found = {Path(path) for other in finder.modules.values() if (path := vars(other)["__file__"])}
    return sorted({file, *found})
