"""Another scheme on the command line: keys that only the former one takes are left out."""

from pathlib import Path

import pytest

from tests.conftest import Cli

# HxH over 802.11 with RTS/CTS, and a key of its own.
FILE = """
warmup = "1 s"
duration = "1 s"
topology = { kind = "chain", hops = 2 }
mac = { rts_cts = true }
scheme = { name = "hxh", queue_limit = 12, quantum = 1000 }
traffic = { load = "10 kbit/s" }
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "hxh.toml"
    path.write_text(FILE)
    return path


def test_keys_of_the_former_scheme_are_left_out_and_that_is_said(cli: Cli, file: Path) -> None:
    done = cli("run", file, "--set", "scheme.name=cxcc")
    assert done.returncode == 0, done.stderr
    assert "cxcc" in done.stdout
    assert done.stderr.splitlines() == [
        "left out: mac.rts_cts for cxcc",
        "left out: scheme.quantum for cxcc",
        "left out: scheme.queue_limit for cxcc",
    ]


def test_keys_that_both_take_stay(cli: Cli, file: Path) -> None:
    done = cli("run", file, "--set", "scheme.name=udp", "--json")
    assert done.returncode == 0, done.stderr
    assert done.stderr == "left out: scheme.quantum for udp\n"


def test_what_is_given_beside_the_scheme_is_not_left_out(cli: Cli, file: Path) -> None:
    done = cli("run", file, "--set", "scheme.name=cxcc", "--set", "mac.rts_cts=true")
    assert done.returncode == 2
    assert "mac.rts_cts: does not apply" in done.stderr


def test_what_no_scheme_takes_is_refused(cli: Cli, file: Path) -> None:
    file.write_text(FILE.replace("quantum", "quantums"))
    done = cli("run", file, "--set", "scheme.name=cxcc")
    assert done.returncode == 2
    assert "unknown key 'quantums'" in done.stderr
    assert "unknown scheme" in cli("run", file, "--set", "scheme.name=nobody").stderr


def test_every_command_that_reads_a_scenario_does_so(cli: Cli, file: Path) -> None:
    for words in (("movement", file), ("bound", file), ("pcap", file)):
        done = cli(*words, "--set", "scheme.name=cxcc")
        assert done.returncode == 0, done.stderr
        assert "left out: mac.rts_cts for cxcc" in done.stderr
    exported = cli("view", file, "--scheme", "udp", "--scheme", "cxcc", "--export", "page.html")
    assert exported.returncode == 0, exported.stderr
    assert "left out: mac.rts_cts for cxcc" in exported.stderr
