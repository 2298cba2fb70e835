"""Spaces of actions and observations."""

from __future__ import annotations

import numpy as np

from .extras import gymnasium
from .features import features
from .task import Checked


def actions(checked: Checked) -> gymnasium.spaces.Box:
    """Return the space of an agent's actions."""
    return gymnasium.spaces.Box(0.0, 1.0, (checked.actions,), np.float32)


def observations(checked: Checked) -> gymnasium.spaces.Box:
    """Return the space of an agent's observations."""
    most = np.array([features()[at].most for at in checked.observed] * checked.size, np.float32)
    return gymnasium.spaces.Box(np.zeros_like(most), most, dtype=np.float32)
