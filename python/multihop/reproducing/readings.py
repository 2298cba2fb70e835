"""Readings of what a paper leaves open: every parameter of its layers, one at a time, judged.

    multihop reproduce PAPER --readings

Each reading changes one parameter in all scenarios that take it, is run with the effort of
`--quick`, and is judged against every claim; panels without claims are not run. Where scenarios
differ in a number, each has its own halved or doubled; a study whose variants or points differ in
a key is about that key, and stays as it is. One run of each
curve finds what a reading does not change: where its fingerprint is the same, the curve keeps its
runs by default, and a reading that changes no curve is not judged. What was found is kept in a
file, so that a second call goes on where the first has ended.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from .._multihop import ScenarioError
from ..engine.errors import SweepError
from ..reporting.verdicts import DIFFERS, UNDECIDED, Verdict, paper_of
from ..results.result import Result, make_folder, replacing
from ..running.runner import progress_bar, run_many
from ..scenario.form import Scenario
from ..scenario.noting import told_before
from ..sweeping.batches import engine
from ..sweeping.plans import Point
from ..sweeping.seeds import Decided
from ..sweeping.sweeps import Means, Wanted, sweep_points
from .efforts import Efforts, begun, levels, looked_again
from .measuring import TABLES, needed_studies, needed_traces, studied, takes
from .parameters import CHANCE_KEY, Parameter, Scaled, chance, parameters
from .reproduction import judge, select
from .spec import NO_SETTINGS, Data, FigureSpec, Settings, key_in, value_in
from .stored import read

# What became of a reading.
JUDGED = "judged"
UNCHANGED = "unchanged"
FIXED = "set by the figures"
REFUSED = "refused"

LABELS = ("study", "variant", "x", "seed")
# What names a curve.
CURVE = ("study", "variant")

Labels = tuple[Any, ...]


class Turned(NamedTuple):
    """A claim whose verdict is another with a reading, and what was measured with it."""

    id: str
    claim: str
    default: str
    reading: str
    measured: str

    @property
    def effect(self) -> str:
        """Whether the reading repairs the claim, breaks it, or decides it otherwise."""
        if self.reading == UNDECIDED:
            return "undecides"
        if self.reading == DIFFERS:
            return "breaks"
        return "repairs" if self.default in (DIFFERS, UNDECIDED) else "holds"


class Reading(NamedTuple):
    """A parameter with another value, and what became of the claims.

    `chance` marks readings that change nothing but random numbers. `holds` counts the claims that
    hold; it is `None` where nothing was judged, `why` then says what stood against it.
    """

    key: str
    value: Any
    default: Any
    chance: bool = False
    became: str = JUDGED
    holds: int | None = None
    turned: tuple[Turned, ...] = ()
    why: str = ""

    @property
    def words(self) -> str:
        """Write the reading as a command line has it."""
        return f"{self.key}={_value(self.value)}"

    def to_dict(self) -> dict[str, Any]:
        """Return the reading as plain values."""
        return self._asdict() | {"turned": [turned._asdict() for turned in self.turned]}

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> Reading:
        """Read what `to_dict` has written."""
        return cls(**{**kept, "turned": tuple(Turned(**turned) for turned in kept["turned"])})


@dataclass
class Readings:
    """What readings do to the claims of some figures, as far as they were run."""

    command: str
    about: str
    claims: list[Verdict]
    judged: list[Reading] = field(default_factory=list)
    # Parameters without another value, and why.
    left_out: dict[str, str] = field(default_factory=dict)
    # Readings that are still to be run.
    open: list[str] = field(default_factory=list)
    engine: str = field(default_factory=engine)

    @property
    def holds(self) -> int:
        """How many claims hold by default."""
        return sum(claim.holds for claim in self.claims)

    @property
    def undecided(self) -> dict[tuple[str, str], list[str]]:
        """The claims whose verdict chance turns, each with the readings that show it."""
        found: dict[tuple[str, str], list[str]] = {}
        for reading in self.judged:
            for turned in reading.turned if reading.chance else ():
                found.setdefault((turned.id, turned.claim), []).append(reading.words)
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "command": self.command,
            "engine": self.engine,
            "about": self.about,
            "claims": [claim._asdict() for claim in self.claims],
            "readings": [reading.to_dict() for reading in self.judged],
            "left_out": self.left_out,
            "open": self.open,
        }

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> Readings:
        """Read what `to_dict` has written."""
        return cls(
            command=kept["command"],
            about=kept["about"],
            claims=[read(claim) for claim in kept["claims"]],
            judged=[Reading.of(reading) for reading in kept["readings"]],
            left_out=dict(kept["left_out"]),
            open=list(kept["open"]),
            engine=kept["engine"],
        )


def plain(value: Any) -> Any:
    """Return a value as files have it: one that follows each scenario's own is a text there."""
    return str(value) if isinstance(value, Scaled) else value


