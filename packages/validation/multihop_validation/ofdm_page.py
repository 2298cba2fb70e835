"""The page that puts 802.11a in ns-3.37 beside 802.11a here."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from multihop.results.result import make_folder, replacing

from . import findings, ofdm
from .curves import mean, percent, table
from .ofdm import BARS, COLLAPSED, ERRORS, FACTOR, MOST, NAMES, NEARLY_ALL, Point
from .ours import keep, kept
from .store import DATA, PAGE_FOLDER

SEEDS = 6
RUNS = "ours_ofdm"
# By part of the data: what it is.
PARTS = {
    "single": "one link of 5 m, saturated",
    "chains": "chains of 18 m, saturated: two hops are sensed, three not",
    "loads": "chains of six hops, below and above saturation",
    "hidden": "chains of 45 m, saturated: one hop is sensed",
    "sense": "chains of 18 m whose nodes notice preambles from -91 dBm on",
    "table": "chains of 18 m with ns-3's error model of tables",
}
# A saturated link: to ns-3's runs, which are short, and to the formula.
LINK, FORMULA = 0.01, 0.005


@dataclass(frozen=True)
class OfdmValidation:
    """What the comparison found, and the page that says so."""

    page: Path
    points: tuple[Point, ...]

    def of(self, part: str, transport: str) -> list[Point]:
        """Return the points of a part with a transport."""
        return [
            point
            for point in self.points
            if (point.case.part, point.case.transport) == (part, transport)
        ]

    def off_formula(self) -> list[float]:
        """Return by how much links are off the formula, as fractions."""
        links = [link for link in self.of("single", "udp") if link.case.is_full]
        return [abs(link.goodput.ours.mean / link.case.saturation - 1) for link in links]

    @property
    def passed(self) -> bool:
        """Whether links keep their bars, and chains with datagrams and with SACK theirs."""
        links = self.of("single", "udp")
        return (
            all(link.off <= LINK for link in links)
            and all(off <= FORMULA for off in self.off_formula())
            and all(keeps(self._chains(name)) for name in ("udp", "sack"))
        )

    def _chains(self, transport: str) -> list[Point]:
        return [
            point
            for point in self.points
            if point.case.transport == transport and point.case.part != "single"
        ]

    @property
    def said(self) -> str:
        """The shares in words, and where the page is."""
        said = [f"{NAMES[name]}: {shares(self._chains(name))}" for name in BARS]
        return f"{'; '.join(said)}\npage: {self.page}"


def keeps(points: Sequence[Point]) -> bool:
    """Whether as many points are close, and near, as the bars ask for."""
    return _share(points, Point.is_close) >= MOST and _share(points, Point.is_near) >= NEARLY_ALL


def _share(points: Sequence[Point], holds: Callable[[Point], bool]) -> float:
    return sum(map(holds, points)) / len(points) if points else 1.0


def shares(points: Sequence[Point]) -> str:
    """Say how many points keep each bar."""
    close, near = (sum(map(holds, points)) for holds in (Point.is_close, Point.is_near))
    return f"{close} and {near} of {len(points)} points are within tolerance"


def validate(
    out: Path | None = None,
    *,
    data: Path | None = None,
    workers: int | None = None,
    progress: bool = True,
) -> OfdmValidation:
    """Run every case of the reference data, keep the runs, and write the page into `out`."""
    data = DATA if data is None else data
    out = make_folder(PAGE_FOLDER if out is None else out)
    ours = ofdm.measure(ofdm.read(data), SEEDS, workers=workers, progress=progress)
    rows = {case: [{"goodput_kbps": goodput} for goodput in own] for case, own in ours.items()}
    keep(out / "data", RUNS, rows)
    return write(out, data=data)


def write(out: Path | None = None, *, data: Path | None = None) -> OfdmValidation:
    """Write the page into `out` from the runs that are kept there."""
    data = DATA if data is None else data
    out = PAGE_FOLDER if out is None else out
    runs = kept(out / "data", RUNS, ofdm.Case)
    ours = {case: [row["goodput_kbps"] for row in rows] for case, rows in runs.items()}
    found = OfdmValidation(out / "ofdm.md", tuple(ofdm.points(ofdm.read(data), ours)))
    with replacing(found.page) as temporary:
        temporary.write_text(_page(found), encoding="utf-8")
    return found


def _page(found: OfdmValidation) -> str:
    udp, tcp = BARS["udp"], BARS["tcp"]
    return f"""# 802.11a beside ns-3

