"""The application, and the options that several commands share."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from ..scenario.form import Scenario, ScenarioFile

EXIT_CODES = """Exit codes: 0 done; 1 a check failed; 2 the input was wrong; 3 runs of a sweep are
missing; 130 interrupted."""

app = typer.Typer(
    name="multihop",
    help=f"Congestion control in wireless multihop networks: simulate, compare, reproduce.\n\n"
    f"Example: multihop demo\n\n{EXIT_CODES}",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def show_help(context: typer.Context) -> None:
    """Print the help of a group that is called without a command."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _scheme_names(incomplete: str) -> list[str]:
    """Complete the last name of a list with commas."""
    from .._multihop import schemes

    done = incomplete.rpartition(",")[0]
    before = f"{done}," if done else ""
    return [name for s in schemes() if (name := f"{before}{s['name']}").startswith(incomplete)]


def one_of(names: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """Complete one of some names."""
    return lambda incomplete: [name for name in names() if name.startswith(incomplete)]


File = Annotated[Path, typer.Argument(metavar="SCENARIO", help="Scenario file, .toml or .json.")]
Settings = Annotated[
    list[str],
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Override a key, as often as you like; KEY= takes it away.",
    ),
]
Vary = Annotated[
    list[str],
    typer.Option(
        "--vary",
        metavar="KEY=A,B,...",
        help="Values of a key, as often as you like; A-B for whole numbers.",
    ),
]
Schemes = Annotated[
    str,
    typer.Option(metavar="A,B,...", help="The schemes.", autocompletion=_scheme_names),
]
Seeds = Annotated[
    int | None,
    typer.Option(min=1, help="Seeds 1 to N for each combination; unless given, the scenario's."),
]
Node = Annotated[str, typer.Option(help="Name of a node, as in the table `nodes`.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON to standard output.")]
AsLatex = Annotated[bool, typer.Option("--latex", help="Print the table as LaTeX (booktabs).")]
Workers = Annotated[int | None, typer.Option(min=1, help="Runs at a time; all cores unless given.")]

# What says of a folder with tables what it is: a trace, a store of sweeps, a part of one.
DESCRIPTIONS = ("run.json", "store.json", "part.json")
SPAN = re.compile(r"(\d+)-(\d+)")


def one_output(as_json: bool, as_latex: bool) -> None:
    """Refuse two forms of one output."""
    if as_json and as_latex:
        raise typer.BadParameter("--json and --latex are two forms of one output; give one")


def split(text: str, option: str = "", example: str = "seed=3") -> tuple[str, str]:
    """Split KEY=VALUE, which was given with an option."""
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        where = f"{option} " if option else ""
        raise typer.BadParameter(f"{where}'{text}' is not KEY=VALUE, as in {example}")
    return key.strip(), value


def value(text: str) -> Any:
    """Read a value as TOML would, and anything else as text: 3, true, 100 kbit/s.

    Nothing at all is `None`, which takes a key away.
    """
    from ..engine.texts import parsed

    if not text.strip():
        return None
    try:
        found = parsed(f"value = {text.strip()}", "toml")
    except ValueError:
        return text.strip()
    # A text of several lines may hold more than a value.
    return found["value"] if len(found) == 1 else text.strip()


def settings_of(given: list[str], option: str = "--set") -> dict[str, Any]:
    """Read what was given with `--set`."""
    return {key: value(text) for key, text in _each_once(given, option).items()}


def values_of(given: list[str], option: str = "--vary") -> dict[str, list[Any]]:
    """Read what was given with `--vary`, or with another option of the same form."""
    return {key: _values(key, text, option) for key, text in _each_once(given, option).items()}


def _each_once(given: list[str], option: str) -> dict[str, str]:
    pairs = [split(text) for text in given]
    for key, _ in pairs:
        if sum(other == key for other, _ in pairs) > 1:
            raise typer.BadParameter(f"{option} {key} is given twice; only one of them can count")
    return dict(pairs)


