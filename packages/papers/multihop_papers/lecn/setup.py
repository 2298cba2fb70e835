"""The runs behind LECN's figures and tables, shared by those that show them.

The paper's throughput agrees with ns-2 within 2 % if the 40 B of TCP and IP headers of every
packet are counted, so they are counted here too: `throughput_bit_s`. The paper does not say it: the
claims of numbers in kbit/s are calibrated. In the chains it is the throughput of the first flow,
which is TCP's; in the grid that of all flows.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from multihop.reproducing.spec import (
    FIRST,
    Effort,
    Efforts,
    Study,
    Trace,
    Variant,
    hops,
    payload,
    window_limit,
)

HERE = Path(__file__).parent
CHAIN = HERE / "chain.toml"
GRID = HERE / "grid.toml"
TCP_IP_HEADERS = 40

THROUGHPUT = "throughput_bit_s"
HEADERS = (
    "That throughputs count 40 B of headers was chosen because table 1's numbers then fit. "
    "Without, each is 7, 4 and 3 % less with 512, 1000 and 1460 B."
)
WINDOW = FIRST + "window_mean"

# The paper says neither how long its runs are nor how many.
EFFORTS = Efforts(
    full=Effort(quick=False, seeds=10, warmup="5 s", duration="120 s"),
    quick=Effort(quick=True, seeds=3, warmup="5 s", duration="120 s"),
)
# The optimum is the best of many windows: they need not be known as well as a curve.
SEARCH_EFFORTS = Efforts(full=replace(EFFORTS.full, seeds=5), quick=replace(EFFORTS.quick, seeds=2))
GRID_EFFORTS = replace(EFFORTS, quick=replace(EFFORTS.quick, seeds=4))

# The curves. LECN's threshold is in ms; thinning means two acknowledgments a window.
TCP = "tcp"
LECN_40 = "lecn-40"
LECN_60 = "lecn-60"
THINNING = "thinning"
THINNING_LECN_40 = "thinning-lecn-40"
THINNING_LECN_60 = "thinning-lecn-60"
VEGAS = "vegas"


def _lecn(title: str, threshold: int, thinning: bool) -> Variant:
    settings = {"scheme.threshold": threshold, "scheme.ack_thinning": thinning}
    marker = "v" if threshold < 60 else ""
    return Variant(title, "lecn", settings, secondary=thinning, marker=marker)


THIN = {"scheme.ack_thinning": True}
VARIANTS = {
    TCP: Variant("TCP", "newreno", {}),
    LECN_40: _lecn("TCP, LECN 40 ms", 40, thinning=False),
    LECN_60: _lecn("TCP, LECN 60 ms", 60, thinning=False),
    THINNING: Variant("TCP, thinning", "newreno", THIN, secondary=True),
    THINNING_LECN_40: _lecn("TCP, thinning, LECN 40 ms", 40, thinning=True),
    THINNING_LECN_60: _lecn("TCP, thinning, LECN 60 ms", 60, thinning=True),
    VEGAS: Variant("Vegas", "vegas", {}),
}
BOTH = (TCP, THINNING)


def _variants(*names: str) -> dict[str, Variant]:
    return {name: VARIANTS[name] for name in names}


def _with_headers(column: str, size: pl.Expr | int) -> dict[str, pl.Expr]:
    return {THROUGHPUT: pl.col(column) * (1 + TCP_IP_HEADERS / size)}


# ---- tables 1 and 2: the window limit is swept --------------------------------------------------

SIZES = (512, 1000, 1460)
WINDOWS = tuple(range(1, 21))
QUICK_WINDOWS = (*range(1, 10), 11, 12, 13, 16)


def _windows(name: str, size: int, **settings: Any) -> Study:
    return Study(
        name,
        CHAIN,
        {"traffic.payload": f"{size} B", **settings},
        _variants(*BOTH),
        WINDOWS,
        QUICK_WINDOWS,
        EFFORTS,
        at=window_limit,
        derived=_with_headers(FIRST + "goodput_bit_s", size),
    )


BY_SIZE = tuple(_windows(f"lecn-windows-{size}", size) for size in SIZES)
# "a UDP flow with 250 Kbps in the reverse direction from node 7 to node 6"
UDP = {
    "from": "n7",
    "to": "n6",
    "kind": "cbr",
    "load": "250 kbit/s",
    "transport": "datagram",
}
CONGESTED = _windows("lecn-windows-udp", 512, flow=[UDP])

# ---- figures 2 to 5: congestion potential -------------------------------------------------------

# Every event of a run is kept: as many seeds as fit into memory. The first one is drawn.
TRACES = tuple(
    Trace(
        f"lecn-trace-{seed}",
        CHAIN,
        {"measure.congestion_potential": True, "seed": seed}
        | {"warmup": "10 s", "duration": "60 s"},
        VARIANTS[TCP],
    )
    for seed in range(1, 6)
)
POTENTIAL = Study(
    "lecn-potential",
    CHAIN,
    {"measure.congestion_potential": True},
    _variants(TCP, LECN_60, THINNING, THINNING_LECN_60),
    (8,),
    (8,),
    replace(EFFORTS, quick=EFFORTS.full),
    at=hops,
)

# ---- figures 6 to 8: the length of the chain is swept -------------------------------------------

HOPS = tuple(range(1, 17))
QUICK_HOPS = (1, 2, 3, 4, 5, 6, 8, 10, 16)
LENGTHS = Study(
    "lecn-lengths",
    CHAIN,
    {},
    VARIANTS,
    HOPS,
    QUICK_HOPS,
    EFFORTS,
    at=hops,
    derived=_with_headers(FIRST + "goodput_bit_s", 512),
)
SEARCHED = (*range(1, 17), 20, 24, 32)
QUICK_SEARCHED = (1, 2, 3, 4, 6, 8, 12, 16)


def _search(of: str) -> Study:
    """Prepare the exhaustive search for the best window limit: a variant for each window."""
    known = VARIANTS[of]
    windows = {
        str(window): Variant(
            f"window {window}", known.scheme, {**known.settings, **window_limit(window)}
        )
        for window in SEARCHED
    }
    return replace(
        LENGTHS,
        name=f"lecn-search-{of}",
        variants=windows,
        quick_variants=tuple(map(str, QUICK_SEARCHED)),
        efforts=SEARCH_EFFORTS,
    )


SEARCH = _search(TCP)
SEARCH_THINNING = _search(THINNING)

# ---- "we simulate the threshold T of LECN from 0 to 100 ms" ------------------------------------

THRESHOLDS = Study(
    "lecn-thresholds",
    CHAIN,
    {},
    _variants(LECN_60, THINNING_LECN_60),
    (0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100),
    (0, 20, 40, 60, 80, 100),
    EFFORTS,
    at=lambda value: {"scheme.threshold": value},
    derived=_with_headers(FIRST + "goodput_bit_s", 512),
)

# ---- table 3: the grid --------------------------------------------------------------------------

LATTICE = Study(
    "lecn-lattice",
    GRID,
    {},
    _variants(TCP, LECN_60, THINNING_LECN_60, VEGAS),
    SIZES,
    SIZES,
    GRID_EFFORTS,
    at=payload,
    derived=_with_headers("goodput_bit_s", pl.col("x")),
)
