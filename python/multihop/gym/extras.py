"""Gymnasium and PettingZoo, which are optional."""

from __future__ import annotations

from ..engine.errors import MissingExtraError

try:
    import gymnasium
    import pettingzoo
except ImportError as error:
    raise MissingExtraError(
        "environments for learning need Gymnasium and PettingZoo, which are not installed: "
        "pip install 'multihop[gym]'"
    ) from error

__all__ = ["gymnasium", "pettingzoo"]
