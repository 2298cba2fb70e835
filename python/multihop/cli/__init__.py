"""The command line, thin over the Python interface.

Exit codes: 0 done; 1 a run or a check failed; 2 the input was wrong; 3 runs of a sweep are
missing; 130 interrupted; 141 the reader of standard output is gone. A claim that differs is a
result, not a failure: `reproduce` then still exits with 0.

The commands load what they need when they run, so that `--help` and completion are quick.
"""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from .._multihop import version
from ..engine import errors, failures, interrupts
from . import (
    bounds,
    captures,
    charts,
    comparisons,
    figures,
    imports,
    labs,
    lists,
    nodes,
    reasons,
    runs,
    sweeps,
    tuning,
    views,
)
from .app import app, show_help
from .output import warn

__all__ = [
    "app",
    "bounds",
    "captures",
    "charts",
    "comparisons",
    "figures",
    "imports",
    "labs",
    "lists",
    "main",
    "nodes",
    "reasons",
    "runs",
    "sweeps",
    "tuning",
    "views",
]

# How the help lists them: to begin with, runs, figures, and the rest.
ORDER = (
    *(
        "demo",
        "gallery",
        "new",
        "import",
        "list",
        "explain",
        "run",
        "check",
        "view",
        "playground",
        "site",
        "sweep",
        "status",
        "collect",
        "figure",
    ),
    *("why", "compare", "bound", "optimum", "tune"),
    "reproduce",
    *("pcap", "movement", "record", "replay", "schema", "doctor"),
)
INCOMPLETE = 3
# What a shell reports of a command that the signal PIPE (13) has ended.
READER_GONE = 128 + 13
# What Typer turns Ctrl-C into.
INTERRUPTED = 130


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"multihop {version}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def common(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
    with_: Annotated[
        list[Path],
        typer.Option(
            "--with", metavar="FILE", help="A Python file with schemes, as often as you like."
        ),
    ] = [],  # noqa: B006 (Typer copies it)
) -> None:
    """Hold the options that stand before a command."""
    for path in with_:
        from ..prototype import load

        try:
            load(path)
        except errors.PrototypeError:
            raise
        except Exception as error:
            error.add_note(f"while {path} was loaded (--with)")
            raise
    show_help(context)


app.registered_commands.sort(
    key=lambda command: ORDER.index(command.name or getattr(command.callback, "__name__", ""))
)


def main() -> None:
    """Run the command line, with one line on standard error and an exit code for each error."""
    interrupts.stop_on_signals()
    _replace_closed()
    try:
        code = app(standalone_mode=False) or 0
        sys.stdout.flush()
    except errors.IncompleteError as error:
        _fail(str(error), INCOMPLETE)
    except (errors.FailedError, errors.LabError, errors.Ns3Error) as error:
        _fail(str(error), 1)
    except (
        errors.ScenarioError,
        errors.BoundError,
        errors.ChartError,
        errors.GalleryError,
        errors.MeshError,
        errors.OutputError,
        errors.PrototypeError,
        errors.SearchError,
        errors.SweepError,
        errors.TraceError,
        errors.UnknownFigureError,
        errors.MissingExtraError,
    ) as error:
        _fail(str(error), 2)
    except errors.ReplayError as error:
        _fail(str(error), 1)
    except errors.StoppedError as error:
        _fail(str(error), INTERRUPTED)
    except typer.TyperException as error:
        _fail(error.format_message(), error.exit_code)
    except SystemExit as stop:
        # Typer turns a pipe that nobody reads into its exit code 1.
        if isinstance(stop.__context__, BrokenPipeError):
            _fail_of_system(stop.__context__)
        raise
    except Exception as error:
        if failures.is_of_a_scheme(error):
            sys.stderr.write(failures.lines(error))
            sys.exit(1)
        if not isinstance(error, OSError):
            raise
        _fail_of_system(error)
    if code == INTERRUPTED:
        _fail("interrupted", code)
    sys.exit(code)


def _replace_closed() -> None:
    """Put nothing in the place of a standard stream that is closed, as by `>&-`."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def _fail_of_system(error: OSError) -> NoReturn:
    """Say what the system refuses; without the name of a file it is what is printed."""
    if error.filename is not None:
        _fail(f"'{error.filename}': {error.strerror}; check that path", 2)
    if error.errno not in (errno.EPIPE, errno.ENOSPC):
        raise error
    # Python would try again at its end.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if error.errno == errno.EPIPE:  # the reader has had enough, as in `| head -1`
        sys.exit(READER_GONE)
    _fail(f"cannot write to standard output: {error.strerror}; make room there", 2)


def _fail(message: str, code: int) -> NoReturn:
    # Names and texts of files may have several lines.
    warn(" ".join(message.splitlines()), "error", "bold red")
    sys.exit(code)
