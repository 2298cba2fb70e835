"""`movement`, `record` and `replay`: the nodes of a scenario."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from .app import AsJson, File, Node, Settings, app, check_file, checked_scenario
from .output import print_json, say


@app.command()
def movement(
    scenario: File,
    settings: Settings = [],  # noqa: B006
    out: Annotated[Path | None, typer.Option(help="File for the movement.")] = None,
    as_json: AsJson = False,
) -> None:
    """Print positions and movement of a scenario's nodes as an ns-2 movement file.

    Example: multihop movement examples/random-waypoint.toml --out movement.txt
    """
    if out is not None:
        check_file(out, "--out", scenario)
    text = checked_scenario(scenario, settings).movement()
    if out is None:
        if as_json:
            print_json({"movement": text, "file": None})
        else:
            sys.stdout.write(text)
        return

    from ..results.result import replacing

    with replacing(out) as temporary:
        temporary.write_text(text)
    if as_json:
        print_json({"movement": text, "file": str(out)})
    else:
        say(f"movement written to {out}")


@app.command()
def record(
    scenario: File,
    node: Node,
    out: Annotated[Path, typer.Option(help="File for the recording, one JSON value a line.")],
    settings: Settings = [],  # noqa: B006
    as_json: AsJson = False,
) -> None:
    """Run a scenario and record the inputs and outputs of one node.

    Example: multihop record chain.toml --node n3 --out n3.jsonl
    """
    checked = checked_scenario(scenario, settings)
    check_file(out, "--out", scenario)

    from ..running.recording import record as record_node

    lines = record_node(checked, node, out)
    if as_json:
        print_json({"node": node, "lines": lines, "file": str(out)})
    else:
        say(f"{lines} lines of node {node} written to {out}")


@app.command()
def replay(
    scenario: File,
    recording: Annotated[Path, typer.Argument(help="File that `record` has written.")],
    node: Node,
    settings: Settings = [],  # noqa: B006
    as_json: AsJson = False,
) -> None:
    """Replay recorded inputs to a node, and check that its outputs are the same.

    Exits with 1 at the first thing that it does differently.

    Example: multihop replay chain.toml n3.jsonl --node n3
    """
    checked = checked_scenario(scenario, settings)

    from ..running.recording import replay as replay_node

    lines = replay_node(checked, node, recording)
    if as_json:
        print_json({"node": node, "lines": lines})
    else:
        say(f"{lines} lines, all alike")
