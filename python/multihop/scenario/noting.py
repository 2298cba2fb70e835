"""What authors of scenarios may not expect: keys without effect, and causes of odd results."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterable

from .form import Scenario


def notes(scenarios: Iterable[Scenario]) -> list[str]:
    """Return a warning for each unexpected property of scenarios, also of all of them together.

    Scenarios that differ in their seed are looked at once.

    >>> notes([base.with_(seed=seed) for seed in range(1, 6)])
    """
    first: dict[str, Scenario] = {}
    seeds: dict[str, set[int]] = {}
    for scenario in scenarios:
        tables = scenario.to_dict()
        seed = tables.pop("seed", 1)
        key = json.dumps(tables, sort_keys=True)
        first.setdefault(key, scenario)
        seeds.setdefault(key, set()).add(seed)
    said = dict.fromkeys(note for scenario in first.values() for note in scenario.notes)
    said |= dict.fromkeys(
        note for key, scenario in first.items() for note in _network(scenario, len(seeds[key]))
    )
    return list(said)


def announce(scenarios: Iterable[Scenario], tell: Callable[[str], None] | None = None) -> list[str]:
    """Return the notes on scenarios, and tell each of them: as a Python warning unless given."""
    said = notes(scenarios)
    for sentence in said:
        if tell is None:
            warnings.warn(sentence, stacklevel=3)
        else:
            tell(sentence)
    return said


def told_before(_: str) -> None:
    """Say nothing of a note that was told before, or that does not concern who asks for runs."""


def _network(scenario: Scenario, seeds: int) -> list[str]:
    """Say where several seeds share one random network, or one movement."""
    if seeds < 2:
        return []
    tables = scenario.to_dict()
    fixed = (("topology", "topology_seed", "network"), ("mobility", "mobility_seed", "movement"))
    return [
        f"{table}.{key}: all {seeds} seeds have the same {what}, so intervals over them say "
        "nothing of others; leave it out, and each seed draws its own"
        for table, key, what in fixed
        if key in tables.get(table, {})
    ]
