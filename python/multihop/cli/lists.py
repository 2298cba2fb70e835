"""`list`, `explain`, `schema`, `new` and `doctor`: what there is, and how to begin."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from .app import AsJson, app, one_of
from .output import print_json, print_table, say
from .reasons import Asked, explain_trace

Rows = list[dict[str, Any]]


def _schemes() -> Rows:
    from .._multihop import schemes

    return [
        {
            "scheme": scheme["name"],
            "title": scheme["title"],
            "mac": scheme["mac"],
            "parameters": _parameters(scheme),
            "paper": scheme["paper"],
        }
        for scheme in schemes()
    ]


def _routings() -> Rows:
    from .._multihop import routings

    return [
        {
            "kind": routing["name"],
            "about": routing["about"],
            "parameters": _parameters(routing),
            "source": routing["source"],
        }
        for routing in routings()
    ]


def _macs() -> Rows:
    from .._multihop import macs

    return [
        {
            "kind": mac["name"],
            "title": mac["title"],
            "about": mac["about"],
            "offers": ", ".join(mac["offers"]),
            "parameters": _parameters(mac),
            "source": mac["source"],
        }
        for mac in macs()
    ]


def _rates() -> Rows:
    from .._multihop import rates

    return [
        {
            "rate": control["name"],
            "about": control["about"],
            "parameters": _parameters(control),
            "source": control["source"],
        }
        for control in rates()
    ]


def _propagations() -> Rows:
    from .._multihop import propagations

    return [
        {
            "propagation": model["name"],
            "about": model["about"],
            "parameters": _parameters(model),
            "source": model["source"],
        }
        for model in propagations()
    ]


def _topologies() -> Rows:
    from .._multihop import topologies

    return [
        {"kind": topology["name"], "about": topology["about"], "parameters": _parameters(topology)}
        for topology in topologies()
    ]


def _of_parts(name: str) -> Callable[[], Rows]:
    """Return what lists the parts of that name: those that have a title and a source."""

    def rows() -> Rows:
        from .. import _multihop

        return [
            {
                "kind": part["name"],
                "title": part["title"],
                "about": part["about"],
                "parameters": _parameters(part),
                "source": part["source"],
            }
            for part in getattr(_multihop, name)()
        ]

    return rows


def _parameters(part: dict[str, Any]) -> str:
    """List a part's parameters, each with its default."""
    return ", ".join(
        f"{param['name']} ({param.get('default', param.get('otherwise', 'required'))})"
        for param in part["params"]
    )


def _figures() -> Rows:
    from ..reproducing.reproduction import figures_table

    return figures_table().to_dicts()


def _columns() -> Rows:
    from ..results.columns import COLUMNS, TRACE

    traced = {f"trace.{table}": columns for table, columns in TRACE.items()}
    return [
        {"table": table, "column": name, "unit": column.unit, "meaning": column.about}
        for table, columns in (COLUMNS | traced).items()
        for name, column in columns.items()
    ]


def _keys() -> Rows:
    from ..scenario.keys import keys

    return [
        {
            "key": key.name,
            "meaning": f"{key.about} Default: {key.default}".removesuffix(" Default: "),
        }
        for key in keys()
    ]


def _examples() -> Rows:
    from ..scenario.examples import examples

    return [{"example": example.name, "about": example.about} for example in examples()]


def _prototypes() -> Rows:
    from ..scenario.examples import prototypes

    return [{"prototype": example.name, "about": example.about} for example in prototypes()]


LISTS: dict[str, Callable[[], Rows]] = {
    "schemes": _schemes,
    "routings": _routings,
    "macs": _macs,
    "rates": _rates,
    "propagations": _propagations,
    "topologies": _topologies,
    "traffic": _of_parts("traffics"),
    "mobility": _of_parts("mobilities"),
    "figures": _figures,
    "columns": _columns,
    "keys": _keys,
    "examples": _examples,
    "prototypes": _prototypes,
}

# What has parameters, which JSON shows in full.
PARTS = {
    **{
        name: name
        for name in ("schemes", "routings", "macs", "rates", "propagations", "topologies")
    },
    "traffic": "traffics",
    "mobility": "mobilities",
}


@app.command("list")
def list_(
    what: Annotated[
        str,
        typer.Argument(
            metavar=f"[{'|'.join(LISTS)}]",
            help="What to list.",
            autocompletion=one_of(lambda: LISTS),
        ),
    ] = "schemes",
    as_json: AsJson = False,
) -> None:
    """List parts, figures, columns, keys of scenarios, examples, prototypes.

    Example: multihop list columns
    """
    if what not in LISTS:
        raise typer.BadParameter(f"'{what}' cannot be listed; there are: {', '.join(LISTS)}")
    rows = LISTS[what]()
    if as_json and what in PARTS:
        from .. import _multihop

        print_json(getattr(_multihop, PARTS[what])())
    elif as_json:
        print_json(rows)
    else:
        print_table(list(rows[0]), [list(row.values()) for row in rows])


def _key_names() -> list[str]:
    from ..scenario.keys import keys

    return [key.name for key in keys()]


