"""`sweep` and `compare`: many runs, kept on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .app import (
    AsJson,
    File,
    Schemes,
    Settings,
    Vary,
    Workers,
    app,
    one_of,
    scenario_file,
    values_of,
    with_seeds,
)
from .bounds import MODELS, model_names, objective_names
from .output import print_json, print_table, say

Seeds = Annotated[
    int | None,
    typer.Option(min=1, help="Seeds 1 to N for each combination; unless given, the scenario's."),
]


@app.command()
def sweep(
    scenario: File,
    out: Annotated[Path, typer.Option(help="Folder for results; run again to continue.")],
    vary: Vary = [],  # noqa: B006
    seeds: Seeds = None,
    settings: Settings = [],  # noqa: B006
    shard: Annotated[
        str, typer.Option(metavar="I/N", help="Run only part I of N, from 1; for job arrays.")
    ] = "1/1",
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Run every combination of values, and keep the results; a second call continues.

    Exits with 3 if runs are missing at the end; with --shard, runs of this shard.

    Example: multihop sweep chain.toml --vary "traffic.load=50 kbit/s,100 kbit/s" --seeds 10 --out r
    """
    part, of = _shard(shard)
    values = with_seeds(values_of(vary), settings, seeds)
    file = scenario_file(scenario, settings)

    from ..sweeps import Shard, points, sweep_points

    grid = points(file, values, "--vary")
    result = sweep_points(grid, out, shard=Shard(part, of), workers=workers, progress=not as_json)
    # Those of other shards.
    missing = len(grid) - result.runs.height
    if as_json:
        print_json({"runs": result.runs.to_dicts(), "missing": missing})
        return
    say(f"{result.runs.height} of {len(grid)} runs are in {out}")
    if not missing:
        say(f"all of them together: {', '.join(f'{n}.parquet' for n in result.tables)}")


def _shard(text: str) -> tuple[int, int]:
    index, _, of = text.partition("/")
    if index.isdecimal() and of.isdecimal() and 1 <= int(index) <= int(of):
        return int(index), int(of)
    raise typer.BadParameter(f"--shard {text} is not I/N with I from 1 to N, as in 2/8")


@app.command()
def compare(
    scenario: File,
    schemes: Schemes,
    vary: Vary = [],  # noqa: B006
    seeds: Seeds = None,
    settings: Settings = [],  # noqa: B006
    bound: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Hold runs against a bound: total, max-min or proportional.",
            autocompletion=one_of(objective_names),
        ),
    ] = None,
    bound_model: Annotated[
        str,
        typer.Option(
            metavar="NAME", help=f"Its model: {MODELS}.", autocompletion=one_of(model_names)
        ),
    ] = "receiver",
    out: Annotated[Path, typer.Option(help="Folder for results; run again to continue.")] = Path(
        "results/compare"
    ),
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Run a scenario with several schemes, and set them side by side with confidence intervals.

    A key that does not apply to a scheme is left out for it, and that is said.

    Example: multihop compare chain.toml --schemes udp,cxcc,newreno --vary "traffic.load=50
    kbit/s,150 kbit/s" --seeds 5
    """
    values = with_seeds(values_of(vary), settings, seeds)
    numbers = values.pop("seed", None)
    file = scenario_file(scenario, settings)

    from ..comparison import compare as compare_schemes

    found = compare_schemes(
        file,
        [name.strip() for name in schemes.split(",")],
        values,
        seeds=numbers,
        bound=bound,
        bound_model=bound_model,
        out=out,
        workers=workers,
        progress=not as_json,
    )
    if as_json:
        print_json(found.to_dict())
        return
    print_table(*found.readable())
    for note in found.skipped:
        say(f"left out: {note}")
    for sentence in found.reached:
        say(sentence)
    say(found.about)
    say(f"page: {found.page}; table: {found.csv}")
