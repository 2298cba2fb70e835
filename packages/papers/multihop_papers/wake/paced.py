"""The paced oracles: 802.11 whose sources send at the best multiple of the fair rates.

No source knows these rates: a linear program has them from the whole network (`multihop bound`).
The second oracle has a MAC that is told which frames would be lost (`mac.collision_free`).
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from multihop.capacity.bound import Bound, Region, assume
from multihop.capacity.fairness import Objective
from multihop.capacity.pacing import paced
from multihop.reproducing.spec import Effort, Efforts, Study, Variant
from multihop.scenario.form import Scenario

from .fields import FAIRNESS, FEW
from .setup import SMALL_WINDOW, UDP

# Of what is proportionally fair; from one to the next by a tenth or so.
MULTIPLES = (0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8, 0.9, 1.0)
PACED, COLLISION_FREE = "paced", "collision-free"
WINDOW = {"mac.cw_min": 7}


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
def fair(network: float) -> Bound:
    """Return what is proportionally fair in a random network.

    It is what no scheme exceeds that has WAKE's frames and window and senses carriers, whatever the
    sources offer.
    """
    scenario = _scenario(network).with_(**SMALL_WINDOW)
    region = Region.of(scenario, assume(model="carrier-sense"))
    return region.bound(Objective.PROPORTIONAL)


def optimum(network: float) -> tuple[float, ...]:
    """Return these rates in bit/s, by flow."""
    return tuple(fair(network).flows["goodput_bit_s"])


def at(value: float) -> dict[str, Any]:
    """Set the network, and a load for each of its flows."""
    network, multiple = PACES[value]
    flows = paced(_scenario(network), fair(network), multiple).to_dict()["flow"]
    # The topology's own flows are written out.
    own = {"topology.flows": 0, "traffic.kind": None, "traffic.load": None, "flow": flows}
    return {**FAIRNESS.study.at(network), **own}


STUDY = Study(
    "wake-paced",
    FAIRNESS.study.base,
    {},
    {
        PACED: Variant("UDP, paced, CWmin 7", UDP, WINDOW),
        COLLISION_FREE: Variant(
            "UDP, paced, CWmin 7, no collisions", UDP, {**WINDOW, "mac.collision_free": True}, True
        ),
    },
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
