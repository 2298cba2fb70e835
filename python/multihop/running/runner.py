"""Running scenarios: one, or many on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from .. import _multihop
from .._multihop import Cancel
from ..engine.interrupts import held_interrupts
from ..results.result import Result
from ..scenario.form import Given, Scenario, as_scenario, simulator_of
from ..scenario.noting import announce

T = TypeVar("T")

# How long the main thread sleeps before it looks whether Ctrl-C was pressed.
POLL_S = 0.2


def simulate(scenario: Scenario, *, events: bool = False, cancel: Cancel | None = None) -> Result:
    """Run one scenario in this thread, where it asks to be run; only `cancel` stops it."""
    if simulator_of(scenario.json) == "ns3" and not events:
        # Few runs are ns-3's.
        from . import ns3

        return ns3.simulate(scenario, cancel=cancel)
    return Result.from_columns(_multihop.run(scenario.json, events, cancel))


def run(
    scenario: Given,
    *,
    events: bool = False,
    trace: str | Path | None = None,
    tell: Callable[[str], None] | None = None,
) -> Result:
    """Run one scenario, given as such or as the path of its file. Ctrl-C stops it.

    With `events`, the result has a table of every event, which lies in memory. `trace` is a new
    folder for tables of every frame and event, which are written while the run lasts. `tell` gets
    each note on the scenario (`notes`), which is a Python warning otherwise.

    >>> run("chain.toml").runs["goodput_bit_s"]
    """
    if isinstance(trace, bool) or (trace is not None and events):
        raise TypeError("trace is a folder; events=True keeps a table of events in memory instead")
    checked = as_scenario(scenario)
    announce([checked], tell)
    if trace is None:
        return _side_by_side([checked], events, workers=None, progress=False)[0]
    # Few runs are traced.
    from .tracing import run_traced

    results: list[Result] = []

    def job(_: int, cancel: Cancel) -> None:
        results.append(run_traced(checked, trace, cancel=cancel))

    spread(job, 1, progress=False)
    return results[0]


def run_many(
    scenarios: Sequence[Given],
    *,
    events: bool = False,
    workers: int | None = None,
    progress: bool = True,
    tell: Callable[[str], None] | None = None,
) -> list[Result]:
    """Run scenarios, or files of scenarios, in parallel; the results come in their order.

    The engine runs without the interpreter lock, so threads use all cores. `workers` is the
    number of threads, all cores by default. Ctrl-C stops the running scenarios as well. `tell` gets
    each note on the scenarios once (`notes`), which is a Python warning otherwise.
    """
    checked = [as_scenario(scenario) for scenario in scenarios]
    announce(checked, tell)
    return _side_by_side(checked, events, workers=workers, progress=progress)


def _side_by_side(
    checked: Sequence[Scenario], events: bool, *, workers: int | None, progress: bool
) -> list[Result]:
    results: list[Result | None] = [None] * len(checked)

    def job(index: int, cancel: Cancel) -> None:
        results[index] = simulate(checked[index], events=events, cancel=cancel)

    spread(job, len(checked), workers=workers, progress=progress)
    return [result for result in results if result is not None]


def spread(
    job: Callable[[int, Cancel], None],
    count: int,
    *,
    workers: int | None = None,
    progress: bool = True,
    title: str = "runs",
) -> None:
    """Do `job(0 .. count-1, cancel)` on threads.

    If one fails, or Ctrl-C is pressed, the others are cancelled, and the error goes on once all
    have ended.
    """
    cancel = Cancel()
    numbers = iter(range(count))
    with (
        progress_bar(count, title, shown=progress) as show,
        held_interrupts() as check_interrupts,
        ThreadPoolExecutor(workers or os.cpu_count()) as pool,
    ):
        # Two for each thread wait: to look at all of many on every turn would take long.
        pending = {
            pool.submit(job, index, cancel)
            for index in islice(numbers, 2 * (workers or os.cpu_count() or 1))
        }
        finished = 0
        try:
            while pending:
                done, pending = wait(pending, timeout=POLL_S, return_when=FIRST_COMPLETED)
                check_interrupts()
                for future in done:
                    future.result()
                pending |= {pool.submit(job, index, cancel) for index in islice(numbers, len(done))}
                finished += len(done)
                show(finished)
        except BaseException:
            cancel.cancel()
            pool.shutdown(wait=True, cancel_futures=True)
            raise


@contextmanager
def progress_bar(count: int, title: str, *, shown: bool) -> Iterator[Callable[..., None]]:
    """Show on standard error how many of `count` are done, of more if that has grown since."""
    if not shown or count < 2:
        # a bar that is disabled still ends with an empty line in some versions of Rich
        yield lambda *_, **__: None
        return
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
    with bar:
        task = bar.add_task(title, total=count)
        yield lambda done, total=count: bar.update(task, completed=done, total=total)
