"""What the tests share: a scenario small enough to run in milliseconds, and the command line."""

import contextlib
import io
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import pytest
import typer

from multihop import Scenario, prototype
from multihop.cli import main, output
from multihop.engine.interrupts import STOPS
from multihop.prototype.identity import KNOWN

TINY = """
name = "tiny"
warmup = "1 s"
duration = "2 s"

[topology]
kind = "chain"
hops = 3

[scheme]
name = "cxcc"

[traffic]
load = "50 kbit/s"
"""


class Done(NamedTuple):
    """What became of a command."""

    returncode: int
    stdout: str
    stderr: str


# Whoever has started the tests may ignore what ends a process, as a shell does for what it runs in
# the background; commands would ignore it as well.
for _number in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(_number, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)

# Arguments, and how many columns the terminal has.
Cli = Callable[..., Done]
# Typer makes the commands anew for each call, which takes longer than most calls.
commands_of = cache(typer.main.get_command)


@pytest.fixture
def base() -> Scenario:
    return Scenario.from_toml(TINY)


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.toml"
    path.write_text(TINY)
    return path


def call(folder: Path, *arguments: str | Path, columns: int = 120) -> Done:
    """Run the command line in a folder.

    It runs in this process: a process of its own spends most of its time on loading Python.
    """
    printed, errors, code = io.StringIO(), io.StringIO(), 0
    # The console has measured its terminal; the next one does again.
    output.console.cache_clear()
    handlers = {number: signal.getsignal(number) for number in STOPS}
    registered = set(KNOWN)
    with (
        mock.patch.object(sys, "argv", ["multihop", *map(str, arguments)]),
        mock.patch.object(typer.main, "get_command", commands_of),
        mock.patch.dict(os.environ, {"COLUMNS": str(columns)}),
        contextlib.chdir(folder),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(errors),
    ):
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
            output.console.cache_clear()
            # A process forgets the schemes in Python that it has loaded.
            for name in set(KNOWN) - registered:
                prototype.unregister(name)
    return Done(code, printed.getvalue(), errors.getvalue())


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """Run the command line in a folder of its own."""
    return partial(call, tmp_path)


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield a folder for this test's labs, whose name leaves room for those of sockets."""
    with tempfile.TemporaryDirectory() as folder:
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        yield Path(folder)
