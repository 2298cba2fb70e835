"""What each scheme is compared as: all that are registered, with defaults, but for those below.

A new scheme enters by itself. If its defaults are not what should be compared, it gets a line in
`SETTINGS`; if it only varies one that is there, a line in `STANDS_FOR`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from multihop._multihop import schemes
from multihop.reproducing.spec import Variant

# Variants of a scheme, which is compared in their stead.
STANDS_FOR: Mapping[str, str] = {
    "tahoe": "newreno",
    "reno": "newreno",
    "sack": "newreno",
    "link-red": "newreno",
    "udp-ack": "udp",
    "cxcc-lora": "cxcc",
    "cxcc-batches": "cxcc",
}
# The title, and what is set besides the defaults.
SETTINGS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "cxcc": ("CXCC+RFA", {}),
    "lecn": ("LECN, thinning", {"scheme.ack_thinning": True}),
    # It keeps the medium free by other means.
    "wake": ("WAKE", {"mac.rts_cts": None}),
}
# What schemes with one packet at the MAC by their papers' rules have besides their defaults
# where packets go alone, and in batches (ADR 0149). CXCC sends them as another scheme (ADR 0160).
_ONE: Mapping[str, Any] = {"scheme.batch": 1}
ALONE: Mapping[str, Mapping[str, Any]] = {"cxcc": {}, "wake": _ONE, "hxh": _ONE, "flush": _ONE}
BATCHES: Mapping[str, Mapping[str, Any]] = {
    "cxcc": {"scheme.name": "cxcc-batches", "scheme.batch": 16},
    "wake": {"scheme.batch": 16},
    "hxh": {"scheme.batch": 16, "scheme.queue_limit": 64},
    "flush": {"scheme.batch": 16},
}
# Has no rate of its own: it is compared at the best of several loads.
OFFERED = "udp"


def entries() -> dict[str, Variant]:
    """Return what is compared, by the scheme's name, apart from the one without a rate.

    A scheme that floods has no routes, which the networks search for.
    """
    apart = {*STANDS_FOR, OFFERED}
    shown = [s for s in schemes() if s["name"] not in apart and not s["floods"]]
    return {scheme["name"]: _entry(scheme) for scheme in shown}


def offered(load: str) -> Variant:
    """Return the scheme without a rate, at a load of each flow."""
    found = _entry(next(scheme for scheme in schemes() if scheme["name"] == OFFERED))
    settings = {**found.settings, "traffic.kind": "cbr", "traffic.load": load}
    return replace(found, title="UDP, best load", settings=settings)


def _entry(scheme: Mapping[str, Any]) -> Variant:
    title, settings = SETTINGS.get(scheme["name"], (scheme["title"], {}))
    # The reduced CSMA knows no RTS.
    mac = {"mac.rts_cts": None} if scheme["mac"] == "csma" else {}
    return Variant(title, scheme["name"], {**mac, **settings})
