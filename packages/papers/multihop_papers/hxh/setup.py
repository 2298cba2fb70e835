"""The runs behind HxH's figures and tables, shared by those that show them.

Throughput is payload: table 4.1's numbers for one hop lie on a line over the rate,

    time per packet = 1293 us + 1118 B / rate with passive acknowledgments,
                      2288 us + 1220 B / rate with explicit ones,

which is one exchange of RTS, CTS, data and acknowledgment over one hop for 1024 B with 94 B of
headers, with its wait for the medium; and a second one for 102 B. So the flows of figure 4.4 have
one hop, and the table's rates are those of a flow that has the medium for itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from multihop.reproducing.spec import Effort, Efforts, Study, Trace, Variant, hops, payload

HERE = Path(__file__).parent
CHAIN = HERE / "chain.toml"
DRIFT = HERE / "drift.toml"
TRADE = HERE / "trade.toml"
DUMBBELL = HERE / "dumbbell.toml"
LATTICE = HERE / "lattice.toml"
GRID = HERE / "grid.toml"
RANDOM = HERE / "random.toml"

GOODPUT = "goodput_bit_s"
PAYLOAD = 1024
# Of the table `series`, as in the files.
INTERVAL_S = 0.1

# The curves. HxH's name alone is its credit-based form with passive acknowledgments (3.3, 3.4.1).
HXH = "hxh"
EXPLICIT = "hxh-explicit"
RATE = "hxh-rate"
ATP = "atp"
TAHOE = "tahoe"
SACK = "sack"
NEWRENO = "newreno"
VEGAS = "vegas"
UDP = "udp"
VARIANTS = {
    HXH: Variant("HxH", "hxh", {}),
    EXPLICIT: Variant("HxH, explicit ACKs", "hxh", {"scheme.passive_acks": False}, secondary=True),
    RATE: Variant("HxH, rate-limited", "hxh", {"scheme.rate_limit": True}, secondary=True),
    ATP: Variant("ATP", "atp", {}),
    TAHOE: Variant("TCP Tahoe", "tahoe", {}),
    SACK: Variant("TCP Sack", "sack", {}),
    NEWRENO: Variant("TCP NewReno", "newreno", {}),
    VEGAS: Variant("TCP Vegas", "vegas", {}),
    UDP: Variant("UDP", "udp", {"traffic.kind": "cbr", "traffic.load": "20 Mbit/s"}),
}
TCPS = (TAHOE, SACK, NEWRENO, VEGAS)
# "tested against five existing protocols" (4.2)
SIX = (HXH, ATP, *TCPS)


def _variants(*names: str) -> dict[str, Variant]:
    return {name: VARIANTS[name] for name in names}


def efforts(duration: str, *, full: int = 10, quick: int = 2) -> Efforts:
    """Return how much is simulated; the thesis shows one run of each, apart from table 4.4."""
    return Efforts(
        full=Effort(quick=False, seeds=full, warmup="0 s", duration=duration),
        quick=Effort(quick=True, seeds=quick, warmup="0 s", duration=duration),
    )


def as_it_is(_: float) -> dict[str, Any]:
    """Set nothing."""
    return {}


def data_rate(value: float) -> dict[str, Any]:
    """Set the data rate, in Mbit/s."""
    return {"mac.data_rate": f"{value:g} Mbit/s"}


def route_failures(value: float) -> dict[str, Any]:
    """Set how often movement breaks a route."""
    return {"topology.route_failures": int(value)}


def three_flows(value: float) -> dict[str, Any]:
    """Set the length of a chain, with three flows from its first to its last node."""
    return {**hops(value), "flow": [{"from": "n0", "to": f"n{value:g}"}] * 2}


def _one(name: str, base: Path, variants: tuple[str, ...], plan: Efforts, **more: Any) -> Study:
    """Prepare a study of a single point, with what was delivered over time."""
    settings: Mapping[str, Any] = more.pop("settings", {})
    values = more.pop("values", (0.0,))
    more = {"at": as_it_is, "tables": ("series",), "quick_values": values, **more}
    return Study(f"hxh-{name}", base, settings, _variants(*variants), values, efforts=plan, **more)


# ---- 4.1.1: one hop, a chain of five nodes -------------------------------------------------------

# "three flows were initiated across the link, with one flow starting every 10 seconds. Each flow
# transmitted data for 30 seconds"
STAGGER_S = 10.0
LIFETIME_S = 30.0
STAGGERED = {"traffic.stagger": "10 s", "traffic.lifetime": "30 s"}
# Two seconds after the last flow its state is gone (3.2.1).
CONTROL_EFFORTS = efforts("53 s")
CONTROL = _one(
    "control", CHAIN, (HXH,), CONTROL_EFFORTS, settings=STAGGERED, at=three_flows, values=(1.0,)
)
FIVE_NODES = _one(
    "five-nodes", CHAIN, (HXH,), CONTROL_EFFORTS, settings=STAGGERED, at=three_flows, values=(4.0,)
)
CEILING = _one("ceiling", CHAIN, (UDP,), efforts("10 s"), at=hops, values=(1.0,))

# ---- chains --------------------------------------------------------------------------------------

ATP_ALONE = _one("atp-alone", CHAIN, (ATP,), efforts("60 s"), at=hops, values=(4.0,))
TEN_HOPS = _one(
    "ten-hops", CHAIN, (HXH, RATE, SACK, VEGAS), efforts("60 s"), at=hops, values=(10.0,)
)

# "ATP also suffers from instability in flows traversing more than four nodes" (4.2.2): alone, over
# chains of two to seven nodes.
ATP_LENGTHS = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
ATP_BY_LENGTH = _one("atp-lengths", CHAIN, (ATP,), efforts("60 s"), at=hops, values=ATP_LENGTHS)


# "the scheduler cycles through all flows in a byte based round robin fashion" (3.2.2): two flows
# over a chain of five nodes, one with small packets.
SMALL_B, LARGE_B = 256, 1024


def two_sizes(value: float) -> dict[str, Any]:
    """Set the length of a chain, with a flow of large and one of small packets over it."""
    small = {"from": "n0", "to": f"n{value:g}", "payload": f"{SMALL_B} B"}
    return {**hops(value), **payload(LARGE_B), "flow": [small]}


TWO_SIZES = _one("two-sizes", CHAIN, (HXH,), efforts("60 s"), at=two_sizes, values=(4.0,))

# ---- two flows drift past each other -------------------------------------------------------------

# When they come within 550 m of each other, and when they leave it (drift.toml).
MEET_S = 16.3
PART_S = 43.7
RATES = (1.0, 11.0, 54.0)
FASTEST = RATES[-1]
ACKNOWLEDGED = _one("drift", DRIFT, (HXH, EXPLICIT), efforts("60 s"), at=data_rate, values=RATES)
END_TO_END = _one("drift-tcp", DRIFT, TCPS, efforts("60 s"), at=data_rate, values=(FASTEST,))

# ---- 4.2: beside existing protocols --------------------------------------------------------------

ALL_FLOWS_S = 30.0
SHARED = _one("dumbbell", DUMBBELL, SIX, efforts("60 s"))
# "double those of TCP, depending on the speed of the wireless links" (abstract): at the other rates
# of table 4.1.
SLOWER = _one(
    "dumbbell-slower", DUMBBELL, (HXH, *TCPS), efforts("60 s"), at=data_rate, values=RATES[:-1]
)
FAILURES = (0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0)
MOBILE = _one(
    "lattice",
    LATTICE,
    SIX,
    efforts("60 s"),
    at=route_failures,
    values=FAILURES,
    quick_values=(0.0, 30.0, 60.0),
    tables=(),
)
PLANNED = _one("grid", GRID, SIX, efforts("60 s"), tables=())
# "a set of 50 randomly generated scenarios": each seed is one.
SCENARIOS = _one("random", RANDOM, SIX, efforts("60 s", full=50, quick=4), tables=())

# ---- the share of acknowledgments (1.2) ----------------------------------------------------------

# 4096 B do not fit into a frame of 802.11.
SHARE_SIZES = (1024, 2048)
SHARE_RATES = (1.0, 2.0, 5.5, 11.0, 24.0, 54.0)
ACK_SHARES = {
    (size, rate): Trace(
        f"hxh-acks-{size}-{rate:g}",
        CHAIN,
        {**hops(1), **data_rate(rate), **payload(size), "duration": "5 s"},
        VARIANTS[NEWRENO],
    )
    for size in SHARE_SIZES
    for rate in SHARE_RATES
}

# ---- traces --------------------------------------------------------------------------------------

# Two relays trade places every so often (trade.toml), and the source stops before the run ends.
SPEED_M_S = 60
ASIDE_M = 300
STOP_S = 45.0


def trades(period: float) -> dict[str, Any]:
    """Let the two relays trade places, in s."""
    moves = []
    for turn in range(1, int(STOP_S / period) + 1):
        for node, x, first in (("m1", 390, 1), ("m2", 410, 0)):
            y = ASIDE_M if turn % 2 == first else 0
            at = {"node": node, "at": f"{turn * period:g} s", "x": f"{x} m", "y": f"{y} m"}
            moves.append({**at, "speed": f"{SPEED_M_S} m/s"})
    return {"move": moves}


# Everything arrives, however often they do and at any rate (4.1.3).
PERIODS_S = (5.0, 7.5, 10.0, 15.0)
# The nodes of trade.toml in the order of the flow.
TRADE_PATH = (0, 1, 2, 3, 4, 5)
AT_RATES = {f"{rate:g}": Variant(f"HxH, {rate:g} Mbit/s", "hxh", data_rate(rate)) for rate in RATES}
TRADES = Study(
    "hxh-trades",
    TRADE,
    {},
    AT_RATES,
    PERIODS_S,
    (7.5, 10.0),
    # Long enough for the source's timeout, which doubles, to repeat what was lost at the end.
    efforts("180 s", quick=1),
    at=trades,
)

RECOVERIES = tuple(
    Trace(
        f"hxh-trade-{seed}",
        TRADE,
        {**trades(10.0), **data_rate(1.0), "seed": seed},
        VARIANTS[HXH],
    )
    for seed in range(1, 6)
)


def _traced(name: str, base: Path, settings: Mapping[str, Any]) -> Trace:
    return Trace(f"hxh-trace-{name}", base, settings, VARIANTS[HXH])


# The chain of five nodes, with the seeds of its study and as long.
NACKS_CHAIN = tuple(
    _traced(
        f"chain-{seed}",
        CHAIN,
        {**STAGGERED, **three_flows(4), "duration": "53 s", "seed": seed},
    )
    for seed in range(1, CONTROL_EFFORTS.full.seeds + 1)
)
# The simulations of the chapter, shortened: how many of HxH's packets are NACKs (4.1.3).
NACKS = (
    *RECOVERIES,
    _traced("trade-54", TRADE, {**trades(10.0), "duration": "16 s"}),
    NACKS_CHAIN[0],
    _traced("dumbbell", DUMBBELL, {"traffic.stagger": "2 s", "duration": "12 s"}),
    _traced("lattice", LATTICE, {**route_failures(10), "duration": "10 s"}),
    _traced("grid", GRID, {"duration": "4 s"}),
    _traced("random", RANDOM, {"duration": "10 s"}),
)
