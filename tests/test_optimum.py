"""The exhaustive search for the best window limit."""

import json
from pathlib import Path

import pytest

from multihop import Result, Scenario, ScenarioError, SearchError, optimum_window
from multihop.searching import optimum
from multihop.searching.optimum import parse_windows
from tests.conftest import Cli

CHAIN = """
name = "searched"
warmup = "1 s"
duration = "5 s"

[topology]
kind = "chain"
hops = 4

[mac]
data_rate = "2 Mbit/s"
basic_rate = "1 Mbit/s"
rts_cts = true

[scheme]
name = "newreno"

[traffic]
kind = "ftp"
payload = "1 kB"
"""
# Goodput in bit/s of windows 1 to 4, for two seeds.
RATES = {1: (10.0, 14.0), 2: (30.0, 20.0), 3: (24.0, 26.0), 4: (25.0, 25.0)}


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    path = tmp_path / "chain.toml"
    path.write_text(CHAIN)
    return path


def known(scenario: Scenario) -> Result:
    tables = scenario.to_dict()
    rate = RATES[tables["scheme"]["window_limit"]][tables["seed"] - 1]
    flows = {"name": ["one", "other"], "goodput_bit_s": [rate, 100 - rate]}
    return Result.from_columns({"runs": {"goodput_bit_s": [rate]}, "flows": flows})


@pytest.fixture
def no_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(optimum, "run_many", lambda scenarios, **_: [*map(known, scenarios)])


@pytest.mark.usefixtures("no_runs")
def test_the_highest_mean_wins_and_of_equals_the_smallest_window() -> None:
    found = optimum_window(Scenario.from_toml(CHAIN), range(1, 5), seeds=(1, 2))
    assert (found.window, found.goodput_bit_s) == (2, 25.0)
    assert found.windows["window"].to_list() == [1, 2, 3, 4]
    assert found.windows["goodput_bit_s"].to_list() == [12, 25, 25, 25]
    # Two values that are d apart: d / 2.
    assert found.windows["standard_error_bit_s"].to_list() == pytest.approx([2, 5, 1, 0])
    assert found.to_dict()["windows"][0]["runs"] == 2


@pytest.mark.usefixtures("no_runs")
def test_one_flow_may_count_alone() -> None:
    ends = {"from": "n0", "to": "n4"}
    flows = [{"name": name, **ends} for name in ("one", "other")]
    both = Scenario.from_toml(CHAIN).with_(flow=flows)
    found = optimum_window(both, (1, 2), seeds=(1, 2), flow="other")
    assert (found.window, found.goodput_bit_s) == (1, 88.0)
    with pytest.raises(SearchError, match="no flow 'third'; there are: n0->n4, one, other"):
        optimum_window(both, (1,), seeds=(1,), flow="third")


@pytest.mark.usefixtures("no_runs")
def test_a_single_seed_has_no_standard_error() -> None:
    found = optimum_window(Scenario.from_toml(CHAIN), (3,), seeds=(1,))
    assert found.windows["standard_error_bit_s"].to_list() == [None]


@pytest.mark.parametrize(("windows", "seeds", "what"), [((), (1,), "window"), ((1,), (), "seed")])
def test_nothing_to_try_is_refused(
    windows: tuple[int, ...], seeds: tuple[int, ...], what: str
) -> None:
    with pytest.raises(SearchError, match=f"no {what} to try"):
        optimum_window(Scenario.from_toml(CHAIN), windows, seeds=seeds)


def test_a_scheme_without_a_window_is_named(base: Scenario) -> None:
    with pytest.raises(ScenarioError, match="window_limit"):
        optimum_window(base, (1, 2), progress=False)


@pytest.mark.parametrize(
    ("text", "windows"), [("3", [3]), ("1-4", [1, 2, 3, 4]), ("1-2, 8,12-13", [1, 2, 8, 12, 13])]
)
def test_windows_are_numbers_and_spans(text: str, windows: list[int]) -> None:
    assert parse_windows(text) == windows


@pytest.mark.parametrize("text", ["", "0", "3-1", "1-", "a", "1;2", "-3", "1.5"])
def test_other_windows_are_refused(text: str) -> None:
    with pytest.raises(SearchError, match="is no list of windows"):
        parse_windows(text)


def test_a_real_search_finds_that_a_small_window_is_best(chain: Path) -> None:
    scenario = Scenario.from_file(chain).with_(**{"topology.hops": 8, "duration": "20 s"})
    found = optimum_window(scenario, (1, 3, 16), seeds=(1, 2), workers=2, progress=False)
    assert found.window == 3
    assert found.windows["runs"].to_list() == [2, 2, 2]


def test_the_command_prints_a_table_and_json(cli: Cli, chain: Path) -> None:
    done = cli("optimum", chain, "--windows", "1-3", "--seeds", "1", "--set", "duration=2 s")
    assert done.returncode == 0, done.stderr
    assert "best window limit" in done.stdout
    done = cli(
        "optimum", chain, "--windows", "1,2", "--seeds", "2", "--set", "duration=2 s", "--json"
    )
    found = json.loads(done.stdout)
    assert [row["window"] for row in found["windows"]] == [1, 2]
    assert found["goodput_bit_s"] > 0


def test_help_has_an_example(cli: Cli) -> None:
    assert "Example: multihop optimum" in " ".join(cli("optimum", "--help").stdout.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("chain.toml", "--windows", "9-1"), "is no list of windows"),
        (("chain.toml", "--seeds", "0"), "--seeds"),
        (("missing.toml",), "cannot be read"),
        (("chain.toml", "--set", "scheme.name=udp"), "window_limit"),
        (("chain.toml", "--windows", "1", "--seeds", "1", "--flow", "x"), "no flow 'x'"),
    ],
)
def test_bad_input_is_one_line_and_code_2(
    cli: Cli, chain: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = cli("optimum", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
