"""`import`: networks that exist."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .app import AsJson, app, check_file
from .output import print_json, say

if TYPE_CHECKING:
    from ..meshes.writing import Imported


@app.command("import")
def import_(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Nodes, and links if the format has them.")
    ],
    links: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Links: a CSV table, or the graph.json of a nodes.json."),
    ] = None,
    flow: Annotated[
        list[str],
        typer.Option(
            metavar="A,B",
            help="A flow from node A to node B, as often as you like; one between nodes that are "
            "far apart unless given.",
        ),
    ] = [],  # noqa: B006 (Typer copies it)
    media: Annotated[
        str, typer.Option("--type", metavar="A,B,...", help="Types of links that are radio links.")
    ] = "wifi",
    by_distance: Annotated[
        bool, typer.Option("--by-distance", help="Take the positions and leave the links out.")
    ] = False,
    reach: Annotated[
        float | None,
        typer.Option(
            "--range",
            metavar="METRES",
            min=0.01,
            help="By distance: nodes decode so far.  [default: 250]",
        ),
    ] = None,
    scheme: Annotated[str, typer.Option(metavar="NAME", help="The scheme.")] = "udp",
    load: Annotated[
        str, typer.Option(metavar="RATE", help="What each flow offers.")
    ] = "100 kbit/s",
    out: Annotated[
        Path | None, typer.Option(help="The scenario file; printed unless given.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make a scenario of a network that exists: positions and links as they are published.

    Reads CSV, GeoJSON, NetJSON, and Freifunk's meshviewer.json or nodes.json with graph.json.
    Latitude and longitude become metres, delivery ratios and signals [[link]] tables. The largest
    part whose nodes reach each other is kept.

    Example: multihop import meshviewer.json --out mesh.toml

    Example: multihop import nodes.csv --links links.csv --flow gateway,farm --out mesh.toml
    """
    from ..meshes.reading import read_mesh
    from ..meshes.writing import RANGE_M, Choices, scenario_of
    from ..results import make_folder, replacing

    if out is not None:
        make_folder(out.parent)
        check_file(out, "--out", file, *([links] if links else []))
    choices = Choices(
        media=tuple(name.strip() for name in media.split(",")),
        flows=tuple(map(_flow, flow)),
        scheme=scheme,
        load=load,
        by_distance=by_distance,
        range_m=RANGE_M if reach is None else reach,
    )
    found = scenario_of(read_mesh(file, links), choices)
    if reach is not None and found.mesh.links:
        raise typer.BadParameter(
            f"--range {reach:g} is about positions, and this network has links; leave it out, or "
            "give --by-distance as well"
        )
    if out is not None:
        with replacing(out) as temporary:
            temporary.write_text(found.text, encoding="utf-8")
    if as_json:
        print_json(_about(found, out))
    elif out is None:
        typer.echo(found.text, nl=False)
    else:
        say(f"{len(found.mesh.nodes)} nodes and {len(found.mesh.links)} links, in {out}")
        for note in found.mesh.notes:
            say(f"left out: {note}")


def _flow(text: str) -> tuple[str, str]:
    source, comma, target = text.partition(",")
    if not comma or not source.strip() or not target.strip():
        raise typer.BadParameter(f"--flow {text} is not A,B, as in gateway,farm")
    return source.strip(), target.strip()


def _about(found: Imported, out: Path | None) -> dict[str, object]:
    return {
        "nodes": len(found.mesh.nodes),
        "links": len(found.mesh.links),
        "left_out": list(found.mesh.notes),
        "file": str(out) if out else None,
        "scenario": found.scenario.to_dict(),
    }
