"""`reproduce` and `demo`: figures that are already set up."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .app import AsJson, Workers, app, settings_of
from .output import clean, console, keeping, print_json, print_table, say
from .precision import MaxSeeds, Precision, UntilDecided, rule_of

if TYPE_CHECKING:
    from ..reproducing.reproduction import Reproduction
    from ..sweeping.seeds import Decided


def _figure_names(incomplete: str) -> list[str]:
    from ..reproducing.registry import FIGURES

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
    seeds: Annotated[
        int | None,
        typer.Option(min=1, help="Seeds for each point; 1 where many networks are drawn."),
    ] = None,
    precision: Precision = None,
    until_decided: UntilDecided = False,
    max_seeds: MaxSeeds = None,
    reading: Annotated[
        list[str],
        typer.Option(
            "--with",
            metavar="KEY=VALUE",
            help="Make all runs also with this key, and print which verdicts flip.",
        ),
    ] = [],  # noqa: B006
    readings: Annotated[
        bool,
        typer.Option(
            "--readings",
            help="Try every parameter of the layers that a paper used, one at a time, with the "
            "effort of --quick, and print which verdicts turn.",
        ),
    ] = False,
    max_runs: Annotated[
        int | None,
        typer.Option(min=1, help="With --readings: begin no reading after this many runs."),
    ] = None,
    first_seed: Annotated[
        int | None,
        typer.Option(
            "--first-seed",
            min=1,
            help="Judge with seeds from this one on, and compare with the stored verdicts.",
        ),
    ] = None,
    sample: Annotated[
        int | None,
        typer.Option(min=1, help="With --first-seed: only this many claims, drawn at random."),
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder for results; run again to continue.")] = Path(
        "results/reproduce"
    ),
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Run the papers' figures again and judge the papers' claims about them.

    Exits with 0 if every claim was judged, whatever the verdicts. --precision and --until-decided
    add seeds to the studies that lack them; --seeds then says how many there are to begin with.

    Example: multihop reproduce cxcc/fig8 --quick --with radio.reception=message-in-message

    Example: multihop reproduce wxcp --readings --until-decided
    """
    settings = settings_of(reading, "--with")
    if readings:
        if settings or first_seed is not None or sample is not None:
            raise typer.BadParameter(
                "--readings tries all parameters with the usual seeds; leave out --with, "
                "--first-seed and --sample"
            )
        if precision is not None or (max_seeds is not None and not until_decided):
            raise typer.BadParameter(
                "--readings takes a number of seeds, or --until-decided with --max-seeds; leave "
                "out --precision"
            )
        from ..reproducing.readings import sequential

        chosen = sequential(seeds, max_seeds) if until_decided else seeds
        _judge_readings(ids, chosen, max_runs, out, workers, as_json=as_json)
        return
    if max_runs is not None:
        raise typer.BadParameter("--max-runs limits the readings; it needs --readings")
    rule = rule_of(precision, (None, seeds, max_seeds), until_decided=until_decided)
    if rule and first_seed is not None:
        raise typer.BadParameter(
            "--first-seed judges with as many seeds as before; leave out what adds some"
        )
    if sample is not None and first_seed is None:
        raise typer.BadParameter("a sample is judged with other seeds: add --first-seed 1001")
    if first_seed is not None:
        if settings:
            raise typer.BadParameter("--first-seed judges the default: leave out --with")
        _rejudge(ids, first_seed, sample, (quick, seeds, out, workers, as_json))
        return

    from ..reporting.standing import minutes, time_needed
    from ..reporting.verdicts import MISSING, PARTLY
    from ..reproducing.reproduction import flips_table, reproduce as reproduce_figures

    with keeping(out):
        done = reproduce_figures(
            ids,
            quick=quick,
            seeds=rule or seeds,
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


def _rejudge(
    ids: list[str],
    first_seed: int,
    sample: int | None,
    how: tuple[bool, int | None, Path, int | None, bool],
) -> None:
    """Judge claims with other seeds, and print both verdicts."""
    from ..reproducing.rejudging import rejudge

    quick, seeds, out, workers, as_json = how
    with keeping(out):
        done = rejudge(
            ids,
            first_seed=first_seed,
            sample=sample,
            quick=quick,
            seeds=seeds,
            out=out,
            workers=workers,
            progress=not as_json,
        )
    if as_json:
        print_json(done.to_dict())
        return
    header = ("id", "the paper says", "stored", "with other seeds", "")
    print_table(header, [claim.row for claim in done.claims], "Judged with other seeds")
    say(str(done))


# How verdicts look that are not plainly that a claim holds.
STYLES = {"undecided": "magenta", "differs": "yellow"}


def _judge_readings(
    ids: list[str],
    seeds: int | Decided | None,
    max_runs: int | None,
    out: Path,
    workers: int | None,
    *,
    as_json: bool,
) -> None:
    """Judge the readings of each paper that was named, and print which verdicts turn."""
    from ..reproducing.readings import HEADER, not_judged, readings_of, rows

    with keeping(out):
        found = readings_of(
            ids, out, seeds=seeds, max_runs=max_runs, workers=workers, progress=not as_json
        )
    if as_json:
        print_json({paper: one.to_dict() for paper, one in found.items()})
        return
    for paper, one in found.items():
        print_table(HEADER, rows(one), f"{paper}: claims with each reading ({one.about})")
        for (name, claim), by in one.undecided.items():
            say(f"{name}: not decided by its seeds, chance turns it: {claim} ({', '.join(by)})")
        for became, names in not_judged(one).items():
            say(f"{became}: {', '.join(names)}", "dim")
        say(f"readings: {out / 'readings' / f'{paper}.json'}")


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
        styled = (Text(v.verdict, STYLES.get(v.verdict, "green")) for v in both)
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
    """Show overload in a chain of nodes, and CXCC, in a few seconds.

    Example: multihop demo
    """
    from ..gallery.demo import TITLE, console_tables, demo as run_demo, findings

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
