"""What is printed: never cut, never read as markup, JSON that is JSON."""

import errno
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import TINY, Cli

NAMES = ("[red]x[/red]", "a:smile:b", "a name that is longer than many a terminal has room for")
NODES = """
name = "[bold]name[/bold]"
warmup = "1 s"
duration = "20 s"
topology = { kind = "explicit" }
scheme = { name = "udp" }
traffic = { load = "300 kbit/s" }
node = [
  { name = "a", x = "0 m", y = "0 m" },
  { name = "b", x = "200 m", y = "0 m" },
]
"""


@pytest.fixture
def named(tmp_path: Path) -> Path:
    flows = "".join(f'[[flow]]\nname = "{name}"\nfrom = "a"\nto = "b"\n' for name in NAMES)
    path = tmp_path / "named.toml"
    path.write_text(NODES + flows)
    return path


def printed(cli: Cli, width: int, *arguments: str | Path) -> str:
    done = cli(*arguments, columns=width)
    assert done.returncode == 0, done.stderr
    assert all(len(line.rstrip()) <= width for line in done.stdout.splitlines()), done.stdout
    assert "…" not in done.stdout
    return done.stdout


def cells(table: str) -> list[str]:
    """Numbers of a table, without the lines above it."""
    return re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])", table.partition("rejected")[2])


@pytest.mark.parametrize("width", [30, 45, 60, 80])
def test_nothing_is_cut_however_narrow_the_terminal(cli: Cli, named: Path, width: int) -> None:
    wide, narrow = printed(cli, 200, "run", named), printed(cli, width, "run", named)
    assert cells(wide), wide
    assert sorted(cells(narrow)) == sorted(cells(wide))
    for name in (*NAMES, "[bold]name[/bold]"):
        assert "".join(name.split()) in "".join(wide.split())
    # A folded name goes on in its own column: all its letters are there, in order.
    letters = "".join(narrow.split())
    assert all(
        re.search(".*?".join(map(re.escape, name.replace(" ", ""))), letters) for name in NAMES
    )


@pytest.mark.parametrize(
    "what", ["schemes", "topologies", "figures", "columns", "keys", "examples"]
)
def test_lists_have_whole_words_at_80_columns(cli: Cli, what: str) -> None:
    rows = json.loads(cli("list", what, "--json").stdout)
    shown = printed(cli, 80, "list", what).split()
    key = "name" if what == "schemes" else next(iter(rows[0]))
    assert {row[key] for row in rows} <= set(shown)


def test_control_characters_are_shown_not_sent(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "escape.toml"
    path.write_text(TINY.replace('name = "tiny"', 'name = "\\u001b[31mred"'))
    done = cli("run", path)
    assert "\x1b" not in done.stdout
    assert r"\x1b[31mred" in done.stdout


def refuse(constant: str) -> Any:
    raise AssertionError(f"{constant} is not JSON")


def test_json_has_null_where_there_is_no_number(cli: Cli, tiny: Path) -> None:
    # Too short for a packet to arrive: no delays, no bytes per delivered byte.
    changes = ("warmup=0 s", "duration=5 ms", "traffic.start=0 s", "traffic.start_jitter=0 s")
    silent = [word for change in changes for word in ("--set", change)]
    for arguments in (("run", tiny), ("sweep", tiny, "--out", "out")):
        done = cli(*arguments, *silent, "--json")
        row = json.loads(done.stdout, parse_constant=refuse)["runs"][0]
        assert row["goodput_bit_s"] == 0
        assert row["network_delay_mean_s"] is row["end_to_end_delay_mean_s"] is None
    assert "network delay - ms, end-to-end delay - ms" in cli("run", tiny, *silent).stdout


@pytest.mark.parametrize("width", [50, 60, 200])
def test_a_wide_comparison_is_printed_in_parts(cli: Cli, tiny: Path, width: int) -> None:
    schemes = ("compare", tiny, "--schemes", "udp,cxcc", "--seeds", "2")
    both_ways = ("--set", "topology.kind=bidirectional-chain", "--set", "traffic.load=40 kbit/s")
    lines = printed(cli, width, *schemes, *both_ways).splitlines()
    rows = [line.split() for line in lines if line.startswith(("udp ", "cxcc "))]
    parts = len(rows) // 2
    assert [row[0] for row in rows] == ["udp", "cxcc"] * parts
    assert (parts == 1) == (width == 200)
    spans = [word for row in rows for word in row if word.startswith("[")]
    assert len(spans) == 10  # five measures of two schemes
    heads = [line for line in lines if "scheme" in line and "schemes" not in line]
    assert len(heads) == parts


def test_run_counts_one_window_only(cli: Cli, tiny: Path) -> None:
    changes = ("traffic.load=400 kbit/s", "scheme.name=udp", "topology.hops=6", "warmup=5 s")
    overload = ("run", tiny, *(word for change in changes for word in ("--set", change)))
    flow = json.loads(cli(*overload, "--json").stdout)["flows"][0]
    row = cli(*overload).stdout.splitlines()[-1].split()
    shown = [flow[name] for name in ("name", "hops", "offered", "delivered", "lost", "refused")]
    assert row[:6] == [str(value) for value in shown]
    by_cause = sum(value for name, value in flow.items() if name.startswith("lost_"))
    assert flow["lost"] == by_cause < flow["run_lost"]
    assert 0 < flow["refused"] < flow["lost"]
    assert flow["lost_queue_full"] < flow["offered"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_output_that_nobody_takes_is_no_traceback(tiny: Path) -> None:
    program = f"{sys.executable} -m multihop"
    for line, code in (
        (f"{program} list columns --json | true; exit ${{PIPESTATUS[0]}}", 141),
        (f"{program} run {tiny} --json >&-", 0),
        (f"{program} run {tiny} --json 2>&-", 0),
        (f"{program} run {tiny} --json > /dev/full", 2),
    ):
        done = subprocess.run(
            ["bash", "-c", line], capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == code, line
        assert "Traceback" not in done.stderr
        assert "Exception" not in done.stderr
    assert "cannot write to standard output: No space left on device" in done.stderr


def test_a_file_that_the_system_refuses_is_named(
    cli: Cli, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", "secret")

    monkeypatch.setattr("multihop.cli.runs.fitted_file", refuse)
    done = cli("run", tiny)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: 'secret': Permission denied; check that path\n"


def test_errors_are_one_line_whatever_names_have(cli: Cli) -> None:
    done = cli("run", "a\nb.toml")
    assert done.stderr == (
        "error: a b.toml: cannot be read: No such file or directory; check the path\n"
    )
