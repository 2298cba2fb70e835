"""The guide that follows a packet names functions that are where it says, and not many."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

pytestmark = pytest.mark.engine

# A packet's way is to be read in one go: so many functions, and so many times another file.
MOST_STOPS = 50
MOST_MOVES = 40

ROOT = Path(__file__).resolve().parent.parent
GUIDE = ROOT / "docs/guides/follow-a-packet.md"
STOP = re.compile(r"\[`([\w:]+)`\]\(\.\./\.\./([\w/.-]+\.rs)\)")


def stops() -> list[tuple[str, str]]:
    """Return what the guide names, each with its file."""
    return STOP.findall(GUIDE.read_text(encoding="utf-8"))


def test_what_is_named_is_defined_where_it_says() -> None:
    for name, file in stops():
        text = (ROOT / file).read_text(encoding="utf-8")
        last = name.rpartition("::")[2]
        defines = rf"\b(?:fn|struct|enum|trait|type|mod) {last}\b|^\s+{last}\b[ ({{,]"
        assert re.search(defines, text, re.MULTILINE), f"{name} is not defined in {file}"


def test_the_walk_is_short() -> None:
    files = [file for _, file in stops()]
    moves = sum(one != other for one, other in pairwise(files))
    assert len(files) <= MOST_STOPS
    assert moves <= MOST_MOVES
