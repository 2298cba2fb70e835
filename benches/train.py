#!/usr/bin/env python3
"""What the engine does most, for a build that is optimised by its profile (`make wheel`).

maturin runs it with an engine that counts which way each branch goes: the networks of
`bench.py`, at rest and moving, and every example of the repository. The profile decides on the
layout of the code alone, never on results.
"""

from __future__ import annotations

import json

from bench import CASES, HERE, MOVING_CASES, TCP, TRAFFIC, UDP, grid, random200

from multihop import Scenario, _multihop as engine

# Simulated: so long that no kind of network outweighs the others, as an engine that counts is slow.
CHAIN_S, NETWORK_S, MOVING_S, LARGE_S = 400, 100, 40, 4
MOVING = {"mobility": {"kind": "random-waypoint", "min_speed": "1 m/s", "max_speed": "20 m/s"}}


def main() -> None:
    """Run everything once."""
    cases = [
        (case.scenario, CHAIN_S if title.startswith("chain") else NETWORK_S)
        for title, case in CASES.items()
    ]
    cases += [(scenario | MOVING, MOVING_S) for scenario in MOVING_CASES.values()]
    cases += [(random200({"scheme": {"name": "hxh"}, "traffic": TCP}), MOVING_S)]
    cases += [(grid("wxcp"), MOVING_S)]
    size = {"width": "5500 m", "height": "5500 m"}
    large = {"kind": "random", "nodes": 2000, "flows": 40} | size
    cases += [({"topology": large, "scheme": UDP, "traffic": TRAFFIC}, LARGE_S)]
    for case, seconds in cases:
        engine.run(json.dumps(case | {"warmup": "0 s", "duration": f"{seconds} s"}))
    for path in sorted((HERE.parent / "examples").glob("*.toml")):
        engine.run(Scenario.from_file(path).json)


if __name__ == "__main__":
    main()
