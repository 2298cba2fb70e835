"""What to print where a scheme of one's own fails: its lines, and not those that led there."""

from __future__ import annotations

import traceback

# The parts of Python and of this package that call a scheme.
AROUND = frozenset(
    ("__main__", "runpy", "typer", "concurrent", "threading", "importlib", "_frozen_importlib")
)


def own_lines(error: Exception) -> str | None:
    """Format an error from the first line of a scheme's file on; `None` if it is none of a scheme.

    Those of schemes have notes that say where.
    """
    if not getattr(error, "__notes__", None):
        return None
    frames = error.__traceback__
    while frames is not None and _calls(frames.tb_frame.f_globals.get("__name__", "")):
        frames = frames.tb_next
    return "".join(traceback.format_exception(type(error), error, frames))


def _calls(module: str) -> bool:
    if module.startswith("multihop."):
        return not module.startswith("multihop.prototype.") or module.endswith(".loading")
    return module.partition(".")[0] in AROUND
