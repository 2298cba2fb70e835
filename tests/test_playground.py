"""`multihop playground`: what is served and written, and what a missing module leads to."""

from __future__ import annotations

import json
import re
from pathlib import Path
from threading import Thread

import pytest

from multihop import Scenario
from multihop.engine.errors import OutputError
from multihop.gallery import course
from multihop.viewing import playground as page
from multihop.viewing.server import listen
from tests.conftest import call
from tests.test_view import get

MODULE = b"\0asm\1\0\0\0"


@pytest.fixture(autouse=True)
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a module in the place of the built one, which is not there everywhere."""
    path = tmp_path / "engine.wasm"
    path.write_bytes(MODULE)
    monkeypatch.setattr(page, "MODULE", path)
    return path


def test_every_scenario_to_begin_with_can_be_run() -> None:
    templates = page.playground(course())["templates"]
    names = [template["name"] for template in templates]
    assert names[:3] == ["1-chain", "2-grid", "3-random"]
    assert "bidirectional-chain" in names
    for template in templates:
        Scenario.from_toml(template["text"])


def test_the_page_and_the_module_are_served() -> None:
    lessons = course()
    server = listen(0, page.playground(lessons), [], lessons.files())
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        assert get(server, "/engine.wasm") == (200, MODULE)
        for name in page.FILES:
            assert get(server, f"/{name}")[0] == 200
        told = json.loads(get(server, "/manifest.json")[1])
        assert told["templates"]
        for lesson in told["lessons"]["pages"]:
            answer = get(server, f"/lessons/{lesson['name']}.json")
            assert json.loads(answer[1])["title"] == lesson["title"]
        assert get(server, "/lessons/site.toml")[0] == 404
        assert get(server, "/starts/1-chain.toml")[0] == 404
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_replay_serves_no_module() -> None:
    server = listen(0, {"title": "", "runs": []}, [])
    assert "/engine.wasm" not in server.files
    server.server_close()


def test_a_site_has_all_that_it_names_and_asks_nobody_else(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    done = call(tmp_path, "playground", "--export", folder, "--json")
    assert json.loads(done.stdout) == {"index": str(folder / "index.html")}
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    files = {path.as_posix() for path in found}
    worker = (folder / "sw.js").read_text()
    kept = json.loads(re.search(r"const FILES = (.*);", worker)[1])  # type: ignore[index]
    assert set(kept) == files - {"index.html", "sw.js"} | {"."}
    index = (folder / "index.html").read_text()
    assert "script-src 'self' 'wasm-unsafe-eval'" in index
    assert re.findall(r'(?:src|href)="([^"]+)"', index) == ["data:,", "./viewer.js", "./viewer.css"]
    assert json.loads((folder / "manifest.json").read_text())["offline"] is True
    assert (folder / "engine.wasm").read_bytes() == MODULE


def test_a_site_of_another_engine_is_kept_under_another_name(tmp_path: Path, module: Path) -> None:
    def name(folder: str) -> str:
        page.write_site(tmp_path / folder, course())
        return (tmp_path / folder / "sw.js").read_text().splitlines()[1]

    first = name("one")
    assert name("two") == first
    module.write_bytes(MODULE + b"\0")
    assert name("three") != first


def test_a_missing_module_names_the_command_that_builds_it(tmp_path: Path, module: Path) -> None:
    module.unlink()
    with pytest.raises(OutputError, match="build it with 'make web'"):
        listen(0, page.playground(course()), [])
    done = call(tmp_path, "playground", "--no-browser")
    assert done.returncode == 2
    assert "make web" in done.stderr


def test_a_site_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = call(tmp_path, "playground", "--export", "file")
    assert done.returncode == 2
    assert "--export" in done.stderr
