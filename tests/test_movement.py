"""Movement files: read with a scenario, carried along, and written."""

from pathlib import Path

import pytest

from multihop import Scenario, ScenarioError, run, sweep
from multihop.results.columns import COLUMNS
from tests.conftest import Cli

pytestmark = pytest.mark.engine

ROOT = Path(__file__).resolve().parent.parent
MOVING = """
warmup = "1 s"
duration = "4 s"
series_interval = "1 s"

[topology]
kind = "movements"

[mobility]
kind = "ns2"
file = "walk.txt"

[scheme]
name = "udp"

[[flow]]
from = "n0"
to = "n1"
load = "50 kbit/s"
start = "0 s"
"""


def walk(away_at: float) -> str:
    """Make the movement of two nodes of which one leaves at 1000 m/s, and does not come back."""
    places = [(0, 50.0), (1, 250.0)]
    lines = [
        f"$node_({n}) set X_ {x}\n$node_({n}) set Y_ 1\n$node_({n}) set Z_ 0" for n, x in places
    ]
    return "\n".join([*lines, f'$ns_ at {away_at} "$node_(1) setdest 5000 1 1000"', ""])


@pytest.fixture
def moving(tmp_path: Path) -> Path:
    path = tmp_path / "moving.toml"
    path.write_text(MOVING)
    (tmp_path / "walk.txt").write_text(walk(2))
    return path


def test_a_node_that_leaves_receives_no_more(moving: Path) -> None:
    delivered = run(Scenario.from_file(moving)).series["delivered"].to_list()
    assert delivered[0] > 5
    assert delivered[1] > 10
    assert sum(delivered[2:]) <= 1  # it is out of range at 2.05 s


def test_positions_are_in_the_results(moving: Path) -> None:
    scenario = Scenario.from_file(moving)
    positions = run(scenario).positions
    assert set(positions.columns) == set(COLUMNS["positions"])
    leaving = positions.filter(node=1).sort("time_s")
    assert leaving["time_s"].to_list() == pytest.approx([0, 2, 6.75])
    assert leaving["x_m"].to_list() == pytest.approx([250, 250, 5000])
    (moving.parent / "walk.txt").write_text(walk(2).rpartition("$ns_")[0])
    with pytest.raises(KeyError, match="no node moves"):
        _ = run(Scenario.from_file(moving)).positions


def test_the_scenario_says_everything_itself(moving: Path, tmp_path: Path) -> None:
    scenario = Scenario.from_file(moving)
    (tmp_path / "walk.txt").unlink()
    assert "file" not in scenario.to_dict()["mobility"]
    assert Scenario.from_dict(scenario.to_dict()) == scenario
    assert run(scenario.with_(seed=2)).runs["goodput_bit_s"][0] > 0


def test_what_is_written_is_read_again(moving: Path, tmp_path: Path) -> None:
    scenario = Scenario.from_file(moving)
    (tmp_path / "walk.txt").write_text(scenario.movement())
    again = Scenario.from_file(moving)
    assert again.movement() == scenario.movement()
    one, two = (run(each).runs["fingerprint"][0] for each in (scenario, again))
    assert one == two


def test_random_ways_become_a_file_and_stay_the_same(tmp_path: Path) -> None:
    example = Scenario.from_file(ROOT / "examples" / "random-waypoint.toml")
    short = example.with_(duration="2 s", **{"mobility.min_pause": None})
    text = short.movement()
    (tmp_path / "random.txt").write_text(text)
    read = {"mobility": {"kind": "ns2", "file": str(tmp_path / "random.txt")}}
    again = short.with_(**read)
    assert again.movement() == text
    assert text.count("setdest") > 10
    one, two = (run(each).runs["fingerprint"][0] for each in (short, again))
    assert one == two


def test_movement_files_can_be_swept(
    moving: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("later.txt").write_text(walk(4))
    files = ["walk.txt", "later.txt"]
    result = sweep(Scenario.from_file(moving), {"mobility.file": files}, "out", progress=False)
    goodput = dict(result.runs.select("mobility.file", "goodput_bit_s").iter_rows())
    assert goodput["later.txt"] > 2 * goodput["walk.txt"] > 0


def test_a_mistake_is_one_of_the_file(moving: Path, tmp_path: Path) -> None:
    (tmp_path / "walk.txt").write_text(walk(2).replace("set Y_ 1", "set Y_ one", 1))
    with pytest.raises(
        ScenarioError, match=r"line 11: mobility\.file: line 2 of 'walk\.txt': 'one'"
    ):
        Scenario.from_file(moving)
    (tmp_path / "walk.txt").unlink()
    with pytest.raises(ScenarioError, match=r"walk\.txt' cannot be read: .*; check the path"):
        Scenario.from_file(moving)


def test_the_command_prints_and_writes_movement(cli: Cli, moving: Path, tmp_path: Path) -> None:
    done = cli("movement", moving)
    assert done.returncode == 0, done.stderr
    assert done.stdout == Scenario.from_file(moving).movement()
    assert cli("movement", moving, "--out", "again.txt").returncode == 0
    assert (tmp_path / "again.txt").read_text() == done.stdout
    still = cli("movement", moving, "--set", "mobility=", "--set", "topology.kind=explicit")
    assert still.returncode == 2


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.toml")), ids=lambda p: p.stem)
def test_every_example_runs(path: Path) -> None:
    assert run(Scenario.from_file(path)).flows["delivered"].sum() > 50
