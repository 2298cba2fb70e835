"""`python -m multihop.validation`: run the comparison with ns-2 and write the page."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from . import drawn_page, dsr_page, ns3_drawn, tcp_page, wake_page
from .compare import Verdict
from .page import SEEDS, validate


def main() -> int:
    """Parse the arguments, validate, and say what was found; 1 if a bar was missed."""
    parser = argparse.ArgumentParser(prog="python -m multihop.validation", description=__doc__)
    parser.add_argument("--out", type=Path, help="folder for the page; default docs/validation")
    parser.add_argument("--data", type=Path, help="folder with ns-2's results")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="runs for each point")
    parser.add_argument("--workers", type=int, help="runs at a time; all cores unless given")
    arguments = parser.parse_args()
    found = validate(
        arguments.out, data=arguments.data, seeds=arguments.seeds, workers=arguments.workers
    )
    counts = found.counts
    for name, same in found.probes.items():
        print(f"{name:10} {'agrees' if same else 'DIFFERS'}")
    print(
        f"{counts[Verdict.INSIDE]} comparisons inside their bars, {counts[Verdict.NOISE]} outside "
        f"within noise, {counts[Verdict.OUTSIDE]} outside"
    )
    print(f"page: {found.page}")
    tcp = tcp_page.validate(arguments.out, data=arguments.data, workers=arguments.workers)
    print(
        f"TCP: windows step by step: {sum(steps.same for steps in tcp.steps)} of {len(tcp.steps)} "
        f"variants agree; {tcp.said}"
    )
    dsr = dsr_page.validate(arguments.out, data=arguments.data, workers=arguments.workers)
    print(f"DSR: {dsr.said}")
    wake = wake_page.validate(arguments.out, data=arguments.data, workers=arguments.workers)
    print(f"WAKE: {wake.said}")
    drawn = drawn_page.validate(arguments.out, data=arguments.data, workers=arguments.workers)
    print(f"drawn: {drawn.said}")
    ns3 = ns3_drawn.validate(arguments.out, data=arguments.data, workers=arguments.workers)
    print(f"drawn, beside ns-3: {ns3.said}")
    return 0 if found.passed and tcp.passed and wake.passed and drawn.passed else 1


if __name__ == "__main__":
    sys.exit(main())
