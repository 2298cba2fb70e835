"""`--set`, `--vary` and `--seeds`: before checks, and never ignored."""

import json
from pathlib import Path

import pytest

from multihop import Scenario, ScenarioError, SweepError, sweep
from tests.conftest import TINY, Cli

WITHOUT_HOPS = TINY.replace("hops = 3\n", "")


@pytest.fixture
def incomplete(tmp_path: Path) -> Path:
    path = tmp_path / "incomplete.toml"
    path.write_text(WITHOUT_HOPS)
    return path


def test_a_file_may_lack_what_is_set(cli: Cli, incomplete: Path) -> None:
    assert "topology.hops: is missing" in cli("run", incomplete).stderr
    done = cli("run", incomplete, "--set", "topology.hops=2", "--json")
    assert json.loads(done.stdout)["runs"][0]["nodes"] == 3


def test_a_file_may_lack_what_is_varied(cli: Cli, incomplete: Path) -> None:
    done = cli("sweep", incomplete, "--vary", "topology.hops=1-3,5", "--out", "out", "--json")
    assert done.returncode == 0, done.stderr
    assert [run["nodes"] for run in json.loads(done.stdout)["runs"]] == [2, 3, 4, 6]


def test_a_file_may_be_wrong_where_it_is_overridden(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(TINY.replace('name = "cxcc"', 'name = "udp"\nrfa = true'))
    assert "rfa" in cli("run", path).stderr
    assert cli("run", path, "--set", "scheme.rfa=").returncode == 0
    assert cli("run", path, "--set", "scheme.name=cxcc").returncode == 0


def test_python_overrides_before_checks_as_well(incomplete: Path) -> None:
    assert Scenario.from_file(incomplete, {"topology.hops": 3}) == Scenario.from_toml(TINY)
    with pytest.raises(ScenarioError, match=r"incomplete.toml: traffic.laod: unknown key") as bad:
        Scenario.from_file(incomplete, {"topology.hops": 3, "traffic.laod": "1 kbit/s"})
    assert bad.value.key == "traffic.laod"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--set", "traffic.laod=1"), "tiny.toml: --set traffic.laod: unknown key"),
        (("--set", "topology.hops=0"), "tiny.toml: --set topology.hops: "),
        (("--set", "topology.hops="), "tiny.toml: --set topology.hops: is missing"),
        (("--set", "traffic.load=5"), "tiny.toml: --set traffic.load: 5 has no unit"),
        (("--set", "name.first=x"), "tiny.toml: --set name.first: cannot be set: 'name' is not"),
        (("--set", "mac.cw_min=nan"), "not a finite number"),
        (("--vary", "topology.hops=2,0"), "tiny.toml: --vary topology.hops: "),
    ],
)
def test_errors_say_where_the_key_was_given(
    cli: Cli, tiny: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = cli("sweep", tiny, *arguments, "--out", "out")
    assert done.returncode == 2
    assert message in done.stderr
    assert "line" not in done.stderr


def test_errors_of_the_file_keep_their_line(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "old.toml"
    path.write_text(TINY.replace('name = "cxcc"', 'name = "cxcc"\nrfb = true'))
    done = cli("run", path, "--set", "scheme.name=udp")
    line = 1 + path.read_text().splitlines().index("rfb = true")
    assert f"old.toml: line {line}: scheme.rfb" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--vary", "seed=1,2,1"), "'seed' has the value 1 twice"),
        (("--vary", "seed=1-3,2"), "'seed' has the value 2 twice"),
        (("--vary", "seed=1-3", "--seeds", "2"), "--seeds 2 and --vary seed"),
        (("--set", "seed=3", "--seeds", "2"), "--seeds 2 and --set seed"),
        (("--vary", "seed=1", "--vary", "seed=2"), "--vary seed is given twice"),
        (("--vary", "seed=1,"), "a seed is missing"),
        (("--vary", "seed=1-1000000000"), "more than 100000 values"),
        (("--seeds", "1000000000"), "at most 100000"),
        (("--set", "seed=1", "--set", "seed=2"), "--set seed is given twice"),
        (("--set", "seed=1", "--vary", "seed=2,3"), "'seed' is given with --set and varied"),
        (("--vary", "seed=3-1"), "3-1 is empty"),
        (("--vary", "seed"), "KEY=VALUE"),
    ],
)
def test_nothing_is_ignored(cli: Cli, tiny: Path, arguments: tuple[str, ...], message: str) -> None:
    done = cli("sweep", tiny, *arguments, "--out", "out")
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_ranges_and_the_seed_of_the_scenario(cli: Cli, tiny: Path) -> None:
    def seeds(*arguments: str) -> list[int]:
        done = cli("sweep", tiny, *arguments, "--out", "out", "--json")
        return [run["seed"] for run in json.loads(done.stdout)["runs"]]

    assert seeds("--vary", "seed=1-3,7") == [1, 2, 3, 7]
    assert seeds("--seeds", "2") == [1, 2]
    assert seeds("--set", "seed=9") == [9]
    assert seeds() == [1]


def test_values_twice_are_refused_in_python(base: Scenario, tmp_path: Path) -> None:
    with pytest.raises(SweepError, match="twice"):
        sweep(base, {"seed": [1, 1]}, tmp_path, progress=False)
    with pytest.raises(SweepError, match="no value of 'seed'"):
        sweep(base, {"seed": []}, tmp_path, progress=False)
