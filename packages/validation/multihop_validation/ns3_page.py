"""The schemes in ns-3 and here: `python -m multihop_validation.ns3_page` writes the page.

It needs the program `multihop-ns3` (`make ns3`), and takes some five minutes on two cores.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import polars as pl

from multihop.results.result import replacing
from multihop.running.ns3 import RECEIVER, RULES as NS3_RULES
from multihop.running.runner import run_many
from multihop.scenario.form import Scenario

from . import findings, store
from .compare import Estimate
from .curves import table
from .store import PAGE_FOLDER

SEEDS = 4
RUNS, NEAR = "ours_ns3", "ours_ns3_near"
# The groups of points that are kept, and where the page shows them.
GROUPS = {
    "chain and transfers": "above, where the keys were found",
    "other networks": "in the other networks",
    "shadowed": "under shadowing",
}
# The MAC of the standard; ns-2's where nothing is said.
RULES = {"mac.rules": "ieee-802.11"}
# Who runs it, and with which keys.
SIMULATORS: dict[str, dict[str, Any]] = {
    "ns-3": {"simulator": "ns3"},
    "multihop": {},
    "multihop, 802.11": RECEIVER | RULES,
    "multihop, ns3": RECEIVER | NS3_RULES,
}
# What each of them does by itself.
ALONE: dict[str, dict[str, Any]] = {
    "the receiver alone": RECEIVER,
    "the MAC's rules alone": RULES,
}
# Goodputs that differ by less are called the same; the second bound came with ns-3's own rules,
# the third with its bit errors.
SAME, CLOSE, CLOSEST = 0.1, 0.05, 0.03
LOADS = (40, 70, 150, 400)
RTS = {"mac.rts_cts": True}
# In both directions of a chain of ten hops (CXCC, figure 8b).
CHAIN = Scenario.from_dict(
    {
        "warmup": "10 s",
        "duration": "60 s",
        "topology": {"kind": "bidirectional-chain", "hops": 10},
        "scheme": {"name": "udp"},
        "traffic": {"load": "40 kbit/s"},
    }
)
DATAGRAMS: dict[str, dict[str, Any]] = {
    "UDP": {},
    "UDP, RTS/CTS": RTS,
    "CXCC": {"scheme.name": "cxcc"},
    "WAKE": {"scheme.name": "wake"},
}
# One transfer without end over six hops, at 2 Mbit/s.
TRANSFER = Scenario.from_dict(
    {
        "warmup": "10 s",
        "duration": "60 s",
        "topology": {"kind": "chain", "hops": 6},
        "scheme": {"name": "newreno"},
        "mac": {"rts_cts": True, "data_rate": "2 Mbit/s"},
        "routing": {"kind": "aodv"},
        "traffic": {"kind": "ftp", "payload": "1000 B"},
    }
)
TRANSPORTS = ("newreno", "vegas", "tcp-ap", "lecn", "xcp", "wxcp", "atp", "hxh", "cl")
# By name: tables of a scenario, and what is varied.
Networks = dict[str, tuple[dict[str, Any], dict[str, dict[str, Any]]]]
FILES = {"kind": "ftp", "payload": "1000 B"}
RANDOM = {
    "kind": "random",
    "nodes": 60,
    "width": "1000 m",
    "height": "1000 m",
    "flows": 6,
    "min_hops": 2,
    "topology_seed": 1,
}
AMONG_THEM: dict[str, dict[str, Any]] = {
    "UDP": {},
    "CXCC": DATAGRAMS["CXCC"],
    "newreno": {"scheme.name": "newreno", "traffic.kind": "ftp", "traffic.load": None},
}
# Those by which the keys were not found.
OTHERS: Networks = {
    "bidirectional cross of 6 hops": (
        {
            "topology": {"kind": "bidirectional-cross", "hops": 6},
            "scheme": {"name": "udp"},
            "traffic": {"load": "30 kbit/s"},
        },
        {
            f"{name}, {load} kbit/s": {**DATAGRAMS[name], "traffic.load": f"{load} kbit/s"}
            for name in ("UDP", "CXCC")
            for load in (30, 150)
        },
    ),
    "60 nodes at random, 6 flows": (
        {
            "topology": RANDOM,
            "scheme": {"name": "udp"},
            "traffic": {"load": "40 kbit/s"},
        },
        AMONG_THEM,
    ),
    "grid of 5 x 5 over AODV, 4 flows": (
        {
            "topology": {
                "kind": "grid",
                "rows": 5,
                "columns": 5,
                "horizontal_flows": 2,
                "vertical_flows": 2,
            },
            "scheme": {"name": "newreno"},
            "mac": {"data_rate": "2 Mbit/s"},
            "routing": {"kind": "aodv"},
            "traffic": FILES,
        },
        {name: {"scheme.name": name} for name in ("newreno", "hxh")},
    ),
    "chain of 6 hops, 2 Mbit/s": (
        {
            "topology": {"kind": "chain", "hops": 6},
            "scheme": {"name": "newreno"},
            "mac": {"data_rate": "2 Mbit/s"},
            "traffic": FILES,
        },
        {name: {"scheme.name": name} for name in ("newreno", "vegas", "lecn")},
    ),
    "chain of 4 hops, 11 Mbit/s, RTS/CTS": (
        {
            "topology": {"kind": "chain", "hops": 4},
            "scheme": {"name": "newreno"},
            "mac": {"data_rate": "11 Mbit/s", "rts_cts": True},
            "traffic": FILES,
        },
        {name: {"scheme.name": name} for name in ("newreno", "wxcp")},
    ),
}
# Under shadowing, which the keys have nothing to do with. WAKE's rule 8 is for it.
SHADOW = {"propagation": "log-normal-shadowing", "shadowing_deviation": "4 dB"}
BY_CHANCE = {**DATAGRAMS["WAKE"], "scheme.variation": 1e6}
SHADOWED: Networks = {
    **{
        f"{kind} of 10 hops": (
            {
                "topology": {"kind": kind.replace(" ", "-"), "hops": 10},
                "radio": SHADOW,
                "scheme": {"name": "udp"},
                "traffic": {"load": "400 kbit/s"},
            },
            {
                f"UDP, {low} kbit/s": {"traffic.load": f"{low} kbit/s"},
                **{f"{name}, 400 kbit/s": DATAGRAMS[name] for name in ("UDP", "CXCC", "WAKE")},
                "WAKE without rule 8, 400 kbit/s": BY_CHANCE,
            },
        )
        for kind, low in (("chain", 60), ("bidirectional chain", 30))
    },
    "60 nodes at random, 6 flows, shadowed": (
        {
            "topology": RANDOM,
            "radio": SHADOW,
            "scheme": {"name": "udp"},
            "traffic": {"load": "40 kbit/s"},
        },
        AMONG_THEM,
    ),
}
# Where both are shown by themselves: a scheme, and its load on the chain or 0.
SHOWN = (("UDP", 150), ("UDP", 400), ("CXCC", 400), ("newreno", 0), ("hxh", 0), ("cl", 0))

PAGE = """\
# Beside ns-3

