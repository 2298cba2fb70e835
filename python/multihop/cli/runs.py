"""`run`, `check` and `optimum`: one scenario."""

from __future__ import annotations

import math
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..sweeping.axes import VALUES_LIMIT, replaced
from .app import (
    AsJson,
    File,
    Settings,
    Workers,
    app,
    check_file,
    fitted_file,
    scenario_file,
    settings_of,
)
from .output import NOTHING, fixed, print_json, print_table, say, warn

if TYPE_CHECKING:
    from ..results.result import Result
    from ..scenario.form import ScenarioFile
    from ..searching.optimum import Optimum
    from ..searching.rates import RateTable


# So many flows for several nodes have a line each; of more there are tables of their messages.
FEW_FLOWS = 8
# Of so many nodes it is said how busy they are.
FEW_NODES = 5


@app.command()
def run(
    scenario: File,
    settings: Settings = [],  # noqa: B006 (Typer copies it)
    out: Annotated[Path | None, typer.Option(help="Folder for Parquet tables.")] = None,
    trace: Annotated[
        Path | None, typer.Option(help="New folder for tables of every frame and event.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Run one scenario.

    Example: multihop run chain.toml --set scheme.name=udp --set "traffic.load=80 kbit/s" --out r

    Example: multihop run chain.toml --set simulator=ns3
    """
    file = fitted_file(scenario, settings)
    checked = file.override({})
    if out is not None and trace is not None and out.resolve() == trace.resolve():
        raise typer.BadParameter(
            f"--out and --trace both name {out}, and both have a table of series; name two folders"
        )

    from ..results.result import make_folder, refuse_other_results, unreached
    from ..running.runner import run as run_scenario
    from ..scenario.conditions import receiver
    from ..scenario.noting import told_before

    if out is not None:
        refuse_other_results(out, "runs.parquet")
        make_folder(out)
    for sentence in file.notes:
        warn(sentence)
    result = run_scenario(checked, trace=trace, tell=told_before)
    if out is not None:
        result.write(out)
    for sentence in unreached(result, checked):
        warn(sentence)
    if as_json:
        print_json(result.to_dict())
        return
    _print_result(result)
    if (said := receiver(checked.conditions)) is not None:
        say(said)
    if out is not None:
        say(f"tables written to {out}")
    if trace is not None:
        say(f"trace written to {trace}")


@app.command()
def check(scenario: File, settings: Settings = [], as_json: AsJson = False) -> None:  # noqa: B006
    """Check a scenario without running it: keys without effect, and its scheme's conditions.

    Example: multihop check chain.toml --set scheme.name=wake --set mac.cw_min=63
    """
    from ..scenario.conditions import text, title

    file = scenario_file(scenario, settings)
    checked, notes = file.override({}), file.notes
    if as_json:
        print_json({"notes": notes, "conditions": checked.conditions})
        return
    for sentence in notes:
        warn(sentence)
    rows = [(title(name), text(value)) for name, value in checked.conditions.items()]
    print_table(("condition", "value"), rows)


def _print_result(result: Result) -> None:
    """Print the results of the measured window, of the whole run and of every flow."""
    summary = result.runs.row(0, named=True)
    say(
        f"{summary['name']}, {summary['scheme']}, seed {summary['seed']}: "
        f"{fixed(summary['goodput_bit_s'] / 1e3)} kbit/s, "
        f"network delay {fixed(summary['network_delay_mean_s'] * 1e3)} ms, "
        f"end-to-end delay {fixed(summary['end_to_end_delay_mean_s'] * 1e3)} ms, "
        f"overhead {fixed(summary['overhead'], 2)}"
    )
    say(
        f"measured from {summary['warmup_s']:g} s to "
        f"{summary['warmup_s'] + summary['duration_s']:g} s; refused: the part of lost that a "
        "source rejected because its buffer was full"
    )
    counts = ("name", "hops", "offered", "delivered", "lost", "refused")
    header = [*counts, "kbit/s", "network delay (ms)", "end-to-end delay (ms)"]
    flows = result.flows
    if len(spread := _to_several(result)) > FEW_FLOWS:
        _print_messages(result)
        flows = flows.filter(~flows["flow"].is_in(spread))
        if flows.is_empty():
            return
    rows = [
        [
            *(flow[name] for name in counts),
            fixed(flow["goodput_bit_s"] / 1e3),
            fixed(flow["network_delay_mean_s"] * 1e3),
            fixed(flow["end_to_end_delay_mean_s"] * 1e3),
        ]
        for flow in flows.iter_rows(named=True)
    ]
    if math.isfinite(summary["completed_share"]):
        header.append("completion time (s)")
        for row, time in zip(rows, flows["completion_time_s"], strict=True):
            row.append(fixed(time, 2))
    print_table(header, rows, keys=1)
    if summary["starved_share"] > 0:
        say(
            f"starved: {100 * summary['starved_share']:.0f} % of the flows delivered nothing, and "
            "are in no mean delay"
        )


def _to_several(result: Result) -> list[int]:
    """List the flows to everyone and to groups, of which there are messages."""
    if "messages" not in result.tables:
        return []
    flows = result.flows
    return flows.filter(~flows["destination"].is_in(result.nodes["name"].to_list()))[
        "flow"
    ].to_list()


def _print_messages(result: Result) -> None:
    """Print what became of messages by kind and by hour, and the busiest nodes."""
    names = ("messages", "reach", "near", "far", "delay (s)", "frames each")

    def cells(row: dict[str, Any]) -> list[str]:
        shares = [row[name] for name in ("reach", "reach_near", "reach_far")]
        return [
            str(row["messages"] or 0),
            *(_share(share) for share in shares),
            NOTHING if row["delay_median_s"] is None else fixed(row["delay_median_s"]),
            NOTHING if row["frames_per_message"] is None else fixed(row["frames_per_message"]),
        ]

    for what in ("kind", "hour"):
        table = result.messages_by(what)
        if table.height > 1 or what == "kind":
            rows = [[str(row[what]), *cells(row)] for row in table.iter_rows(named=True)]
            print_table([what, *names], rows, keys=1)
    nodes = result.messages_by("node").sort("transmit_share", descending=True, maintain_order=True)
    busiest = nodes.head(FEW_NODES).iter_rows(named=True)
    rows = [
        [row["node"], _share(row["transmit_share"]), _share(row["receive_share"]), *cells(row)]
        for row in busiest
    ]
    print_table(["busiest nodes", "sends", "receives", *("texts", *names[1:])], rows, keys=1)
    say(
        "reach: the share of nodes that got a message; near: of those at most two hops away, far: "
        "of the others; delay: until half of them had it, the median; frames each: how many "
        "carried it"
    )


def _share(share: float | None) -> str:
    """Write a share in percent."""
    return NOTHING if share is None or not math.isfinite(share) else f"{100 * share:.1f} %"


# What `optimum` sets itself in the runs that try windows, and in those that try rates.
OWN_KEYS = (
    ("scheme.window_limit", "seed"),
    ("topology.kind", "topology.hops", "traffic.kind", "traffic.load", "seed"),
)


@app.command()
def optimum(
    scenario: File,
    windows: Annotated[
        str | None,
        typer.Option(
            metavar="A-B,C,...", help="Window limits to try, in packets.  [default: 1-32]"
        ),
    ] = None,
    rates: Annotated[
        str,
        typer.Option(
            metavar="A-B,C,...",
            help="Instead, the best rate over chains of these lengths; scheme udp or udp-ack.",
        ),
    ] = "",
    out: Annotated[
        Path | None, typer.Option(help="Write the rates into this file, for scheme cl.")
    ] = None,
    seeds: Annotated[
        int, typer.Option(min=1, max=VALUES_LIMIT, help="Seeds 1 to N for each value.")
    ] = 5,
    flow: Annotated[
        str | None, typer.Option(help="Name of the flow whose goodput counts; all unless given.")
    ] = None,
    settings: Settings = [],  # noqa: B006
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Find the window limit with the highest goodput by trying all, or the best sending rates.

    Example: multihop optimum chain.toml --set scheme.name=newreno --windows 1-16 --seeds 3

    Example: multihop optimum chain.toml --set scheme.name=udp --rates 1-8 --out rates.toml
    """
    file = scenario_file(scenario, settings)
    if rates and (windows is not None or flow is not None):
        raise typer.BadParameter(
            "--rates is about chains with one flow; leave --windows and --flow"
        )
    if out is not None and not rates:
        raise typer.BadParameter("--out is for the rates that --rates finds; give --rates as well")
    if lost := replaced(settings_of(settings), OWN_KEYS[bool(rates)]):
        raise typer.BadParameter(f"--set {lost} would be replaced by what is tried; leave it out")
    if rates:
        _optimum_rates(file, rates, out, (seeds, workers, as_json))
        return

    from ..searching.optimum import optimum_window, parse_windows

    found = optimum_window(
        file,
        parse_windows(windows or "1-32"),
        seeds=range(1, seeds + 1),
        flow=flow,
        workers=workers,
        progress=not as_json,
    )
    if as_json:
        print_json(found.to_dict())
    else:
        _print_optimum(found)


def _print_optimum(found: Optimum) -> None:
    rows = [
        (window, fixed(mean / 1e3), fixed(None if error is None else error / 1e3))
        for window, _, mean, error in found.windows.iter_rows()
    ]
    print_table(
        ("window", "kbit/s", "standard error", ""),
        [(*row, "best" if row[0] == found.window else "") for row in rows],
    )
    say(f"best window limit: {found.window} packets, {fixed(found.goodput_bit_s / 1e3)} kbit/s")


def _optimum_rates(
    file: ScenarioFile, lengths: str, out: Path | None, how: tuple[int, int | None, bool]
) -> None:
    """Search the best sending rates, and write and print them."""
    from ..searching.optimum import parse_spans
    from ..searching.rates import optimum_rates

    seeds, workers, as_json = how
    hops = parse_spans(lengths, "lengths")
    if out is not None:
        check_file(out, "--out", file.path)
    found = optimum_rates(
        file, hops, seeds=range(1, seeds + 1), workers=workers, progress=not as_json
    )
    if out is not None:
        found.write(out, shlex.join(["multihop", *sys.argv[1:]]))
    if as_json:
        print_json(found.to_dict())
        return
    _print_rates(found)
    if out is not None:
        say(f"rates written to {out}")


def _print_rates(found: RateTable) -> None:
    print_table(
        ("hops", "packets/s", "carried", "standard error"),
        [
            (row["hops"], *(fixed(row[name], 2) for name in ("rate", "carried", "standard_error")))
            for row in found.rates.iter_rows(named=True)
        ],
    )
