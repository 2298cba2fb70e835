"""`multihop site`: folders of lessons, and what is said of mistakes in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from multihop.engine.errors import GalleryError
from multihop.gallery import read_course
from multihop.gallery.blocks import Exercise, Network
from multihop.gallery.markdown import Piece
from multihop.viewing import playground as page
from tests.conftest import call

SCENARIO = """\
warmup = "0 s"
duration = "1 s"
[topology]
kind = "chain"
hops = 2
[scheme]
name = "udp"
[traffic]
load = "50 kbit/s"
start = "0.1 s"
"""
LESSON = """\
# Two hops

A *short* one: [the next](next.md), ![a map](maps/a.svg).

```network
change = { "traffic.load" = ["50 kbit/s", "100 kbit/s"], "topology.hops" = [] }
show = ["goodput_bit_s", "flows.lost", "nodes.collisions"]

[[run]]
title = "UDP"

[[run]]
title = "CXCC"
set = { scheme = { name = "cxcc" } }
```

Between.

```exercise
question = "Why?"
answer = \"\"\"
Because of `this`.
\"\"\"
```

```toml
shown = "as it is"
```
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a folder of lessons."""
    folder = tmp_path / "lecture"
    (folder / "maps").mkdir(parents=True)
    (folder / "maps" / "a.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (folder / "two.md").write_text(LESSON, encoding="utf-8")
    (folder / "two.toml").write_text(SCENARIO, encoding="utf-8")
    (folder / "next.md").write_text("# Next\n\nOnly text.\n", encoding="utf-8")
    return folder


def written(folder: Path, text: str) -> str:
    """Return what is said of a lesson with this text."""
    (folder / "two.md").write_text(text, encoding="utf-8")
    with pytest.raises(GalleryError) as error:
        read_course(folder)
    return str(error.value)


def test_a_lesson_is_text_networks_and_exercises(folder: Path) -> None:
    (folder / "site.toml").write_text('title = "Radio"\ntext = "*All* of it."\nlessons = ["two"]\n')
    course = read_course(folder)
    assert [page.name for page in course.pages] == ["two", "next"]
    lesson = course.pages[0]
    assert lesson.title == "Two hops"
    text, network, between, exercise, rest = lesson.parts
    assert isinstance(text, Piece)
    assert "<em>short</em>" in text.html
    assert 'href="#lesson=next"' in text.html
    assert 'src="lessons/maps/a.svg"' in text.html
    assert isinstance(network, Network)
    assert [one.to_dict()["scheme"]["name"] for one in network.scenarios()] == ["udp", "cxcc"]
    assert network.change == {"traffic.load": ("50 kbit/s", "100 kbit/s"), "topology.hops": ()}
    assert isinstance(between, Piece)
    assert isinstance(exercise, Exercise)
    assert "<code>this</code>" in exercise.told()["exercise"]["answer"]
    assert isinstance(rest, Piece)
    assert "as it is" in rest.html
    assert course.listed()["title"] == "Radio"
    assert "<em>All</em>" in course.listed()["html"]


def test_nothing_of_a_text_runs_in_the_page(folder: Path) -> None:
    elements = "<script>alert(1)</script> <img src=x onerror=alert(1)>"
    text = f"# A\n\n{elements}\n\n[a](javascript:alert(1))\n"
    (folder / "two.md").write_text(text, encoding="utf-8")
    course = read_course(folder)
    (piece,) = next(page for page in course.pages if page.name == "two").parts
    assert isinstance(piece, Piece)
    assert "<script" not in piece.html
    assert "<img" not in piece.html
    assert "href" not in piece.html


NETWORK = "# A\n\n```network\n{}\n```\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("No title.\n", "line 1: begin with the title"),
        (NETWORK.format("shows = []"), "line 3: network: 'shows' is no key; there are scenario"),
        (NETWORK.format("show = [\n"), "network: not valid TOML: "),
        (NETWORK.format("\n\nshow = ]"), "at line 6, column 8"),
        (NETWORK.format('show = ["speed"]'), "'speed' is no column of runs, flows, nodes"),
        (NETWORK.format('show = ["frames.bytes"]'), "'frames.bytes' is no column"),
        (NETWORK.format("show = 3"), "'show' has to be a list"),
        (NETWORK.format('change = ["traffic.load"]'), "'change' has keys with values"),
        (NETWORK.format('change = { "traffic.lod" = [] }'), "'traffic.lod' is no key"),
        (NETWORK.format('change = { "traffic.load" = ["fast"] }'), "two.toml: traffic.load"),
        (NETWORK.format('scenario = "none.toml"'), "none.toml: cannot be read"),
        (NETWORK.format('scenario = "../two.toml"'), "lies outside the lessons' folder"),
        (NETWORK.format("scenario = 3"), "'scenario' has to be a text"),
        (NETWORK.format('[[run]]\nset = { "topology.hops" = 0 }'), "two.toml: topology.hops"),
        (NETWORK.format("[[run]]\nname = 3"), "a [[run]] has 'title' and 'set'"),
        (NETWORK.format("[[run]]\nset = 3"), "'set' has to be a table"),
        (NETWORK.format("[[run]]\n" * 4), "write 1 to 3 tables [[run]]; there are 4"),
        (NETWORK.format("run = []"), "there are 0"),
        ("# A\n\n```exercise\nquestion = 'a'\n```\n", "exercise: 'answer' has to be a text"),
        ("# A\n\n- ```network\n  ```\n", "line 3: move 'network' out of the list"),
        ("# A\n\n[b](none.md)\n", "line 3: 'none.md' is neither a lesson nor a picture"),
        ("# A\n\n![b](/etc/passwd)\n", "line 3: '/etc/passwd' is neither"),
        ("# A\n\n![b](../../a.png)\n", "line 3: '../../a.png' is neither"),
    ],
)
def test_a_mistake_has_its_place_and_a_remedy(folder: Path, text: str, said: str) -> None:
    assert said in (found := written(folder, text))
    assert "two.md" in found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title = 3", "'title' is unknown or no such value"),
        ("titel = 'a'", "there are title (a str), text (a str), lessons (a list)"),
        ("lessons = ['none']", "there is no 'none.md' in the folder"),
        ("title = ", "not valid TOML"),
    ],
)
def test_a_mistake_in_the_order_of_lessons_is_named(folder: Path, text: str, said: str) -> None:
    (folder / "site.toml").write_text(text)
    with pytest.raises(GalleryError, match=r"site\.toml: ") as error:
        read_course(folder)
    assert said in str(error.value)


def test_the_example_of_the_guide_can_be_read() -> None:
    (lesson,) = read_course(Path(__file__).parent.parent / "examples" / "lecture").pages
    assert lesson.title == "Two senders, one receiver"
    assert len(lesson.networks) == 1


def test_a_folder_without_lessons_and_a_name_that_is_no_address(tmp_path: Path) -> None:
    with pytest.raises(GalleryError, match=r"has no lesson; write one as NAME\.md"):
        read_course(tmp_path / "none")
    (tmp_path / "what now.md").write_text("# A\n")
    with pytest.raises(GalleryError, match="name it with letters"):
        read_course(tmp_path)
    (tmp_path / "what now.md").unlink()
    (tmp_path / "bytes.md").write_bytes(b"\xff\xfe")
    with pytest.raises(GalleryError, match="it is not UTF-8 text"):
        read_course(tmp_path)


def test_the_command_writes_a_site_that_begins_with_the_lessons(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "engine.wasm"
    module.write_bytes(b"\0asm\1\0\0\0")
    monkeypatch.setattr(page, "MODULE", module)
    done = call(tmp_path, "site", folder, "--out", tmp_path / "site", "--json")
    assert json.loads(done.stdout) == {"index": str(tmp_path / "site" / "index.html")}
    told: dict[str, Any] = json.loads((tmp_path / "site" / "manifest.json").read_text())
    assert told["lessonsFirst"] is True
    assert [lesson["name"] for lesson in told["lessons"]["pages"]] == ["next", "two"]
    for lesson in ("next", "two"):
        parts = json.loads((tmp_path / "site" / "lessons" / f"{lesson}.json").read_text())["parts"]
        assert parts
    assert (tmp_path / "site" / "lessons" / "maps" / "a.svg").is_file()
    kept = (tmp_path / "site" / "sw.js").read_text()
    assert "lessons/two.json" in kept
    refused = call(tmp_path, "site", tmp_path / "site", "--out", "elsewhere")
    assert refused.returncode == 2
    assert "has no lesson" in refused.stderr
    refused = call(tmp_path, "site", folder, "--out", module)
    assert refused.returncode == 2
    assert "--out" in refused.stderr
