"""`tune`: the setting of a scenario's keys that serves an aim best."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .app import AsJson, File, Settings, Workers, app, scenario_file, settings_of, values_of
from .output import keeping, print_json, print_table, say, warn

if TYPE_CHECKING:
    from ..tuning.tuning import Tuned

# What tells a range from a list of values.
RANGE = ".."


@app.command()
def tune(
    scenario: File,
    vary: Annotated[
        list[str],
        typer.Option(
            metavar="KEY=LOW..HIGH",
            help="A key and its range, or values A,B,..., as often as you like.",
        ),
    ] = [],  # noqa: B006 (Typer copies it)
    wanted: Annotated[
        list[str],
        typer.Option(
            "--for",
            metavar="COLUMN[=least]",
            help="What is sought; several give a front.  [default: goodput]",
        ),
    ] = [],  # noqa: B006
    constraint: Annotated[
        list[str],
        typer.Option(metavar="COLUMN<=NUMBER", help="What must hold, as often as you like."),
    ] = [],  # noqa: B006
    over: Annotated[
        list[str],
        typer.Option(metavar="KEY=A,B,...", help="Scenarios that every setting is tried in."),
    ] = [],  # noqa: B006
    test_over: Annotated[
        list[str],
        typer.Option(metavar="KEY=A,B,...", help="Scenarios of the test, if others."),
    ] = [],  # noqa: B006
    trials: Annotated[int, typer.Option(min=1, help="Settings to try at most.")] = 40,
    seeds: Annotated[int, typer.Option(min=2, help="Seeds that a setting begins with.")] = 5,
    max_seeds: Annotated[int, typer.Option(min=2, help="Seeds of a setting at most.")] = 20,
    test_seeds: Annotated[int, typer.Option(min=2, help="Seeds of the test.")] = 20,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder for results; run again to continue.  [default: results/tune-SCENARIO-KEYS]"
        ),
    ] = None,
    settings: Settings = [],  # noqa: B006
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Search the setting of some keys that serves an aim best, and test it on other seeds.

    Settings race on the same seeds: what is shown to be worse than the best so far is stopped. Add
    "log" to a range whose ratios matter.

    Example: multihop tune chain.toml --vary scheme.window_limit=1..16 --for goodput

    Example: multihop tune chain.toml --vary "traffic.load=20..400 kbit/s log" --for goodput --for
    network_delay_mean_s=least

    Example: multihop tune chain.toml --vary mac.cw_min=7..255 --over topology.hops=2,6 --test-over
    topology.hops=4,8 --constraint "network_delay_mean_s<=0.2"
    """
    file = scenario_file(scenario, settings)
    if twice := next((key for key in settings_of(settings) if key in _keys(vary, over)), None):
        raise typer.BadParameter(f"'{twice}' is given with --set and tried; leave one of them out")

    from ..tuning.tuning import Budget, tune as search

    with keeping(out or Path("results")):
        found = search(
            file,
            _ranges(vary),
            wanted or ["goodput"],
            constraints=constraint,
            over=values_of(over, "--over"),
            test_over=values_of(test_over, "--test-over"),
            budget=Budget(trials, seeds, max_seeds, test_seeds),
            out=out,
            workers=workers,
            progress=not as_json,
            tell=warn,
        )
    if as_json:
        print_json(found.to_dict())
    else:
        _print(found)


def _keys(*given: list[str]) -> set[str]:
    return {text.partition("=")[0].strip() for texts in given for text in texts}


def _ranges(given: list[str]) -> dict[str, Any]:
    """Read `--vary`: the text of a range, or a list of values."""
    listed = values_of([text for text in given if RANGE not in text])
    ranges = settings_of([text for text in given if RANGE in text], "--vary")
    if twice := next((key for key in ranges if key in listed), None):
        raise typer.BadParameter(f"--vary {twice} is given twice; only one of them can count")
    # In the order in which they were given.
    keys = [text.partition("=")[0].strip() for text in given]
    return {key: {**listed, **ranges}[key] for key in keys}


def _print(found: Tuned) -> None:
    from ..tuning.page import tested, tried

    print_table(*tried(found), keys=len(found.best))
    print_table(*tested(found), title="test:", keys=1)
    for pair in found.pairs:
        say(pair.words)
    for options in found.options:
        say(f"best: {options}")
    say(f"{found.about}; page: {found.page}; table: {found.csv}")
