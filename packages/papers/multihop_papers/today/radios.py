"""The radios, and how a set-up becomes that of a radio.

Lengths and times of a set-up are those of ns-2's radio, and follow these rules on another one:

- Chains have given ways. Their spacing keeps the number of hops over which a frame is sensed: the
  sensing range is 2.75 times the spacing. Where a rate does not carry that far, the spacing is 0.8
  of the distance that it carries.
- Networks that search for routes keep their density: lengths are multiples of the transmission
  range, 250 m with ns-2.
- Their broadcasts have the rate of data, as people who run meshes set it: a request that reaches
  farther than data finds routes that carry none.
- On LoRa, they have the routes of fewest hops from the start: with AODV, whose times are those of
  802.11, nothing is delivered at long-fast.
- Loads are multiples of what one link carries when it is saturated.
- Two radios are maps: what nodes of community networks in Leipzig and Essingen deliver to each
  other, as these networks publish it (batman-adv's transmission quality over radio links, without
  names and places; collected in 2020 by github.com/mwarning/meshnet-lab, MIT). Nodes without such a
  link between them hear nothing of each other. Their networks are the map with flows drawn at
  random; they have no chains, and nobody moves.
- As many packets fit into the measured time as with ns-2, but it has at least 10 s: TCP and routing
  have timers that know no radio.

`radios.toml` has the ranges and the saturated link of each radio, as the engine measures them;
`steps.toml` has those of ns-2's radio, or of 802.11n, with one property changed, which tell what a
claim turns with. `python -m multihop_papers.today` writes both anew.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FILE, STEPS_FILE = HERE / "radios.toml", HERE / "steps.toml"

# Of ns-2's radio with its hops of 200 m: the sensing range over the spacing, and the spacing over
# the transmission range.
SENSED, CARRIED = 550 / 200, 200 / 250
LEAST_S = 10.0


@dataclass(frozen=True)
class Radio:
    """A radio: the keys that make it, and what was measured of it."""

    id: str
    title: str
    # The payload of a packet in bytes.
    payload: int
    settings: Mapping[str, Any]
    # How far a frame is decoded and sensed, in m.
    range_m: float
    sense_m: float
    # What a saturated link of one hop carries, in packets/s.
    link_packets_s: float
    # The file of `maps` with the links of its nodes, in place of distances.
    map: str = ""
    # Of a step: the radio of which it changes one property.
    base: str = ""

    @property
    def searches(self) -> bool:
        """Whether nodes search for routes."""
        return self.settings.get("mac.kind") != "lora"

    @property
    def spacing_m(self) -> float:
        """The spacing of chains whose ways are given."""
        return min(self.sense_m / SENSED, CARRIED * self.range_m)

    @cached_property
    def links(self) -> tuple[tuple[str, str, float], ...]:
        """The links of its map: from which node to which, and what share of frames is delivered."""
        with (HERE / "maps" / f"{self.map}.csv").open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        return tuple((f"n{r['from']}", f"n{r['to']}", float(r["delivery"])) for r in rows)

    def metres(self, of_ns2: float) -> str:
        """Return a length of a network that searches for routes; `of_ns2` is ns-2's."""
        return f"{of_ns2 * self.range_m / 250:.3f} m"

    def seconds(self, of_ns2: float, least: float = LEAST_S) -> float:
        """Return the time in which as many packets fit as in `of_ns2` seconds with ns-2."""
        return max(of_ns2 * NS2_PACKETS_S / self.link_packets_s, least)

    def load(self, share: float) -> str:
        """Return the load of a source that offers this share of a saturated link."""
        return f"{share * self.link_packets_s * self.payload * 8:.0f} bit/s"


def read(file: Path) -> tuple[Radio, ...]:
    """Return the radios of a file, in its order."""
    return tuple(Radio(**radio) for radio in tomllib.loads(file.read_text("utf-8"))["radio"])


RADIOS, STEPS = read(FILE), read(STEPS_FILE)
NS2_PACKETS_S = RADIOS[0].link_packets_s
