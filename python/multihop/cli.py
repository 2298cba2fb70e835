"""The command line, thin over the Python interface.

Exit codes: 0 done; 1 a run or a check failed; 2 the input was wrong; 130 interrupted. A claim
that differs is a result, not a failure: `reproduce` then still exits with 0.
"""

from __future__ import annotations

import json
import signal
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, NoReturn

import polars as pl
import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from . import __version__, doctor
from ._multihop import ReplayError, ScenarioError, schema, schemes
from .columns import COLUMNS
from .optimum import Optimum, SearchError, optimum_window, parse_windows
from .recording import record as record_node
from .recording import replay as replay_node
from .reproduction import UnknownFigureError, figures_table, flips_table
from .reproduction import reproduce as reproduce_figures
from .results import OutputError, Result, replacing, unreached
from .runner import run as run_scenario
from .scenario import Scenario
from .sweeps import Shard, sweep_points
from .sweeps import points as sweep_grid
from .verdicts import MISSING, PARTLY, Verdict

app = typer.Typer(
    name="multihop",
    help="Congestion control in wireless multihop networks: simulate, compare, reproduce.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    add_completion=False,
)
# What Typer turns Ctrl-C into.
INTERRUPTED = 130
out_console = Console()
error_console = Console(stderr=True, highlight=False, soft_wrap=True)

ScenarioFile = Annotated[Path, typer.Argument(help="Scenario file, .toml or .json.")]
Settings = Annotated[
    list[str],
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Override a key, as often as you like; KEY= takes it away.",
    ),
]
Node = Annotated[str, typer.Option(help="Name of a node, as in the table `nodes`.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON to standard output.")]
Workers = Annotated[int | None, typer.Option(min=1, help="Runs at a time; all cores unless given.")]


