"""Why a network is as it is: where the air goes, what limits it, and what would help.

>>> import multihop
>>> print(multihop.why("chain.toml", metric="smallest"))
"""

from __future__ import annotations

import math
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from .._multihop import network
from ..capacity.bound import Bound, bound
from ..engine.errors import BoundError, OutputError, SearchError
from ..results.result import explained, replacing
from ..running.runner import run
from ..running.tracing import DESCRIPTION, Trace
from ..scenario.form import Given, Scenario, as_scenario, simulator_of
from ..statistics.intervals import FIXED
from ..sweeping.seeds import LEAST_DECIDED, MARGIN
from .accounts import CARRIED, Accounts, Purpose, accounts, transfers
from .air_words import air_words, listed, percent
from .changes import changes
from .edits import Subject, frozen
from .geometry import geometry
from .mechanisms import Change, mechanisms
from .metrics import Metric, metric_named
from .trials import MOST_SEEDS, Clock, Effect, Together, Trials, Verdict

BUDGET_S = 60.0
# In the folder of an answer: the trace, and the scenario as it is.
TRACE = "trace"
AS_IT_IS = "as it is"
# The part of the budget that is for what limits the network, where changes are tried as well.
FOR_LIMITS = 0.6
# The bound of flows with more hops together may take longer than all runs.
MOST_HOPS = 24
OF_DATA = (Purpose.FIRST, Purpose.RETRY, Purpose.LOST_LATER)
# So many changes that make it worse are named, the worst first; and of those that were not tried.
NAMED_WORSE = 4
OBJECTIVES = {"fair": "proportional", "smallest": "max-min", "total": "total"}


