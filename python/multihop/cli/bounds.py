"""`bound`: what a network could carry at most."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..engine.errors import BoundError
from .app import AsJson, File, Settings, app, checked_scenario, one_of
from .output import console, fixed, print_json, print_table, say, warn

if TYPE_CHECKING:
    from ..capacity.bound import Bound

# Beyond this a gap is said.
PROVEN = 1e-3


# The models in words, for helps.
MODELS = "receiver (capture, as the radio has it), carrier-sense or protocol (ranges)"


def objective_names() -> list[str]:
    """List the objectives, for completion."""
    from ..capacity.fairness import Objective

    return list(Objective)


def model_names() -> list[str]:
    """List the models, for completion."""
    from ..capacity.activities import Model

    return list(Model)


@app.command()
def bound(
    scenario: File,
    objective: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="total, max-min or proportional; all three unless given.",
            autocompletion=one_of(objective_names),
        ),
    ] = None,
    model: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help=f"{MODELS}.",
            autocompletion=one_of(model_names),
        ),
    ] = "receiver",
    routes: Annotated[
        str, typer.Option(metavar="NAME", help="fixed, or free: any routes, several at a time.")
    ] = "fixed",
    without: Annotated[
        str,
        typer.Option(metavar="A,B,...", help="Costs to leave out: backoff, control, headers."),
    ] = "",
    load: Annotated[
        str, typer.Option(metavar="NAME", help="unlimited, or offered: no more than the sources.")
    ] = "unlimited",
    at: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="The moment, for nodes that move.")
    ] = None,
    gap: Annotated[
        float, typer.Option(metavar="SHARE", help="The largest optimality gap, as in 0.01.")
    ] = 0.0,
    paced: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.json",
            help="Write the scenario with sources at the rates of --objective.",
        ),
    ] = None,
    share: Annotated[
        float, typer.Option(metavar="SHARE", help="How much of these rates, with --paced.")
    ] = 1.0,
    settings: Settings = [],  # noqa: B006 (Typer copies it)
    as_json: AsJson = False,
) -> None:
    """Compute the upper bound of the flows' throughput, whatever the scheme does.

    By linear programs over the sets of frames that can overlap in time.

    Example: multihop bound chain.toml --set scheme.name=udp --objective max-min

    Example: multihop bound chain.toml --objective proportional --paced paced.json --share 0.9
    """
    if paced is not None and objective is None:
        raise BoundError("--paced takes the rates of one objective; name it by --objective")
    if paced is not None and paced.suffix != ".json":
        raise BoundError(f"--paced writes JSON; name its file {paced.with_suffix('.json')}")
    checked = checked_scenario(scenario, settings)

    from ..capacity.bound import Region, assume, named
    from ..capacity.fairness import Objective
    from ..capacity.pacing import paced as pace
    from ..results.result import make_folder, replacing

    wanted = list(Objective) if objective is None else [named(Objective, objective)]
    left_out = [name.strip() for name in without.split(",") if name.strip()]
    region = Region.of(
        checked,
        assume(model=model, routes=routes, without=left_out, load=load, at_s=at, gap=gap),
    )
    found = []
    for one in wanted:
        with console(error=True).status(f"computing the upper bound: {one}"):
            found.append(region.bound(one))
    if paced is not None:
        text = pace(checked, found[0], share).json
        make_folder(paced.parent)
        with replacing(paced) as temporary:
            temporary.write_text(f"{text}\n", encoding="utf-8")
    if as_json:
        print_json({"name": checked.name, "bounds": [one.to_dict() for one in found]})
    else:
        _print_bounds(found)


def _print_bounds(found: list[Bound]) -> None:
    for note in found[0].notes:
        warn(note, "note")
    say(f"upper bound: {found[0].assumptions.about}")
    print_table(
        ("objective", "bound (kbit/s)", "all flows (kbit/s)", "smallest (kbit/s)"),
        [
            (
                str(one.objective),
                fixed(one.bound_bit_s / 1e3),
                fixed(one.total_bit_s / 1e3),
                fixed(min(one.flows["goodput_bit_s"].to_list()) / 1e3),
            )
            for one in found
        ],
    )
    for one in found:
        if one.gap > PROVEN:
            say(f"{one.objective}: optimality gap {one.gap:.1%}")
    rates = [one.flows["goodput_bit_s"].to_list() for one in found]
    flows = found[0].flows
    print_table(
        ("flow", "hops", *(f"{one.objective} (kbit/s)" for one in found)),
        [
            (name, hops, *(fixed(rate / 1e3) for rate in row))
            for name, hops, *row in zip(flows["name"], flows["hops"], *rates, strict=True)
        ],
    )
