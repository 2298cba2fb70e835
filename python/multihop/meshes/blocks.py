"""Plain YAML: tables and lists by indentation, with text and numbers, as programs write it.

Anchors, tags and texts of several lines are refused with their line: no map of a mesh has them.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from ..engine.errors import MeshError

# A key that ends in a colon, and what stands behind it.
KEY = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#'"\[{&*!|>%@][^#]*?):(?:\s+(.*))?$""")
# The parts of a list or table in one line: quoted texts are whole.
PARTS = re.compile(r"""\s*((?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,"'])+)\s*(?:,|$)""")
REFUSED = ("&", "*", "!", "|", ">", "%", "@")


class Line(NamedTuple):
    """A line that says something: its number, how far it is set in, and its text."""

    number: int
    indent: int
    text: str


def read_blocks(text: str, where: str) -> Any:
    """Read a document; raises `MeshError` with the line that is not plain."""
    reader = _Reader(_lines(text, where), where)
    found = reader.block(0) if reader.lines else {}
    if reader.at < len(reader.lines):
        raise reader.wrong("is set in less or more than the lines around it")
    return found


def is_blocks(text: str) -> bool:
    """Whether a text begins with a key and has more below it."""
    first = next((line for line in text.splitlines() if line.strip() and line[0] not in "#-"), "")
    return re.fullmatch(r"[A-Za-z_]\w*:\s*(#.*)?", first) is not None


def _lines(text: str, where: str) -> list[Line]:
    found = []
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        bare = line.strip()
        if not bare or bare.startswith("#") or bare == "---":
            continue
        indent = len(line) - len(line.lstrip(" "))
        if line[indent] == "\t":
            raise MeshError(f"{where}: line {number}: is set in with tabulators; YAML wants blanks")
        found.append(Line(number, indent, _without_comment(bare)))
    return found


def _without_comment(text: str) -> str:
    quote = ""
    for at, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote and text[at - 1] != "\\" else quote
        elif sign in "\"'" and (at == 0 or text[at - 1] in " [{,:-"):
            quote = sign
        elif sign == "#" and at and text[at - 1] == " ":
            return text[:at].rstrip()
    return text


class _Reader:
    """Goes through the lines once."""

    def __init__(self, lines: list[Line], where: str) -> None:
        self.lines = lines
        self.where = where
        self.at = 0

    def wrong(self, why: str) -> MeshError:
        line = self.lines[min(self.at, len(self.lines) - 1)]
        return MeshError(f"{self.where}: line {line.number}: '{line.text:.40}' {why}")

    def block(self, least: int) -> Any:
        """Read the list or the table that begins here."""
        line = self.lines[self.at]
        if line.indent < least:
            return None
        if line.text == "-" or line.text.startswith("- "):
            return self._list(line.indent)
        return self._table(line.indent)

    def _is_here(self, indent: int) -> bool:
        return self.at < len(self.lines) and self.lines[self.at].indent == indent

    def _list(self, indent: int) -> list[Any]:
        found = []
        while self._is_here(indent) and re.match(r"-( |$)", self.lines[self.at].text):
            line = self.lines[self.at]
            rest = line.text[1:].lstrip()
            if not rest:
                self.at += 1
                found.append(self._below(indent))
            elif KEY.fullmatch(rest):
                inner = indent + len(line.text) - len(rest)
                self.lines[self.at] = Line(line.number, inner, rest)
                found.append(self._table(inner))
            else:
                found.append(self._value(rest))
                self.at += 1
        return found

    def _table(self, indent: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while self._is_here(indent):
            parts = KEY.fullmatch(self.lines[self.at].text)
            if parts is None:
                raise self.wrong("is no key with a colon, as in name: hill")
            key = str(self._value(parts[1], numbers=False))
            if key in found:
                raise self.wrong("stands there twice")
            if parts[2]:
                found[key] = self._value(parts[2])
                self.at += 1
            else:
                self.at += 1
                found[key] = self._below(indent)
        return found

    def _below(self, indent: int) -> Any:
        """Read what a key without a value has: what is set in below it, or a list beside it."""
        if self.at >= len(self.lines):
            return None
        line = self.lines[self.at]
        beside = line.indent == indent and re.match(r"-( |$)", line.text)
        return self.block(indent) if beside else self.block(indent + 1)

    def _value(self, text: str, *, numbers: bool = True) -> Any:
        if text[0] in "[{":
            return self._in_one_line(text)
        if text[0] in REFUSED:
            raise self.wrong("is YAML beyond tables, lists, texts and numbers, which is not read")
        if text[0] == '"':
            try:
                return json.loads(re.sub(r"\\U([0-9a-fA-F]{8})", _astral, text))
            except ValueError:
                raise self.wrong("has a quoted text that does not end, or ends too early") from None
        if text[0] == "'":
            if len(text) < 2 or text[-1] != "'":
                raise self.wrong("has a quoted text that does not end")
            return text[1:-1].replace("''", "'")
        if not numbers:
            return text
        if text in ("true", "false"):
            return text == "true"
        if text in ("null", "~"):
            return None
        try:
            return float(text) if re.fullmatch(r"[-+]?\d*\.?\d+(e[-+]?\d+)?", text, re.I) else text
        except ValueError:
            return text

    def _in_one_line(self, text: str) -> Any:
        closing = {"[": "]", "{": "}"}[text[0]]
        inner = text[1:-1].strip()
        if text[-1] != closing or "[" in inner or "{" in inner:
            raise self.wrong("has a list or a table in one line that is not plain")
        parts = [part.strip() for part in PARTS.findall(inner)] if inner else []
        if closing == "]":
            return [self._value(part) for part in parts]
        found = {}
        for part in parts:
            key = KEY.fullmatch(part)
            if key is None:
                raise self.wrong("has a table in one line without a colon between key and value")
            found[str(self._value(key[1], numbers=False))] = self._value(key[2]) if key[2] else None
        return found


def _astral(found: re.Match[str]) -> str:
    return json.dumps(chr(int(found[1], 16)))[1:-1]
