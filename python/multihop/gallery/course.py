"""A folder of lessons: Markdown with networks and exercises in it, and their scenarios.

`NAME.md` is a lesson, whose scenario is `NAME.toml` if it names no other one. `site.toml` may have
a title, a text and the order of the lessons; without it they are in the order of their names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import unquote

from ..engine.errors import GalleryError
from ..engine.texts import parsed, read_text
from .blocks import EXERCISE, KEYS, NETWORK, Block, Exercise, Network
from .markdown import Piece, Source, html, read

SITE = "site.toml"
SITE_KEYS = {"title": str, "text": str, "lessons": list}
# Kinds of pictures that every browser shows.
PICTURES = (".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp")
# The name of a lesson is a part of its address.
NAME = re.compile(r"[\w-]+", re.ASCII)
# An address that leads elsewhere, or to a place of the page itself.
ELSEWHERE = re.compile(r"[a-zA-Z][\w+.-]*:|//|#")

Part: TypeAlias = Piece | Network | Exercise


@dataclass(frozen=True)
class Page:
    """A lesson: its title, its first paragraph as it was written, and its parts."""

    name: str
    title: str
    lead: str
    parts: tuple[Part, ...]

    @property
    def networks(self) -> list[Network]:
        """The networks in it."""
        return [part for part in self.parts if isinstance(part, Network)]

    def told(self) -> dict[str, Any]:
        """Return what the page in the browser is told."""
        parts = [{"html": one.html} if isinstance(one, Piece) else one.told() for one in self.parts]
        return {"name": self.name, "title": self.title, "parts": parts}


@dataclass(frozen=True)
class Course:
    """Lessons in the order in which to give them."""

    title: str
    text: str
    pages: tuple[Page, ...]
    # Pictures of the lessons, by the paths under which the page asks for them.
    pictures: Mapping[str, Path] = field(default_factory=dict)

    def listed(self) -> dict[str, Any]:
        """Return what the page in the browser is told before a lesson is opened."""
        pages = [{"name": page.name, "title": page.title} for page in self.pages]
        return {"title": self.title, "html": html(self.text), "pages": pages}

    def files(self) -> dict[str, bytes]:
        """Return its files, by the paths under which the page asks for them."""
        told = {f"lessons/{page.name}.json": page.told() for page in self.pages}
        pages = {path: json.dumps(one).encode() for path, one in told.items()}
        return pages | {path: file.read_bytes() for path, file in self.pictures.items()}


def read_course(folder: Path) -> Course:
    """Read a folder of lessons; raises `GalleryError`, with the place and a remedy."""
    found = {path.stem: path for path in sorted(folder.glob("*.md"))}
    if not found:
        raise GalleryError(
            f"'{folder}' has no lesson; write one as NAME.md, with NAME.toml beside it"
        )
    site = _site(folder / SITE)
    order = site.get("lessons", [])
    if unknown := [name for name in order if name not in found]:
        raise GalleryError(f"{folder / SITE}: lessons: there is no '{unknown[0]}.md' in the folder")
    names = dict.fromkeys([*order, *found])
    pictures: dict[str, Path] = {}
    pages = tuple(_page(found[name], found, pictures) for name in names)
    title = site.get("title", "Lessons")
    return Course(title, site.get("text", ""), pages, pictures)


def _site(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        site = parsed(read_text(path), "toml")
    except ValueError as error:
        raise GalleryError(f"{path}: not valid TOML: {error}") from None
    for key, value in site.items():
        if not isinstance(value, SITE_KEYS.get(key, ())):
            known = ", ".join(f"{name} (a {kind.__name__})" for name, kind in SITE_KEYS.items())
            raise GalleryError(f"{path}: '{key}' is unknown or no such value; there are {known}")
    return dict(site)


def _page(path: Path, found: Mapping[str, Path], pictures: dict[str, Path]) -> Page:
    if not NAME.fullmatch(path.stem):
        raise GalleryError(f"{path}: name it with letters, digits, '-' and '_' only")
    source = _source(path, found, pictures)
    if not source.title:
        raise GalleryError(
            f"{path}, line 1: begin with the title of the lesson, as in '# Collisions'"
        )
    return Page(path.stem, source.title, source.lead, tuple(_part(path, p) for p in source.pieces))


def _source(path: Path, found: Mapping[str, Path], pictures: dict[str, Path]) -> Source:
    def address(given: str, line: int) -> str:
        if ELSEWHERE.match(given):
            return given
        place = Path(unquote(given.partition("#")[0]))
        if place.suffix == ".md" and place.stem in found and len(place.parts) == 1:
            return f"#lesson={place.stem}"
        folder = path.parent.resolve()
        file = (folder / place).resolve()
        inside = file.is_relative_to(folder)
        if place.suffix.lower() not in PICTURES or not inside or not file.is_file():
            raise ValueError(
                f"line {line}: '{given}' is neither a lesson nor a picture "
                f"({', '.join(PICTURES)}) of the folder; put it there, or write https:// before it"
            )
        asked = f"lessons/{file.relative_to(folder).as_posix()}"
        pictures[asked] = file
        return asked

    try:
        text = read_text(path)
    except ValueError as error:
        raise GalleryError(str(error)) from None
    try:
        return read(text, tuple(KEYS), address)
    except ValueError as error:
        raise GalleryError(f"{path}, {error}") from None


def _part(path: Path, piece: Piece) -> Part:
    if piece.kind == NETWORK:
        return Block(path, piece).network()
    return Block(path, piece).exercise() if piece.kind == EXERCISE else piece
