"""The page that puts this simulator beside ns-2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from multihop.results.result import make_folder, replacing

from . import bianchi, figures, probe_text, probing
from .compare import BEYOND, NOISE, Comparison, Estimate, Starts, Verdict, measure
from .curves import Curve, curves, details, mean, percent, summary, table, verdicts, which_delay
from .ours import keep, kept
from .reference import Case, Measured, read
from .starts import start_times
from .store import DATA, PAGE_FOLDER

SEEDS = 20
# A case with more runs of ns-2 than this, at a load below that per source, was run to look at
# phases: whether two exactly periodic streams meet.
MANY, PHASE_LOAD = 20, 100.0
SEEDS_LOOKED_AT = 60
# The tables of our runs.
RUNS = "ours_udp"
TABLES = {Starts.AS_REFERENCE: RUNS, Starts.OWN: f"{RUNS}_own_starts"}

PICTURES = {
    "goodput": "Goodput of ns-2 (circles) and multihop (lines), 512 B at 1 Mbit/s",
    "delay": "Network delay of the same runs",
    "others": "Goodput with other numbers of hops, at 2 Mbit/s, and in the random network",
    "shadowing": "Goodput with log-normal shadowing",
}


@dataclass(frozen=True)
class Validation:
    """What a validation found."""

    page: Path
    curves: tuple[Curve, ...]
    probes: dict[str, bool]

    @property
    def counts(self) -> dict[Verdict, int]:
        """How many comparisons have which verdict."""
        rows = chain.from_iterable(curve.rows for curve in self.curves)
        return verdicts(chain.from_iterable((row.goodput, row.delay) for row in rows))

    @property
    def passed(self) -> bool:
        """Whether every probe agrees and no comparison is outside its bar beyond noise."""
        return all(self.probes.values()) and not self.counts[Verdict.OUTSIDE]


def validate(
    out: Path | None = None,
    *,
    data: Path | None = None,
    seeds: int = SEEDS,
    workers: int | None = None,
    progress: bool = True,
) -> Validation:
    """Run every case of the reference data, keep the runs, and write the page into `out`.

    `data` is the folder of ns-2's results; by default both are those of the repository. Our runs
    are kept in the folder `data` of `out`.
    """
    data = DATA if data is None else data
    out = make_folder(PAGE_FOLDER if out is None else out)
    reference = read(data)
    counts = {case: max(seeds, len(runs.seeds)) for case, runs in reference.items()}
    ours = measure(reference, counts, workers=workers, progress=progress)
    own = measure(
        _phase_cases(reference),
        counts,
        starts=Starts.OWN,
        workers=workers,
        progress=progress,
    )
    for starts, runs in ((Starts.AS_REFERENCE, ours), (Starts.OWN, own)):
        keep(out / "data", TABLES[starts], {case: list(rows_of(own)) for case, own in runs.items()})
    random = next((case for case in reference if case.topology == "random"), None)
    probing.keep(out / "data", probing.measure(data, random))
    return write(out, data=data)


def write(out: Path | None = None, *, data: Path | None = None) -> Validation:
    """Write the page and its figures into `out` from the runs that are kept there."""
    data = DATA if data is None else data
    out = PAGE_FOLDER if out is None else out
    reference = read(data)
    ours, own = (
        kept_runs(out / "data", TABLES[starts]) for starts in (Starts.AS_REFERENCE, Starts.OWN)
    )
    found = tuple(curves(reference, ours))
    phases = _phase_cases(reference)
    seeds = min(len(runs.seeds) for runs in ours.values())
    probed = probing.kept(out / "data")

    sections, agree = [], {}
    for name, (text, agrees) in {
        "timing": probe_text.timing(probed.exchange),
        "backoff": probe_text.backoff(probed.backoff),
        "capture": probe_text.capture(probed.captures),
    }.items():
        agree[name] = agrees
        sections.append(text)
    links, agree["reception"] = probe_text.reception(probed.reception)
    result = Validation(out / "README.md", found, agree)
    sections += [
        _goodput(found, reference, probed.routes),
        _saturation(found),
        _shadowing(links),
        _phases(phases, ours, own),
    ]
    page = "\n".join([_head(result, seeds), *sections, _details(found)])
    with replacing(result.page) as temporary:
        temporary.write_text(page, encoding="utf-8")
    figures.draw(out / "figures", found)
    panels = {c: r for c, r in phases.items() if c.hops == 10 and c.topology == "bichain"}
    panels = {c: r for c, r in panels.items() if c.propagation == "tworay"}
    figures.draw_phases(out / "figures", panels, ours, own)
    return result


def _phase_cases(reference: Mapping[Case, Measured]) -> dict[Case, Measured]:
    return {
        case: runs
        for case, runs in reference.items()
        if len(runs.seeds) > MANY and case.load < PHASE_LOAD
    }


def rows_of(runs: Measured) -> Iterator[dict[str, float]]:
    """Yield every run as it is kept."""
    for seed, goodput, delay in zip(runs.seeds, runs.goodput, runs.delay, strict=True):
        yield {"seed": seed, "goodput_kbps": goodput, "delay_ms": delay}


def kept_runs(folder: Path, name: str) -> dict[Case, Measured]:
    """Read the runs that are kept in a table."""
    found = {}
    for case, rows in kept(folder, name, Case).items():
        found[case] = Measured()
        for row in rows:
            found[case].add(row["seed"], row["goodput_kbps"], row["delay_ms"])
    return found


def _head(result: Validation, seeds: int) -> str:
    counts = result.counts
    judged = sum(counts.values()) - counts[Verdict.NO_BAR]
    probes_text = ", ".join(
        f"{name} {'agrees' if same else 'DIFFERS'}" for name, same in result.probes.items()
    )
    return f"""# Validation against ns-2

