#!/usr/bin/env python3
"""What the engine does most, for a build that is optimised by its profile (`make wheel`).

maturin runs it with an engine that counts which way each branch goes: the networks of
`bench.py`, at rest and moving, and every example of the repository. The profile decides on the
layout of the code alone, never on results.
"""

from __future__ import annotations

import json

from bench import CASES, HERE, MOVING_CASES, TCP, TRAFFIC, UDP, random200

from multihop import Scenario
from multihop import _multihop as engine

# Simulated: enough for every branch that matters, as an engine that counts is slow.
DURATION = "20 s"
MOVING = {"mobility": {"kind": "random-waypoint", "min_speed": "1 m/s", "max_speed": "20 m/s"}}


def main() -> None:
    """Run everything once."""
    cases = [case.scenario for case in CASES.values()]
    cases += [scenario | MOVING for scenario in MOVING_CASES.values()]
    cases += [random200({"scheme": {"name": "hxh"}, "traffic": TCP})]
    size = {"width": "5500 m", "height": "5500 m"}
    large = {"kind": "random", "nodes": 2000, "flows": 40} | size
    cases += [{"topology": large, "scheme": UDP, "traffic": TRAFFIC}]
    for case in cases:
        engine.run(json.dumps(case | {"warmup": "0 s", "duration": DURATION}))
    for path in sorted((HERE.parent / "examples").glob("*.toml")):
        engine.run(Scenario.from_file(path).json)


if __name__ == "__main__":
    main()