def _value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


# How many seeds a reading begins with by the sequential rule, and how many it has at most.
FEW, ENOUGH = 4, 16


def sequential(least: int | None = None, most: int | None = None) -> Decided:
    """Return the rule that begins with few seeds, and adds some where verdicts are open.

    `SweepError` if there are fewer than two seeds, or fewer at most than to begin with.
    """
    few = FEW if least is None else least
    enough = max(few, ENOUGH) if most is None else most
    if not 2 <= few <= enough:
        raise SweepError(
            f"readings with {few} to {enough} seeds: an interval takes two seeds at least, and "
            "there are to be no fewer at most than to begin with; change --seeds or --max-seeds"
        )
    return Decided(least=few, most=enough)


class Judge:
    """Figures with their runs by default, against which readings are judged.

    `seeds` is a number, or a rule (`sequential`): then the studies of a claim that is undecided, or
    that a reading turns, have twice as many seeds at each look, and the intervals of all looks hold
    together (`efforts.levels`). By default the same holds for undecided claims.
    """

    def __init__(
        self, figures: Sequence[FigureSpec], out: Path, *, seeds: int | Decided | None, means: Means
    ) -> None:
        judged = [_judged(figure) for figure in figures]
        self.figures, self.out, self.means = judged, out, means
        self.studies, self.traces = needed_studies(judged), needed_traces(judged)
        self.rule = seeds if isinstance(seeds, Decided) else None
        number = None if isinstance(seeds, Decided) else seeds
        self.first: Efforts = {s.name: s.effort(quick=True, seeds=number) for s in self.studies}
        if self.rule is not None:
            self.first = begun(self.first, judged, self.rule)
        self.runs = 0
        self.grid = self.points(NO_SETTINGS, self.first)
        self.tables = self._run(self.grid)
        self.fingerprints = _fingerprints(self.tables)
        self.traced: dict[str, Result] = {}
        self.traced = self._traced([trace.scenario() for trace in self.traces])
        self.claims: list[Verdict] = []
        # How many seeds the default has in the end: chance is judged with as many.
        self.claims, self.efforts = self._decided(NO_SETTINGS, self.traced)

    @property
    def about(self) -> str:
        """The effort in words."""
        about = "; ".join(dict.fromkeys(one.about for one in self.first.values()))
        if self.rule is None:
            return about
        return f"{about}; up to {self.rule.most} seeds where a claim is undecided or turns"

    def points(
        self, reading: Settings, efforts: Efforts, alike: Collection[Labels] = ()
    ) -> list[Point]:
        """List the runs of all studies with a reading, which some curves do not take."""
        found = []
        for study in self.studies:
            own = {key: value for key, value in reading.items() if not study.varies(key)}
            points = study.points(efforts[study.name], own)
            if any(name == study.name for name, _ in alike):
                default = study.points(efforts[study.name], NO_SETTINGS)
                pairs = zip(points, default, strict=True)
                points = [by if _curve(by) in alike else at for at, by in pairs]
            found += points
        return found

    def _run(self, grid: Sequence[Point]) -> dict[str, pl.DataFrame]:
        if not grid:
            return {}
        self.runs += len(grid)
        swept = sweep_points(grid, self.out, wanted=Wanted(tables=TABLES), means=self.means)
        return swept.result().tables

    def _traced(self, chosen: Sequence[Scenario]) -> dict[str, Result]:
        """Run traces; those that are as by default are not run again."""
        known = self.traced
        names = [trace.name for trace in self.traces]
        new = {
            name: own
            for name, trace, own in zip(names, self.traces, chosen, strict=True)
            if name not in known or own != trace.scenario()
        }
        found = run_many(
            list(new.values()),
            events=True,
            workers=self.means.workers,
            progress=False,
            tell=told_before,
        )
        return known | dict(zip(new, found, strict=True))

    def _verdicts(
        self,
        reading: Settings,
        efforts: Efforts,
        traced: Mapping[str, Result],
        alike: Collection[Labels] = (),
    ) -> list[Verdict]:
        there = reading is NO_SETTINGS and efforts == self.first
        tables = self.tables if there else self._run(self.points(reading, efforts, alike))
        data = Data(studied(self.studies, tables), dict(traced))
        return list(judge(self.figures, data, levels(efforts, self.figures, self.rule)))

    def _decided(
        self, reading: Settings, traced: Mapping[str, Result], alike: Collection[Labels] = ()
    ) -> tuple[list[Verdict], Efforts]:
        """Judge with more seeds for what is open, if the rule adds some."""
        efforts = self.first
        while True:
            found = self._verdicts(reading, efforts, traced, alike)
            if self.rule is None:
                return found, efforts
            before = self.claims or found
            open_ = {
                own.id
                for own, default in zip(found, before, strict=True)
                if own.verdict == UNDECIDED or own.verdict != default.verdict
            }
            more = looked_again(efforts, self.figures, self.rule, open_)
            if more == efforts:
                return found, efforts
            efforts = more

    def judge(self, key: str, value: Any, default: Any, *, chance: bool = False) -> Reading:
        """Judge one value of one parameter."""
        made = Reading(key, plain(value), default, chance)
        settings = {key: value}
        scenarios = [point.scenario for point in self.grid]
        scenarios += [trace.scenario() for trace in self.traces]
        if not any(takes(scenario, key, value) for scenario in scenarios):
            return made._replace(became=REFUSED, why=_refusal(scenarios, key, value))
        grid = self.points(settings, self.first)
        changed = [
            own
            for own, point in zip(grid, self.grid, strict=True)
            if own.scenario != point.scenario
        ]
        traces = [trace.scenario(settings) for trace in self.traces]
        traced_anew = [trace.scenario() for trace in self.traces] != traces
        if not changed and not traced_anew:
            return made._replace(
                became=FIXED, why="each figure varies or sets it itself, or has this value"
            )
        probes = _probes(changed)
        alike = self._alike(probes)
        if not traced_anew and len(alike) == len(probes):
            return made._replace(
                became=UNCHANGED, why="one run of each curve has the same fingerprint"
            )
        traced = self._traced(traces)
        if chance:
            found = self._verdicts(settings, self.efforts, traced, alike)
        else:
            found, _ = self._decided(settings, traced, alike)
        turned = tuple(
            Turned(own.id, own.claim, own.verdict, other.verdict, other.measured)
            for own, other in zip(self.claims, found, strict=True)
            if own.verdict != other.verdict
        )
        return made._replace(holds=sum(claim.holds for claim in found), turned=turned)

    def _alike(self, probes: Sequence[Point]) -> set[Labels]:
        """Find the curves whose probes are as by default."""
        found = _fingerprints(self._run(probes))
        return {
            labels[: len(CURVE)]
            for labels, fingerprint in found.items()
            if self.fingerprints[labels] == fingerprint
        }


