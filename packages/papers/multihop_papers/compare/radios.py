"""All schemes on the radios of OFDM in `radios.toml`: chains of 1 to 8 hops, random networks."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from multihop import run
from multihop.charting.figure import draw_lines
from multihop.comparing.measures import GOODPUT
from multihop.reporting.report import Table
from multihop.reproducing.spec import Data, Effort, Efforts, FigureSpec, Panel, Study

from .entries import entries
from .measures import Entry, Span, line, measured, span
from .setup import Network, best_load, loads

HERE = Path(__file__).parent
BASE = HERE / "ofdm.toml"
FILE = HERE / "radios.toml"

EFFORTS = Efforts(
    full=Effort(quick=False, seeds=10, warmup="2 s", duration="10 s"),
    quick=Effort(quick=True, seeds=1, warmup="1 s", duration="3 s"),
)
# Each random network has one run: the networks are the sample.
ONE_EACH = Efforts(full=replace(EFFORTS.full, seeds=1), quick=EFFORTS.quick)
STEP = 1.25
HOPS, QUICK_HOPS = (1.0, 2.0, 3.0, 4.0, 6.0, 8.0), (1.0, 4.0)
NETWORKS, QUICK_NETWORKS = tuple(map(float, range(1, 31))), (1.0, 2.0)
SPACING_M = 18
NODES, FLOWS, MIN_HOPS = 30, 5, 2


def chain(hops: float) -> dict[str, Any]:
    """Return a chain whose two flows take every node on the way from its first to its last."""
    names = [f"n{number}" for number in range(int(hops) + 1)]
    return {
        "topology": {"kind": "explicit"},
        "node": [
            {"name": name, "x": f"{SPACING_M * at} m", "y": "0 m"} for at, name in enumerate(names)
        ],
        "flow": [{"from": names[0], "to": names[-1], "via": names[1:-1]}] * 2,
    }


def places(side: str, number: float) -> dict[str, Any]:
    """Return a random network in a square, each with other places and flows."""
    size = {"nodes": NODES, "width": side, "height": side, "flows": FLOWS, "min_hops": MIN_HOPS}
    return {"topology": {"kind": "random", "topology_seed": int(number)} | size}


def _network(
    radio: Mapping[str, Any],
    kind: tuple[str, str, str],
    at: Callable[[float], Mapping[str, Any]],
    sizes: tuple[tuple[float, ...], tuple[float, ...]],
) -> Network:
    name, title, size = kind
    efforts, unit = (ONE_EACH, "x") if name == "random" else (EFFORTS, "seed")
    study = Study(
        f"compare-{radio['name']}-{name}",
        BASE,
        radio["settings"],
        entries(),
        *sizes,
        efforts,
        at=at,
        unit=unit,
    )
    least, most = radio[f"{name}_loads"]
    search = best_load(study, loads(least, most, STEP), efforts)
    return Network(f"{title}, {radio['title']}", size, study, search, sizes[1])


RADIOS: tuple[Mapping[str, Any], ...] = tuple(
    tomllib.loads(FILE.read_text(encoding="utf-8"))["radio"]
)
# By the name of the radio: its chains and its random networks.
RADIO_NETWORKS: dict[str, tuple[Network, Network]] = {
    radio["name"]: (
        _network(radio, ("chain", "chain", "hops"), chain, (HOPS, QUICK_HOPS)),
        _network(
            radio,
            ("random", "random networks", "network"),
            partial(places, radio["side"]),
            (NETWORKS, QUICK_NETWORKS),
        ),
    )
    for radio in RADIOS
}


def _mbit(found: Span) -> str:
    """Write a goodput in Mbit/s, with its interval if there is one."""
    mean, low, high = (f"{value / 1e3:.2f}" for value in found)
    return mean if np.isnan(found.low) else f"{mean} ({low} to {high})"


def _over_networks(entry: Entry) -> Span:
    """Return the goodput of a scheme over all networks."""
    values = entry.values[GOODPUT.column].reshape(1, -1)
    return span(entry._replace(values={GOODPUT.column: values}), 0, GOODPUT)


def _row(over_chains: Entry, in_networks: Entry) -> tuple[str, ...]:
    sizes = range(len(over_chains.values[GOODPUT.column]))
    cells = (_mbit(span(over_chains, at, GOODPUT)) for at in sizes)
    return (over_chains.title, *cells, _mbit(_over_networks(in_networks)))


def _alone(network: Network, scheme: str, effort: Effort | None) -> Entry:
    """Run one scheme in all networks of a kind."""
    variant = network.schemes.variants[scheme]
    study = replace(network.schemes, variants={scheme: variant}, quick_variants=())
    points = study.points(effort or study.efforts.full)
    with ThreadPoolExecutor() as pool:
        results = list(pool.map(lambda point: run(point.scenario), points))
    seeds = len({point.labels["seed"] for point in points})
    goodput = np.array([float(result.runs[GOODPUT.column][0]) for result in results])
    flows = tuple(result.flows.height for result in results[::seeds])
    return Entry(variant.title, scheme, {GOODPUT.column: goodput.reshape(-1, seeds)}, flows)


def row(name: str, scheme: str, effort: Effort | None = None) -> tuple[str, ...]:
    """Run one scheme on a radio, and return its row in the table of `goodputs`."""
    chains, random = (_alone(network, scheme, effort) for network in RADIO_NETWORKS[name])
    return _row(chains, random)


def goodputs(data: Data, networks: tuple[Network, Network]) -> Table:
    """Write the goodput of every scheme over chains, and over random networks, in Mbit/s."""
    chains, random = networks
    over, at = measured(data, chains), measured(data, random)
    sizes = data.studies[chains.schemes.name].x.tolist()
    number = len(data.studies[random.schemes.name].x)
    hops = (f"{size:g} hop{'s' * (size > 1)}" for size in sizes)
    header = ("scheme", *hops, f"{number} random networks")
    rows = [_row(own, elsewhere) for own, elsewhere in zip(over, at, strict=True)]
    return Table(f"All schemes: {chains.title}", header, rows)


def _draw(network: Network, axes: Axes, data: Data) -> None:
    sizes = data.studies[network.schemes.name].x
    lines = [line(entry, sizes, GOODPUT) for entry in measured(data, network)]
    draw_lines(axes, lines, x=network.size, y=GOODPUT.title, log=True)


def _tables(networks: tuple[Network, Network], data: Data) -> list[Table]:
    """Write the table of a radio, if it was run."""
    return [goodputs(data, networks)] if networks[0].schemes.name in data.studies else []


# One panel for each radio; its random networks stand in the table alone.
FIGURES = tuple(
    FigureSpec(
        f"compare/{name}",
        f"All schemes side by side: {networks[0].title}",
        (
            Panel(
                f"compare/{name}a",
                f"{GOODPUT.name}: {networks[0].title}",
                partial(_draw, networks[0]),
                (),
                tuple(study for each in networks for study in (each.schemes, each.search)),
            ),
        ),
        tables=partial(_tables, networks),
    )
    for name, networks in RADIO_NETWORKS.items()
)
