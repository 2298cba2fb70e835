"""Where a scheme in Python fails: its own lines, and not those that led there."""

from __future__ import annotations

import traceback
from pathlib import Path
from types import TracebackType

# The parts of Python that call a scheme.
AROUND = frozenset(
    ("__main__", "runpy", "typer", "concurrent", "threading", "importlib", "_frozen_importlib")
)


def is_of_a_scheme(error: BaseException) -> bool:
    """Say if a scheme raised it: then it has notes that say where in the network."""
    return bool(getattr(error, "__notes__", None))


def lines(error: Exception) -> str:
    """Format the error of a scheme from the first line of its file on."""
    return "".join(traceback.format_exception(type(error), error, _own(error)))


def summary(error: BaseException) -> str:
    """Say in one line what went wrong and, in a scheme, in which line of it and where."""
    parts = [f"{type(error).__name__}: {error}", *getattr(error, "__notes__", ())]
    frames = traceback.extract_tb(_own(error)) if is_of_a_scheme(error) else []
    if frames:
        parts.append(f"{Path(frames[-1].filename).name}, line {frames[-1].lineno}")
    return "; ".join(parts)


def _own(error: BaseException) -> TracebackType | None:
    """Return what was called from the first line of a scheme's file on."""
    frames = error.__traceback__
    while frames is not None and _calls(frames.tb_frame.f_globals.get("__name__", "")):
        frames = frames.tb_next
    return frames


def _calls(module: str) -> bool:
    if module.startswith("multihop."):
        around = module.endswith((".loading", ".spelling"))
        return not module.startswith("multihop.prototype.") or around
    return module.partition(".")[0] in AROUND
