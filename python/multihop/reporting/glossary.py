"""Short forms of the field, spelled out where a page uses them."""

from __future__ import annotations

import re
from collections.abc import Iterable

SHORT_FORMS = {
    "ACK": "acknowledgment",
    "AODV": "ad hoc on-demand distance vector routing",
    "ARP": "address resolution protocol",
    "ATP": "ad hoc transport protocol",
    "CL": "cross-layer flow control",
    "CP": "congestion potential: the packets that wait in the MACs of a neighbourhood",
    "CTS": "clear to send",
    "CXCC": "cooperative cross-layer congestion control",
    "ECN": "explicit congestion notification",
    "EIFS": "extended interframe space",
    "FTP": "file transfer: a flow that always has data",
    "HxH": "hop-by-hop transport control",
    "LECN": "link-layer explicit congestion notification",
    "MAC": "medium access control",
    "NACK": "negative acknowledgment",
    "NAV": "network allocation vector: for how long a radio takes the medium for reserved",
    "RED": "random early detection",
    "RERR": "route error",
    "RFA": "request for acknowledgment",
    "RREQ": "route request",
    "RTS": "request to send",
    "RTT": "round-trip time",
    "TCP": "transmission control protocol",
    "UDP": "user datagram protocol",
    "WXCP": "wireless explicit congestion control protocol",
}
_WORD = re.compile(r"[A-Za-z]+")


def used(texts: Iterable[str]) -> dict[str, str]:
    """Return the short forms that texts use, spelled out, in alphabetical order."""
    words = {word for text in texts for word in _WORD.findall(text)}
    words |= {word.removesuffix("s") for word in words}
    return {short: SHORT_FORMS[short] for short in sorted(words & SHORT_FORMS.keys())}


def written(name: str) -> str:
    """Write the name of a paper as its authors do: HxH for `hxh`."""
    return next((short for short in SHORT_FORMS if short.lower() == name), name)
