"""Rate control over distance in ns-3.37 and here, and the page that puts them side by side."""

from __future__ import annotations

import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path

import polars as pl

from multihop._multihop import Cancel
from multihop.results.result import make_folder, replacing
from multihop.running.runner import spread
from multihop.running.tracing import Trace, run_traced
from multihop.scenario.form import Scenario

from . import ht, store
from .curves import table
from .ofdm import HEADER, QUEUE, SATURATED, UDP_HEADER
from .ours import keep, kept
from .store import DATA, PAGE_FOLDER

FILE, RUNS = "ns3_rates", "ours_rates"
SEEDS = 3
WARMUP, DURATION = "2 s", "2 s"
# Rates in Mbit/s, and the header that ns-3 counts, in bytes, of 802.11a and 802.11n.
RATES = {
    "ofdm-5": (6.0, 9.0, 12.0, 18.0, 24.0, 36.0, 48.0, 54.0),
    "ht-5": (6.5, 13.0, 19.5, 26.0, 39.0, 52.0, 58.5, 65.0),
}
HEADERS = {"ofdm-5": HEADER, "ht-5": ht.HEADER}
# What Minstrel's goodput may be off, and in what share of the points.
GOODPUT, MOST = 0.15, 0.80
# How far from ns-3's most frequent rate Minstrel's may be.
STEPS = 1


@dataclass(frozen=True)
class Case:
    """A saturated link of datagrams of 1000 B whose rates are chosen."""

    timing: str
    control: str
    spacing_m: float

    def scenario(self, seed: int) -> Scenario:
        """Return this simulator's scenario."""
        return Scenario.from_dict(
            {
                "name": f"{self.control}, {self.spacing_m:g} m",
                "seed": seed,
                "warmup": WARMUP,
                "duration": DURATION,
                "topology": {"kind": "chain", "hops": 1, "spacing": f"{self.spacing_m:g} m"},
                "mac": {
                    "timing": self.timing,
                    "rules": "ns3",
                    "rate": self.control,
                    "header": f"{HEADERS[self.timing] + UDP_HEADER} B",
                    # Packets in ns-3's queues lived as long as the runs.
                    "lifetime": "10000 s",
                },
                "radio": {
                    "propagation": "log-normal-shadowing",
                    "path_loss_exponent": 3,
                    "shadowing_deviation": "0 dB",
                    "transmit_power": "40 mW",
                    "sense_threshold": "-101 dBm",
                },
                "scheme": {"name": "udp", "queue_limit": QUEUE},
                "traffic": {
                    "load": f"{SATURATED * RATES[self.timing][-1]:g} Mbit/s",
                    "payload": "1000 B",
                    "start": "100 ms",
                    "start_jitter": "20 ms",
                },
            }
        )


@dataclass(frozen=True)
class Run:
    """What a run has carried, and how many data frames had which rate in Mbit/s."""

    goodput_kbps: float
    frames: Mapping[float, int]


Runs = dict[Case, list[Run]]


def _row(case: Case, run: Run) -> dict[str, float]:
    counts = [run.frames.get(rate, 0) for rate in RATES[case.timing]]
    by_place = {f"frames_{place}": count for place, count in enumerate(counts)}
    return {"goodput_kbps": run.goodput_kbps, **by_place}


def _run(case: Case, row: Mapping[str, float]) -> Run:
    counts = {rate: int(row[f"frames_{place}"]) for place, rate in enumerate(RATES[case.timing])}
    return Run(row["goodput_kbps"], {rate: count for rate, count in counts.items() if count})


def read(folder: Path) -> Runs:
    """Read ns-3's runs, case by case."""
    found: dict[Case, list[Run]] = defaultdict(list)
    for row in store.rows(folder, FILE):
        case = Case(**{field.name: row[field.name] for field in fields(Case)})
        found[case].append(_run(case, row))
    return dict(found)


def measure(
    cases: Iterable[Case], seeds: int, *, workers: int | None = None, progress: bool = True
) -> Runs:
    """Run every case with the seeds 1, 2, ... to that count."""
    jobs = [(case, seed) for case in cases for seed in range(1, seeds + 1)]
    found: list[Run | None] = [None] * len(jobs)

    def job(index: int, cancel: Cancel) -> None:
        case, seed = jobs[index]
        with tempfile.TemporaryDirectory() as made:
            result = run_traced(case.scenario(seed), Path(made) / "trace", cancel=cancel)
            frames = Trace(Path(made) / "trace").scan("frames")
            data = frames.filter(pl.col("class") == "data", pl.col("start_ns") >= 2_000_000_000)
            rates = data.select(pl.col("rate_bit_s") / 1e6).collect().to_series()
        found[index] = Run(result.runs["goodput_bit_s"].item() / 1e3, Counter(rates.to_list()))

    spread(job, len(jobs), workers=workers, progress=progress, title="rates")
    runs: Runs = defaultdict(list)
    for (case, _), run in zip(jobs, found, strict=True):
        assert run is not None
        runs[case].append(run)
    return dict(runs)


@dataclass(frozen=True)
class Point:
    """A case by ns-3 and by this simulator."""

    case: Case
    reference: list[Run]
    ours: list[Run]

    @staticmethod
    def _most_frequent(runs: list[Run]) -> float:
        frames: Counter[float] = Counter()
        for run in runs:
            frames.update(run.frames)
        return max(frames, key=frames.__getitem__)

    @property
    def rates(self) -> tuple[float, float]:
        """The rates that most frames had in Mbit/s: in ns-3, here."""
        return self._most_frequent(self.reference), self._most_frequent(self.ours)

    @property
    def steps(self) -> int:
        """How many rates lie between the two."""
        theirs, ours = map(RATES[self.case.timing].index, self.rates)
        return abs(theirs - ours)

    @property
    def goodputs(self) -> tuple[float, float]:
        """The mean goodputs in kbit/s."""
        means = (
            sum(r.goodput_kbps for r in runs) / len(runs) for runs in (self.reference, self.ours)
        )
        theirs, ours = means
        return theirs, ours

    @property
    def off(self) -> float:
        """By what part of ns-3's goodput ours differs."""
        theirs, ours = self.goodputs
        return ours / theirs - 1


