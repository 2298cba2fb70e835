"""The headers of packets, as bytes, and the values of their fields by the layouts of the engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from .. import _multihop

# Length of the network header.
NETWORK_HEADER = 20
# The numbers of headers that others follow; of the rest, a packet carries what they stand for.
FIRST, PAYLOADS = 152, 248


class Header(NamedTuple):
    """A header of a packet: its layout, the values of its fields, and the bytes behind them."""

    layout: dict[str, Any]
    values: dict[str, int]
    rest: bytes

    @property
    def name(self) -> str:
        """Its name in filters of Wireshark and in columns, as `tcp`."""
        return str(self.layout["name"])

    def in_words(self) -> dict[str, int | str | bytes]:
        """Return the values by the names of columns, as `tcp.sequence`; kinds as words.

        What is behind the fields, as options, is there as bytes.
        """
        found: dict[str, int | str | bytes] = {}
        for field in self.layout["fields"]:
            if field["name"] in self.values:
                value = self.values[field["name"]]
                words = dict(field["words"])
                word = words.get(value, str(value)) if words else value
                found[f"{self.name}.{field['name']}"] = word
        if self.layout["rest"] not in ("", "zeros"):
            found[f"{self.name}.{self.layout['rest']}"] = self.rest
        return found


class Layouts:
    """The layouts of headers, by number and, where it tells messages apart, first byte."""

    def __init__(self, headers: Sequence[dict[str, Any]]) -> None:
        self.known = {(header["number"], header["message"]): header for header in headers}

    @property
    def names(self) -> list[str]:
        """The names of all headers."""
        return [header["name"] for header in self.known.values()]

    def read(self, packet: bytes) -> Iterator[Header]:
        """Yield the headers behind the network header of `packet`.

        `packet` is what a trace's column `header` has. Cut off or unknown headers end it.
        """
        if len(packet) < NETWORK_HEADER:
            return
        at, number = NETWORK_HEADER, packet[9]
        while True:
            message = packet[at] if at < len(packet) and (number, None) not in self.known else None
            layout = self.known.get((number, message))
            if layout is None or at >= len(packet):
                return
            follows = FIRST <= number < PAYLOADS
            body = packet[at + 2 : at + packet[at + 1]] if follows else packet[at:]
            values, bits = _values(layout["fields"], body)
            yield Header(layout, values, body[(bits + 7) // 8 :])
            if not follows:
                return
            number, at = packet[at], at + packet[at + 1]


@cache
def engine_layouts() -> Layouts:
    """Return the layouts of this engine."""
    return Layouts(_multihop.headers())


def _values(fields: list[dict[str, Any]], body: bytes) -> tuple[dict[str, int], int]:
    """Return the values of the fields that are there, and how many bits they have."""
    whole, length = int.from_bytes(body, "big"), 8 * len(body)
    values, end = {}, 0
    for field in fields:
        if end + field["bits"] > length:
            break
        end += field["bits"]
        value = whole >> (length - end) & ((1 << field["bits"]) - 1)
        if field["holds"] == "signed" and value >> (field["bits"] - 1):
            value -= 1 << field["bits"]
        if field["name"]:
            values[field["name"]] = value
    return values, end
