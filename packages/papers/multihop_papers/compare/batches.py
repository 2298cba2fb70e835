"""What batches are worth on 802.11n: paired runs of schemes with and without them.

    python -m multihop_papers.compare.batches docs/guides/all-schemes-ofdm.md

runs the schemes that have one packet at the MAC by their papers' rules, over the chains and in the
random networks of the comparison and with its seeds. Settings were chosen on others (ADR 0149,
0160). Writes `docs/reproduced/ofdm-batches.json`, and the table of the page, if one is named. With
schemes behind the page it runs those alone, and keeps the rows of the others.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from multihop import Scenario, run
from multihop.reporting.markdown import markdown_table
from multihop.reproducing.stored import FOLDER

from .. import kept
from ..kept import Rows
from . import radios
from .entries import ALONE, BATCHES, entries

PATH = FOLDER / "ofdm-batches.json"
RADIOS = ("n65_82", "n65_91")
CHAIN_SEEDS = (1, 2)
RANDOM = f"{len(radios.NETWORKS)} random networks"
TABLE = re.compile(r"(<!-- batches -->\n).*?(<!-- end of batches -->)", re.DOTALL)
WORKERS = 6


def _networks(side: str) -> Iterator[tuple[str, dict[str, Any], int]]:
    """Yield the column of each run, its network and its seed."""
    for hops in radios.HOPS:
        for seed in CHAIN_SEEDS:
            yield f"{hops:g} hop{'s' * (hops > 1)}", radios.chain(hops), seed
    for number in radios.NETWORKS:
        yield RANDOM, radios.places(side, number), 1


def _goodput(scenario: Scenario) -> float:
    return float(run(scenario).runs["goodput_bit_s"][0])


def measured(
    ids: Sequence[str] = RADIOS, duration: str = "10 s", schemes: Sequence[str] = tuple(BATCHES)
) -> list[dict[str, Any]]:
    """Return a row for each radio, scheme and network, both as means in bit/s.

    The ratio is the geometric mean over the pairs of runs of goodput with batches over goodput
    without; the difference that of the logarithms, with its standard error.
    """
    base = tomllib.loads(radios.BASE.read_text("utf-8"))
    known = tomllib.loads(radios.FILE.read_text("utf-8"))["radio"]
    known_entries = entries()
    rows = []
    with ThreadPoolExecutor(WORKERS) as pool:
        for radio in (one for one in known if one["name"] in ids):
            for scheme in schemes:
                columns, scenarios = [], []
                both = (ALONE[scheme], BATCHES[scheme])
                for column, network, seed in _networks(radio["side"]):
                    scenario = known_entries[scheme].apply(Scenario.from_dict({**base, **network}))
                    scenario = scenario.with_(**radio["settings"], seed=seed, duration=duration)
                    columns.append(column)
                    scenarios += [scenario.with_(**keys) for keys in both]
                found = np.array(list(pool.map(_goodput, scenarios))).reshape(-1, 2)
                for column in dict.fromkeys(columns):
                    pairs = np.maximum(found[[name == column for name in columns]], 1.0)
                    change = np.log(pairs[:, 1] / pairs[:, 0])
                    rows.append(
                        {
                            "radio": radio["name"],
                            "scheme": scheme,
                            "network": column,
                            "without_bit_s": float(pairs[:, 0].mean()),
                            "with_bit_s": float(pairs[:, 1].mean()),
                            "log_ratio": float(change.mean()),
                            "log_error": float(change.std(ddof=1) / len(change) ** 0.5),
                            "pairs": len(change),
                        }
                    )
    return rows


def table(rows: Rows) -> str:
    """Write goodput without and with batches in Mbit/s, and how many times as much that is."""
    titles = {row["name"]: row["title"] for row in tomllib.loads(radios.FILE.read_text())["radio"]}
    columns = list(dict.fromkeys(row["network"] for row in rows))
    cells: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows:
        ratio = np.exp(row["log_ratio"])
        both = (f"{row[key] / 1e6:.2f}" for key in ("without_bit_s", "with_bit_s"))
        cell = f"{' → '.join(both)} ({ratio:.2f})"
        cells.setdefault((row["radio"], row["scheme"]), {})[row["network"]] = cell
    noticed = {name: titles[name].rpartition("from ")[2] for name, _ in cells}
    lines = (
        (noticed[radio], entries()[scheme].title, *(found.get(column, "") for column in columns))
        for (radio, scheme), found in cells.items()
    )
    return markdown_table(("preambles from", "scheme", *columns), lines, right=columns)


def geometric_mean(rows: Rows, radio: str, scheme: str, networks: Sequence[str]) -> float:
    """Return how many times as much a scheme carries with batches, over some networks."""
    own = (row for row in rows if (row["radio"], row["scheme"]) == (radio, scheme))
    return float(np.exp(np.mean([row["log_ratio"] for row in own if row["network"] in networks])))


def stored() -> Rows:
    """Return the rows that are kept."""
    return kept.stored(PATH)


def renew(text: str, rows: Rows) -> str:
    """Return a page with its table written anew."""
    return TABLE.sub(lambda found: f"{found[1]}{table(rows)}{found[2]}", text)


def joined(before: Rows, found: Rows) -> Rows:
    """Return rows of which some were measured anew, in the order of radios and schemes."""
    again = {row["scheme"] for row in found}
    rows = [*(row for row in before if row["scheme"] not in again), *found]
    schemes = list(BATCHES)
    return sorted(rows, key=lambda row: (RADIOS.index(row["radio"]), schemes.index(row["scheme"])))


if __name__ == "__main__":
    pages, chosen = sys.argv[1:2], sys.argv[2:]
    rows = joined(stored(), measured(schemes=chosen)) if chosen else measured()
    kept.keep(
        PATH, "python -m multihop_papers.compare.batches docs/guides/all-schemes-ofdm.md", rows
    )
    for page in map(Path, pages):
        page.write_text(renew(page.read_text(encoding="utf-8"), stored()), encoding="utf-8")
