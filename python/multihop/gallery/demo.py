"""The demo: what overload does to a chain of radios, and what CXCC and WAKE do about it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.table import Table as RichTable

from ..capacity.shares import Reference
from ..charting.chain import draw_chain
from ..charting.figure import BARS, INK, canvas, draw_bound
from ..comparing import measures
from ..reporting import report
from ..reproducing.panels import Draw, curves
from ..reproducing.rules import kbit
from ..reproducing.spec import Data, Effort, Efforts, Study, StudyData, Variant
from ..results.result import make_folder
from ..running.runner import run_many
from ..statistics.stats import Values
from ..sweeping.batches import engine
from ..sweeping.plans import Point
from ..sweeping.sweeps import stack

EFFORT = Effort(quick=False, seeds=3, warmup="5 s", duration="30 s")
LOADS = (10, 25, 40, 55, 70, 85, 100, 150, 250, 400)
UDP, RFA, WAKE = "udp", "cxcc-rfa", "wake"
GOODPUT, DELAY = measures.GOODPUT.column, measures.NETWORK_DELAY.column
OVERHEAD = "overhead_with_preambles"
STUDY = Study(
    "bidirectional-chain",
    Path(str(files("multihop"))) / "scenarios" / "bidirectional-chain.toml",
    # ns-2 2.29, on which CXCC's paper ran, has a MAC header of three addresses.
    {"mac.header": "28 B"},
    {
        UDP: Variant("UDP", "udp", {"mac.rts_cts": False}),
        RFA: Variant("CXCC+RFA", "cxcc", {"scheme.rfa": True}),
        WAKE: Variant("WAKE", "wake", {}),
    },
    LOADS,
    LOADS,
    Efforts(full=EFFORT, quick=EFFORT),
    derived={OVERHEAD: measures.WITH_PREAMBLES},
)


class Shown(NamedTuple):
    """What a table shows of every scheme: a column, its unit there, its factor, its digits."""

    column: str
    unit: str
    factor: float
    digits: int


TITLE = "10 hops, traffic both ways, 1 Mbit/s, by load of each source"
SOURCE_DELAY = measures.END_TO_END_DELAY.column
# The tables, by what they are of.
TABLES = {
    "goodput (kbit/s), bytes on the medium per payload byte and hop (B/B)": (
        Shown(GOODPUT, "kbit/s", 1e-3, 0),
        Shown(OVERHEAD, "B/B", 1.0, 2),
    ),
    "network delay (net s), end-to-end delay (end s)": (
        Shown(DELAY, "net s", 1.0, 2),
        Shown(SOURCE_DELAY, "end s", 1.0, 2),
    ),
}


LOAD = "load of each source (kbit/s)"
THROUGHPUT = curves(STUDY, (), GOODPUT, (LOAD, "throughput (kbit/s)"), scale=1e-3)
PANELS: dict[str, Draw] = {
    "throughput": THROUGHPUT,
    "network delay": curves(STUDY, (), DELAY, (LOAD, "mean network delay (s)"), log=True),
    "end-to-end delay": curves(
        STUDY, (), SOURCE_DELAY, (LOAD, "mean end-to-end delay (s)"), log=True
    ),
    "air time": curves(STUDY, (), OVERHEAD, (LOAD, "bytes per payload byte and hop")),
}
HOPS = 10
SPACING_M = 200.0
NETWORK = (
    "Eleven radios in a row share one channel; each source offers packets to the node at the other "
    "end. While node 5 sends, nodes 4 and 6 can receive it. Nodes 3 to 7 sense it and keep silent.",
    "Node 8 does not sense it and may send at the same time. If it began first, node 6 is bound to "
    "that signal and misses the packet from node 5. The more is sent, the more is lost so.",
    "UDP over 802.11 has no congestion control: what the sources offer beyond the best load fills "
    "the channel with packets that are lost on their way.",
    "With CXCC (cooperative cross-layer congestion control) a node sends its next packet only when "
    "it has overheard the next node pass on the last one. Queues stay short, and the sources slow "
    "down by themselves. With RFA (request for acknowledgment) a node that has overheard nothing "
    "asks by a short frame before it repeats the packet.",
    "With WAKE (wave-aligned keep-clear exchange) nodes hold a packet for a moment, so that those "
    "three hops apart send at once and the farther one begins; and they tell each other, in the "
    "headers that they overhear, which period the whole path can bear. The source keeps to it.",
)
MEASURED = (
    "Throughput counts the payload that arrives, of both flows; delays are those of the packets "
    "that arrive. The network delay begins with the source's first transmission of a packet, the "
    "end-to-end delay when the application offers it. Bytes per payload byte and hop say what the "
    "channel has to carry for a byte of payload, over each hop of its route: 1 would be no waste "
    "at all."
)
# Without carrier sense a schedule could carry half as much again, which no scheme here can try.
REFERENCE = Reference.named("total", "carrier-sense")
BOUNDED = (
    "The dotted line is the upper bound: the best of an ideal centralized scheduler with these "
    "frames and pauses, if no node begins a frame while it senses another. It is the highest one "
    "of the three schemes', and no more than the sources offer. No scheme can have such a "
    "schedule; the bound shows how much the network itself allows."
)


@dataclass(frozen=True)
class Demo:
    """What the demo measured, and where its page is."""

    data: StudyData
    # What both flows could have together at most, for each load.
    bound_bit_s: Values
    runs: int
    seconds: float
    page: Path


def demo(out: str | Path = "results", *, workers: int | None = None, progress: bool = True) -> Demo:
    """Run the demo and write its page into `out`."""
    begin = time.monotonic()
    out = make_folder(out)
    grid = STUDY.points(EFFORT)
    results = run_many([p.scenario for p in grid], workers=workers, progress=progress)
    everything = stack(grid, results)
    measured = StudyData(STUDY, everything.runs, everything.flows)
    data = Data(studies={STUDY.name: measured})
    bound = _bound(grid)
    with canvas("demo", len(PANELS), columns=2, size=(4.0, 3.2)) as drawing:
        draw_bound(drawing.axes[0], measured.x, bound / 1e3, INK)
        for axes, (title, panel) in zip(drawing.axes, PANELS.items(), strict=True):
            panel(axes, data)
            axes.set_title(title)
        drawing.legend()
        curves = drawing.picture("curves", "Throughput, delays and air time over the load")
    with canvas("chain", 1, columns=1, size=(4.0, 3.2)) as drawing:
        draw_chain(drawing.axes[0], HOPS, SPACING_M)
        chain = drawing.picture("chain", f"A chain of {HOPS} hops, a flow each way")
    page = report.Page(
        title="multihop: a chain of radios under overload",
        lead=" ".join(findings(measured, bound)),
        command="multihop demo",
        engine=engine(),
        pictures=(replace(chain, about=NETWORK), curves),
        tables=tuple(report.Table(about, *numbers(measured, bound, about)) for about in TABLES),
        notes=(MEASURED, BOUNDED, f"{BARS} Here each point has {EFFORT.about}."),
    )
    path = report.write_page(page, out / "demo.html")
    return Demo(measured, bound, len(grid), time.monotonic() - begin, path)


def _bound(grid: Sequence[Point]) -> Values:
    """Return what any of the schemes could carry at most, for each load."""
    first = [point for point in grid if point.labels["seed"] == 1]
    rows = []
    for variant in STUDY.variants:
        scenarios = [point.scenario for point in first if point.labels["variant"] == variant]
        rows.append([bound.bound_bit_s for bound in REFERENCE.bounds(scenarios)])
    most: Values = np.max(rows, axis=0)
    return most


def numbers(data: StudyData, bound_bit_s: Values, about: str) -> tuple[list[str], list[list[str]]]:
    """Return header and rows of one of the tables: its measures of every variant, by load."""
    header = ["load (kbit/s)", "bound (kbit/s)"]
    columns = [[f"{load:g}" for load in data.x], [f"{rate / 1e3:.0f}" for rate in bound_bit_s]]
    for shown in TABLES[about]:
        for name, variant in STUDY.variants.items():
            header.append(f"{variant.title} ({shown.unit})")
            means = data.mean(name, shown.column) * shown.factor
            columns.append([f"{value:.{shown.digits}f}" for value in means])
    return header, [list(row) for row in zip(*columns, strict=True)]


def console_tables(data: StudyData, bound_bit_s: Values) -> Iterator[RichTable]:
    """Go through the same tables for a terminal."""
    for about in TABLES:
        yield _console_table(about, *numbers(data, bound_bit_s, about))


def _console_table(about: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> RichTable:
    table = RichTable(
        caption=about,
        caption_justify="left",
        box=SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
    )
    for heading in header:
        # "CXCC+RFA (kbit/s)" on three narrow lines.
        narrow = re.sub(r", |(?=\+)| \(", "\n", heading).rstrip(")")
        table.add_column(narrow, justify="right", vertical="bottom")
    for row in rows:
        table.add_row(*row)
    return table


def findings(data: StudyData, bound_bit_s: Values) -> list[str]:
    """Say what the numbers say."""
    udp, rfa, wake = (data.mean(name, GOODPUT) for name in (UDP, RFA, WAKE))
    # The lowest load at which UDP is at its best, but for noise.
    at = int((udp >= 0.98 * udp.max()).argmax())
    late = {name: data.mean(name, DELAY)[-1] for name in STUDY.variants}
    whole = {name: data.mean(name, SOURCE_DELAY)[-1] for name in STUDY.variants}
    bytes_needed = {name: data.mean(name, OVERHEAD)[-1] for name in STUDY.variants}
    shares = [100 * rate / bound_bit_s[-1] for rate in (wake[-1], rfa[-1], udp.max())]
    return [
        f"UDP over 802.11 delivers {kbit(udp[at])} when each end offers {data.x[at]:g} kbit/s,"
        f" and only {kbit(udp[-1])} when each offers {data.x[-1]:g}.",
        f"CXCC+RFA, offered the same, delivers {kbit(rfa[-1])}, WAKE {kbit(wake[-1])}.",
        f"There, a packet is in the network for {late[UDP]:.2f} s with UDP, {late[RFA]:.2f} s with"
        f" CXCC+RFA and {late[WAKE]:.2f} s with WAKE (network delay). From application to"
        f" application, with the wait at the source, it takes {whole[UDP]:.1f}, {whole[RFA]:.1f}"
        f" and {whole[WAKE]:.1f} s (end-to-end delay).",
        f"A delivered byte costs {bytes_needed[UDP]:.1f}, {bytes_needed[RFA]:.1f} and"
        f" {bytes_needed[WAKE]:.1f} bytes on the medium per hop.",
        "No schedule that obeys carrier sense could deliver more than"
        f" {kbit(bound_bit_s[-1])} there; WAKE reaches {shares[0]:.0f} % of that bound, CXCC+RFA"
        f" {shares[1]:.0f} %, UDP at its best {shares[2]:.0f} %.",
    ]
