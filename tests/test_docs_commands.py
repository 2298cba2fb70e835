"""Every command line of the documentation works.

They stand in blocks of `console` and `sh`, in blocks of text as lines of their own, and in prose
as inline code. What prints something in a page is compared with it in `test_docs.py`. Here the
commands of a page are run in their order, in a folder of their own:

- one of `multihop` whose output is not shown is run; one that takes long is run up to its runs
  (`UP_TO`), so that its flags, scenarios and settings are checked; one about what is not there
  (`ABOUT_OTHERS`) is parsed;
- `make` is asked what it would do (`make -n`);
- `multihop-node` and `multihop-ether` must know the flags;
- `python -m` must find its module;
- in prose, with what the reader has to fill in, names of commands and options must exist.
"""

from __future__ import annotations

import contextlib
import importlib.util
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
import typer

from multihop.cli import app
from tests.conftest import call
from tests.test_docs import CONSOLE, ROOT, TUTORIALS, commands

pytestmark = pytest.mark.engine

ALL = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
# `test_tutorial.py` runs those of tutorials to their ends.
PAGES = [page for page in ALL if page not in TUTORIALS]
SHELL_BLOCK = re.compile(r"(?<=^```sh\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
TEXT_BLOCK = re.compile(r"(?<=^```text\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
PROGRAM = r"(?:multihop|multihop-node|multihop-ether|make|python -m multihop[\w.]*)"
LINE = re.compile(rf"^{PROGRAM} .*$", re.MULTILINE)
INLINE = re.compile(rf"`({PROGRAM} [^`]+)`")
# Between the commands of a line.
BETWEEN = re.compile(r"\s+(?:[|;]|&&)\s+|;\s+")

# What ends a command when everything that it was given is checked.
CHECKED = 77
# Commands that take long, or need what is not here, and where they are stopped.
UP_TO = {
    "compare": "multihop.comparing.comparison.sweep_points",
    "lab demo": "multihop.lab.demo.run",
    "lab fig22": "multihop_papers.cxcc.on_linux.measure",
    "lab up": "multihop.lab.Lab.up",
    "optimum --rates": "multihop.searching.rates.run_many",
    "optimum": "multihop.searching.optimum.run_many",
    "reproduce --readings": "multihop.reproducing.readings.readings_of",
    "reproduce --first-seed": "multihop.reproducing.rejudging.collect",
    "reproduce": "multihop.reproducing.reproduction.collect",
    "sweep": "multihop.sweeping.file.sweep_points",
    "tune": "multihop.tuning.tuning.sweep_points",
    "view": "multihop.viewing.runs.trace_all",
    "why": "multihop.reasons.asking.run",
    "playground": "multihop.viewing.playground.playground",
    "site": "multihop.viewing.playground.write_site",
}
WORDS = {word for name in UP_TO for word in name.split()}
# Commands about something that is not here, and why not.
ABOUT_OTHERS = {
    "multihop lab exec ": "there is no lab",
    "multihop lab status": "there is no lab",
    "multihop lab down": "there is no lab",
    "multihop lab pcap": "there is no lab",
    "multihop compare results/": "of runs of the reader's own",
    "multihop compare loads ": "of runs of a sweep that takes long",
    "multihop figure loads ": "of runs of a sweep that takes long",
    "multihop figure r ": "of runs of a sweep that takes long",
    "multihop status s": "of runs of a sweep that takes long",
    "multihop view trace": "serves a page until Ctrl-C",
    "multihop run examples/bidirectional-chain.toml --set simulator=ns3": "needs ns-3",
}


def blocks(text: str) -> Iterator[str]:
    """Yield the command lines of the blocks of a page, in their order."""
    for block in BLOCK.finditer(text):
        for found in CONSOLE.findall(block[0]):
            shown = commands(f"```console\n{found}```")
            yield from (line for line, printed in shown if not printed)
        for found in (*SHELL_BLOCK.findall(block[0]), *TEXT_BLOCK.findall(block[0])):
            yield from LINE.findall(found)


def inline(text: str) -> Iterator[str]:
    """Yield the command lines in the prose of a page."""
    for found in INLINE.findall(BLOCK.sub("", text)):
        yield re.sub(r"\s+", " ", found)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_of_a_page_work(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    prepare(tmp_path)
    for line in blocks(text):
        run_line(line, tmp_path)
    for line in inline(text):
        for part in parts(line):
            check_names(part)


def prepare(folder: Path) -> None:
    """Give a folder what readers have: the examples, and a scenario of their own."""
    (folder / "examples").symlink_to(ROOT / "examples")
    (folder / "python").symlink_to(ROOT / "python")
    shutil.copy(ROOT / "examples" / "one-hop.toml", folder / "chain.toml")


def parts(line: str) -> list[str]:
    """Split a line into its commands, without what they read and write."""
    return [re.sub(r"\s[<>]\s+\S+", "", part).strip() for part in BETWEEN.split(line)]


def run_line(line: str, folder: Path) -> None:
    for part in parts(line):
        words = shlex.split(part)
        match words[0]:
            case "multihop":
                run_multihop(part, folder)
            case "make":
                asked = subprocess.run(["make", "-n", *words[1:]], cwd=ROOT, capture_output=True)
                assert asked.returncode == 0, f"{part}: {asked.stderr.decode()}"
            case "multihop-node" | "multihop-ether":
                check_flags(words)
            case "python" if words[1] == "-m":
                assert importlib.util.find_spec(words[2]), part
            case "python":
                assert (ROOT / words[1]).is_file(), part
            case "cut" | "head" | "tail" | "wireshark":
                pass
            case _:
                pytest.fail(f"{part}: nobody knows how to check that")


def run_multihop(line: str, folder: Path) -> None:
    """Run a command of `multihop`, up to where it takes long."""
    arguments = shlex.split(line)[1:]
    if any(line.startswith(start) for start in ABOUT_OTHERS):
        parse(arguments)
        return
    words = [word for word in without_files(arguments) if word in WORDS]
    stop = next((UP_TO[name] for name in (" ".join(words), *words[:1]) if name in UP_TO), None)
    with contextlib.ExitStack() as stack:
        if stop is not None:
            end = SystemExit(CHECKED)
            stack.enter_context(mock.patch(stop, side_effect=end))
        done = call(folder, *arguments)
    expected = 0 if stop is None else CHECKED
    assert done.returncode == expected, f"{line}: {done.stdout}{done.stderr}"


def without_files(arguments: list[str]) -> Iterator[str]:
    """Yield the words of a command without `--with FILE` in front."""
    yield from arguments[2:] if arguments[0] == "--with" else arguments


def command_of(words: list[str]) -> tuple[Any, list[str]]:
    """Return the command that words begin with, and the words behind its name."""
    command: Any = typer.main.get_command(app)
    while words and words[0] in getattr(command, "commands", {}):
        command, words = command.commands[words[0]], words[1:]
    return command, words


def parse(arguments: list[str]) -> None:
    """Parse a command line."""
    command, words = command_of(list(without_files(arguments)))
    assert not hasattr(command, "commands"), f"there is no command {' '.join(arguments)}"
    command.make_context(command.name, words)


def check_names(line: str) -> None:
    """Check the names of the command and the options of a line in prose."""
    words = line.split()
    if words[0] == "make":
        assert set(words[1:]) <= targets(), line
    elif words[0] in ("multihop-node", "multihop-ether"):
        check_flags(words)
    elif words[0] == "multihop":
        command, rest = command_of(words[3:] if words[1] == "--with" else words[1:])
        known = {name for param in command.params for name in param.opts} | {"--help"}
        if hasattr(command, "commands"):
            # What stands in for a command, and options of the program itself.
            assert not rest or rest[0] in known | {"COMMAND"}, line
        options = {word.partition("=")[0] for word in rest if re.match("-{1,2}[a-z]", word)}
        assert options <= known, f"{line}: {options - known}"


@cache
def targets() -> set[str]:
    """Return the targets of the Makefile."""
    rules = re.findall(r"^([\w -]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    return {target for rule in rules for target in rule.split()}


def check_flags(words: list[str]) -> None:
    """Check that a program of Linux knows the flags, by its own list of them."""
    source = ROOT / "crates" / "linux" / "src" / "bin" / f"{words[0]}.rs"
    listed = source.read_text().partition('const HELP: &str = "')[2].partition('";')[0]
    known = set(re.findall(r"--[a-z0-9-]+", listed)) | {"--help", "--version"}
    flags = {word.partition("=")[0] for word in words if word.startswith("--")}
    assert flags <= known, f"{' '.join(words)}: {flags - known}"
    for word in words[1:2]:
        assert word.startswith("-") or word.isupper() or f"{words[0]} {word}" in listed, words


def test_a_wrong_command_line_is_found(tmp_path: Path) -> None:
    """A line with a flag, a key, a file, a target or a command that does not exist fails."""
    prepare(tmp_path)
    wrong = (
        "multihop lab up examples/five-node-chain.toml --set scheme.nam=cxcc",
        "multihop lab up examples/five-node-chain.toml --fast",
        "multihop lab up examples/no-such-file.toml",
        "multihop compare examples/bidirectional-chain.toml --schemes udp,cxxc",
        "multihop reproduce cxcc/fig99",
        "multihop sweep examples/one-hop.toml --vary traffic.lod=1 --out r",
        "multihop runn examples/one-hop.toml",
        "make no-such-target",
        "multihop-node --no-such-flag",
        "python -m multihop.no_such_module",
    )
    for line in wrong:
        with pytest.raises((AssertionError, ModuleNotFoundError)):
            run_line(line, tmp_path)
    for line in ("multihop lab up --wired", "multihop runn", "make no-such-target"):
        with pytest.raises(AssertionError):
            check_names(line)


def test_commands_that_are_not_run_are_in_a_page() -> None:
    lines = [line for page in PAGES for line in blocks(page.read_text(encoding="utf-8"))]
    found = {part for line in lines for part in parts(line)}
    for start in ABOUT_OTHERS:
        assert any(part.startswith(start) for part in found), f"{start} stands nowhere"
