"""The runs behind CXCC's figures 14 to 22 (CXCC 7.2 to 8): CXCC against TCPs, and the testbed.

"For our comparisons, we use the respective protocol implementations that have been made available
by the authors" (7): so TCP-AP runs in the readings of its authors' code, not of its paper. ADTCP's
code was not to be had; what runs is a reconstruction.
"""

from __future__ import annotations

from typing import Any

from multihop.comparing.measures import WITH_PREAMBLES
from multihop.reproducing.spec import Effort, Efforts, Study, Variant, load

from .setup import HERE, RFA, SCENARIO, UDP

RANDOM = HERE / "random.toml"
TRANSFERS = HERE / "transfers.toml"
TESTBED = HERE / "testbed.toml"

SHADOWED = {"radio.propagation": "log-normal-shadowing"}
AUTHORS_CODE = {
    "scheme.near": "one",
    "scheme.variation": "estimates",
    "scheme.rto_backoff": False,
    "scheme.timer_fault": True,
}

CXCC = "cxcc"
NEWRENO = "newreno"
NEWRENO_RTS = "newreno-rts"
ADTCP = "adtcp"
ADTCP_RTS = "adtcp-rts"
TCP_AP = "tcp-ap"
TCP_AP_RTS = "tcp-ap-rts"
RTS = {"mac.rts_cts": True}
RIVALS = {
    CXCC: Variant("CXCC", "cxcc", {}),
    NEWRENO: Variant("NewReno", "newreno", {}),
    NEWRENO_RTS: Variant("NewReno, RTS/CTS", "newreno", RTS, secondary=True),
    ADTCP: Variant("ADTCP", "adtcp", {}),
    ADTCP_RTS: Variant("ADTCP, RTS/CTS", "adtcp", RTS, secondary=True),
    TCP_AP: Variant("TCP-AP", "tcp-ap", AUTHORS_CODE),
    TCP_AP_RTS: Variant("TCP-AP, RTS/CTS", "tcp-ap", AUTHORS_CODE | RTS, secondary=True),
}
TCPS = tuple(name for name in RIVALS if name != CXCC)
MODIFIED = (ADTCP, ADTCP_RTS, TCP_AP, TCP_AP_RTS)
# 7.4: "we show only the results without RTS/CTS"
WITHOUT_RTS = (CXCC, NEWRENO, ADTCP, TCP_AP)
DERIVED = {"overhead_with_preambles": WITH_PREAMBLES}

# ---- 7.2: bit errors -----------------------------------------------------------------------------

# "a typical data packet with 512 bytes payload plus all headers": CXCC's, MAC header included.
PACKET_BITS = 8 * (512 + 8 + 20 + 28)


def bit_errors(lost: float) -> dict[str, Any]:
    """Set the bit error rate at which so many percent of the full packets are lost."""
    return {"radio.bit_error_rate": 1 - (1 - lost / 100) ** (1 / PACKET_BITS)}


ERRORS = Study(
    "bit-errors",
    SCENARIO,
    {"traffic.kind": "ftp", "traffic.load": None, **SHADOWED},
    RIVALS,
    (0, 5, 10, 15, 20, 25, 30, 35, 40),
    (0, 20, 40),
    Efforts(
        full=Effort(quick=False, seeds=5, warmup="10 s", duration="60 s"),
        quick=Effort(quick=True, seeds=2, warmup="10 s", duration="60 s"),
    ),
    at=bit_errors,
    derived=DERIVED,
)

# ---- 7.3: endless connections in random networks -------------------------------------------------

SCENARIOS = (1, 2, 3, 4, 5)
QUICK_SCENARIOS = (1, 2)
# The criterion of figure 16, and what "starved almost completely" means here: so few packets in the
# 200 s that are measured.
LEAST_PACKETS = 50


def scenario(number: float) -> dict[str, Any]:
    """Set which of the random networks it is."""
    return {"topology.topology_seed": int(number)}


def _random(name: str, settings: dict[str, Any]) -> Study:
    return Study(
        name,
        RANDOM,
        settings,
        RIVALS,
        SCENARIOS,
        QUICK_SCENARIOS,
        Efforts(
            full=Effort(quick=False, seeds=2, warmup="50 s", duration="200 s"),
            quick=Effort(quick=True, seeds=1, warmup="50 s", duration="200 s"),
        ),
        at=scenario,
        derived=DERIVED,
        unit="x",
    )


LONG = _random("random", {})
LONG_SHADOWED = _random("random-shadowing", SHADOWED)

# ---- 7.4: short transfers ------------------------------------------------------------------------

FEWER = {"topology.flows": 90}
END_S = 600.0
SHOWN_S = 200.0


def _transfers(name: str, settings: dict[str, Any]) -> Study:
    return Study(
        name,
        TRANSFERS,
        settings,
        {variant: RIVALS[variant] for variant in WITHOUT_RTS},
        # "more simulations in different random topologies" (7.4): the paper does not say how many.
        SCENARIOS,
        QUICK_SCENARIOS,
        Efforts(
            full=Effort(quick=False, seeds=1, warmup="0 s", duration=f"{END_S:g} s"),
            quick=Effort(quick=True, seeds=1, warmup="0 s", duration=f"{END_S:g} s"),
        ),
        at=scenario,
        tables=("series",),
        unit="x",
    )


SHORT = _transfers("transfers", {})
SHORT_SHADOWED = _transfers("transfers-shadowing", SHADOWED | FEWER)

# ---- 8: the testbed ------------------------------------------------------------------------------

# T_P is s_P / B (4.3), of the packet without MAC header and preamble: 32 + 28 B. The timeout is
# set longer here than 3 T_P: three times all that a packet occupies, (32 + 28 + 28 + 200) B or
# 14.4 T_P.
OCCUPIED = {"scheme.timeout_packet_times": 3 * (32 + 28 + 28 + 200) / (32 + 28)}
FORWARDING = {
    UDP: Variant("802.11-like", "udp", {}),
    RFA: Variant("CXCC+RFA", "cxcc", OCCUPIED),
}
NODES = Study(
    "testbed",
    TESTBED,
    {},
    FORWARDING,
    (0.02, 0.05, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7, 1.0, 1.5, 2.0),
    (0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0, 2.0),
    # "averaged over the three experimental runs", "for two minutes"
    Efforts(
        full=Effort(quick=False, seeds=3, warmup="20 s", duration="120 s"),
        quick=Effort(quick=True, seeds=3, warmup="20 s", duration="120 s"),
    ),
    at=load,
)
