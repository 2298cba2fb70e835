"""Questions to running nodes and ethers, over their sockets."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

# As in crates/linux: what a message is.
ASK_STATUS = b"\x06"
STATUS = 0x86
LONGEST_ANSWER = 1 << 20


def _ask(path: Path, question: bytes) -> bytes:
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as link:
        link.settimeout(5)
        link.connect(str(path))
        link.sendall(question)
        return link.recv(LONGEST_ANSWER)


def ether_status(path: Path) -> dict[str, Any]:
    """Return how the ether at `path` is; raises `OSError` if there is none."""
    answer = _ask(path, ASK_STATUS)
    if not answer or answer[0] != STATUS:
        raise ConnectionError(f"{path} is no ether")
    status: dict[str, Any] = json.loads(answer[1:])
    return status


def node_status(path: Path) -> dict[str, Any]:
    """Return how the node at `path` is; raises `OSError` if there is none."""
    status: dict[str, Any] = json.loads(_ask(path, b"status"))
    return status