@dataclass(frozen=True)
class Why:
    """The answer to why a network is as it is, for one metric.

    `accounts` says where the air went in one traced run. `limits` has what each idealised
    mechanism is worth, the best first, `together` what pairs of them are worth, `helps` what each
    change that a user can make is worth. `left_out` says why a change could not be tried, `files`
    has the scenario file of each. `bound` is the upper bound at the offered load, if it is known.
    `is_complete` says that the budget was enough.
    """

    scenario: Scenario
    metric: Metric
    values: tuple[float, ...]
    accounts: Accounts
    limits: tuple[Effect, ...]
    together: tuple[Together, ...]
    helps: tuple[Effect, ...]
    left_out: Mapping[str, str]
    files: Mapping[str, Path]
    bound: Bound | None
    is_complete: bool
    notes: tuple[str, ...] = ()

    @property
    def causes(self) -> list[str]:
        """The causes that are shown to limit the network, what is worth most first."""
        shown = (one.change.cause for one in self.limits if one.verdict is Verdict.BETTER)
        return list(dict.fromkeys(shown))

    @property
    def sections(self) -> dict[str, list[str]]:
        """The answer in sentences, by the titles of its parts."""
        found = {
            "Where the air goes": [*self._of_air(), *air_words(self.accounts)],
            "What limits it": self._limits(),
        }
        if self.helps:
            found["What would help"] = self._helps()
        [*_, last] = found.values()
        last += self._ends()
        return found

    def __str__(self) -> str:
        parts = ("\n".join((title, *lines)) for title, lines in self.sections.items())
        return "\n\n".join(parts)

    def table(self, effects: Sequence[Effect]) -> pl.DataFrame:
        """Return a row for each of some effects; numbers are in the metric's SI unit."""
        rows = [
            {
                "change": one.change.name,
                "cause": one.change.cause,
                "seeds": one.seeds,
                "before": one.before,
                "after": one.after,
                "worth": one.worth,
                "low": one.low,
                "high": one.high,
                "p": one.p,
                "verdict": one.verdict.value,
                "file": str(self.files.get(one.change.name, "")),
            }
            for one in effects
        ]
        return pl.DataFrame(rows, infer_schema_length=None)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        found = self.accounts
        tables = ("air", "receptions", "drops", "waits", "nodes", "flows", "occupied")
        return {
            "name": self.scenario.name,
            "metric": self.metric.name,
            "values": list(self.values),
            "causes": self.causes,
            "words": self.sections,
            "accounts": {name: getattr(found, name).to_dicts() for name in tables},
            "limits": self.table(self.limits).to_dicts(),
            "together": [
                {
                    "changes": [change.name for change in one.changes],
                    "seeds": one.seeds,
                    "worth": one.worth,
                    "left_over": one.left_over,
                    "low": one.low,
                    "high": one.high,
                }
                for one in self.together
            ],
            "helps": self.table(self.helps).to_dicts(),
            "left_out": dict(self.left_out),
            "bound": None if self.bound is None else self.bound.to_dict(),
            "complete": self.is_complete,
            "notes": list(self.notes),
        }

    def _of_air(self) -> list[str]:
        seed = network(self.scenario.json)["seed"]
        file = self.files.get(AS_IT_IS)
        place = "" if file is None else f"; its trace is {file.parent / TRACE}"
        return [f"Of one run with seed {seed}, warm-up left out{_command(file)}{place}."]

    def _limits(self) -> list[str]:
        if not self.values:
            return ["Undecided: no run of it ended within the budget."]
        lines = [self._before(), *self._carried()]
        if self.causes:
            lines.append(f"What limits it first: {self.causes[0]}.")
        elif any(one.verdict is Verdict.UNDECIDED for one in self.limits):
            lines.append("Undecided: no mechanism is shown to limit it, and not all are excluded.")
        else:
            lines.append("No mechanism that was tried limits it by more than the margin.")
        lines += [*self._effects(self.limits), *map(self._both, self.together)]
        return lines

    def _helps(self) -> list[str]:
        lines = self._effects(self.helps)
        if not any(one.verdict is Verdict.BETTER for one in self.helps):
            lines.insert(0, "No change that was tried is shown to help.")
        return lines

    def _before(self) -> str:
        mean = math.fsum(self.values) / len(self.values)
        known = FIXED.estimates(self.values)
        span = ""
        if known:
            low, high = (mean + side * known[-1].half for side in (-1, 1))
            span = f" [{self.metric.written(low)}, {self.metric.written(high)}]"
        seeds = "one seed" if len(self.values) == 1 else f"{len(self.values)} seeds"
        return f"{_upper(self.metric.about)} is {self.metric.written(mean)}{span} over {seeds}."

    def _carried(self) -> list[str]:
        lines = []
        flows = self.accounts.flows
        offered, delivered = (int(flows[key].sum()) for key in ("offered", "delivered"))
        of_flows = self.metric.column is None and not transfers(self.scenario)
        if of_flows and offered and delivered >= CARRIED * offered:
            lines.append(
                f"The flows get what they offer: {delivered} of {offered} packets of the traced "
                "run were delivered."
            )
        if self.bound is not None and self.values:
            mean = math.fsum(self.values) / len(self.values)
            most = self.bound.value_bit_s
            lines.append(
                f"An ideal schedule would reach {self.metric.written(most)} at the offered load, "
                f"so it has {percent(mean / most)} of that (multihop bound SCENARIO --objective "
                f"{self.bound.objective} --load offered)."
            )
            lines += self._binding(self.bound)
        return lines

    def _binding(self, found: Bound) -> list[str]:
        prices = found.binding.select("activity", "price").iter_rows()
        named = [f"{activity} ({price:.2f})" for activity, price in prices]
        if not named:
            return ["The offered load is all that limits that schedule."]
        return [
            "That schedule is limited by these frames and pauses, with their shadow prices: "
            f"{listed(named, 'of them')}."
        ]

    def _effects(self, effects: Sequence[Effect]) -> list[str]:
        lines = [self._shown(one) for one in effects if one.verdict is Verdict.BETTER]
        worse = [one for one in effects if one.verdict is Verdict.WORSE]
        if worse:
            named = [f"{one.change.name} ({self._span(one)})" for one in reversed(worse)]
            lines.append(f"Worse: {listed(named, 'changes', most=NAMED_WORSE)}.")
        if fair := [one.change.name for one in effects if one.verdict is Verdict.SHARE]:
            lines.append(f"Takes no more than its share from the others: {', '.join(fair)}.")
        if same := [one.change.name for one in effects if one.verdict is Verdict.NOTHING]:
            lines.append(f"Within the margin of {percent(MARGIN)}: {', '.join(same)}.")
        if rest := [one for one in effects if one.verdict is Verdict.UNDECIDED]:
            named = [f"{one.change.name} ({self._span(one)}, {one.seeds} seeds)" for one in rest]
            lines.append(f"Undecided: {', '.join(named)}.")
        return lines

    def _shown(self, one: Effect) -> str:
        about = self.metric.about
        scaled = ""
        if one.change.flow is not None and self.metric.shared:
            about = f"{about}, of the others,"
            scaled = ", its fair share left aside"
        return (
            f"If {one.change.about}: {about} would be {self.metric.written(one.after)} instead of "
            f"{self.metric.written(one.before)}{scaled}: {self._span(one)}, {one.seeds} seeds"
            f"{_command(self.files.get(one.change.name))}."
        )

    def _span(self, one: Effect) -> str:
        if one.low is None or one.high is None:
            return "unknown"
        sign = self.metric.sign
        ends = sorted((sign * one.low, sign * one.high))
        low, high = (f"{value * self.metric.scale:+.{self.metric.digits}f}" for value in ends)
        return f"{low} to {high} {self.metric.unit}"

    def _both(self, pair: Together) -> str:
        names = " and ".join(change.name for change in pair.changes)
        ends = (self.metric.sign * value for value in (pair.low, pair.high))
        low, high = (f"{v * self.metric.scale:+.{self.metric.digits}f}" for v in sorted(ends))
        if pair.low > 0:
            kind = "more than the sum"
        elif pair.high < 0:
            kind = "less than the sum"
        else:
            kind = "no interaction is shown"
        worth = self.metric.sign * pair.worth * self.metric.scale
        unit = self.metric.unit
        return (
            f"Together, {names} are worth {worth:+.{self.metric.digits}f} {unit}; beyond the sum "
            f"of both that is {low} to {high} {unit}, {pair.seeds} seeds: {kind}."
        )

    def _ends(self) -> list[str]:
        lines = []
        if self.left_out:
            lines.append(f"Not tried: {listed(list(self.left_out), 'changes', most=NAMED_WORSE)}.")
        if not self.is_complete:
            lines.append("The budget ended before all was decided; --budget gives more time.")
        return lines


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _command(file: Path | None) -> str:
    return "" if file is None else f" (multihop run {file})"


