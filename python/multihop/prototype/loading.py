"""Schemes that stand in a file of their own."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

from ..engine.errors import PrototypeError
from .identity import REGISTERED


def load(path: str | Path) -> list[str]:
    """Run a Python file that registers schemes, and return their names.

    Modules beside it can be imported, as if Python had been started with it.
    """
    path = Path(path)
    before = len(REGISTERED)
    name = f"multihop_prototype_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not os.path.isfile(path):
        raise PrototypeError(f"{path}: this is no Python file with schemes; check the path")
    module = importlib.util.module_from_spec(spec)
    # `inspect` finds the text of classes by their modules.
    sys.modules[name] = module
    if str(path.parent.resolve()) not in sys.path:
        sys.path.insert(0, str(path.parent.resolve()))
    spec.loader.exec_module(module)
    found = REGISTERED[before:]
    if not found:
        raise PrototypeError(
            f"{path}: it registers no scheme; end it with prototype.register(prototype.Scheme(...))"
        )
    return found
