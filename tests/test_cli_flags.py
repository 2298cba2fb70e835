"""Options that make no sense together, or that something would replace, are refused."""

from pathlib import Path

import pytest

from tests.conftest import Cli

MESH = "name,x,y\na,0,0\nb,100,0\n"
TCP = ("--set", "scheme.name=newreno", "--set", "traffic.kind=ftp", "--set", "traffic.load=")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("optimum", "tiny.toml", "--out", "rates.toml"), "give --rates as well"),
        (("optimum", "tiny.toml", "--rates", "1", "--windows", "3"), "leave --windows and --flow"),
        (("optimum", "tiny.toml", "--rates", "1", "--flow", "x"), "leave --windows and --flow"),
        (("optimum", "tiny.toml", *TCP, "--set", "seed=3"), "--set seed would be replaced"),
        (
            ("optimum", "tiny.toml", "--set", "scheme={name='reno', window_limit=3}"),
            "--set scheme.window_limit would be replaced",
        ),
        (
            ("optimum", "tiny.toml", "--rates", "1", "--set", "traffic.load=9 kbit/s"),
            "--set traffic.load would be replaced",
        ),
        (("optimum", "tiny.toml", *TCP, "--flow", "x"), "no flow 'x'; there are: n0->n3"),
        (("optimum", "tiny.toml", *TCP, "--windows", "1-999999999"), "more than 100000 windows"),
        (("optimum", "tiny.toml", "--rates", "1-999999999"), "more than 100000 lengths"),
        (
            ("compare", "tiny.toml", "--schemes", "udp,cxcc", "--bound-model", "protocol"),
            "--bound-model is of a bound",
        ),
        (
            ("import", "nodes.csv", "--links", "links.csv", "--range", "300"),
            "--range 300 is about positions, and this network has links",
        ),
        (
            ("import", "nodes.csv", "--load", "much"),
            "what would be written is no scenario: line 14: traffic.load",
        ),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, tuple) else "",
)
def test_nothing_is_ignored(cli: Cli, tiny: Path, arguments: tuple[str, ...], message: str) -> None:
    (tiny.parent / "nodes.csv").write_text(MESH)
    (tiny.parent / "links.csv").write_text("from,to\na,b\nb,a\n")
    done = cli(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("option", [("--out", "elsewhere"), ("--workers", "2"), ("--seeds", "2")])
def test_a_folder_of_runs_is_compared_as_it_is(
    cli: Cli, tiny: Path, option: tuple[str, str]
) -> None:
    assert cli("sweep", tiny, "--out", "swept").returncode == 0
    done = cli("compare", "swept", *option)
    assert done.returncode == 2
    assert "leave out --schemes, --vary, --seeds, --set, --bound, --out and" in done.stderr


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "[" * 100_000,
        '{"format": 4}',
        '{"format": 4, "engine": "x", "complete": true, "scenario": 3}',
        '{"format": 4, "engine": "x", "complete": true, "scenario": {"topolgy": {}}}',
    ],
    ids=range(6),
)
def test_a_damaged_description_of_a_trace_is_named(cli: Cli, tiny: Path, text: str) -> None:
    assert cli("run", tiny, "--trace", "trace").returncode == 0
    (tiny.parent / "trace" / "run.json").write_text(text)
    done = cli("pcap", "trace")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: trace/run.json ")
    assert done.stderr.endswith("make the trace again\n")
    assert done.stderr.count("\n") == 1


def test_a_range_with_by_distance_counts(cli: Cli, tiny: Path) -> None:
    (tiny.parent / "nodes.csv").write_text(MESH)
    (tiny.parent / "links.csv").write_text("from,to\na,b\nb,a\n")
    done = cli("import", "nodes.csv", "--links", "links.csv", "--range", "300", "--by-distance")
    assert 'receive_range = "300 m"' in done.stdout


@pytest.mark.parametrize("command", ["up", "status", "pcap", "down", "demo", "fig22"])
def test_commands_of_labs_print_json(cli: Cli, command: str) -> None:
    assert "--json" in cli("lab", command, "--help").stdout


def test_a_store_that_cannot_be_read_is_not_of_another_version(cli: Cli, tiny: Path) -> None:
    assert cli("sweep", tiny, "--out", "swept").returncode == 0
    about = tiny.parent / "swept" / "store.json"
    about.unlink()
    about.mkdir()
    done = cli("status", "swept")
    assert done.returncode == 2
    assert done.stderr.startswith("error: cannot read 'swept/store.json': Is a directory; ")


def test_schemes_are_in_a_file_that_there_is(cli: Cli) -> None:
    for name in ("x" * 300 + ".py", ".", "nowhere.py"):
        done = cli("--with", name, "list")
        assert done.returncode == 2
        assert done.stderr == (
            f"error: {name}: this is no Python file with schemes; check the path\n"
        )
