"""Markdown as HTML, in pieces: what a lesson embeds stands in fenced blocks between them.

No HTML of a file is taken over: it is shown as text. Links with a script are no links.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token


class Piece(NamedTuple):
    """HTML, or a block that is embedded: its kind, what is in it, and its line in the file."""

    html: str = ""
    kind: str = ""
    content: str = ""
    line: int = 0


class Source(NamedTuple):
    """A text in Markdown: its title, its first paragraph, and its pieces without the title."""

    title: str
    lead: str
    pieces: tuple[Piece, ...]


# Gives the address of a link or a picture of a file; the line is for errors.
Address = Callable[[str, int], str]


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def html(text: str) -> str:
    """Return a text as HTML."""
    return str(_parser().render(text))


def read(text: str, kinds: Sequence[str], address: Address) -> Source:
    """Read a text; fenced blocks whose language is one of `kinds` become pieces of their own.

    Raises `ValueError`, with the line, where such a block stands in a list or a quotation.
    """
    tokens = _parser().parse(text)
    title = lead = ""
    body = tokens
    if len(tokens) > 1 and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        title, body = tokens[1].content, tokens[3:]
    for token, following in pairwise(body):
        if token.type == "paragraph_open":
            lead = " ".join(following.content.split())
            break
    for token in body:
        _addresses(token, address)
    return Source(title, lead, tuple(_pieces(body, kinds)))


def _addresses(token: Token, address: Address) -> None:
    line = token.map[0] + 1 if token.map else 0
    for child in token.children or ():
        for name in ("href", "src"):
            if name in child.attrs:
                child.attrs[name] = address(str(child.attrs[name]), line)


def _pieces(tokens: list[Token], kinds: Sequence[str]) -> Iterator[Piece]:
    begin = 0
    for at, token in enumerate(tokens):
        kind = token.info.strip()
        if token.type != "fence" or kind not in kinds:
            continue
        line = token.map[0] + 1 if token.map else 0
        if token.level > 0:
            raise ValueError(f"line {line}: move '{kind}' out of the list or quotation")
        yield from _prose(tokens[begin:at])
        yield Piece(kind=kind, content=token.content, line=line)
        begin = at + 1
    yield from _prose(tokens[begin:])


def _prose(tokens: list[Token]) -> Iterator[Piece]:
    if tokens:
        parser = _parser()
        yield Piece(html=str(parser.renderer.render(tokens, parser.options, {})))