def _values(key: str, text: str, option: str) -> list[Any]:
    from ..sweeping.axes import VALUES_LIMIT

    values: list[Any] = []
    for part in text.split(","):
        span = SPAN.fullmatch(part.strip())
        if key == "seed" and not part.strip():
            raise typer.BadParameter(f"{option} {key}={text}: a seed is missing; remove the comma")
        if span is None:
            values.append(value(part))
            continue
        first, last = int(span[1]), int(span[2])
        if first > last:
            raise typer.BadParameter(f"{option} {key}={text}: {part.strip()} is empty; write A-B")
        if last - first >= VALUES_LIMIT:
            raise typer.BadParameter(
                f"{option} {key}={text}: there are more than {VALUES_LIMIT} values; name fewer"
            )
        values += range(first, last + 1)
    return values


def scenario_file(path: Path, given: list[str]) -> ScenarioFile:
    """Read a scenario file, and what was given with `--set`; nothing is checked yet."""
    from ..scenario.form import ScenarioFile

    return ScenarioFile.read(path).with_(settings_of(given), "--set")


def checked_scenario(path: Path, given: list[str]) -> Scenario:
    """Read a scenario file with what was given with `--set`, and check it."""
    return fitted_file(path, given).override({})


def fitted_file(path: Path, given: list[str]) -> ScenarioFile:
    """Read a scenario file, and what was given with `--set`, which may be another scheme."""
    settings = settings_of(given)
    file = scenario_file(path, given)
    scheme = settings.get("scheme.name")
    return with_scheme(file, scheme, "--set", settings) if isinstance(scheme, str) else file


def with_scheme(
    file: ScenarioFile, scheme: str, option: str, keep: Collection[str] = ()
) -> ScenarioFile:
    """Return a file with another scheme.

    Keys that only the file's own scheme takes are left out, and that is said.
    """
    from ..scenario.fitting import fitting
    from .output import warn

    former = file.scheme()
    others = [] if former is None else [former]
    _, left_out = fitting(file, {"scheme.name": scheme}, others, option, keep)
    for key in left_out:
        warn(f"{key} for {scheme}", word="left out", style="bold")
    return file.with_({"scheme.name": scheme, **dict.fromkeys(left_out)}, option)


def check_file(out: Path, option: str, *read: Path) -> None:
    """Refuse, before anything is run, a file that cannot be written, or that the command reads."""
    from ..results.result import check_file as check

    if any(_is_part_of(out, path) for path in read):
        raise typer.BadParameter(
            f"{option} names {out}, which this command reads or writes as well; name another file"
        )
    check(out, option)


def _is_part_of(out: Path, read: Path) -> bool:
    """Whether a file is what is read or, if that is a trace or a sweep, is one of its own files."""
    inner, outer = (Path(os.path.realpath(path)) for path in (out, read))
    own = inner.suffix == ".parquet" or inner.name in DESCRIPTIONS
    return inner == outer or (own and outer.is_dir() and inner.is_relative_to(outer))


def with_seeds(
    vary: dict[str, list[Any]], given: list[str], seeds: int | None
) -> dict[str, list[Any]]:
    """Add the seeds 1 to N; refuse what would be ignored otherwise."""
    from ..sweeping.axes import VALUES_LIMIT, replaced

    settings = settings_of(given)
    if twice := replaced(settings, vary):
        raise typer.BadParameter(f"'{twice}' is given with --set and varied; leave one of them out")
    if seeds is None:
        return vary
    for option, keys in (("--vary", vary), ("--set", settings)):
        if "seed" in keys:
            raise typer.BadParameter(
                f"--seeds {seeds} and {option} seed both choose the seeds; leave one of them out"
            )
    if seeds > VALUES_LIMIT:
        raise typer.BadParameter(f"--seeds {seeds}: at most {VALUES_LIMIT} are possible")
    return {**vary, "seed": list(range(1, seeds + 1))}
