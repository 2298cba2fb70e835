"""What runs reach of the bound of their own scenario."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ..scenario.form import Scenario
from .bound import Assumptions, Bound, Load, Region, assume, named
from .fairness import Objective
from .network import Network, read_network


@dataclass(frozen=True)
class Reference:
    """The bound that runs are held against: no scheme is to do what its sources do not offer."""

    objective: Objective
    assumptions: Assumptions

    @classmethod
    def named(cls, objective: str, model: str) -> Reference:
        """Take an objective and a model by their names."""
        return cls(named(Objective, objective), assume(model=model, load=Load.OFFERED))

    @property
    def about(self) -> str:
        """Say what runs are held against."""
        return f"{self.objective} bound: {self.assumptions.about}"

    def bounds(self, scenarios: Iterable[Scenario]) -> list[Bound]:
        """Return the bound of every scenario; those that are equal but for loads share the work."""
        regions: list[Region] = []
        found: list[tuple[Network, Bound]] = []
        bounds = []
        for scenario in scenarios:
            network = read_network(scenario, without=self.assumptions.without)
            known = next((bound for other, bound in found if other == network), None)
            if known is None:
                region = self._region(network, regions)
                known = region.bound(self.objective, [f.offered_bit_s for f in network.flows])
                found.append((network, known))
            bounds.append(known)
        return bounds

    def _region(self, network: Network, regions: list[Region]) -> Region:
        bare = _without_loads(network)
        known = next((region for region in regions if _without_loads(region.network) == bare), None)
        if known is None:
            known = Region(network, self.assumptions)
            regions.append(known)
        return known

    def words(self, shares: Sequence[tuple[str, float]]) -> list[str]:
        """Say of every scheme which shares of the bound it reaches."""
        sentences = []
        for scheme in dict.fromkeys(name for name, _ in shares):
            own = [f"{100 * share:.0f}" for name, share in shares if name == scheme]
            least, most = min(own, key=float), max(own, key=float)
            span = most if least == most else f"{least} to {most}"
            sentences.append(f"{scheme} reaches {span} % of the {self.objective} bound")
        return sentences


def _without_loads(network: Network) -> Network:
    flows = tuple(replace(flow, offered_bit_s=0.0) for flow in network.flows)
    return replace(network, flows=flows)