This page is made by `make generate` from the runs that `make validate` keeps; do not edit it. The
data of ns-3.37 and how they were made are described in
[data/README_ofdm.md](data/README_ofdm.md).

Both have a [receiver of OFDM](../guides/ofdm.md). Frames are noticed from -82 dBm on unless a table
says otherwise. Noise is -93.96 dBm (-93.97 in ns-3, whose constant of Boltzmann has fewer digits).
Bit errors follow the formula of NIST (`errors = "nist"`), and the rules of the MAC are ns-3's
(`mac.rules = "ns3"`). Nodes, queues, datagrams and TCP are those of each simulator.

What is compared, and how close it has to be:

| what | tolerance |
|---|---|
| durations of frames and answers | exact (test) |
| probability that bits are right | 1e-6 to ns-3's (test) |
| two and three frames at a receiver | 0.12 each, 0.01 in the mean (test) |
| time that the medium is busy then | 5 us in 95 % of the cases (test) |
| one saturated link | {100 * FORMULA:g} % to the formula, {100 * LINK:g} % to ns-3 |
| chains, UDP | {bars(udp)} |
| chains, TCP NewReno and SACK, which are written twice | {bars(tcp)} |
| points below {COLLAPSED:g} of what a chain could carry | a factor of {FACTOR:g} |

The tests are `cargo test -p multihop-medium ofdm` and `nist`; they read
`data/ofdm_capture.txt` and `data/ofdm_nist.txt`.

**One link is off the formula by {100 * max(found.off_formula()):.2f} % at most. {verdict(found)}**

{groups(found, PARTS)}

## What is left

{findings.text("ofdm")}

## All points

Goodput in kbit/s, ± standard error over seeds: up to three runs of ns-3 of 1.5 to 4 s (four with
SACK), {SEEDS} here that are as long. "Reachable" is one link's saturation by the formula, divided
by the hops of which one may send at a time. A point that has collapsed is set in brackets.

{parts(found, PARTS)}"""


def bars(of: tuple[float, float]) -> str:
    """Say the tolerances of most points, and of nearly all."""
    most, nearly = of
    return (
        f"{100 * most:g} % or {ERRORS:g} standard errors in {100 * MOST:g} % of the points, "
        f"{100 * nearly:g} % in {100 * NEARLY_ALL:g} %"
    )


def verdict(found: OfdmValidation) -> str:
    """Say whether the tolerances are kept."""
    return (
        "All tolerances of links, of datagrams and of TCP with SACK are kept."
        if found.passed
        else "Not all are kept."
    )


def groups(found: OfdmValidation, titles: Mapping[str, str]) -> str:
    """Return the table of all parts, which have these titles."""
    rows = []
    for part, title in titles.items():
        for transport in BARS:
            points = found.of(part, transport)
            if points:
                offs = [point.off for point in points if not point.is_collapsed]
                median = f"{100 * statistics.median(offs):.1f} %" if offs else "-"
                close, near = (sum(map(h, points)) for h in (Point.is_close, Point.is_near))
                name = f"{title}, {NAMES[transport]}"
                rows.append([name, str(len(points)), str(close), str(near), median])
    header = (
        "points",
        "number",
        "within the narrow tolerance",
        "within the wide tolerance",
        "median difference",
    )
    return table(header, rows)


def parts(found: OfdmValidation, titles: Mapping[str, str]) -> str:
    """Return the points of all parts, which have these titles."""
    return "".join(_part(found, part, title) for part, title in titles.items())


def _part(found: OfdmValidation, part: str, title: str) -> str:
    points = [point for point in found.points if point.case.part == part]
    header = ("case", "reachable", "ns-3", "multihop", "difference", "close", "near")
    title = title[0].upper() + title[1:]
    rows = table(header, map(_row, points))
    return f"<details><summary>{title}</summary>\n\n{rows}\n\n</details>\n\n"


def _row(point: Point) -> list[str]:
    goodput = point.goodput
    name = f"({point.case.title})" if point.is_collapsed else point.case.title
    answers = ["yes" if holds else "NO" for holds in (point.is_close(), point.is_near())]
    numbers = [mean(goodput.reference), mean(goodput.ours), percent(goodput)]
    return [name, f"{point.case.bound:.0f}", *numbers, *answers]