This page is made by `make generate` from the runs that `make validate` keeps; do not edit it. It
puts this simulator beside ns-2 2.35, which all the papers used, run by the scripts in
[`benches/ns2`](../../benches/ns2/README.md) with the results in [`data`](data/README.md).

**{counts[Verdict.INSIDE]} of {judged} comparisons of goodput and network delay are within \
tolerance, {counts[Verdict.NOISE]} miss it by what may be
noise, {counts[Verdict.OUTSIDE]} are outside.** Probes of single frames: {probes_text}.

| what | tolerance |
|---|---|
| times of the frame exchange | equal to the microsecond |
| capture | every outcome equal |
| goodput up to the knee | 3 % at every load |
| goodput beyond it | 10 % at every load |
| network delay up to the knee | 10 % |

The knee of a curve is the largest load of which ns-2 delivers at least 98 %. A difference is that
of the means, relative to ns-2's. Verdicts: *inside* the tolerance; *noise*, outside it, but by no
more than two standard errors of the difference of the means; *OUTSIDE*.

Every point is the mean of {seeds} runs (of more where ns-2 has more) of 10 s that are discarded and
60 s measured, with static routes. ± is the standard error over the runs. The sources of our
runs start at the times at which those of ns-2's runs with seeds 1, 2, ... start, in turn: section
(g) says why. Goodput is payload received by all sinks, in kbit/s; the network delay is from the
first frame at the source to reception.

{summary(result.curves)}
"""


def _goodput(
    found: Sequence[Curve],
    reference: Mapping[Case, Measured],
    taken: list[list[tuple[int, int]]],
) -> str:
    shown = "\n\n".join(
        f"![{title}](figures/{name}.svg)" for name, title in PICTURES.items() if name != "shadowing"
    )
    random = next((case for case in reference if case.topology == "random"), None)
    routes = ""
    if random is not None:
        routes = probe_text.routes(random.network()[1], taken)
    outside = [
        f"- {curve.title}, {curve.x} {curve.position(row):g}, RTS/CTS "
        f"{'on' if row.case.rts else 'off'}, {kind}: {percent(comparison)}, "
        f"{comparison.standard_errors:+.1f} standard errors ({comparison.verdict.value})"
        for curve in found
        for row in curve.rows
        for kind, comparison in (("goodput", row.goodput), (which_delay(curve), row.delay))
        if comparison.verdict in (Verdict.NOISE, Verdict.OUTSIDE)
    ]
    missed = "\n".join(outside) if outside else "None."
    return f"""## (d) Goodput and network delay of UDP, with and without RTS/CTS

{shown}

All points stand in the tables at the end of the page. In the random network the delay is the
end-to-end delay, from application to application, because ns-2's tunnels hide which frame is a
packet's first.
{routes}

Points outside tolerance:

{missed}