@dataclass(frozen=True)
class RateValidation:
    """What the comparison found, and the page that says so."""

    page: Path
    points: tuple[Point, ...]

    def of(self, timing: str, control: str) -> list[Point]:
        """Return the points of a rate control, from the shortest link on."""
        wanted = (timing, control)
        points = [p for p in self.points if (p.case.timing, p.case.control) == wanted]
        return sorted(points, key=lambda point: point.case.spacing_m)

    @property
    def passed(self) -> bool:
        """Whether all tolerances are kept."""
        ideal = [*self.of("ofdm-5", "ideal"), *self.of("ht-5", "ideal")]
        kept = all(point.steps == 0 for point in ideal)
        for minstrel in (self.of("ofdm-5", "minstrel"), self.of("ht-5", "minstrel-ht")):
            near = sum(abs(point.off) <= GOODPUT for point in minstrel)
            kept = kept and all(point.steps <= STEPS for point in minstrel)
            kept = kept and near >= MOST * len(minstrel)
        return kept

    @property
    def said(self) -> str:
        """The shares in words, and where the page is."""
        same = sum(point.steps == 0 for point in self.points)
        return f"the same rate at {same} of {len(self.points)} points\npage: {self.page}"


def points(reference: Runs, ours: Runs) -> tuple[Point, ...]:
    """Compare those cases that were run here."""
    return tuple(Point(case, reference[case], own) for case, own in ours.items())


def validate(
    out: Path | None = None,
    *,
    data: Path | None = None,
    workers: int | None = None,
    progress: bool = True,
) -> RateValidation:
    """Run every case of the reference data, keep the runs, and write the page into `out`."""
    data = DATA if data is None else data
    out = make_folder(PAGE_FOLDER if out is None else out)
    ours = measure(read(data), SEEDS, workers=workers, progress=progress)
    keep(
        out / "data", RUNS, {case: [_row(case, run) for run in runs] for case, runs in ours.items()}
    )
    return write(out, data=data)


def write(out: Path | None = None, *, data: Path | None = None) -> RateValidation:
    """Write the page into `out` from the runs that are kept there."""
    data = DATA if data is None else data
    out = PAGE_FOLDER if out is None else out
    runs = {
        case: [_run(case, row) for row in rows]
        for case, rows in kept(out / "data", RUNS, Case).items()
    }
    found = RateValidation(out / "ofdm_rates.md", points(read(data), runs))
    with replacing(found.page) as temporary:
        temporary.write_text(_page(found), encoding="utf-8")
    return found


def _page(found: RateValidation) -> str:
    verdict = "All tolerances are kept." if found.passed else "Not all tolerances are kept."
    return f"""# Rate control beside ns-3

This page is made by `make generate` from the runs that `make validate` keeps; do not edit it. The
data of ns-3.37 and how they were made are described in
[data/README_ofdm.md](data/README_ofdm.md).

One saturated link of datagrams of 1000 B, by [802.11a](ofdm.md) and [802.11n](ht.md) with ns-3's
rules of the MAC. The rates are chosen by ns-3's `IdealWifiManager`, `MinstrelWifiManager` (802.11a)
and `MinstrelHtWifiManager` (802.11n) there, and by
[`mac.rate`](../guides/ofdm.md#rate-control) here.

| what | tolerance |
|---|---|
| `ideal`: the rate that most frames have | the same at every distance |
| `minstrel`, `minstrel-ht`: the rate that most frames have | at most {STEPS} step away |
| `minstrel`, `minstrel-ht`: goodput | {100 * GOODPUT:g} % in {100 * MOST:g} % of the points |

**{verdict}**

## ideal, 802.11a

{_table(found.of("ofdm-5", "ideal"))}

## minstrel, 802.11a

{_table(found.of("ofdm-5", "minstrel"))}

## ideal, 802.11n

{_table(found.of("ht-5", "ideal"))}

## minstrel-ht, 802.11n

{_table(found.of("ht-5", "minstrel-ht"))}

Rates are in Mbit/s, goodputs in kbit/s: means over two or three runs of 2 s in ns-3, and over
{SEEDS} of {DURATION} here. "Share" is the part of the data frames that had the rate named before
it.
"""


def _share(runs: list[Run], rate: float) -> str:
    had = sum(run.frames.get(rate, 0) for run in runs)
    return f"{100 * had / sum(sum(run.frames.values()) for run in runs):.0f} %"


def _table(all_points: list[Point]) -> str:
    header = (
        *("distance", "ns-3: rate", "share", "multihop: rate", "share"),
        *("ns-3: goodput", "multihop: goodput", "difference"),
    )
    rows = []
    for point in all_points:
        (theirs, ours), goodputs = point.rates, point.goodputs
        rows.append(
            [
                f"{point.case.spacing_m:g} m",
                *(f"{theirs:g}", _share(point.reference, theirs)),
                *(f"{ours:g}", _share(point.ours, ours)),
                *(f"{goodput:.0f}" for goodput in goodputs),
                f"{100 * point.off:+.1f} %",
            ]
        )
    return table(header, rows)
