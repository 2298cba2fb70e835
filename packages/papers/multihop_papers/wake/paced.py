"""The paced oracle: plain 802.11 whose sources send at the best multiple of the fair rates.

No source knows these rates: a linear program has them from the whole network (`multihop bound`).
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from multihop.capacity.bound import Region, assume
from multihop.capacity.fairness import Objective
from multihop.capacity.network import read_network
from multihop.reproducing.spec import Effort, Efforts, Study, Variant
from multihop.scenario.form import Scenario

from .fields import FAIRNESS, FEW
from .setup import SMALL_WINDOW, UDP

# Of what is proportionally fair; from one to the next by a tenth or so.
MULTIPLES = (0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8, 0.9, 1.0)
PACED = "paced"


class Pace(NamedTuple):
    """A random network, as a place of `FAIRNESS`, and the multiple at which its sources send."""

    network: float
    multiple: float


PACES = {
    float(number): pace
    for number, pace in enumerate(
        (Pace(network, multiple) for network in FAIRNESS.study.values for multiple in MULTIPLES), 1
    )
}


def _scenario(network: float) -> Scenario:
    study = FAIRNESS.study
    return Scenario.from_file(study.base).with_(**{**study.settings, **study.at(network)})


@cache
def optimum(network: float) -> tuple[float, ...]:
    """Return what is proportionally fair in a random network, in bit/s, by flow.

    It is what no scheme exceeds that has WAKE's frames and window and senses carriers, whatever the
    sources offer.
    """
    scenario = _scenario(network).with_(**SMALL_WINDOW)
    region = Region.of(scenario, assume(model="carrier-sense"))
    return tuple(region.bound(Objective.PROPORTIONAL).flows["goodput_bit_s"])


def at(value: float) -> dict[str, Any]:
    """Set the network, and a load for each of its flows."""
    network, multiple = PACES[value]
    found = read_network(_scenario(network))
    flows = [
        {
            "from": found.names[flow.source],
            "to": found.names[flow.destination],
            "load": f"{multiple * rate:.0f} bit/s",
        }
        for flow, rate in zip(found.flows, optimum(network), strict=True)
    ]
    # The topology's own flows are written out.
    return {**FAIRNESS.study.at(network), "topology.flows": 0, "traffic.load": None, "flow": flows}


STUDY = Study(
    "wake-paced",
    FAIRNESS.study.base,
    {},
    {PACED: Variant("UDP, paced, CWmin 7", UDP, {"mac.cw_min": 7})},
    tuple(PACES),
    tuple(
        value
        for value, pace in PACES.items()
        if pace.network in FEW and pace.multiple in (0.5, 0.6)
    ),
    Efforts(
        full=Effort(quick=False, seeds=2, warmup="10 s", duration="20 s"),
        quick=Effort(quick=True, seeds=1, warmup="10 s", duration="10 s"),
    ),
    at=at,
)
