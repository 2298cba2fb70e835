"""Two policies: what each sees and does, where it is trained and tested, and what is claimed.

Training and test have no network, no load and no seed in common. Claims and their bounds were
written before the first run of a test.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from multihop import Scenario, gym

HERE = Path(__file__).resolve().parent
SCENARIO = HERE / "chain.toml"
# Seeds of training are those of environments: from 2^31 on.
TEST_SEEDS = range(1, 11)
KINDS = ("chain", "bidirectional-chain")
TRAINING = {
    "topology.kind": KINDS,
    "topology.hops": (2, 4, 6, 9),
    "traffic.load": ("60 kbit/s", "150 kbit/s", "400 kbit/s"),
}
TEST = {
    "topology.kind": KINDS,
    "topology.hops": (3, 5, 8, 12),
    "traffic.load": ("100 kbit/s", "250 kbit/s", "600 kbit/s"),
}
# What is subtracted from a feature, and by what it is divided.
SCALES = {
    "queue": (5, 10),
    "heard": (20, 30),
    "overheard": (30, 50),
    "busy": (0.5, 0.3),
    "sending": (0.1, 0.1),
    "sent": (20, 30),
    "failed": (0.5, 1),
    "attempts": (1.5, 1),
}
HIDDEN = 6


@dataclass(frozen=True)
class Claim:
    """A ratio of a measure, policy over rival, as a geometric mean over places, and its bound."""

    id: str
    measure: str
    rival: str
    at_least: float | None = None
    at_most: float | None = None
    # The places that it is about; all unless given.
    where: Mapping[str, str] | None = None

    @property
    def words(self) -> str:
        """Say it."""
        name = {"goodput_bit_s": "goodput", "network_delay_mean_s": "network delay"}[self.measure]
        bound = f"at least {self.at_least:g}" if self.at_least else f"at most {self.at_most:g}"
        places = ", ".join((self.where or {}).values())
        return f"{name} is {bound} times that of {self.rival}" + (f" ({places})" if places else "")


@dataclass(frozen=True)
class Study:
    """A policy: the scheme that it is for, its task, and its claims."""

    name: str
    scheme: str
    agents: str
    control: tuple[gym.Control, ...]
    claims: tuple[Claim, ...]

    @property
    def file(self) -> Path:
        """Return the file of its weights."""
        return HERE / f"{self.name}.json"

    @property
    def entry(self) -> str:
        """Return its name in a comparison."""
        return f"{self.scheme}+{self.name}.json"

    def scenario(self) -> Scenario:
        """Return the scenario that training and test vary."""
        return Scenario.from_file(SCENARIO, {"scheme.name": self.scheme})

    def task(self) -> gym.Task:
        """Return what is learned, over all networks of the training."""
        return gym.Task(
            self.scenario(),
            agents=self.agents,
            control=self.control,
            observe=list(SCALES),
            vary=TRAINING,
        )


GOODPUT, DELAY = "goodput_bit_s", "network_delay_mean_s"
LIGHT = {"topology.kind": "chain", "traffic.load": "100 kbit/s"}
PACE = Study(
    "pace",
    "udp",
    "senders",
    (gym.Control("pace", 0.005, 0.5),),
    (
        Claim("pace-udp", GOODPUT, "udp", at_least=1.3),
        Claim("pace-udp-delay", DELAY, "udp", at_most=0.2),
        Claim("pace-udp-light", GOODPUT, "udp", at_least=0.98, where=LIGHT),
        Claim("pace-newreno", GOODPUT, "newreno", at_least=1.1),
        Claim("pace-cxcc", GOODPUT, "cxcc", at_least=1.0),
        Claim("pace-cl", GOODPUT, "cl", at_least=1.0),
        Claim("pace-wake", GOODPUT, "wake", at_least=0.6),
    ),
)
HOLD = Study(
    "hold",
    "newreno",
    "relays",
    (gym.Control("hold", 0.0002, 0.05), gym.Control("contention", 3, 255)),
    (
        Claim("hold-newreno", GOODPUT, "newreno", at_least=1.05),
        Claim("hold-newreno-delay", DELAY, "newreno", at_most=0.8),
        Claim("hold-udp", GOODPUT, "udp", at_least=1.0),
        Claim("hold-cxcc", GOODPUT, "cxcc", at_least=0.9),
        Claim("hold-cl", GOODPUT, "cl", at_least=0.9),
        Claim("hold-wake", GOODPUT, "wake", at_least=0.4),
    ),
)
STUDIES = (PACE, HOLD)
# Who is compared: the policies beside the schemes as they are.
ENTRIES = ("udp", PACE.entry, "newreno", HOLD.entry, "cxcc", "wake", "cl")


def apart(training: Mapping[str, Sequence[Any]], test: Mapping[str, Sequence[Any]]) -> bool:
    """Whether no length of a chain, and no load, is in both."""
    keys = ("topology.hops", "traffic.load")
    return all(not set(training[key]) & set(test[key]) for key in keys)


if not apart(TRAINING, TEST):
    raise SystemExit("studies.py: training and test share a network; take others")
