"""Where commands write: refused before anything is run, and never over what they read."""

import os
from collections.abc import Sequence
from pathlib import Path
from unittest import mock

import pytest

from tests.conftest import Cli

# Commands that write a file, without it.
WRITING = (
    ("movement", "tiny.toml", "--out"),
    ("record", "tiny.toml", "--node", "n1", "--out"),
    ("pcap", "tiny.toml", "--out"),
    ("pcap", "tiny.toml", "--dissector"),
    ("view", "tiny.toml", "--export"),
    ("import", "tiny.csv", "--out"),
    ("optimum", "tiny.toml", "--rates", "1", "--set", "scheme.name=udp", "--out"),
)


@pytest.fixture
def files(tiny: Path) -> Path:
    """Return a folder with a scenario, a mesh, a folder and a pipe."""
    (tiny.parent / "tiny.csv").write_text("name,x,y\na,0,0\nb,100,0\n")
    (tiny.parent / "folder").mkdir()
    os.mkfifo(tiny.parent / "pipe")
    return tiny.parent


def listed(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() if path.is_file() else b"" for path in folder.iterdir()}


def refused(cli: Cli, arguments: Sequence[str | Path], message: str) -> None:
    """Check that a command says one line and runs nothing."""
    with (
        mock.patch(
            "multihop.running.runner.spread", side_effect=AssertionError("something was run")
        ),
        mock.patch(
            "multihop.running.recording.spread", side_effect=AssertionError("something was run")
        ),
        mock.patch(
            "multihop.running.capturing.spread", side_effect=AssertionError("something was run")
        ),
    ):
        done = cli(*arguments)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("command", WRITING, ids=" ".join)
@pytest.mark.parametrize(
    ("out", "message"),
    [
        (".", "cannot write to '.': it is a folder; name a file with"),
        ("", "it is a folder"),
        ("/", "it is a folder"),
        ("..", "it is a folder"),
        ("folder", "cannot write to 'folder': it is a folder"),
        ("pipe", "cannot write to 'pipe': it is no file"),
        ("tiny.toml/file", "cannot write to 'tiny.toml': "),
        ("/proc/file", "cannot write to '/proc': "),
        ("x" * 300, "File name too long"),
    ],
)
def test_what_cannot_be_a_file_is_refused_at_once(
    cli: Cli, files: Path, command: tuple[str, ...], out: str, message: str
) -> None:
    before = listed(files)
    refused(cli, (*command, out), message)
    assert listed(files) == before


@pytest.mark.parametrize("command", WRITING, ids=" ".join)
def test_no_command_writes_over_its_input(cli: Cli, files: Path, command: tuple[str, ...]) -> None:
    before = listed(files)
    (files / "link").symlink_to(command[1])
    for out in (command[1], files / command[1], f"folder/../{command[1]}", "link"):
        refused(cli, (*command, out), f"{command[-1]} names {out}, which this command reads")
    (files / "link").unlink()
    assert listed(files) == before


def test_no_command_writes_over_a_trace_or_a_sweep(cli: Cli, files: Path) -> None:
    assert cli("run", "tiny.toml", "--trace", "trace").returncode == 0
    assert cli("sweep", "tiny.toml", "--out", "swept").returncode == 0
    for command in (("pcap", "trace", "-o"), ("view", "trace", "--export")):
        refused(cli, (*command, "trace/run.json"), "which this command reads")
        refused(cli, (*command, "trace/frames.parquet"), "which this command reads")
    chart = ("figure", "swept", "--x", "scheme", "--y", "goodput", "--out")
    refused(cli, (*chart, "swept/store.json"), "which this command reads")
    assert cli(*chart, "swept/goodput.svg").returncode == 0
    refused(cli, ("pcap", "trace", "-o", "a", "--dissector", "a"), "--dissector names a")


def test_a_link_stays_one(cli: Cli, files: Path) -> None:
    (files / "real.txt").write_text("old")
    (files / "link").symlink_to("real.txt")
    assert cli("movement", "tiny.toml", "--out", "link").returncode == 0
    assert (files / "link").is_symlink()
    assert (files / "real.txt").read_text() != "old"


@pytest.mark.parametrize(
    "command",
    [
        ("run", "tiny.toml", "--out"),
        ("sweep", "tiny.toml", "--out"),
        ("compare", "tiny.toml", "--schemes", "udp,cxcc", "--out"),
        ("demo", "--out"),
        ("gallery", "--export"),
        ("reproduce", "cxcc/fig3", "--quick", "--out"),
    ],
    ids=" ".join,
)
def test_a_folder_that_cannot_be_is_refused_at_once(
    cli: Cli, files: Path, command: tuple[str, ...]
) -> None:
    for out in ("tiny.toml", "/proc/folder", "x" * 300):
        refused(cli, (*command, out), f"cannot write to '{out}': ")
    assert command[-1] in cli(*command, "tiny.toml").stderr


def test_tables_and_trace_have_folders_of_their_own(cli: Cli, files: Path) -> None:
    for trace in ("out", "./out", "folder/../out"):
        refused(cli, ("run", "tiny.toml", "--out", "out", "--trace", trace), "name two folders")
    assert not (files / "out").exists()


def test_results_of_one_kind_do_not_replace_those_of_another(cli: Cli, files: Path) -> None:
    run, sweep = ("run", "tiny.toml", "--out"), ("sweep", "tiny.toml", "--out")
    assert cli("run", "tiny.toml", "--trace", "trace").returncode == 0
    assert cli(*run, "tables").returncode == cli(*run, "tables").returncode == 0
    assert cli(*sweep, "swept").returncode == cli(*sweep, "swept").returncode == 0
    before = {path: path.stat().st_mtime_ns for path in files.rglob("*.*")}
    refused(cli, (*run, "trace"), "'trace' holds a trace, whose tables would be replaced")
    refused(cli, (*run, "swept"), "'swept' holds the results of a sweep")
    refused(cli, (*sweep, "trace"), "'trace' holds a trace")
    refused(cli, (*sweep, "tables"), "'tables' holds the tables of a run")
    assert {path: path.stat().st_mtime_ns for path in files.rglob("*.*")} == before


@pytest.mark.parametrize("name", ["", ".", "/"])
def test_new_needs_a_name(cli: Cli, files: Path, name: str) -> None:
    refused(cli, ("new", name), "it is a folder; name a file")
    refused(cli, ("new", name, "--prototype", "lifo"), "it is a folder; name a file")