def _judged(figure: FigureSpec) -> FigureSpec:
    """Return a figure without the panels that have no claims, whose runs would turn nothing."""
    return replace(figure, panels=tuple(panel for panel in figure.panels if panel.claims))


def _curve(point: Point) -> Labels:
    return tuple(point.labels[label] for label in CURVE)


def _fingerprints(tables: Mapping[str, pl.DataFrame]) -> dict[Labels, Any]:
    if not tables:
        return {}
    rows = tables["runs"].select(*LABELS, "fingerprint").rows()
    return {row[:-1]: row[-1] for row in rows}


def _probes(changed: Sequence[Point]) -> list[Point]:
    """Choose one run of each curve: that with the largest x, and the first seed."""
    chosen: dict[Labels, Point] = {}
    for point in changed:
        curve = _curve(point)
        if curve not in chosen or point.labels["x"] > chosen[curve].labels["x"]:
            chosen[curve] = point
    return list(chosen.values())


def _refusal(scenarios: Sequence[Scenario], key: str, value: Any) -> str:
    """Return what the first scenario that knows a key says of a value."""
    first = next((s for s in scenarios if key_in(s, key) != key), scenarios[0])
    own = key_in(first, key)
    given = value_in(first, own, value)
    if given is None:
        return "no scenario has a number that could be scaled"
    try:
        first.with_(**{own: given})
    except ScenarioError as error:
        return str(error)
    return ""


def values(own: Judge) -> tuple[list[tuple[Parameter, Any]], dict[str, str]]:
    """List every value of every parameter of the scenarios, chance first, and what is left out."""
    scenarios = [point.scenario for point in own.grid]
    scenarios += [trace.scenario() for trace in own.traces]
    known = parameters(scenarios)
    left_out = {one.key: one.why for one in known if not one.others}
    return [
        (parameter, value)
        for parameter in (chance(scenarios), *known)
        for value in parameter.others
    ], left_out


def readings_of(
    ids: Sequence[str],
    out: Path,
    *,
    seeds: int | Decided | None = None,
    max_runs: int | None = None,
    workers: int | None = None,
    progress: bool = True,
) -> dict[str, Readings]:
    """Judge the readings of figures, paper by paper; each has a file `readings/PAPER.json`.

    With `sequential()` as `seeds` a reading begins with few seeds and has more where claims are
    undecided or turn.

    >>> readings_of(["wxcp"], Path("results/reproduce"))["wxcp"].undecided
    """
    by_paper: dict[str, list[FigureSpec]] = {}
    for figure in select(ids):
        by_paper.setdefault(paper_of(figure.id), []).append(figure)
    found = {}
    for paper, figures in by_paper.items():
        own = [name for name in ids if name.partition("/")[0] == paper] or [paper]
        command = f"multihop reproduce {' '.join(own)} --readings"
        command += _seeds(seeds)
        found[paper] = judge_readings(
            figures,
            out,
            command=command,
            seeds=seeds,
            max_runs=max_runs,
            workers=workers,
            progress=progress,
        )
    return found


