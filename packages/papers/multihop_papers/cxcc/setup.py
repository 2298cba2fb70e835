"""The runs behind CXCC's figures 1 to 13 (CXCC 7, 7.1), shared by the figures that show them."""

from __future__ import annotations

from pathlib import Path

from multihop.comparing.measures import WITH_PREAMBLES
from multihop.reproducing.spec import Effort, Efforts, Study, Trace, Variant

HERE = Path(__file__).parent
SCENARIO = HERE / "two-ray.toml"

# CXCC 7.1: ten runs a point. The paper does not say how long they are.
EFFORTS = Efforts(
    full=Effort(quick=False, seeds=10, warmup="10 s", duration="60 s"),
    quick=Effort(quick=True, seeds=5, warmup="5 s", duration="60 s"),
)

# The four curves of figures 8 to 13.
UDP = "udp"
UDP_RTS = "udp-rts"
BASIC = "cxcc-basic"
RFA = "cxcc-rfa"
VARIANTS = {
    UDP: Variant("UDP", "udp", {"mac.rts_cts": False}),
    UDP_RTS: Variant("UDP, RTS/CTS", "udp", {"mac.rts_cts": True}, secondary=True),
    BASIC: Variant("CXCC, basic", "cxcc", {"scheme.rfa": False}, secondary=True),
    RFA: Variant("CXCC+RFA", "cxcc", {"scheme.rfa": True}),
}
BOTH_UDP = (UDP, UDP_RTS)

# Offered by each source, in kbit/s.
LOADS = (
    *(10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 140, 150, 160, 170, 180),
    *(200, 250, 300, 350, 400),
)
QUICK_LOADS = (10, 20, 40, 60, 80, 100, 150, 170, 200, 300, 400)
# Links of 1 Mbit/s carry 962 kbit/s of payload each way.
WIRED_LOADS = (100, 200, 300, 400, 500, 600, 700, 800, 900, 950, 1000, 1100, 1200, 1500, 2000)
QUICK_WIRED_LOADS = (100, 400, 700, 950, 1000, 1500, 2000)


def _study(topology: str, propagation: str = "two-ray-ground") -> Study:
    suffix = "" if propagation == "two-ray-ground" else "-shadowing"
    return Study(
        topology + suffix,
        SCENARIO,
        {"topology.kind": topology, "radio.propagation": propagation},
        VARIANTS,
        LOADS,
        QUICK_LOADS,
        EFFORTS,
        derived={"overhead_with_preambles": WITH_PREAMBLES},
    )


CHAIN = _study("chain")
BIDIRECTIONAL = _study("bidirectional-chain")
CROSS = _study("cross")
BIDIRECTIONAL_CROSS = _study("bidirectional-cross")
SHADOWED_CHAIN = _study("chain", "log-normal-shadowing")
SHADOWED_BIDIRECTIONAL = _study("bidirectional-chain", "log-normal-shadowing")
SHADOWED_CROSS = _study("cross", "log-normal-shadowing")
SHADOWED_BIDIRECTIONAL_CROSS = _study("bidirectional-cross", "log-normal-shadowing")
WIRED = Study(
    "wired-bidirectional-chain",
    HERE / "wired.toml",
    {},
    {UDP: Variant("UDP", "udp", {})},
    WIRED_LOADS,
    QUICK_WIRED_LOADS,
    EFFORTS,
)


def _timeout(value: float) -> dict[str, float]:
    """Set the retransmission timeout, in packet times (CXCC 4.3)."""
    return {"scheme.timeout_packet_times": value}


# CXCC 5.2: "longer retransmission timeouts do not improve the performance of basic CXCC".
TIMEOUTS = Study(
    "timeouts",
    SCENARIO,
    {"topology.kind": "bidirectional-chain", "traffic.load": "400 kbit/s"},
    {BASIC: VARIANTS[BASIC]},
    (3, 4, 5, 6, 8, 10, 12, 16, 24),
    (3, 5, 8, 12, 24),
    EFFORTS,
    at=_timeout,
)


def _trace(variant: str) -> Trace:
    """Prepare an overloaded bidirectional chain, where every situation of CXCC 4.1 occurs."""
    settings = {"traffic.load": "200 kbit/s", "warmup": "1 s", "duration": "20 s"}
    return Trace(f"trace-{variant}", SCENARIO, settings, VARIANTS[variant])


TRACE_BASIC = _trace(BASIC)
TRACE_RFA = _trace(RFA)
