"""Runs as captures that Wireshark reads, and a dissector for the headers in them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from . import _multihop
from ._multihop import Cancel
from .results import explained, replacing
from .runner import spread
from .scenario import Given, as_scenario

DISSECTOR = Path(__file__).parent / "dissector.lua"


def capture(scenario: Given, path: str | Path) -> Path:
    """Run a scenario and write everything that was transmitted into a pcapng file.

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
    if len(packet) < NETWORK_HEADER:
        return
    known, at, number = _layouts(), NETWORK_HEADER, packet[9]
    while True:
        message = packet[at] if at < len(packet) and (number, None) not in known else None
        header = known.get((number, message))
        if header is None or at >= len(packet):
            return
        follows = FIRST <= number < PAYLOADS
        body = packet[at + 2 : at + packet[at + 1]] if follows else packet[at:]
        yield header["name"], _values(header["fields"], body)
        if not follows:
            return
        number, at = packet[at], at + packet[at + 1]


@cache
def _layouts() -> dict[tuple[int, int | None], dict[str, Any]]:
    """Return the layouts by number and, where it tells messages apart, first byte."""
    return {(header["number"], header["message"]): header for header in _multihop.headers()}


# Length of the network header.
NETWORK_HEADER = 20
# The numbers of headers that others follow; of the rest, a packet carries what they stand for.
FIRST, PAYLOADS = 152, 248


def _values(fields: list[dict[str, Any]], body: bytes) -> dict[str, int]:
    whole, length = int.from_bytes(body, "big"), 8 * len(body)
    values, end = {}, 0
    for field in fields:
        end += field["bits"]
        if end > length:
            break
        value = whole >> (length - end) & ((1 << field["bits"]) - 1)
        if field["holds"] == "signed" and value >> (field["bits"] - 1):
            value -= 1 << field["bits"]
        if field["name"]:
            values[field["name"]] = value
    return values