def why(
    scenario: Given,
    metric: str = "fair",
    *,
    budget_s: float = BUDGET_S,
    changing: bool = True,
    out: str | Path | None = None,
    workers: int | None = None,
    most_seeds: int = MOST_SEEDS,
    tell: Callable[[str], None] | None = None,
) -> Why:
    """Say where the air goes in a scenario, what limits it, and what would help.

    The metric is "fair" (the geometric mean of the flows' goodput), "smallest" (the smallest
    flow's goodput), "total", "delay" (the slowest flow's 95th percentile) or "reach" (of messages
    that are for several nodes). Runs of changed
    scenarios have the same seeds, 10 at first and up to `most_seeds`, until all is decided or
    `budget_s` seconds are over. `changing` says whether changes that a user can make are tried as
    well. `out` is a folder for the trace and for the scenario file of each change. `tell` gets a
    line on the progress. Raises `SearchError` for a scenario that cannot be asked about.
    """
    wanted = metric_named(metric)
    checked = frozen(as_scenario(scenario))
    _refuse(checked, budget_s, most_seeds)
    clock = Clock(budget_s * (FOR_LIMITS if changing else 1.0))
    with ExitStack() as stack:
        folder = Path(out) if out is not None else None
        trace = _trace_folder(folder, stack)
        # Notes on the scenario stand in the answer.
        result = run(checked, trace=trace, tell=lambda _: None)
        found = accounts(Trace(trace), result)
    subject = Subject(checked, network(checked.json), geometry(checked), _links(found))
    most = _bound(checked, wanted, found)
    trials = Trials(
        subject,
        wanted,
        clock,
        workers=workers,
        tell=tell or (lambda _: None),
        most=most_seeds,
    )
    listed = mechanisms(subject, found)
    limits = trials.judged(listed)
    together = trials.together(limits)
    helps: list[Effect] = []
    tried = list(listed)
    if changing:
        clock.budget_s = budget_s
        wishes = changes(subject, trials)
        tried += wishes
        helps = trials.judged(wishes)
    open_ = any(one.seeds < LEAST_DECIDED for one in (*limits, *helps))
    return Why(
        scenario=checked,
        metric=wanted.fitting(trials.values(checked)),
        values=tuple(trials.values(checked)),
        accounts=found,
        limits=tuple(limits),
        together=tuple(together),
        helps=tuple(helps),
        left_out=trials.left_out,
        files={} if folder is None else _write(folder, checked, tried, trials),
        bound=most,
        is_complete=not open_ and clock.left_s > 0,
        notes=_notes(as_scenario(scenario), subject, found),
    )