The largest differences lie far beyond the knee of the bidirectional chains, where a few per cent of
the offered load get through. {_collapse(found, reference)}
"""


def _collapse(found: Sequence[Curve], reference: Mapping[Case, Measured]) -> str:
    """Say how the largest differences lie."""
    rows = [row for curve in found for row in curve.rows if row.goodput.bar == BEYOND]
    beyond = [row.goodput for row in rows]
    large = [c for c in beyond if abs(c.difference) > 0.05]
    up = sum(c.difference > 0 for c in large)
    mean_difference = 100 * float(np.mean([c.difference for c in beyond]))
    five = [Estimate.of(reference[row.case].goodput[:5]) for row in rows]
    before = [Comparison(e, c.ours, BEYOND) for e, c in zip(five, beyond, strict=True)]
    far, far_before = (sum(abs(c.standard_errors) > NOISE for c in x) for x in (beyond, before))
    return f"""Of {len(beyond)} points beyond a knee
{len(large)} differ by more than 5 %, {up} upwards and {len(large) - up} downwards; the mean \
difference of all is {mean_difference:+.1f} %.
With at most five runs of ns-2 for each point, {far_before} \
({100 * far_before / len(beyond):.0f} %) differ by more than two standard errors, where chance
alone makes about 12 % (Student's t with 4 degrees of freedom). The points that stood out
have 40 to 240 runs of ns-2 (`ns2_overload.parquet`); with all runs {far} do."""


def _saturation(found: Sequence[Curve]) -> str:
    star = next((curve for curve in found if curve.x == "senders"), None)
    if star is None:
        return ""
    rows = []
    for rts in (True, False):
        for row in star.of(rts=rts):
            case = row.case
            cell = bianchi.Cell(case.sources, case.packet, case.rts)
            model = cell.goodput(bianchi.STAR_PROPAGATION_US)
            against = [e.mean / model - 1 for e in (row.goodput.reference, row.goodput.ours)]
            cells = [f"{case.sources}", "on" if rts else "off"]
            cells += [mean(row.goodput.reference), mean(row.goodput.ours), percent(row.goodput)]
            cells += [f"{model:.1f}", *(f"{100 * a:+.1f} %" for a in against)]
            rows.append(cells)
    header = ("senders", "RTS", "ns-2", "multihop", "difference", "Bianchi", "ns-2", "multihop")
    return f"""## (e) A saturated cell

2 to 30 senders around one receiver, all in reach of each other, 512 B at 1 Mbit/s: goodput in
kbit/s. The last two columns say how far both are from Bianchi's model (IEEE JSAC 18(3), 2000,
equations 7 to 14 and 17), here with seven attempts, windows of 31, 63, ... 1023 slots and
overhearing nodes that wait EIFS after a collision; the source is
`packages/validation/multihop_validation/bianchi.py`.

{table(header, rows)}

![Goodput of a saturated cell](figures/saturation.svg)
"""


def _shadowing(links: str) -> str:
    return f"""## (f) Log-normal shadowing

Exponent 4, 4 dB, a draw for every frame and receiver; thresholds so that 95 % are decoded at 250 m
and sensed at 550 m. Frames on single links:

{links}

![Goodput with shadowing](figures/shadowing.svg)
"""


def _phases(
    reference: Mapping[Case, Measured],
    same: Mapping[Case, Measured],
    own: Mapping[Case, Measured],
) -> str:
    rows = []
    furthest, unlike = 0.0, 0.0
    for case, runs in reference.items():
        means = [Estimate.of(x.delay) for x in (runs, same[case], own[case])]
        pairs = list(zip(runs.delay, same[case].delay, strict=False))
        if case.topology == "bichain":
            furthest = max(furthest, max(abs(b / a - 1) for a, b in pairs))
        correlation = float(np.corrcoef(np.array(pairs).T)[0, 1])
        first = Estimate.of(runs.delay[:5])
        unlike = max(unlike, abs(first.mean / means[0].mean - 1))
        special = ", shadowing" if case.propagation == "shadowing" else ""
        crossed = ", cross" if case.topology == "bicross" else ""
        rows.append(
            [
                f"{case.hops} hops{crossed}, {case.load:g} kbit/s{special}",
                "on" if case.rts else "off",
                f"{first.mean:.1f}",
                mean(means[0]),
                mean(means[1]),
                f"{100 * (means[1].mean / means[0].mean - 1):+.2f} %",
                f"{correlation:.3f}",
                mean(means[2]),
                f"{100 * (means[2].mean / means[0].mean - 1):+.1f} %",
            ]
        )
    header = (
        *("bidirectional, per source", "RTS", "ns-2, 5 seeds", "ns-2", "same starts", "difference"),
        *("correlation", "own starts", "difference"),
    )
    first_starts = [start_times(seed, 1)[0] for seed in range(1, SEEDS_LOOKED_AT + 1)]
    return f"""## (g) Phases: why start times are those of ns-2

The sources are exactly periodic. At low load it is a matter of the phase between two opposite
streams whether their packets ever meet; they meet in every period or in none. So the network
delay of a run takes one of a few values, and its mean over a handful of seeds says little. The
first five
seeds of ns-2 give means that differ from those of all by up to {100 * unlike:.0f} %.

ns-2's seeds are no fair sample of phases either: with consecutive seeds the first number of its
generator hardly changes. In seeds 1 to {SEEDS_LOOKED_AT} the first source starts
between {min(first_starts):.3f} and {max(first_starts):.3f} s of
the 0.5 s that it could be late, so that the phase is spread otherwise than with independent start
times.

The test: draw ns-2's start times again (`packages/validation/multihop_validation/starts.py`) and
give them to our runs, seed by seed. Mean network delays in ms; the correlation is that of the runs:

{table(header, rows)}

Run by run, the network delays of the chains differ by {100 * furthest:.1f} % at most. With start
times of its own, drawn independently, multihop gives the other means of the last columns: the
difference lies in the start times and nowhere else.

![Network delay run by run](figures/phases.svg)
"""


def _details(found: Sequence[Curve]) -> str:
    body = "\n\n".join(details(curve) for curve in found)
    return f"## All points\n\nSeeds: runs of ns-2 / of multihop.\n\n{body}\n"