@app.command()
def explain(
    what: Annotated[
        str,
        typer.Argument(
            metavar="KEY|TRACE",
            help="A key as in mac.cw_min, its last word, or a table; or the folder of a trace.",
            autocompletion=one_of(_key_names),
        ),
    ],
    packet: Annotated[
        str, typer.Option(metavar="FLOW:NUMBER", help="Of a trace: the life of this packet.")
    ] = "",
    loss: Annotated[
        int | None, typer.Option(metavar="FRAME", help="Of a trace: why this frame was lost.")
    ] = None,
    flow: Annotated[
        str, typer.Option(metavar="FLOW", help="Of a trace, with --at: a packet of this flow.")
    ] = "",
    at: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Of a trace, with --flow: what was sent then."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Explain a key of a scenario, or a packet or a lost frame of a trace.

    Example: multihop explain mac.cw_min

    Example: multihop explain trace --packet "n0->n10:17"

    Example: multihop explain trace --loss 4

    Example: multihop explain trace --flow 0 --at 12.5
    """
    asked = Asked(packet, loss, flow, at)
    if asked != Asked() or Path(what).is_dir():
        explain_trace(Path(what), asked, as_json=as_json)
        return

    from ..scenario.keys import explain as explained

    found = explained(what)
    if as_json:
        print_json([asdict(one) for one in found])
        return
    for number, one in enumerate(found):
        lines = {
            "of": ", ".join(one.parts),
            "takes": one.kind,
            "allowed": one.allowed,
            "default": one.default,
        }
        say(("\n" if number else "") + f"{one.name}: {one.about}")
        for name, value in lines.items():
            if value:
                say(f"  {name:8} {value}")


SCHEMAS = ("scenario", "sweep")


@app.command("schema")
def schema_(
    what: Annotated[
        str,
        typer.Argument(
            metavar=f"[{'|'.join(SCHEMAS)}]",
            help="Which files.",
            autocompletion=one_of(lambda: SCHEMAS),
        ),
    ] = "scenario",
    as_json: AsJson = True,  # it always is; taken as by every command
) -> None:
    """Print the JSON Schema of scenario files, or of sweep files.

    Example: multihop schema sweep > sweep.schema.json
    """
    if what not in SCHEMAS:
        raise typer.BadParameter(f"'{what}' has no schema; there are: {', '.join(SCHEMAS)}")

    if what == "scenario":
        from .._multihop import schema as made
    else:
        from ..sweeping.schema import sweep_schema as made
    sys.stdout.write(made() + "\n")


def _prototype_names() -> list[str]:
    from ..scenario.examples import prototypes

    return [prototype.name for prototype in prototypes()]


def _example_names() -> list[str]:
    from ..scenario.examples import examples

    return [example.name for example in examples()]


@app.command()
def new(
    name: Annotated[
        Path | None, typer.Argument(metavar="[NAME]", help="The file; .toml is added if it lacks.")
    ] = None,
    example: Annotated[
        str,
        typer.Option(help="An example instead.", autocompletion=one_of(_example_names)),
    ] = "",
    prototype: Annotated[
        str,
        typer.Option(help="A scheme in Python instead.", autocompletion=one_of(_prototype_names)),
    ] = "",
    mesh: Annotated[
        str, typer.Option(metavar="NAME", help="A mesh with its default traffic: meshtastic.")
    ] = "",
    nodes: Annotated[
        int | None, typer.Option(metavar="N", help="Of a mesh: how many nodes.  [default: 50]")
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Of a mesh: its setting.  [default: long-fast]"),
    ] = None,
    hop_limit: Annotated[
        int | None, typer.Option(metavar="N", help="Of a mesh: its hop limit.  [default: 3]")
    ] = None,
    routers: Annotated[
        float | None,
        typer.Option(metavar="PERCENT", help="Of a mesh: so many of the nodes are routers."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write a scenario to begin with, commented; or an example, a mesh, or a scheme in Python.

    Nothing that is there already is replaced.

    Example: multihop new --example dumbbell

    Example: multihop new --mesh meshtastic --nodes 100 --hop-limit 5 --routers 10

    Example: multihop new --prototype lifo
    """
    from ..scenario.examples import write_prototype, write_scenario

    wanted = {"--example": example, "--prototype": prototype, "--mesh": mesh}
    if len(given := [option for option, value in wanted.items() if value]) > 1:
        raise typer.BadParameter(f"{' and '.join(given)} are two files; give one of them")
    of_mesh = {"nodes": nodes, "preset": preset, "hop_limit": hop_limit, "routers": routers}
    asked = {name: value for name, value in of_mesh.items() if value is not None}
    if asked and not mesh:
        option = next(iter(asked)).replace("_", "-")
        raise typer.BadParameter(f"--{option} is about a mesh; give --mesh meshtastic as well")
    if mesh:
        from ..meshes.starting import write_mesh

        file = write_mesh(name, mesh, **asked)  # type: ignore[arg-type]
        then = f"multihop run {file}"
    elif prototype:
        file = write_prototype(name, prototype)
        then = f"multihop --with {file} run SCENARIO --set scheme.name={prototype}"
    else:
        file = write_scenario(name, example)
        then = f"multihop run {file}"
    if as_json:
        print_json({"file": str(file)})
    else:
        say(f"{file} written; next: {then}")


@app.command("doctor")
def doctor_(as_json: AsJson = False) -> None:
    """Print versions and cores, check the engine, and name what a lab lacks.

    Exits with 1 if the engine does not work.

    Example: multihop doctor
    """
    from . import doctor

    report = doctor.examine()
    if as_json:
        print_json(report)
    else:
        for key, value in report.items():
            say(f"{key:12} {value}")
    if report["check"] != "ok":
        raise typer.Exit(1)
