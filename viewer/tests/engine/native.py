"""Print scenarios and the fingerprints that the engine of this Python gives them, as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import multihop

EXAMPLES = Path(multihop.__file__).parent / "scenarios"
LEARNED = EXAMPLES / "learned"
MOVING = (
    '[topology]\nkind = "random"\nnodes = 12\nflows = 2\nwidth = "500 m"\nheight = "400 m"\n'
    '[routing]\nkind = "aodv"\n[scheme]\nname = "newreno"\n'
    '[traffic]\nkind = "ftp"\nstart = "0.5 s"\n'
)
KINDS = (
    '[mobility]\nkind = "random-waypoint"\nmin_speed = "5 m/s"\nmax_speed = "20 m/s"\n',
    '[[move]]\nnode = "n3"\nat = "1 s"\nx = "250 m"\ny = "200 m"\nspeed = "30 m/s"\n',
)
# So that all of it takes seconds.
SHORT = {"warmup": "1 s", "duration": "5 s"}


def texts() -> Iterator[tuple[str, str]]:
    """Yield the examples, every scheme over every routing, ways to move, and a policy."""
    for path in sorted(EXAMPLES.glob("*.toml")):
        yield path.stem, path.read_text(encoding="utf-8")
    for scheme in multihop.schemes():
        for routing in multihop.routings():
            text = (
                '[topology]\nkind = "bidirectional-chain"\nhops = 3\n'
                f'[scheme]\nname = "{scheme["name"]}"\n[routing]\nkind = "{routing["name"]}"\n'
                '[traffic]\nload = "80 kbit/s"\nstart = "0.2 s"\n'
            )
            if can_be_run(text):
                yield f"{scheme['name']} over {routing['name']}", text
    for kind in KINDS:
        yield f"moving: {kind.splitlines()[0]}", MOVING + kind
    for policy in ("pace", "hold"):
        chain, weights = (LEARNED / name for name in ("chain.toml", f"{policy}.json"))
        text = chain.read_text(encoding="utf-8").replace('"udp"', '"newreno"')
        yield policy, f"{text}[policy]\ntext = '''{weights.read_text(encoding='utf-8')}'''\n"


def can_be_run(text: str) -> bool:
    """Return whether the scheme goes with the routing: one that floods has no routes."""
    try:
        multihop.Scenario.from_toml(text)
    except multihop.ScenarioError:
        return False
    return True


def shortened(scenario: multihop.Scenario) -> dict[str, str]:
    """Return keys that make a run short; none where a flow would start too late."""
    try:
        scenario.override(SHORT)
    except multihop.ScenarioError:
        return {}
    return SHORT


def main() -> None:
    """Run them all."""
    found = []
    for name, text in texts():
        scenario = multihop.Scenario.from_toml(text)
        changes = shortened(scenario)
        result = multihop.run(scenario.override(changes))
        fingerprint = result.runs["fingerprint"][0]
        found.append({"name": name, "text": text, "changes": changes, "fingerprint": fingerprint})
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
