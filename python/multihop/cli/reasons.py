"""`why`, and `explain` of a trace: what limits a network, and what became of a packet."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from .app import AsJson, File, Settings, Workers, app, check_file, checked_scenario, one_of
from .output import console, print_json, print_table, say, warn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..reasons.asking import Why
    from ..reasons.trials import Effect

BUDGET_S = 60.0


def _metrics() -> list[str]:
    from ..reasons.metrics import metric_names

    return metric_names()


@app.command("why")
def why_(
    scenario: File,
    metric: Annotated[
        str,
        typer.Option(
            "--for",
            metavar="NAME",
            help="What is judged: fair (geometric mean of the flows' goodput), smallest, total, "
            "delay or reach (of messages that are for several nodes).",
            autocompletion=one_of(_metrics),
        ),
    ] = "fair",
    budget: Annotated[
        float, typer.Option(metavar="SECONDS", help="For all runs; what is known then is said.")
    ] = BUDGET_S,
    max_seeds: Annotated[
        int | None, typer.Option(min=2, help="Seeds of each change at most.  [default: 40]")
    ] = None,
    limits_only: Annotated[
        bool, typer.Option("--limits-only", help="Try no changes that would help.")
    ] = False,
    settings: Settings = [],  # noqa: B006
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder for the trace, and the scenario of each change.  "
            "[default: results/why-SCENARIO]"
        ),
    ] = None,
    figure: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw what each change is worth: .svg, .pdf or .png."),
    ] = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Say where the air goes, what limits a network, and what would help.

    One run is traced and its air accounted for. Then one mechanism at a time is idealised, and
    runs with the same seeds are compared until all is decided or the budget is spent. Changes that
    a user can make follow. Each has its scenario file.

    Example: multihop why chain.toml

    Example: multihop why chain.toml --for smallest --budget 20
    """
    checked = checked_scenario(scenario, settings)
    if figure is not None:
        check_file(figure, "--figure", scenario)

    from ..reasons.asking import why
    from ..reasons.trials import MOST_SEEDS

    folder = out or Path("results") / f"why-{_slug(checked.name or scenario.stem)}"
    with console(error=True).status("one traced run") as status:
        found = why(
            checked,
            metric,
            budget_s=budget,
            changing=not limits_only,
            out=folder,
            workers=workers,
            most_seeds=MOST_SEEDS if max_seeds is None else max_seeds,
            tell=lambda text: status.update(text),
        )
    if figure is not None:
        from ..reasons.drawing import draw

        draw(found, figure)
    if as_json:
        print_json(found.to_dict())
        return
    _print(found)


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _print(found: Why) -> None:
    for note in found.notes:
        warn(note, "note")
    effects = {"What limits it": found.limits, "What would help": found.helps}
    for number, (title, lines) in enumerate(found.sections.items()):
        say(("\n" if number else "") + title, "bold")
        for line in lines:
            say(line)
        if effects.get(title):
            _print_effects(found, effects[title])


def _print_effects(found: Why, effects: Sequence[Effect]) -> None:
    metric = found.metric
    print_table(
        ("change", f"worth ({metric.unit})", "verdict", "seeds"),
        [
            (
                one.change.name,
                f"{one.worth * metric.sign * metric.scale:.{metric.digits}f}",
                one.verdict.value,
                str(one.seeds),
            )
            for one in effects
        ],
    )


class Asked(NamedTuple):
    """What `explain` is asked about a trace; nothing by default."""

    packet: str = ""
    loss: int | None = None
    flow: str = ""
    at: float | None = None


def explain_trace(folder: Path, asked: Asked, *, as_json: bool) -> None:
    """Print the life of a packet of a trace, or why a frame was lost."""
    wants = bool(asked.packet), asked.loss is not None, bool(asked.flow) or asked.at is not None
    if sum(wants) != 1 or bool(asked.flow) != (asked.at is not None):
        raise typer.BadParameter(
            "of a trace, give one of --packet FLOW:NUMBER, --loss FRAME, or --flow FLOW and --at "
            "SECONDS"
        )

    from ..reasons.life import frame_loss, packet_at, packet_life
    from ..running.tracing import Trace

    trace = Trace(folder)
    if asked.loss is not None:
        steps = frame_loss(trace, asked.loss)
    elif asked.at is not None:
        steps = packet_at(trace, asked.flow, asked.at)
    else:
        flow, colon, number = asked.packet.rpartition(":")
        if not colon or not number.isdecimal():
            raise typer.BadParameter(
                f"--packet {asked.packet} is not FLOW:NUMBER, as in 0:17 or 'n0->n10:17'"
            )
        steps = packet_life(trace, flow, int(number))
    if as_json:
        print_json([step.to_dict() for step in steps])
        return
    for step in steps:
        say(step.line)
    say(f"to see it: multihop view {folder} --at {steps[0].time_ns / 1e9:.6f}")