def _seeds(seeds: int | Decided | None) -> str:
    """Write the options that ask for as many seeds."""
    if isinstance(seeds, Decided):
        return f" --until-decided --seeds {seeds.least} --max-seeds {seeds.most}"
    return "" if seeds is None else f" --seeds {seeds}"


def judge_readings(
    figures: Sequence[FigureSpec],
    out: Path,
    *,
    command: str,
    seeds: int | Decided | None = None,
    max_runs: int | None = None,
    workers: int | None = None,
    progress: bool = True,
) -> Readings:
    """Judge every reading of some figures; what was judged before is kept.

    No reading is begun after so many runs as `max_runs`; `Readings.open` lists what is left.
    `SweepError` if the figures have no claims.
    """
    if not any(panel.claims for figure in figures for panel in figure.panels):
        raise SweepError("these figures have no claims that readings could turn; name a paper")
    path = make_folder(out / "readings") / f"{paper_of(figures[0].id)}.json"
    own = Judge(figures, out, seeds=seeds, means=Means(workers=workers, progress=False))
    wanted, left_out = values(own)
    found = Readings(command, own.about, own.claims, left_out=left_out)
    known = {reading.words: reading for reading in _kept(path, found)}
    with progress_bar(len(wanted), "readings", shown=progress) as done:
        for at, (parameter, value) in enumerate(wanted):
            chances = parameter.key == CHANCE_KEY and value in wanted[0][0].others
            words = Reading(parameter.key, plain(value), parameter.value).words
            if words not in known and (max_runs is None or own.runs < max_runs):
                known[words] = own.judge(parameter.key, value, parameter.value, chance=chances)
                _keep(path, found, wanted, known)
            done(at + 1)
    _keep(path, found, wanted, known)
    return found


def _keep(
    path: Path,
    found: Readings,
    wanted: Sequence[tuple[Parameter, Any]],
    known: Mapping[str, Reading],
) -> None:
    """Write what is known so far, in the order of the parameters, and what is open."""
    words = {Reading(one.key, plain(value), one.value).words: one for one, value in wanted}
    found.judged = [
        known[name]._replace(default=one.value) for name, one in words.items() if name in known
    ]
    found.open = [name for name in words if name not in known]
    write(found, path)


def _kept(path: Path, found: Readings) -> Iterator[Reading]:
    """List what a file has of the same figures, runs and engine; nothing if it has others."""
    if path.exists():
        kept = Readings.of(json.loads(path.read_text(encoding="utf-8")))
        if _identity(kept) == _identity(found):
            yield from kept.judged


def _identity(found: Readings) -> tuple[Any, ...]:
    """Return what readings are of; a note says why a claim differs, and is no result."""
    return found.engine, found.about, [claim._replace(note="") for claim in found.claims]


def write(found: Readings, path: Path) -> None:
    """Write what was found into a file."""
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(found.to_dict(), indent=1) + "\n", encoding="utf-8")


# ---- tables --------------------------------------------------------------------------------------

HEADER = ("reading", "default", "hold", "repairs", "breaks", "undecides")


def rows(found: Readings) -> list[tuple[str, ...]]:
    """List the readings that were judged: how many claims hold, and which turn either way."""
    default = ("as it is", "", f"{found.holds} of {len(found.claims)}", "", "", "")
    return [default, *(_row(reading) for reading in found.judged if reading.became == JUDGED)]


def _row(reading: Reading) -> tuple[str, ...]:
    effects = [
        Counter(turned.id.partition("/")[2] for turned in reading.turned if turned.effect == effect)
        for effect in ("repairs", "breaks", "undecides")
    ]
    listed = (
        ", ".join(f"{name} ({count})" if count > 1 else name for name, count in one.items())
        for one in effects
    )
    name = reading.words + (" (chance)" if reading.chance else "")
    return name, _value(reading.default), str(reading.holds), *listed


def not_judged(found: Readings) -> dict[str, list[str]]:
    """List the readings that were not judged, by what became of them."""
    listed: dict[str, list[str]] = {}
    for reading in found.judged:
        if reading.became != JUDGED:
            listed.setdefault(reading.became, []).append(reading.words)
    if found.left_out:
        listed["without another value"] = list(found.left_out)
    if found.open:
        listed["not run yet"] = found.open
    return listed