def _refuse(scenario: Scenario, budget_s: float, most_seeds: int) -> None:
    if simulator_of(scenario.json) == "ns3":
        raise SearchError(
            "`why` reads a trace, and ns-3 writes none; remove `simulator`, or give --set "
            "simulator=multihop"
        )
    if budget_s <= 0:
        raise SearchError(f"a budget of {budget_s:g} s leaves no time for a run; give more than 0")
    if most_seeds < LEAST_DECIDED:
        raise SearchError(
            f"a verdict takes {LEAST_DECIDED} seeds at least, and there are to be {most_seeds}"
        )


def _notes(given: Scenario, subject: Subject, found: Accounts) -> tuple[str, ...]:
    scenario, around = subject.scenario, subject.geometry
    notes = given.notes
    if around is None:
        notes.append(
            "on wires nobody hears others: who is hidden is not said, and mechanisms of links are "
            "left out"
        )
    if given != scenario:
        notes.append("the places of the nodes are those of the scenario's own seed, in every run")
    if found.moves:
        notes.append(
            "nodes move: who hears whom is averaged over the measured time, and mechanisms of "
            "single links, and places of relays, are left out"
        )
    return tuple(notes)


def _links(found: Accounts) -> tuple[tuple[tuple[int, int], float], ...]:
    """Return the links of data and their air time in s; a frame for everyone has several."""
    data = found.air.filter(pl.col("purpose").is_in([*OF_DATA]))
    alone = data.filter(pl.col("receiver") >= 0).group_by("sender", "receiver")
    sent = data.filter(pl.col("receiver") < 0).group_by("sender")
    mean = sent.agg(mean_s=pl.col("air_s").sum() / pl.col("frames").sum())
    ends = data.filter(pl.col("receiver") >= 0).select("sender", "receiver").unique()
    several = (
        found.receptions.filter(pl.col("class") == "data")
        .join(ends, on=["sender", "receiver"], how="anti")
        .join(mean, on="sender")
        .group_by("sender", "receiver")
        .agg(air_s=(pl.col("frames") * pl.col("mean_s")).sum())
    )
    rows = pl.concat([alone.agg(pl.col("air_s").sum()), several])
    rows = rows.sort("air_s", "sender", "receiver", descending=[True, False, False])
    return tuple(((a, b), seconds) for a, b, seconds in rows.iter_rows())


def _trace_folder(folder: Path | None, stack: ExitStack) -> Path:
    """Return where the trace is written; that of a former answer is replaced."""
    if folder is None:
        return Path(stack.enter_context(tempfile.TemporaryDirectory())) / TRACE
    trace = folder / TRACE
    if trace.exists():
        if not (trace / DESCRIPTION).is_file():
            raise OutputError(
                f"'{trace}' is no trace, and is not replaced; name another folder with --out"
            )
        with explained(trace):
            shutil.rmtree(trace)
    return trace


def _write(
    folder: Path, scenario: Scenario, tried: Sequence[Change], trials: Trials
) -> dict[str, Path]:
    """Write the scenario, and that of each change, as files."""
    files = {}
    found = {AS_IT_IS: scenario} | {
        change.name: changed
        for change in tried
        if (changed := trials.scenario_of(change)) is not None
    }
    for name, each in found.items():
        slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
        files[name] = folder / f"{slug}.json"
        with replacing(files[name]) as temporary:
            temporary.write_text(each.json + "\n", encoding="utf-8")
    return files


def _bound(scenario: Scenario, metric: Metric, found: Accounts) -> Bound | None:
    """Return the bound of the metric's objective; `None` where it takes long, or there is none."""
    objective = OBJECTIVES.get(metric.name)
    if objective is None or found.flows["hops"].sum() > MOST_HOPS:
        return None
    try:
        return bound(scenario, objective, load="offered")
    except BoundError:
        return None
