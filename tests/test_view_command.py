"""`multihop view` and `multihop gallery` as commands."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from multihop.gallery import lessons
from tests.conftest import Cli

VIEWER = Path(__file__).resolve().parents[1] / "viewer"


def told(page: Path) -> dict[str, object]:
    found = re.search(r'id="manifest">(.*?)</script>', page.read_text())
    assert found is not None
    manifest: dict[str, object] = json.loads(found[1])
    return manifest


def test_two_schemes_are_run_and_exported_side_by_side(
    cli: Cli, tiny: Path, tmp_path: Path
) -> None:
    schemes = ("--scheme", "udp", "--scheme", "cxcc")
    done = cli("view", tiny, *schemes, "--at", "1.5", "--export", "page.html")
    assert done.returncode == 0, done.stderr
    manifest = told(tmp_path / "page.html")
    assert manifest["title"] == "tiny"
    assert manifest["view"] == "t=1.5"
    assert [run["title"] for run in manifest["runs"]] == ["udp", "cxcc"]  # type: ignore[attr-defined]


def test_runs_of_one_scheme_are_told_apart(cli: Cli, tiny: Path, tmp_path: Path) -> None:
    assert cli("view", tiny, tiny, "--export", "page.html").returncode == 0
    runs = told(tmp_path / "page.html")["runs"]
    assert [run["title"] for run in runs] == ["tiny (1)", "tiny (2)"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("view",), "dir|scenario"),
        (("view", "nowhere"), "there is no such folder"),
        (("view", "."), "holds no trace"),
        (("view", "missing.toml"), "missing.toml"),
        (("view", ".", "--scheme", "udp"), "as it is"),
        (("view", ".", "tiny.toml"), "as it is"),
        (("view", "tiny.toml", "tiny.toml", "tiny.toml"), "at most 2"),
        (("view", "tiny.toml", "--scheme", "carrier-pigeon"), "carrier-pigeon"),
        (("view", "tiny.toml", "--export", "tiny.toml/page.html"), "tiny.toml"),
        (("gallery", "hiden-terminal"), "hidden-terminal"),
    ],
)
def test_bad_input_is_one_line_and_code_2(
    cli: Cli, tiny: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = cli(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert message in done.stderr.lower()
    assert done.stderr.count("\n") == 1


def test_it_serves_until_it_is_interrupted_and_leaves_nothing(tiny: Path, tmp_path: Path) -> None:
    server = subprocess.Popen(
        [sys.executable, "-m", "multihop", "view", str(tiny), "--no-browser", "--json"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert server.stdout is not None
    said = ""
    while "}" not in said:
        said += server.stdout.readline()
    with urllib.request.urlopen(json.loads(said)["url"]) as page:
        assert b"viewer.js" in page.read()
    server.send_signal(signal.SIGINT)
    assert server.wait(10) == 0
    server.stdout.close()
    assert not list(tmp_path.glob("multihop-view-*"))


def test_the_gallery_is_listed_and_one_lesson_exported(cli: Cli, tmp_path: Path) -> None:
    assert "hidden-terminal" in cli("gallery").stdout
    assert len(json.loads(cli("gallery", "--json").stdout)) == len(lessons())
    done = cli("gallery", "rts-cts", "--export", "lecture", "--json")
    assert done.returncode == 0, done.stderr
    index = (tmp_path / "lecture" / "index.html").read_text()
    assert 'href="rts-cts.html"' in index
    manifest = told(tmp_path / "lecture" / "rts-cts.html")
    assert str(manifest["lesson"]).startswith("The remedy of the textbook")
    titles = [run["title"] for run in manifest["runs"]]  # type: ignore[attr-defined]
    assert titles == ["without RTS/CTS", "with RTS/CTS"]


@pytest.mark.skipif(
    shutil.which("npx") is None or not (VIEWER / "node_modules").is_dir(),
    reason="needs Node and 'make viewer-test' once: the page's own tests",
)
def test_the_page_opens_in_a_browser() -> None:
    # All of them take a minute, and are `make viewer-test`; without Chromium they skip themselves.
    chosen = "three seconds|one clock"
    environment = {**os.environ, "MULTIHOP_PYTHON": sys.executable}
    done = subprocess.run(
        ["npx", "vitest", "run", "--dir", "tests/browser", "-t", chosen],
        cwd=VIEWER,
        env=environment,
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("at", ["nan", "inf", "-inf", "-1"])
def test_a_replay_begins_at_a_time(cli: Cli, tiny: Path, at: str) -> None:
    done = cli("view", tiny, "--export", "a.html", "--at", at)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--at" in done.stderr
    assert done.stderr.count("\n") == 1