This page is made by `make generate` from the points that `python -m multihop_validation.ns3_page`
keeps ({seeds} seeds a point); do not edit it. The same schemes,
sources and packet accounting run on ns-3's 802.11b ([how](../guides/ns3.md)) and on this
project's radio, by three sets of rules ([the model](../guides/model.md)):

- by ns-2's rules, the default because the papers ran on ns-2;
- by the standard's MAC (`rules = "ieee-802.11"` in place of the two keys of `[mac]` below) and a
  receiver as ns-3's (without `interference`);
- by ns-3's own rules:

```toml
[mac]
rules = "ns3"
header = "36 B"

[radio]
reception = "first-decodable"
capture_ratio = 1
interference = "dsss"
```

The number after ± is the standard error.

{claims}

## Overload in a chain of ten hops, traffic both ways

{datagrams}

## One transfer over six hops of AODV, 2 Mbit/s, RTS/CTS

{transfers}

## Networks by which the keys were not found

The rules behind the keys were found with the points above, so that these are no test of them.
ns-3's backoff was found by CXCC there and by transfers with one to six packets under way over two
to six hops, and its bit errors by transfers over four. The networks below are a test. They and the
{same:.0f} % were chosen before any of their runs. The {close:.0f} % below was chosen when a trial
of that backoff had been seen on them, the {closest:.0f} % before they ran with bit errors. The rule
of preambles was found last, when all of this page had been seen without it.

{others}

## Under log-normal shadowing of 4 dB

The rules were found without shadowing; two of these networks
had been run in a trial of ns-3's channel. ns-3's thermal noise is set below the weakest decodable
frame, since this project's radio has none.

{shadowed}

## How near

Goodputs within {same:.0f} % of ns-3's, within {close:.0f} %, and within {closest:.0f} %:

{near}

## What explains the differences

Goodput in kbit/s:

{alone}

