"""`pcap`: a run as a capture for Wireshark."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .app import AsJson, File, Settings, app, scenario_file
from .output import print_json, say


@app.command()
def pcap(
    scenario: File,
    out: Annotated[Path, typer.Option("--out", "-o", help="File for the capture.")] = Path(
        "air.pcapng"
    ),
    dissector: Annotated[
        Path | None, typer.Option(help="File for a Wireshark plug-in that shows our headers.")
    ] = None,
    settings: Settings = [],  # noqa: B006
    as_json: AsJson = False,
) -> None:
    """Run a scenario and write all frames into a pcapng file, which Wireshark reads.

    Example: multihop pcap chain.toml -o air.pcapng --dissector multihop.lua
    """
    checked = scenario_file(scenario, settings).override({})

    from ..capturing import capture, write_dissector

    capture(checked, out)
    if dissector is not None:
        write_dissector(dissector)
    if as_json:
        print_json({"file": str(out), "dissector": None if dissector is None else str(dissector)})
        return
    say(f"capture written to {out}")
    if dissector is not None:
        say(f"plug-in written to {dissector}; try: tshark -X lua_script:{dissector} -r {out}")
