"""`reproduce` and `demo`: figures that are already set up."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .app import AsJson, Workers, app, settings_of
from .output import clean, console, keeping, print_json, print_table, say

if TYPE_CHECKING:
    from ..reproduction import Reproduction


def _figure_names(incomplete: str) -> list[str]:
    from ..papers import FIGURES

    return [figure.id for figure in FIGURES if figure.id.startswith(incomplete)]


@app.command()
def reproduce(
    ids: Annotated[
        list[str],
        typer.Argument(
            metavar="[ID]...",
            help="Papers (also `wake`, `compare`), figures or panels; the five papers if none.",
            autocompletion=_figure_names,
        ),
    ] = [],  # noqa: B006
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer loads and seeds, shorter runs.")
    ] = False,
    seeds: Annotated[int | None, typer.Option(min=1, help="Seeds for each point.")] = None,
    reading: Annotated[
        list[str],
        typer.Option(
            "--with",
            metavar="KEY=VALUE",
            help="Run everything also with this key, and print which verdicts flip.",
        ),
    ] = [],  # noqa: B006
    out: Annotated[Path, typer.Option(help="Folder for results; run again to continue.")] = Path(
        "results/reproduce"
    ),
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Run the papers' figures again and judge what the papers say of them.

    Exits with 0 if every claim was judged, whatever the verdicts.

    Example: multihop reproduce cxcc/fig8 --quick --with radio.reception=message-in-message
    """
    settings = settings_of(reading, "--with")

    from ..reproduction import flips_table
    from ..reproduction import reproduce as reproduce_figures
    from ..standing import minutes, time_needed
    from ..verdicts import MISSING, PARTLY

    with keeping(out):
        done = reproduce_figures(
            ids,
            quick=quick,
            seeds=seeds,
            reading=settings,
            out=out,
            workers=workers,
            progress=not as_json,
        )
    if as_json:
        print_json(done.to_dict())
        return
    if done.verdicts:
        _print_verdicts(done)
    for row in done.rows:
        if row.verdict in (MISSING, PARTLY):
            say(f"{', '.join(row.ids)} {row.verdict}: {row.artifact} ({row.note})", "dim")
    for table in done.tables:
        print_table(table.header, table.rows, table.title)
    if settings:
        flips = flips_table(done.flips, settings)
        print_table(flips.header, flips.rows, flips.title)
    for score in done.scores:
        say(str(score))
    for paper, cost in done.costs.items():
        say(f"{paper}: {cost.runs} runs in {minutes(cost.cpu_seconds)} of one core")
    say(f"{done.runs} runs ({done.about}) in {done.seconds:.0f} s")
    if len(done.costs) > 1:
        say(time_needed(done.costs.values(), quick=quick))
    say(f"report: {done.page}")


def _print_verdicts(done: Reproduction) -> None:
    """Print a line for each claim; with a reading, its verdict stands beside the default's."""
    from rich.table import Table
    from rich.text import Text

    about = "the paper says: what was measured (what counts)"
    beside = ["with it"] if done.flips else []
    table = Table("id", "verdict", *beside, about, box=None)
    for at, verdict in enumerate(done.verdicts):
        text = Text(clean(f"{verdict.claim}: {verdict.measured} ({verdict.expected})"))
        if verdict.note:
            text.append(clean(f"\n{verdict.note}"), "dim")
        both = (verdict, *(flip.reading for flip in done.flips[at : at + 1]))
        styled = (Text(v.verdict, "green" if v.holds else "yellow") for v in both)
        table.add_row(Text(verdict.id), *styled, text)
    for column in table.columns[:-1]:
        column.no_wrap = True
    console().print(table)


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="Folder for the page.")] = Path("results"),
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Show overload in a chain of radios, and CXCC, in a few seconds.

    Example: multihop demo
    """
    from ..demo import TITLE, console_tables, findings
    from ..demo import demo as run_demo

    done = run_demo(out, workers=workers, progress=not as_json)
    if as_json:
        print_json(
            {
                "load_kbit_s": done.data.x.tolist(),
                "bound_bit_s": done.bound_bit_s.tolist(),
                "table": done.data.runs.to_dicts(),
                "findings": findings(done.data, done.bound_bit_s),
                "runs": done.runs,
                "page": str(done.page),
            }
        )
        return
    say(TITLE)
    for table in console_tables(done.data, done.bound_bit_s):
        console().print(table)
    for sentence in findings(done.data, done.bound_bit_s):
        say(sentence)
    say(f"{done.runs} runs in {done.seconds:.1f} s; page: {done.page}")
