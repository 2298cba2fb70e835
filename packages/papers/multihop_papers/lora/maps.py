"""Published maps: who hears whom, without names and places.

Two are the community networks of the study of today's radios (`today/maps`): which share of the
frames of one node another one gets, over WLAN. The third are the repeaters of a region.

`seattle.csv.gz` has the links of examples/seattle/sea.yaml of https://github.com/Brent-A/mcsim
(e1fe6122, MIT licence, Copyright (c) 2026 Brent Allen): the mean signal-to-noise ratio of each
directed link at 20 dBm and its standard deviation, both in dB. Nodes have numbers. It is made by

    multihop import sea.yaml --mesh meshtastic --out sea.toml
    python -m multihop_papers.lora.maps sea.toml

The file does not say of which bandwidth its ratios are; they are taken for those of 62.5 kHz.
"""

from __future__ import annotations

import csv
import gzip
import io
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from multihop_papers.today.radios import RADIOS

FILE = Path(__file__).with_name("seattle.csv.gz")
HEADER = ("from", "to", "snr_db", "deviation_db")
# Noise in dBm of the setting with which the map was imported, and of 62.5 kHz.
IMPORTED_DBM, NOISE_DBM = -114.0, -120.0
# A link below this ratio by more than three of its deviations carries nothing and disturbs nobody.
NEEDED_DB, DEVIATIONS = -10.0, 3.0
# The map of repeaters, and those of shares, by size.
SEATTLE, SHARES = "seattle", ("essingen", "leipzig")
# Of the nodes each network has this share, drawn anew.
PRESENT = 0.8

Link = tuple[int, int, float, float]


@cache
def links() -> tuple[Link, ...]:
    """Return all links: from, to, ratio and deviation in dB."""
    with gzip.open(FILE, "rt", encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    return tuple((int(a), int(b), float(snr), float(spread)) for a, b, snr, spread in rows)


def _present(known: Iterable[int], number: int) -> set[int]:
    """Draw who is there."""
    nodes = sorted(set(known))
    drawn = np.random.default_rng(number).random(len(nodes)) < PRESENT
    return {node for node, is_there in zip(nodes, drawn, strict=True) if is_there}


def _tables(kept: Iterable[tuple[int, int, Mapping[str, Any]]]) -> dict[str, Any]:
    """Return [[node]] and [[link]] of those that hear somebody and are heard."""
    rows = list(kept)
    both = {one for one, _, _ in rows} & {other for _, other, _ in rows}
    return {
        "node": [
            {"name": f"n{node}", "x": f"{at} m", "y": "0 m"} for at, node in enumerate(sorted(both))
        ],
        "link": [
            {"from": f"n{one}", "to": f"n{other}", **own}
            for one, other, own in rows
            if {one, other} <= both
        ],
    }


def expected() -> float:
    """Return how many repeaters a sample has on average."""
    return PRESENT * len({end for link in links() for end in link[:2]})


def sample(number: int, mobile: float = 0, gain_db: float = 0) -> dict[str, Any]:
    """Return [[node]] and [[link]] of a sample of the repeaters. The same number gives the same.

    A share of them has the role `mobile`, and antennas that gain so much beside the others', in dB.
    """
    there = _present((end for link in links() for end in link[:2]), number)
    nodes = sorted(there)
    chosen = np.random.default_rng([number, len(nodes)]).permutation(nodes)
    weak = {int(node) for node in chosen[: round(mobile * len(nodes))]}

    def snr_db(one: int, other: int, snr: float) -> float:
        return snr + gain_db * len({one, other} & weak)

    made = _tables(
        (
            one,
            other,
            {
                "signal": f"{snr_db(one, other, snr) + NOISE_DBM:.1f} dBm",
                "deviation": f"{spread:g} dB",
            },
        )
        for one, other, snr, spread in links()
        if {one, other} <= there and snr_db(one, other, snr) + DEVIATIONS * spread >= NEEDED_DB
    )
    for node in made["node"]:
        if int(node["name"][1:]) in weak:
            node["role"] = "mobile"
    return made


def connected(drawn: Mapping[str, Any]) -> list[str]:
    """Return the largest part of a sample whose nodes reach each other over decodable links."""
    mean_dbm = {
        (link["from"], link["to"]): float(link["signal"].split()[0]) for link in drawn["link"]
    }
    near = defaultdict(set)
    for (one, other), signal in mean_dbm.items():
        if min(signal, mean_dbm.get((other, one), -inf)) >= NEEDED_DB + NOISE_DBM:
            near[one].add(other)
    largest, left = set[str](), {node["name"] for node in drawn["node"]}
    while len(left) > len(largest):
        part = _reached(near, left.pop())
        largest, left = max(largest, part, key=len), left - part
    return sorted(largest, key=lambda name: int(name[1:]))


def _reached(near: Mapping[str, set[str]], start: str) -> set[str]:
    found, open_ = {start}, [start]
    while open_:
        new = near[open_.pop()] - found
        found |= new
        open_ += new
    return found


def sample_of_shares(name: str, number: int) -> dict[str, Any]:
    """Return the same of a map of shares."""
    known = next(radio.links for radio in RADIOS if radio.map == name)
    rows = [(int(one[1:]), int(other[1:]), share) for one, other, share in known]
    there = _present((end for row in rows for end in row[:2]), number)
    return _tables(
        (one, other, {"delivery": share}) for one, other, share in rows if {one, other} <= there
    )


def write(scenario: Path, file: Path = FILE) -> None:
    """Write the links of an imported map."""
    read = tomllib.loads(scenario.read_text("utf-8"))["link"]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    for link in read:
        snr = float(link["signal"].split()[0]) - IMPORTED_DBM
        spread = float(link.get("deviation", "0 dB").split()[0])
        writer.writerow((link["from"][1:], link["to"][1:], f"{snr:.1f}", f"{spread:g}"))
    file.write_bytes(gzip.compress(text.getvalue().encode(), mtime=0))


if __name__ == "__main__":
    write(Path(sys.argv[1]))
