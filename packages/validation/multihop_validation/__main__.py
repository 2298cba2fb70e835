"""`python -m multihop_validation`: run the comparison with ns-2, keep the runs, write the pages."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import (
    drawn_page,
    dsr_page,
    ht_page,
    meshcore,
    meshtasticator,
    ns3_drawn,
    ofdm_page,
    ofdm_rates,
    page,
    tcp_page,
    wake_page,
)
from .compare import Verdict
from .tcp_page import TcpValidation


def udp(found: page.Validation) -> str:
    """Say what the page beside ns-2's UDP has found."""
    counts = found.counts
    lines = [f"{name:10} {'agrees' if same else 'DIFFERS'}" for name, same in found.probes.items()]
    return "\n".join(
        (
            *lines,
            f"{counts[Verdict.INSIDE]} comparisons within tolerance, {counts[Verdict.NOISE]} "
            f"outside within noise, {counts[Verdict.OUTSIDE]} outside",
            f"page: {found.page}",
        )
    )


def tcp(found: TcpValidation) -> str:
    """Say what the page beside ns-2's TCP has found."""
    return (
        f"windows step by step: {sum(steps.same for steps in found.steps)} of {len(found.steps)} "
        f"variants agree; {found.said}"
    )


# By name: the module that measures and writes a page, and what is said of it.
PAGES: dict[str, tuple[Any, Callable[[Any], str]]] = {
    "udp": (page, udp),
    "tcp": (tcp_page, tcp),
    "dsr": (dsr_page, lambda found: found.said),
    "wake": (wake_page, lambda found: found.said),
    "drawn": (drawn_page, lambda found: found.said),
    "ns3-drawn": (ns3_drawn, lambda found: found.said),
    "meshtasticator": (meshtasticator, lambda found: found.said),
    "meshcore": (meshcore, lambda found: found.said),
    "ofdm": (ofdm_page, lambda found: found.said),
    "ht": (ht_page, lambda found: found.said),
    "rates": (ofdm_rates, lambda found: found.said),
}
# Those whose bars decide the exit status.
JUDGED = ("udp", "tcp", "wake", "drawn", "ofdm", "meshcore", "rates")


def main() -> int:
    """Parse the arguments, validate, and say what was found; 1 if a bar was missed."""
    parser = argparse.ArgumentParser(prog="python -m multihop_validation", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="PAGE", help=f"{', '.join(PAGES)}; all")
    parser.add_argument("--out", type=Path, help="folder for the page; default docs/validation")
    parser.add_argument("--data", type=Path, help="folder with ns-2's results")
    parser.add_argument("--workers", type=int, help="runs at a time; all cores unless given")
    parser.add_argument(
        "--kept", action="store_true", help="write the pages from the runs that are kept"
    )
    given = parser.parse_args()
    unknown = set(given.names) - set(PAGES)
    if unknown:
        parser.error(f"unknown: {' '.join(sorted(unknown))}; there are: {' '.join(PAGES)}")
    passed = True
    for name in given.names or PAGES:
        module, say = PAGES[name]
        if given.kept:
            found = module.write(given.out, data=given.data)
        else:
            found = module.validate(given.out, data=given.data, workers=given.workers)
        print(f"{name}: {say(found)}", flush=True)
        passed &= name not in JUDGED or found.passed
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
