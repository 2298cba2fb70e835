"""What a lab is to be, as its supervisor reads it: a file in the lab's folder."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

# The name of a node's end of the wire.
RADIO = "radio0"
# The name of an Ethernet port of the medium.
PORT = "mesh0"


@dataclass(frozen=True)
class Plan:
    """Where everything is, and how programs are called."""

    folder: str
    ether: list[str]
    node: list[str]
    # So long after its end a node or the ether is started again, in seconds; never if negative.
    respawn_s: float
    # Whether nodes broadcast on a bridge of Ethernet, without an ether.
    wire: bool
    # The port by which proxies carry TCP connections, if there are proxies.
    tcp_proxy: int | None = None
    # Whether nodes are Ethernet ports of the medium, for other routing daemons.
    ethernet: bool = False
    # The IPv6 addresses of the nodes, if they have any.
    network6: str | None = None
    # The versions of the programs; one that is built without optimisation says so.
    versions: dict[str, str] = field(default_factory=dict)

    @property
    def socket(self) -> Path:
        """Where the ether listens."""
        return Path(self.folder) / "ether.sock"

    def control(self, name: str) -> Path:
        """Return where node `name` listens for questions."""
        return Path(self.folder) / f"{name}.control"

    def log(self, name: str) -> Path:
        """Return what a program says."""
        return Path(self.folder) / f"{name}.log"

    def write(self) -> None:
        """Write it into the folder."""
        (Path(self.folder) / "plan.json").write_text(json.dumps(asdict(self)))

    @classmethod
    def read(cls, folder: Path) -> Plan:
        """Read the plan in a folder; raises `OSError` if there is none."""
        return cls(**json.loads((folder / "plan.json").read_text()))
