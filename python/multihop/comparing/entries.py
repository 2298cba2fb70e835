"""What is compared: schemes, and schemes whose nodes a policy controls (`udp+pace.json`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .._multihop import schemes as known_schemes
from ..engine.errors import ScenarioError, SweepError

# Between a scheme and the file of its policy.
AND = "+"


class Entry(NamedTuple):
    """A scheme, by its name in the comparison, and the file of a policy if it has one."""

    label: str
    scheme: str
    policy: str = ""

    @property
    def settings(self) -> dict[str, Any]:
        """The keys that make a scenario this entry's."""
        policy = {"policy.file": self.policy} if self.policy else {}
        return {"scheme.name": self.scheme, **policy}


def scheme_of(name: str) -> str:
    """Return the scheme of a name in a comparison: without policy, and without settings."""
    return name.partition(",")[0].partition(AND)[0]


def entries(schemes: Sequence[str]) -> list[Entry]:
    """Read what is to be compared; no scheme twice, and none that there is not."""
    if not schemes:
        raise SweepError("there is no scheme to compare; name at least one")
    if twice := next((name for name in schemes if list(schemes).count(name) > 1), None):
        raise SweepError(f"the scheme '{twice}' is named twice; a run is done once only")
    return [_entry(label) for label in schemes]


def _entry(label: str) -> Entry:
    scheme, plus, policy = label.partition(AND)
    names = [entry["name"] for entry in known_schemes()]
    if scheme not in names:
        raise ScenarioError(f"there is no scheme '{scheme}'; there are: {', '.join(names)}")
    if plus and not policy:
        raise ScenarioError(
            f"'{label}' names no policy; write its file behind the sign, as in {scheme}+pace.json"
        )
    return Entry(label, scheme, policy)
