import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from multihop.engine.interrupts import STOPS
from tests.conftest import Cli


def test_version(cli: Cli) -> None:
    assert cli("--version").stdout.startswith("multihop ")


def test_run_prints_json(cli: Cli, tiny: Path) -> None:
    done = cli("run", tiny, "--set", "seed=7", "--set", "scheme.rfa=false", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["runs"][0]["seed"] == 7


def test_run_writes_tables(cli: Cli, tiny: Path, tmp_path: Path) -> None:
    done = cli("run", tiny, "--trace", "trace", "--out", "out")
    assert done.returncode == 0, done.stderr
    assert pl.read_parquet(tmp_path / "out" / "flows.parquet").height == 1
    assert pl.read_parquet(tmp_path / "trace" / "frames.parquet").height > 0
    assert "tiny" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run", "missing.toml"), "missing.toml"),
        (("run", "tiny.toml", "--set", "traffic.laod=1"), "laod"),
        (("run", "tiny.toml", "--set", "seed"), "KEY=VALUE"),
        (("run", "tiny.toml", "--out", "tiny.toml/out"), "--out"),
        (("run", "tiny.toml", "--trace", "tiny.toml/trace"), "--trace"),
        (("run", "tiny.toml", "--trace", "."), "not empty"),
        (("sweep", "tiny.toml", "--out", "out", "--shard", "3/2"), "I/N"),
        (("reproduce", "cxcc/fig99"), "cxcc/fig8"),
        (("list", "planets"), "topologies"),
        (("run",), "scenario"),
        (("fly",), "fly"),
    ],
)
def test_bad_input_is_one_line_and_code_2(
    cli: Cli, tiny: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = cli(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert message.lower() in done.stderr.lower()
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


@pytest.mark.parametrize("what", ["schemes", "topologies", "figures", "columns"])
def test_list(cli: Cli, what: str) -> None:
    assert cli("list", what).returncode == 0
    rows = json.loads(cli("list", what, "--json").stdout)
    assert rows


def test_schema_is_json(cli: Cli) -> None:
    assert "topology" in json.loads(cli("schema").stdout)["properties"]


def test_doctor_finds_nothing_wrong(cli: Cli) -> None:
    done = cli("doctor", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["check"] == "ok"


def test_sweep_continues(cli: Cli, tiny: Path, tmp_path: Path) -> None:
    first = ("sweep", tiny, "--vary", "traffic.load=20 kbit/s,40 kbit/s", "--out", "out")
    assert cli(*first, "--seeds", "2").returncode == 0
    assert pl.read_parquet(tmp_path / "out" / "runs.parquet").height == 4
    more = cli(*first, "--seeds", "3", "--json")
    assert len(json.loads(more.stdout)["runs"]) == 6


INTERRUPTED_SOON = """
import os, signal, threading
from multihop.cli import main
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
main()
"""


# Raised in the middle of giving a run to the pool, Ctrl-C would leave a lock of the pool taken.
INTERRUPTED_WITHIN = """
import signal
from concurrent.futures import ThreadPoolExecutor
from multihop.cli import main

submit = ThreadPoolExecutor.submit

def interrupted(pool, *work):
    ThreadPoolExecutor.submit = submit
    signal.raise_signal(signal.SIGINT)
    print("whole")
    return submit(pool, *work)

ThreadPoolExecutor.submit = interrupted
main()
"""


@pytest.mark.parametrize("command", [("run",), ("sweep", "--seeds", "4", "--out", "out")])
def test_ctrl_c_leaves_no_step_undone(command: tuple[str, ...], tiny: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_WITHIN, command[0], tiny, *command[1:]],
        cwd=tiny.parent,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (130, "whole\n"), done.stderr


def test_ctrl_c_stops_a_single_run(tiny: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_SOON, "run", tiny, "--set", "duration=9000000 s"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 130
    assert done.stderr == "error: interrupted\n"


@pytest.mark.parametrize("number", STOPS)
def test_a_sweep_stops_cleanly(number: signal.Signals, tiny: Path, tmp_path: Path) -> None:
    command = ["sweep", tiny, "--set", "duration=2000 s", "--seeds", "500", "--out", "out"]
    process = subprocess.Popen(
        [sys.executable, "-m", "multihop", *map(str, command)],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        # A job in the background of a script starts with the signal ignored.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
    )
    parts = tmp_path / "out" / "parts"
    deadline = time.monotonic() + 60
    while not list(parts.glob("[!.]*")) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(number)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    assert errors.endswith(
        "error: interrupted; what was finished is kept in 'out', and the same command continues\n"
    )
    finished = list(parts.iterdir())
    assert 0 < len(finished) < 500
    assert not list((tmp_path / "out").rglob(".*"))
    assert all((part / "runs.parquet").exists() for part in finished)


INTERRUPTED_AT_ONCE = """
import builtins, runpy, signal

imported = builtins.__import__

def interrupted(name, *rest, **more):
    if name == "typer":
        signal.raise_signal(signal.SIGINT)
    return imported(name, *rest, **more)

builtins.__import__ = interrupted
runpy.run_module("multihop.__main__", run_name="__main__")
"""


def test_ctrl_c_is_silent_while_the_command_line_is_loaded() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_AT_ONCE], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_under_nohup_a_closed_terminal_stops_nothing() -> None:
    code = (
        "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "from multihop.cli import doctor, main; import sys\n"
        "doctor.examine = lambda: signal.raise_signal(signal.SIGHUP) or {'check': 'ok'}\n"
        "sys.argv = ['multihop', 'doctor']; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


UNREACHED = """
duration = "20 s"
topology = { kind = "explicit" }
routing = { kind = "aodv" }
scheme = { name = "newreno" }
traffic = { kind = "ftp" }
flow = [{ from = "a", to = "c" }, { from = "a", to = "b" }]
node = [
  { name = "a", x = "0 m", y = "0 m" },
  { name = "b", x = "200 m", y = "0 m" },
  { name = "c", x = "9 km", y = "0 m" },
]
"""


def test_a_destination_that_nobody_reaches_is_reported(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "far.toml"
    file.write_text(UNREACHED)
    done = cli("run", file)
    assert done.returncode == 0
    assert done.stderr.startswith("warning: 'a->c' delivered nothing: no route")
    assert "'a->b'" not in done.stderr


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["scheme.window_limit=0"], "window_limit"),
        (["traffic.payload=3000 B"], "a segment of 3000 B"),
        (["traffic.kind=file"], "size"),
        (["routing.kind=fixed"], "out of everyone's reach"),
    ],
)
def test_what_tcp_cannot_use_is_refused(
    cli: Cli, tmp_path: Path, settings: list[str], message: str
) -> None:
    file = tmp_path / "far.toml"
    file.write_text(UNREACHED)
    changes = [part for setting in settings for part in ("--set", setting)]
    done = cli("run", file, *changes)
    assert done.returncode != 0
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("value", ["", "3"])
def test_a_reading_does_not_choose_the_seeds(cli: Cli, value: str) -> None:
    done = cli("reproduce", "cxcc/fig3", "--quick", "--with", f"seed={value}")
    assert done.returncode == 2
    assert done.stderr == (
        "error: 'seed' is varied by the figures; say with --seeds how many they take\n"
    )


def test_each_key_of_a_reading_has_to_be_taken(cli: Cli) -> None:
    reading = ("--with", "radio.reception=message-in-message", "--with", "mac.rules=802.11")
    done = cli("reproduce", "cxcc/fig3", "--quick", "--seeds", "1", *reading)
    assert done.returncode == 2
    assert "mac.rules: wants ns2, ieee-802.11 or ns3, as text (got 802.11)" in done.stderr


@pytest.mark.long
def test_a_reading_s_verdicts_stand_beside_the_defaults(cli: Cli) -> None:
    reading = ("--with", "radio.reception=message-in-message")
    done = cli("reproduce", "cxcc/fig3", "--quick", "--seeds", "1", *reading)
    lines = done.stdout.splitlines()
    header = next(line for line in lines if "with it" in line)
    below = next(line for line in lines if "basic CXCC stays clearly below" in line)
    # a single seed gives no interval, so neither verdict is decided
    assert below[header.index("verdict") :].startswith("undecided")
    assert below[header.index("with it") :].startswith("undecided")