@app.command()
def run(
    scenario: ScenarioFile,
    settings: Settings = [],  # noqa: B006 (Typer copies it)
    out: Annotated[Path | None, typer.Option(help="Folder for Parquet tables.")] = None,
    trace: Annotated[bool, typer.Option("--trace", help="Record every event as well.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run one scenario.

    Example: multihop run chain.toml --set scheme.name=udp --set "traffic.load=80 kbit/s" --out r
    """
    result = run_scenario(Scenario.from_file(scenario).with_(**_settings(settings)), trace=trace)
    if out is not None:
        result.write(out)
    for name in unreached(result):
        error_console.print(
            f"warning: '{name}' delivered nothing: no route to its destination was found; "
            "move the nodes closer together or raise radio.receive_range"
        )
    if as_json:
        _print_json(result.to_dict())
        return
    _print_result(result)
    if out is not None:
        out_console.print(f"tables written to {out}")


@app.command()
def sweep(
    scenario: ScenarioFile,
    out: Annotated[Path, typer.Option(help="Folder for results; run again to continue.")],
    vary: Annotated[
        list[str],
        typer.Option(metavar="KEY=A,B,...", help="Values of a key, as often as you like."),
    ] = [],  # noqa: B006
    seeds: Annotated[int, typer.Option(min=1, help="Seeds 1 to N for each combination.")] = 1,
    settings: Settings = [],  # noqa: B006
    shard: Annotated[
        str, typer.Option(metavar="I/N", help="Run only part I of N, from 1; for job arrays.")
    ] = "1/1",
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Run every combination of values, and keep the results; a second call continues.

    Example: multihop sweep chain.toml --vary "traffic.load=50 kbit/s,100 kbit/s" --seeds 10 --out r
    """
    values: dict[str, Any] = {
        key: [_value(part) for part in text.split(",")] for key, text in map(_split, vary)
    }
    values.setdefault("seed", range(1, seeds + 1))
    grid = sweep_grid(Scenario.from_file(scenario).with_(**_settings(settings)), values)
    result = sweep_points(grid, out, shard=_shard(shard), workers=workers, progress=not as_json)
    if as_json:
        _print_json({"runs": result.runs.to_dicts()})
        return
    there = result.runs.height
    out_console.print(f"{there} of {len(grid)} runs are in {out}")
    if there == len(grid):
        out_console.print(
            f"all of them together: {', '.join(f'{n}.parquet' for n in result.tables)}"
        )


@app.command()
def optimum(
    scenario: ScenarioFile,
    windows: Annotated[
        str, typer.Option(metavar="A-B,C,...", help="Window limits to try, in packets.")
    ] = "1-32",
    seeds: Annotated[int, typer.Option(min=1, help="Seeds 1 to N for each window.")] = 5,
    flow: Annotated[
        str | None, typer.Option(help="Name of the flow whose goodput counts; all unless given.")
    ] = None,
    settings: Settings = [],  # noqa: B006
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Find the window limit with the highest goodput by trying all.

    Example: multihop optimum chain.toml --set scheme.name=newreno --windows 1-16 --seeds 3
    """
    found = optimum_window(
        Scenario.from_file(scenario).with_(**_settings(settings)),
        parse_windows(windows),
        seeds=range(1, seeds + 1),
        flow=flow,
        workers=workers,
        progress=not as_json,
    )
    if as_json:
        _print_json(found.to_dict())
    else:
        _print_optimum(found)


@app.command()
def reproduce(
    ids: Annotated[
        list[str], typer.Argument(metavar="[ID]...", help="Papers, figures or panels; all if none.")
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

    Exits with 0 if every claim was judged, whatever the verdicts. Example: multihop reproduce
    cxcc/fig8 --quick --with radio.reception=message-in-message
    """
    settings = _settings(reading)
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
        _print_json(
            {
                "rows": [row._asdict() for row in done.rows],
                "claims": [verdict._asdict() for verdict in done.verdicts],
                "with": [flip.reading._asdict() for flip in done.flips],
            }
        )
        return
    out_console.print(_verdicts_table(done.verdicts))
    for row in done.rows:
        if row.verdict in (MISSING, PARTLY):
            line = f"{', '.join(row.ids)} [yellow]{row.verdict}[/yellow]: {escape(row.artifact)}"
            out_console.print(f"{line} [dim]({escape(row.note)})[/dim]", highlight=False)
    if settings:
        flips = flips_table(done.flips, settings)
        _print_table(pl.DataFrame(flips.rows, schema=list(flips.header), orient="row"), flips.title)
    for score in done.scores:
        out_console.print(str(score), highlight=False)
    out_console.print(f"{done.runs} runs ({done.about}) in {done.seconds:.0f} s")
    out_console.print(f"report: {done.page}")


@app.command()
def movement(
    scenario: ScenarioFile,
    settings: Settings = [],  # noqa: B006
    out: Annotated[Path | None, typer.Option(help="File for the movement.")] = None,
) -> None:
    """Print where a scenario's nodes are and how they move, as an ns-2 movement file.

    Example: multihop movement examples/random-waypoint.toml --out movement.txt
    """
    text = Scenario.from_file(scenario).with_(**_settings(settings)).movement()
    if out is None:
        sys.stdout.write(text)
        return
    with replacing(out) as temporary:
        temporary.write_text(text)
    out_console.print(f"movement written to {out}")


@app.command()
def record(
    scenario: ScenarioFile,
    node: Node,
    out: Annotated[Path, typer.Option(help="File for the recording, one JSON value a line.")],
    settings: Settings = [],  # noqa: B006
) -> None:
    """Run a scenario and record what one node was told and did.

    Example: multihop record chain.toml --node n3 --out n3.jsonl
    """
    lines = record_node(Scenario.from_file(scenario).with_(**_settings(settings)), node, out)
    out_console.print(f"{lines} lines of node {node} written to {out}")


@app.command()
def replay(
    scenario: ScenarioFile,
    recording: Annotated[Path, typer.Argument(help="What `record` has written.", exists=True)],
    node: Node,
    settings: Settings = [],  # noqa: B006
) -> None:
    """Tell a node again what was recorded, and check that it does the same.

    Example: multihop replay chain.toml n3.jsonl --node n3
    """
    again = Scenario.from_file(scenario).with_(**_settings(settings))
    out_console.print(f"{replay_node(again, node, recording)} lines, all alike")


@app.command("list")
def list_(
    what: Annotated[
        str, typer.Argument(metavar="[schemes|topologies|figures|columns]", help="What to list.")
    ] = "schemes",
    as_json: AsJson = False,
) -> None:
    """List what there is: schemes, topologies, figures or columns.

    Example: multihop list columns
    """
    tables = {
        "schemes": _schemes_table,
        "topologies": _topologies_table,
        "figures": figures_table,
        "columns": _columns_table,
    }
    if what not in tables:
        raise typer.BadParameter(f"'{what}' cannot be listed; there are: {', '.join(tables)}")
    rows = tables[what]()
    if as_json:
        _print_json(schemes() if what == "schemes" else rows.to_dicts())
    else:
        _print_table(rows)


@app.command("schema")
def schema_() -> None:
    """Print the JSON Schema of scenario files.

    Example: multihop schema > scenario.schema.json
    """
    sys.stdout.write(schema() + "\n")


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="Folder for the page.")] = Path("results"),
    workers: Workers = None,
) -> None:
    """Show overload in a chain of radios, and CXCC, in a few seconds.

    Example: multihop demo
    """
    from .demo import console_table, findings
    from .demo import demo as run_demo

    done = run_demo(out, workers=workers)
    out_console.print(console_table(done.data))
    for sentence in findings(done.data):
        out_console.print(sentence, highlight=False)
    out_console.print(f"{done.runs} runs in {done.seconds:.1f} s; page: {done.page}")


@app.command("doctor")
def doctor_(as_json: AsJson = False) -> None:
    """Print versions and cores, and check that the engine works.

    Example: multihop doctor
    """
    report = doctor.examine()
    if as_json:
        _print_json(report)
    else:
        for key, value in report.items():
            out_console.print(f"{key:12} {value}", highlight=False)
    if report["check"] != "ok":
        raise typer.Exit(1)


def _version(wanted: bool) -> None:
    if wanted:
        out_console.print(f"multihop {__version__}", highlight=False)
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Hold the options that stand before a command."""


def _split(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise typer.BadParameter(f"'{text}' is not KEY=VALUE, as in seed=3")
    return key, value


def _value(text: str) -> Any:
    """Read a value as TOML would, and anything else as text: 3, true, 100 kbit/s.

    Nothing at all is `None`, which takes a key away.
    """
    if not text.strip():
        return None
    try:
        return tomllib.loads(f"value = {text.strip()}")["value"]
    except tomllib.TOMLDecodeError:
        return text.strip()


def _settings(settings: list[str]) -> dict[str, Any]:
    return {key: _value(text) for key, text in map(_split, settings)}


def _shard(text: str) -> Shard:
    index, _, of = text.partition("/")
    if index.isdecimal() and of.isdecimal() and 1 <= int(index) <= int(of):
        return Shard(int(index), int(of))
    raise typer.BadParameter(f"--shard {text} is not I/N with I from 1 to N, as in 2/8")


def _print_json(value: Any) -> None:
    json.dump(value, sys.stdout, indent=2, default=str)
    sys.stdout.write("\n")


def _verdicts_table(verdicts: Iterable[Verdict]) -> Table:
    table = Table("id", "verdict", "the paper says: what was measured (what counts)", box=None)
    for verdict in verdicts:
        style = "green" if verdict.holds else "yellow"
        text = f"{verdict.claim}: {verdict.measured} ({verdict.expected})"
        note = f"\n[dim]{escape(verdict.note)}[/dim]" if verdict.note else ""
        table.add_row(verdict.id, f"[{style}]{verdict.verdict}[/{style}]", f"{escape(text)}{note}")
    return table


def _print_table(rows: pl.DataFrame, title: str | None = None) -> None:
    table = Table(*rows.columns, title=title)
    for row in rows.iter_rows():
        table.add_row(*(escape(str(cell)) for cell in row))
    out_console.print(table)


def _print_result(result: Result) -> None:
    summary = result.runs.row(0, named=True)
    out_console.print(
        f"{summary['name']}, {summary['scheme']}, seed {summary['seed']}: "
        f"{summary['goodput_bit_s'] / 1e3:.1f} kbit/s, "
        f"delay {summary['delay_mean_s'] * 1e3:.1f} ms, "
        f"{summary['overhead']:.2f} bytes per payload byte and hop",
        highlight=False,
    )
    lost = pl.sum_horizontal(pl.col("^lost_.*$"))
    _print_table(
        result.flows.select(
            "name",
            "hops",
            "offered",
            "delivered",
            (pl.col("goodput_bit_s") / 1e3).round(1).alias("kbit/s"),
            (pl.col("delay_mean_s") * 1e3).round(1).alias("delay (ms)"),
            lost.alias("lost in all"),
        )
    )


def _print_optimum(found: Optimum) -> None:
    table = Table("window", "kbit/s", "standard error", "")
    for window, _, mean, error in found.windows.iter_rows():
        known = "" if error is None else f"{error / 1e3:.1f}"
        best = "best" if window == found.window else ""
        table.add_row(str(window), f"{mean / 1e3:.1f}", known, best)
    out_console.print(table)
    out_console.print(
        f"best window limit: {found.window} packets, {found.goodput_bit_s / 1e3:.1f} kbit/s",
        highlight=False,
    )


def _schemes_table() -> pl.DataFrame:
    return pl.DataFrame(
        [
            {
                "scheme": scheme["name"],
                "title": scheme["title"],
                "mac": scheme["mac"],
                "parameters": ", ".join(f"{p['name']} ({p['default']})" for p in scheme["params"]),
                "paper": scheme["paper"],
            }
            for scheme in schemes()
        ]
    )


def _topologies_table() -> pl.DataFrame:
    """Read the kinds and what they are from the schema, where they are defined."""
    kinds = json.loads(schema())["$defs"]["TopologyKind"]["oneOf"]
    return pl.DataFrame([{"kind": k["const"], "about": k.get("description", "")} for k in kinds])


def _columns_table() -> pl.DataFrame:
    return pl.DataFrame(
        [
            {"table": table, "column": name, "unit": column.unit, "meaning": column.about}
            for table, columns in COLUMNS.items()
            for name, column in columns.items()
        ]
    )


def main() -> None:
    """Run the command line, with one line on standard error and an exit code for each error."""
    # A job scheduler's end is treated like Ctrl-C: stop cleanly, leave nothing half written.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        code = app(standalone_mode=False) or 0
    except (ScenarioError, OutputError, SearchError, UnknownFigureError) as error:
        _fail(str(error), 2)
    except ReplayError as error:
        _fail(str(error), 1)
    except typer.TyperException as error:
        _fail(error.format_message(), error.exit_code)
    if code == INTERRUPTED:
        _fail("interrupted; what was finished is kept", code)
    sys.exit(code)


def _fail(message: str, code: int) -> NoReturn:
    error_console.print(f"[bold red]error:[/bold red] {escape(message)}")
    sys.exit(code)
