"""What the tests of schemes in Python share."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from multihop import Scenario, prototype, run
from multihop.prototype import Context, Tcp
from multihop.prototype.identity import KNOWN

EXAMPLES = Path(__file__).resolve().parent.parent / "examples" / "prototypes"

CHAIN = {
    "warmup": "0 s",
    "duration": "10 s",
    "topology": {"kind": "bidirectional-chain", "hops": 5},
    "scheme": {"name": "udp"},
    "traffic": {"load": "150 kbit/s", "start": "0 s"},
}
AODV: dict[str, Any] = {"routing": {"kind": "aodv"}}
RESTART: dict[str, Any] = {"restart": [{"node": "n2", "at": "3 s"}]}


class Reno(prototype.CongestionControl):
    """Opens the window as NewReno does."""

    def on_ack(self, context: Context, tcp: Tcp) -> None:
        super().on_ack(context, tcp)


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """Forget every scheme after its test: others list all schemes."""
    yield
    for name in list(KNOWN):
        prototype.unregister(name)


def registered(**keys: Any) -> str:
    """Register a scheme and return its name."""
    return prototype.register(prototype.Scheme(**{"name": "mine"} | keys)).name


def scenario(name: str, *changes: dict[str, Any]) -> Scenario:
    """Return the chain with this scheme."""
    tables = CHAIN | {"scheme": {"name": name}}
    for change in changes:
        tables = tables | change
    return Scenario.from_dict(tables)


def fingerprint(name: str, *changes: dict[str, Any]) -> str:
    return fingerprint_of(scenario(name, *changes))


def fingerprint_of(one: Scenario) -> str:
    return str(run(one).runs["fingerprint"][0])
