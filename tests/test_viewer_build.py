"""The built page that is shipped belongs to the sources in `viewer`, and is small."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.engine

ROOT = Path(__file__).resolve().parents[1]
VIEWER = ROOT / "viewer"
APP = ROOT / "python" / "multihop" / "viewing" / "app"
GIVEN = ("index.html", "package-lock.json", "package.json", "tsconfig.json", "vite.config.ts")
# So that the package and every exported page stay small.
MOST_BYTES = 250_000
# What the playground has beside that.
MOST_BYTES_MORE = 450_000
REPLAY = {"index.html", "viewer.css", "viewer.js"}
PLAYGROUND = {"playground.css", "playground.js", "worker.js"}


def test_the_page_was_built_from_these_sources() -> None:
    sources = [path for path in (VIEWER / "src").rglob("*") if path.is_file()]
    names = sorted([*GIVEN, *(path.relative_to(VIEWER).as_posix() for path in sources)])
    digest = hashlib.sha256()
    for name in names:
        digest.update(name.encode() + b"\0" + (VIEWER / name).read_bytes() + b"\0")
    stamp = (APP / "sources.sha256").read_text().strip()
    assert stamp == digest.hexdigest(), "viewer/ has changed: run 'make viewer'"


def test_the_page_is_small_and_loads_nothing_from_elsewhere() -> None:
    files = {path.name: path.read_text() for path in APP.iterdir()}
    assert set(files) == REPLAY | PLAYGROUND | {"sources.sha256"}
    assert sum(len(files[name]) for name in REPLAY) < MOST_BYTES
    assert sum(len(files[name]) for name in PLAYGROUND) < MOST_BYTES_MORE
    page = files["index.html"]
    assert re.findall(r'(?:src|href)="([^"]+)"', page) == ["data:,", "./viewer.js", "./viewer.css"]
    for style in ("viewer.css", "playground.css"):
        assert not re.search(r"url\((?!data:)|@import", files[style])
    # It would end, or not end, the element that it stands in in an exported page.
    assert "<script" not in files["viewer.js"].lower()


def test_the_words_of_the_page_are_the_engine_s() -> None:
    from multihop._multihop import vocabulary

    text = (VIEWER / "src" / "model" / "words.ts").read_text(encoding="utf-8")
    tables = re.findall(r"const (?:CLASSES|CAUSES): .*?\};", text, re.S)
    known = set(re.findall(r"(\w+): \"", " ".join(tables)))
    words = vocabulary()
    causes = {column.removeprefix("lost_") for column in words["drop_causes"]}
    # A word that the page does not know is shown as it is.
    assert known <= causes | set(words["frame_classes"]) | set(words["outcomes"])
    assert len(known) >= 30