{findings}
"""


@dataclass(frozen=True)
class Found:
    """What the runs of one scenario have in the mean."""

    goodput: Estimate
    delay: Estimate
    overhead: Estimate

    def cells(self) -> tuple[str, str, str]:
        """Goodput in kbit/s, delay in ms, bytes on the medium per payload byte and hop."""
        return (
            f"{self.goodput.mean:.0f} ± {self.goodput.error:.1f}",
            f"{self.delay.mean:.0f}",
            f"{self.overhead.mean:.2f}",
        )


# By simulator, scheme and load.
Points = Mapping[tuple[str, str, int], Found]


def measure(scenario: Scenario) -> Found:
    """Run a scenario with every seed."""
    scenarios = [scenario.with_(seed=seed) for seed in range(1, SEEDS + 1)]
    runs = [one.runs for one in run_many(scenarios, progress=False)]
    columns = (("goodput_bit_s", 1e-3), ("network_delay_mean_s", 1e3), ("overhead", 1.0))
    return Found(*(Estimate.of([run[name].item() * by for run in runs]) for name, by in columns))


def datagrams(say: Callable[[str], None]) -> Points:
    """Measure schemes on the chain, at all loads."""
    points = {}
    for name, keys in DATAGRAMS.items():
        for load in LOADS:
            scenario = CHAIN.override({**keys, "traffic.load": f"{load} kbit/s"})
            for where, more in SIMULATORS.items():
                points[where, name, load] = measure(scenario.override(more))
            say(f"{name}, {load} kbit/s")
    return points


def transfers(say: Callable[[str], None]) -> Points:
    """Measure transports over six hops."""
    points = {}
    for name in TRANSPORTS:
        scenario = TRANSFER.with_(**{"scheme.name": name})
        for where, more in SIMULATORS.items():
            points[where, name, 0] = measure(scenario.override(more))
        say(name)
    return points


def alone(points: Points, say: Callable[[str], None]) -> Points:
    """Measure what receiver and rules do by themselves."""
    more = {}
    for name, load in SHOWN:
        if load:
            scenario = CHAIN.override({**DATAGRAMS[name], "traffic.load": f"{load} kbit/s"})
        else:
            scenario = TRANSFER.with_(**{"scheme.name": name})
        for where, keys in ALONE.items():
            more[where, name, load] = measure(scenario.override(keys))
        say(f"{name}, receiver and rules alone")
    return {**points, **more}


def measured(networks: Networks, say: Callable[[str], None]) -> Points:
    """Measure all that is varied in some networks."""
    points = {}
    for network, (tables, runs) in networks.items():
        base = Scenario.from_dict({"warmup": "10 s", "duration": "60 s"} | tables)
        for name, keys in runs.items():
            for where, more in SIMULATORS.items():
                points[where, f"{network}: {name}", 0] = measure(base.override({**keys, **more}))
        say(network)
    return points


def near(points: Points, where: str, bound: float) -> int:
    """Count the points at which the goodput is the one of ns-3."""
    theirs = {key[1:]: found.goodput.mean for key, found in points.items() if key[0] == "ns-3"}
    return sum(
        abs(points[where, *point].goodput.mean / goodput - 1) < bound
        for point, goodput in theirs.items()
    )


def claims(points: Points) -> Iterator[tuple[str, str, bool]]:
    """Say what the paper of CXCC claims of overload, what was found where, and whether it holds."""
    for where in SIMULATORS:
        udp, cxcc = (
            [points[where, name, load].goodput.mean for load in LOADS] for name in ("UDP", "CXCC")
        )
        best = max(udp)
        yield (
            f"{where}: UDP collapses beyond its optimum",
            f"{best:.0f} kbit/s, and {udp[-1]:.0f} at {LOADS[-1]} kbit/s a source",
            udp[-1] < best / 2,
        )
        yield (
            f"{where}: CXCC keeps its goodput at any higher load",
            f"{max(cxcc):.0f} kbit/s, and {cxcc[-1]:.0f}",
            cxcc[-1] > 0.95 * max(cxcc),
        )
        delays = [points[where, name, LOADS[-1]].delay.mean for name in ("UDP", "CXCC")]
        yield (
            f"{where}: at high load UDP's network delay is at least four times CXCC's",
            f"{delays[0]:.0f} and {delays[1]:.0f} ms",
            delays[0] >= 4 * delays[1],
        )


def page(groups: Mapping[str, Points], counts: Mapping[tuple[str, str], str]) -> str:
    """Write the page; `counts` says how many points are near, by group and simulator."""
    points, other, shadowed = (groups[group] for group in GROUPS)
    columns = tuple(f"{where}: kbit/s, ms, B/B" for where in SIMULATORS)

    def row(name: str, load: int) -> list[str]:
        found = {**points, **other, **shadowed}
        return [", ".join(found[where, name, load].cells()) for where in SIMULATORS]

    def rows_of(networks: Points) -> list[list[str]]:
        return [[name, *row(name, 0)] for name in dict.fromkeys(name for _, name, _ in networks)]

    judged = [
        (claim, found, "yes" if holds else "**no**") for claim, found, holds in claims(points)
    ]
    ours = [where for where in SIMULATORS if where != "ns-3"]
    rows = ("multihop", *ALONE, *ours[1:], "ns-3")

    return PAGE.format(
        seeds=SEEDS,
        claims=table(("claim", "found", "holds"), judged),
        datagrams=table(
            ("scheme", "load of each source, kbit/s", *columns),
            [(name, str(load), *row(name, load)) for name in DATAGRAMS for load in LOADS],
        ),
        transfers=table(("scheme", *columns), [(name, *row(name, 0)) for name in TRANSPORTS]),
        others=table(("network", *columns), rows_of(other)),
        shadowed=table(("network", *columns), rows_of(shadowed)),
        same=100 * SAME,
        close=100 * CLOSE,
        closest=100 * CLOSEST,
        findings=findings.text("ns3"),
        near=table(
            ("", *ours),
            [(title, *(counts[group, where] for where in ours)) for group, title in GROUPS.items()],
        ),
        alone=table(
            ("", *(f"{name}, {load} kbit/s" if load else name for name, load in SHOWN)),
            [
                (where, *(f"{points[where, *shown].goodput.mean:.0f}" for shown in SHOWN))
                for where in rows
            ],
        ),
    )


def counted(groups: Mapping[str, Points]) -> dict[tuple[str, str], str]:
    """Say how many points of each group are near, by group and simulator."""
    counts = {}
    for group, points in groups.items():
        total = sum(where == "ns-3" for where, *_ in points)
        for where in SIMULATORS:
            bounds = (near(points, where, bound) for bound in (SAME, CLOSE, CLOSEST))
            counts[group, where] = ", ".join(f"{count} of {total}" for count in bounds)
    return counts


def keep(folder: Path, groups: Mapping[str, Points]) -> None:
    """Record the points of each group, and how many are near."""
    rows = [
        {
            "group": group,
            "simulator": where,
            "name": name,
            "load_kbps": load,
            **{
                f"{key}_{part}": value
                for key, of in vars(found).items()
                for part, value in vars(of).items()
            },
        }
        for group, points in groups.items()
        for (where, name, load), found in points.items()
    ]
    folder.mkdir(parents=True, exist_ok=True)
    store.record(folder, RUNS, pl.DataFrame(rows, infer_schema_length=None))
    counts = [
        {"group": group, "simulator": where, "near": near}
        for (group, where), near in counted(groups).items()
    ]
    store.record(folder, NEAR, pl.DataFrame(counts))


def kept(folder: Path) -> dict[str, dict[tuple[str, str, int], Found]]:
    """Read the points of each group."""
    groups: dict[str, dict[tuple[str, str, int], Found]] = {}
    for row in store.rows(folder, RUNS):
        found = Found(
            *(
                Estimate(*(row[f"{field.name}_{part}"] for part in ("mean", "error", "count")))
                for field in fields(Found)
            )
        )
        point = row["simulator"], row["name"], row["load_kbps"]
        groups.setdefault(row["group"], {})[point] = found
    return groups


def write(out: Path | None = None) -> Path:
    """Write the page into `out` from the points that are kept there."""
    out = PAGE_FOLDER if out is None else out
    with replacing(out / "ns3.md") as temporary:
        counts = {
            (row["group"], row["simulator"]): row["near"] for row in store.rows(out / "data", NEAR)
        }
        temporary.write_text(page(kept(out / "data"), counts), encoding="utf-8")
    return out / "ns3.md"


def main() -> int:
    """Measure, keep what was measured, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=PAGE_FOLDER, help="folder for the page")
    out = parser.parse_args().out
    groups = {
        "chain and transfers": alone({**datagrams(print), **transfers(print)}, print),
        "other networks": measured(OTHERS, print),
        "shadowed": measured(SHADOWED, print),
    }
    keep(out / "data", groups)
    print(f"page: {write(out)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
