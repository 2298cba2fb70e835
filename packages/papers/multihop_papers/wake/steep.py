"""What rule 10 has changed on radios of OFDM: paired runs with and without it.

    python -m multihop_papers.wake.steep

runs the radios on which all schemes are compared: chains with one flow, with two over the same
path, and with two that meet, and random networks. Neither rule nor values were chosen on their
seeds. Writes `docs/reproduced/wake-steep.json`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from multihop import Scenario, run
from multihop.reporting.markdown import markdown_table
from multihop.reproducing.stored import FOLDER

from .. import kept
from ..compare import radios
from ..kept import Rows
from .setup import WAKE

PATH = FOLDER / "wake-steep.json"
# No modulation needs so many dB.
WITHOUT: Mapping[str, Any] = {"scheme.steep": 1_000}
# The rule was found before WAKE had batches: each packet goes alone.
ALONE: Mapping[str, Any] = {"scheme.batch": 1}
CHAIN_SEEDS, RANDOM_PLACES = (11, 12), range(61, 67)
# The chains of the targets, and shorter ones.
HOPS = {"1 and 2 hops": (1, 2), "4 to 8 hops": (4, 6, 8)}
KINDS = ("one flow", "two over one path", "two that meet")


def _chain(hops: int, kind: str) -> dict[str, Any]:
    network = radios.chain(hops)
    flow = network["flow"][0]
    back = {"from": flow["to"], "to": flow["from"], "via": flow["via"][::-1]}
    flows = dict(zip(KINDS, ([flow], [flow, flow], [flow, back]), strict=True))
    return {**network, "flow": flows[kind]}


def _networks(side: str) -> Iterator[tuple[str, str, dict[str, Any], int]]:
    """Yield the group and kind of each run, its network and its seed."""
    for group, lengths in HOPS.items():
        for kind in KINDS:
            for hops in lengths:
                for seed in CHAIN_SEEDS:
                    yield group, kind, _chain(hops, kind), seed
    for place in RANDOM_PLACES:
        yield "random", "five flows", radios.places(side, place), 1


def measured(ids: Sequence[str] = (), duration: str = "10 s") -> list[dict[str, Any]]:
    """Return rows for each radio: of groups of networks, and of each kind in them.

    `ids` are names of radios, all if none; the ratio is the geometric mean of goodput with the rule
    over goodput without it, the difference that of the sum over flows of the logarithms.
    """
    base = tomllib.loads(radios.BASE.read_text("utf-8"))
    known = tomllib.loads(radios.FILE.read_text("utf-8"))["radio"]
    rows = []
    for radio in (one for one in known if not ids or one["name"] in ids):
        found: dict[str, list[tuple[float, float]]] = {}
        for group, kind, network, seed in _networks(radio["side"]):
            form = {**base, **network}
            for key, value in radio["settings"].items():
                section, _, name = key.partition(".")
                form[section] = {**form.get(section, {}), name: value}
            scenario = Scenario.from_dict(form).with_(
                **{"scheme.name": WAKE, "seed": seed, "duration": duration, **ALONE}
            )
            both = [run(scenario.with_(**keys)).flows["goodput_bit_s"] for keys in (WITHOUT, {})]
            before, now = (np.maximum(flows.to_numpy(), 1.0) for flows in both)
            change = (np.log(now.sum() / before.sum()), np.log(now).sum() - np.log(before).sum())
            for name in (group, f"{group}, {kind}"):
                found.setdefault(name, []).append(change)
        for name, changes in found.items():
            ratio, logs = np.array(changes).T
            rows.append(
                {
                    "radio": radio["title"],
                    "networks": name,
                    "goodput_ratio": float(np.exp(ratio.mean())),
                    "log_difference": float(logs.mean()),
                    "log_error": float(logs.std(ddof=1) / len(logs) ** 0.5),
                }
            )
    return rows


def table(rows: Rows) -> str:
    """Write what the rule has changed, by radio and kind of network."""
    lines = (
        (
            row["radio"],
            row["networks"],
            f"{100 * (row['goodput_ratio'] - 1):+.0f} %",
            f"{row['log_difference']:+.2f} ± {row['log_error']:.2f}",
        )
        for row in rows
        if "," not in row["networks"]
    )
    titles = ("radio", "networks", "goodput", "sum of logarithms")
    return markdown_table(titles, lines, right=titles[2:])


def stored() -> Rows:
    """Return the rows that are kept."""
    return kept.stored(PATH)


if __name__ == "__main__":
    kept.keep(PATH, "python -m multihop_papers.wake.steep", measured())
