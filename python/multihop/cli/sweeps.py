"""`sweep`, `status` and `collect`: many runs, kept on disk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .app import AsJson, Seeds, Settings, Vary, Workers, app, settings_of, values_of, with_seeds
from .output import keeping, print_json, say, warn
from .precision import MaxSeeds, Precision, precise

if TYPE_CHECKING:
    from ..sweeping.collecting import Swept
    from ..sweeping.file import Sweep

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a sweep's results.")]


@app.command()
def sweep(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Sweep file, or a scenario that is varied.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for results; run again to continue.  [default: results/NAME]"),
    ] = None,
    vary: Vary = [],  # noqa: B006
    seeds: Seeds = None,
    precision: Precision = None,
    max_seeds: MaxSeeds = None,
    settings: Settings = [],  # noqa: B006
    shard: Annotated[
        str, typer.Option(metavar="I/N", help="Run only part I of N, from 1; for job arrays.")
    ] = "1/1",
    on: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Scheduler of a Dask cluster that does the runs."),
    ] = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Run every combination of values, and keep the results; a second call continues.

    With --precision, every combination gets as many seeds as it takes, --seeds to begin with.
    Several calls at once with the same folder share the work. Exits with 1 if runs failed, and
    with 3 if runs are missing at the end; with --shard, runs of this shard.

    Example: multihop sweep sweep.toml --out r

    Example: multihop sweep chain.toml --vary "traffic.load=50 kbit/s,100 kbit/s" --seeds 10 --out r

    Example: multihop sweep sweep.toml --precision 2% --out r

    Example: multihop sweep sweep.toml --on tcp://scheduler:8786 --out r
    """
    part, of = _shard(shard)
    if on is not None and workers is not None:
        raise typer.BadParameter("--workers counts threads here, and --on has workers elsewhere")
    rule = precise(precision, seeds, max_seeds)
    asked = _asked(file, vary, settings, None if rule else seeds)
    if rule:
        asked = asked.until(rule, "--precision")

    from ..sweeping.sweeps import Means, Shard

    means = Means(Shard(part, of), workers, on, progress=not as_json)
    folder = out or Path("results") / file.stem
    with keeping(folder):
        done = asked.run(folder, means, warn)
    if as_json:
        table = done.table("runs")
        print_json({"sweep": done.name, "runs": table.to_dicts(), "missing": done.missing})
    else:
        _print_done(done)


def _asked(file: Path, vary: list[str], settings: list[str], seeds: int | None) -> Sweep:
    """Read a sweep file, or vary a scenario, with what was given beside."""
    values = with_seeds(values_of(vary), settings, seeds)

    from ..scenario.form import ScenarioFile
    from ..sweeping.file import Sweep, is_sweep

    asked = Sweep.from_file(file) if is_sweep(file) else Sweep(ScenarioFile.read(file))
    return asked.set(settings_of(settings), "--set").vary(values)


def _shard(text: str) -> tuple[int, int]:
    index, _, of = text.partition("/")
    if index.isdecimal() and of.isdecimal() and 1 <= int(index) <= int(of):
        return int(index), int(of)
    raise typer.BadParameter(f"--shard {text} is not I/N with I from 1 to N, as in 2/8")


def _print_done(done: Swept) -> None:
    say(f"{done.runs - done.missing} of {done.runs} runs are in {done.store.folder}")
    if done.unsure:
        say(f"{done.unsure} combinations have the most seeds, and their interval is still too wide")
    if not done.missing:
        names = sorted(path.name for path in done.store.folder.glob("*.parquet"))
        say(f"all of them together: {', '.join(names)}")


@app.command()
def status(folder: Folder, as_json: AsJson = False) -> None:
    """Report the progress of the sweeps in a folder: failed runs, and the time left.

    Example: multihop status results/sweep
    """
    from ..sweeping.progress import status as look, varied, words
    from ..sweeping.store import said

    found = look(folder)
    if as_json:
        print_json(found.to_dict())
        return
    for progress in found.sweeps:
        say(words(progress))
        if values := varied(progress):
            say(f"varied: {values}")
        for failure in progress.failed:
            values = said(failure.labels) or failure.run
            say(f"failed: {values} on {failure.host}: {failure.error}")
    for worker in found.workers:
        say(
            f"{worker['host']}, process {worker['process']}, {worker['where']}: {worker['runs']} "
            "runs in a batch"
        )
    if found.damaged:
        warn(f"{len(found.damaged)} parts are damaged; the sweep's command does them again")


@app.command()
def collect(
    folder: Folder,
    others: Annotated[
        list[Path], typer.Argument(metavar="[FROM]...", help="Folders to take results from.")
    ] = [],  # noqa: B006
    sweep: Annotated[
        str | None, typer.Option(help="Name of the sweep, if there are several in the folder.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Put the results of a sweep together, also from the folders of shards.

    Writes the combined tables of what is there by now. Exits with 3 if runs are missing.

    Example: multihop collect all shard-1 shard-2
    """
    from ..engine.errors import IncompleteError
    from ..sweeping.collecting import merge, swept

    if others:
        merge(folder, others)
    done = swept(folder, sweep)
    paths = done.write()
    if as_json:
        files = [str(path) for path in paths]
        print_json({"sweep": done.name, "runs": done.runs, "missing": done.missing, "files": files})
    else:
        _print_done(done)
    if done.missing:
        raise IncompleteError(
            f"{done.missing} of {done.runs} runs of '{done.name}' are missing in '{folder}'; the "
            "tables have the others; give the sweep's command again, or collect more folders"
        )
