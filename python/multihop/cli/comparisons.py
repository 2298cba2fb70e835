"""`compare`: schemes side by side, from runs or from a store."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .app import (
    AsJson,
    AsLatex,
    Schemes,
    Seeds,
    Settings,
    Vary,
    Workers,
    app,
    one_of,
    one_output,
    scenario_file,
    settings_of,
    values_of,
    with_seeds,
)
from .bounds import MODELS, model_names, objective_names
from .output import keeping, print_json, print_table, say, warn
from .precision import Margin, MaxSeeds, Precision, UntilDecided, rule_of

if TYPE_CHECKING:
    from ..comparing.comparison import Comparison


Compared = Annotated[
    Path, typer.Argument(metavar="SCENARIO|DIR", help="Scenario file, or folder of a sweep.")
]


@app.command()
def compare(
    scenario: Compared,
    schemes: Schemes = "",
    baseline: Annotated[
        str | None, typer.Option(help="The scheme that the others are set against.")
    ] = None,
    vary: Vary = [],  # noqa: B006
    seeds: Seeds = None,
    settings: Settings = [],  # noqa: B006
    precision: Precision = None,
    until_decided: UntilDecided = False,
    margin: Margin = None,
    max_seeds: MaxSeeds = None,
    bound: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Compare runs with a bound: total, max-min or proportional.",
            autocompletion=one_of(objective_names),
        ),
    ] = None,
    bound_model: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"Its model: {MODELS}.  [default: receiver]",
            autocompletion=one_of(model_names),
        ),
    ] = None,
    variant: Annotated[
        list[str],
        typer.Option(metavar="KEY", help="Of a sweep: another key that tells schemes apart."),
    ] = [],  # noqa: B006
    sweep: Annotated[
        str | None, typer.Option(help="Name of the sweep, if there are several in the folder.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder for results; run again to continue.  "
            "[default: results/compare-SCENARIO-SCHEMES]"
        ),
    ] = None,
    workers: Workers = None,
    as_latex: AsLatex = False,
    as_json: AsJson = False,
) -> None:
    """Run a scenario with several schemes, and set them side by side with confidence intervals.

    A key that does not apply to a scheme is left out for it, and that is said. The folder of a
    sweep is compared as it is. With --baseline: in pairs of equal seeds, by a paired t test.
    --precision and --until-decided add seeds, also to a sweep; --seeds then says how many there
    are to begin with.

    Example: multihop compare chain.toml --schemes udp,cxcc,newreno --vary "traffic.load=50
    kbit/s,150 kbit/s" --seeds 5

    Example: multihop compare results/sweep --baseline newreno

    Example: multihop compare chain.toml --schemes udp,cxcc --baseline udp --until-decided
    """
    one_output(as_json, as_latex)
    if bound_model is not None and bound is None:
        raise typer.BadParameter("--bound-model is of a bound; give --bound, or leave it out")
    rule = rule_of(precision, (margin, seeds, max_seeds), until_decided=until_decided)
    if scenario.is_dir():
        of_runs = (bound, out, *(() if rule else (seeds, workers)))
        if schemes or vary or settings or any(option is not None for option in of_runs):
            raise typer.BadParameter(
                f"'{scenario}' holds runs, which are compared as they are; leave out --schemes, "
                "--vary, --seeds, --set, --bound, --out and --workers (--precision and "
                "--until-decided add seeds)"
            )

        from ..comparing.stored_comparison import compare_stored

        found = compare_stored(
            scenario,
            baseline=baseline,
            variants=variant,
            sweep=sweep,
            seeds=rule,
            workers=workers,
            progress=not as_json,
        )
        _print_comparison(found, as_json=as_json, as_latex=as_latex)
        return
    if not schemes:
        raise typer.BadParameter("which schemes? name them, as in --schemes udp,cxcc")
    names = [name.strip() for name in schemes.split(",")]
    if "" in names:
        raise typer.BadParameter(f"--schemes {schemes}: a name is missing; remove the comma")
    if variant or sweep is not None:
        raise typer.BadParameter("--variant and --sweep are for a folder of runs; leave them out")
    values = with_seeds(values_of(vary), settings, None if rule else seeds)
    if rule and "seed" in {**values, **settings_of(settings)}:
        raise typer.BadParameter("--precision and --until-decided choose the seeds; leave seed out")
    if "scheme.name" in values or "scheme.name" in settings_of(settings):
        raise typer.BadParameter("--schemes names the schemes; leave scheme.name out")
    numbers = values.pop("seed", None)
    file = scenario_file(scenario, settings)

    from ..comparing.comparison import compare as compare_schemes

    with keeping(out or Path("results")):
        found = compare_schemes(
            file,
            names,
            values,
            seeds=rule or numbers,
            baseline=baseline,
            bound=bound,
            bound_model=bound_model or "receiver",
            out=out,
            workers=workers,
            progress=not as_json,
            tell=warn,
        )
    _print_comparison(found, as_json=as_json, as_latex=as_latex)


def _print_comparison(found: Comparison, *, as_json: bool, as_latex: bool) -> None:
    if as_latex:
        sys.stdout.write(found.to_latex())
        return
    if as_json:
        print_json(found.to_dict())
        return
    print_table(*found.readable(), keys=len(found.where))
    if found.conditions.height:
        print_table(*found.readable_conditions())
    for pair in found.pairs:
        say(pair.words)
    for note in found.skipped:
        say(f"left out: {note}")
    for sentence in found.reached:
        say(sentence)
    if found.test:
        say(found.test)
    say(found.about)
    say(f"page: {found.page}; table: {found.csv}")
