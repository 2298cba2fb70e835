"""The inputs and outputs of one node, recorded and replayed."""

from __future__ import annotations

from pathlib import Path

from .. import _multihop
from .._multihop import Cancel, ReplayError
from ..engine.errors import OutputError
from ..engine.texts import read_text
from ..results.result import replacing
from ..scenario.form import Given, as_scenario
from .runner import spread


def record(scenario: Given, node: str, out: str | Path) -> int:
    """Run a scenario and write the inputs and outputs of `node` to `out`, one JSON value a line.

    Returns the number of lines. Raises `ScenarioError` if there is no such node.
    """
    recordings: list[str] = []
    checked = as_scenario(scenario)

    def job(_: int, cancel: Cancel) -> None:
        recordings.append(_multihop.record(checked.json, node, cancel))

    with replacing(Path(out)) as temporary:
        spread(job, 1, progress=False)
        temporary.write_text(recordings[0], encoding="utf-8")
    return recordings[0].count("\n")


def replay(scenario: Given, node: str, recording: str | Path) -> int:
    """Give a fresh node of `scenario` the recorded inputs, and compare its outputs.

    Returns the number of compared lines. Raises `ReplayError` at the first one that differs.
    """
    try:
        text = read_text(Path(recording))
    except ValueError as error:
        raise OutputError(str(error)) from None
    if not text.strip():
        raise OutputError(f"{recording}: is empty; write one with `multihop record`")
    try:
        return _multihop.replay(as_scenario(scenario).json, node, text)
    except ReplayError as error:
        raise ReplayError(f"{recording}: {error}") from None
