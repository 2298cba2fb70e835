"""Runs as captures that Wireshark reads, and a dissector for the headers in them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .. import _multihop
from .._multihop import Cancel
from ..engine.headers import engine_layouts
from ..results.result import explained, replacing
from ..scenario.form import Given, as_scenario
from .runner import spread

DISSECTOR = Path(__file__).parent / "dissector.lua"


def capture(scenario: Given, path: str | Path) -> Path:
    """Run a scenario and write all transmitted frames into a pcapng file.

    The file appears whole or not at all. Ctrl-C stops the run.
    """
    path, checked = Path(path), as_scenario(scenario)
    with explained(path.parent), replacing(path) as temporary:

        def job(_: int, cancel: Cancel) -> None:
            _multihop.capture(checked.json, str(temporary), cancel)

        spread(job, 1, progress=False)
    return path


def dissector() -> str:
    """Return a plug-in for Wireshark: the layouts of all headers, and what reads them."""
    layouts = ",\n".join(_lua_header(header) for header in _multihop.headers())
    return f"local LAYOUTS = {{\n{layouts},\n}}\n\n{DISSECTOR.read_text(encoding='utf-8')}"


def write_dissector(path: str | Path) -> Path:
    """Write the plug-in into a file."""
    path = Path(path)
    with explained(path.parent, "--dissector"), replacing(path, "--dissector") as temporary:
        temporary.write_text(dissector(), encoding="utf-8")
    return path


def _lua_header(header: dict[str, Any]) -> str:
    fields = "".join(f"      {_lua_field(field)},\n" for field in header["fields"])
    message = "nil" if header["message"] is None else header["message"]
    return (
        f"  {{ number = {header['number']}, message = {message}, "
        f"name = {_text(header['name'])}, title = {_text(header['title'])}, "
        f"rest = {_text(header['rest'])},\n    fields = {{\n{fields}    }} }}"
    )


def _lua_field(field: dict[str, Any]) -> str:
    words = ", ".join(f"[{number}] = {_text(word)}" for number, word in field["words"])
    holds = f"bits = {field['bits']}, holds = {_text(field['holds'])}, words = {{ {words} }}"
    return f"{{ name = {_text(field['name'])}, {holds}, about = {_text(field['about'])} }}"


def _text(text: str) -> str:
    """Return a text as Lua writes it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def read_headers(packet: bytes) -> Iterator[tuple[str, dict[str, int]]]:
    """Yield the headers behind the network header of `packet`: name, and values of the fields.

    What a trace's column `header` has, as bytes. Cut off or unknown headers end it.
    """
    for header in engine_layouts().read(packet):
        yield header.name, header.values
