"""Questions to running nodes and ethers, over their sockets."""

from __future__ import annotations

import contextlib
import json
import math
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# As in crates/linux: what a message is.
ASK_STATUS = b"\x06"
STATUS = 0x86
CAPTURE = b"\x07"
CAPTURED = 0x87
LONGEST_ANSWER = 1 << 20
TICK_S = 0.2


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


def ether_capture(path: Path, duration_s: float | None = None) -> Iterator[bytes]:
    """Yield what the ether at `path` carries, as pcapng, for so long, or for ever.

    Raises `OSError` if there is none, and `EOFError` when it ends.
    """
    end = math.inf if duration_s is None else time.monotonic() + duration_s
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as link:
        link.connect(str(path))
        link.sendall(CAPTURE)
        while (left := end - time.monotonic()) > 0:
            # Ctrl-C may come just before it waits, and is noticed then
            link.settimeout(min(left, TICK_S))
            with contextlib.suppress(TimeoutError):
                part = link.recv(LONGEST_ANSWER)
                if not part:
                    raise EOFError
                if part[0] != CAPTURED:
                    raise ConnectionError(f"{path} is no ether")
                yield part[1:]


def node_status(path: Path) -> dict[str, Any]:
    """Return how the node at `path` is; raises `OSError` if there is none."""
    status: dict[str, Any] = json.loads(_ask(path, b"status"))
    return status
