"""`pcap`: a run as a capture for Wireshark."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .app import AsJson, Settings, app, check_file, checked_scenario, settings_of
from .output import print_json, say, warn

if TYPE_CHECKING:
    from ..scenario.form import Scenario


@app.command()
def pcap(
    run: Annotated[
        Path,
        typer.Argument(
            metavar="DIR|SCENARIO", help="Folder of a trace, whose run is repeated, or scenario."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="File for the capture.")] = Path(
        "air.pcapng"
    ),
    dissector: Annotated[
        Path | None, typer.Option(help="File for a Wireshark plug-in that shows our headers.")
    ] = None,
    settings: Settings = [],  # noqa: B006
    as_json: AsJson = False,
) -> None:
    """Write all frames of a run into a pcapng file, which Wireshark reads.

    Example: multihop pcap chain.toml -o air.pcapng --dissector multihop.lua
    """
    checked = _traced(run, settings) if run.is_dir() else checked_scenario(run, settings)

    check_file(out, "--out", run)
    if dissector is not None:
        check_file(dissector, "--dissector", run, out)

    from ..running.capturing import capture, write_dissector

    capture(checked, out)
    if dissector is not None:
        write_dissector(dissector)
    if as_json:
        print_json({"file": str(out), "dissector": None if dissector is None else str(dissector)})
        return
    say(f"capture written to {out}")
    if dissector is not None:
        say(f"plug-in written to {dissector}; try: tshark -X lua_script:{dissector} -r {out}")


def _traced(folder: Path, settings: list[str]) -> Scenario:
    """Return the scenario of a trace: run again, it sends the same frames with the same numbers."""
    from ..running.tracing import Trace, made_by

    trace = Trace(folder)
    if trace.about["engine"] != made_by(trace.scenario):
        warn(
            f"{folder} was written by another version of the engine or of its scheme; this run may "
            "differ from it"
        )
    return trace.scenario.override(settings_of(settings), "--set")
