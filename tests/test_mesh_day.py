"""A day of a mesh with its default traffic: a scenario to begin with, tables by hour and node."""

from pathlib import Path

import polars as pl
import pytest

from multihop import MeshError, Result, Scenario, run, sweep
from multihop.meshes.starting import write_mesh
from multihop.results.messages import GROUPINGS
from tests.conftest import Cli, call


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """Return three hours of a mesh of 20 nodes."""
    path = write_mesh(tmp_path_factory.mktemp("mesh") / "mesh", "meshtastic", nodes=20)
    changes = {"duration": "3 h", "traffic.load_factor": 2}
    return run(Scenario.from_file(path).with_(**changes))


def test_every_node_sends_what_it_does_by_default(day: Result) -> None:
    kinds = day.messages_by("kind")
    assert kinds["kind"].to_list() == ["nodeinfo", "position", "telemetry", "text"]
    # 20 nodes for three hours, twice as often as by default.
    expected = {"nodeinfo": 40, "position": 10, "telemetry": 120, "text": 120}
    for kind, count in kinds.select("kind", "messages").iter_rows():
        assert abs(count - expected[kind]) <= 4 + 4 * expected[kind] ** 0.5, kind
    assert day.messages["class"].unique().sort().to_list() == ["announcement", "report", "text"]


def test_tables_by_hour_and_node_are_of_the_same_messages(day: Result) -> None:
    measured = day.messages.filter(pl.col("time_s") >= 600)
    for what in ("kind", "hour"):
        assert day.messages_by(what)["messages"].sum() == measured.height == day.runs["messages"][0]
    hours = day.messages_by("hour")
    assert hours["hour"].to_list() == [0, 1, 2]
    first = measured.filter(pl.col("time_s") < 600 + 3600)
    assert hours["reach"][0] == pytest.approx(first["reach"].mean())
    nodes = day.messages_by("node")
    assert nodes["node"].to_list() == day.nodes["name"].to_list()
    texts = measured.filter(pl.col("class") == "text")
    assert nodes["messages"].sum() == texts.height
    assert nodes["transmit_share"].mean() == pytest.approx(day.runs["transmit_share"][0])
    near = texts["near_reached"].sum() / texts["near"].sum()
    assert day.runs["reach_near"][0] == pytest.approx(near)
    far = (texts["reached"] - texts["near_reached"]).sum()
    far /= (texts["addressed"] - texts["near"]).sum()
    assert day.runs["reach_far"][0] == pytest.approx(far)
    assert day.runs["reach_near"][0] > day.runs["reach_far"][0]


# Milliseconds in 32 bits, in which the firmware counts, wrap after this time.
WRAP_S = 2**32 / 1e3


def test_a_mesh_goes_on_when_clocks_of_32_bits_have_wrapped() -> None:
    days = run(
        Scenario.from_toml("""
            warmup = "0 s"
            duration = "1224 h"
            topology = { kind = "chain", hops = 2, spacing = "1500 m" }
            radio = { propagation = "log-distance", transmit_power = "1 W" }
            mac = { kind = "lora", preset = "long-fast" }
            scheme = { name = "meshtastic", duty_cycle = 0.1, hop_scaling = "gated" }
            traffic = { kind = "poisson", interval = "1 h", payload = "40 B" }
            flow = [
                { name = "report", from = "n1", to = "everyone", class = "report" },
                { name = "text", from = "n0", to = "everyone" },
                { name = "direct", from = "n0", to = "n2" },
            ]
        """)
    )
    assert (days.flows["delivered"] == days.flows["offered"]).all()
    late = days.messages.filter(pl.col("time_s") > WRAP_S)
    for kind in ("report", "text"):
        own = late.filter(**{"class": kind})
        assert own.height > 10
        assert own["reach"].min() == 1


def test_groupings_that_there_are_not(day: Result, base: Scenario) -> None:
    with pytest.raises(ValueError, match=f"'week' is none of {', '.join(GROUPINGS)}"):
        day.messages_by("week")
    with pytest.raises(KeyError, match="everyone"):
        run(base).messages_by("hour")
    both = Result({name: pl.concat([table, table]) for name, table in day.tables.items()})
    with pytest.raises(ValueError, match="these are 2 runs"):
        both.messages_by("hour")


def test_a_mesh_to_begin_with_runs_and_is_printed_by_kind_hour_and_node(
    tmp_path: Path, cli: Cli
) -> None:
    options = ("--nodes", "20", "--preset", "medium-fast", "--hop-limit", "5", "--routers", "10")
    made = cli("new", "mine", "--mesh", "meshtastic", *options)
    assert made.stdout == "mine.toml written; next: multihop run mine.toml\n"
    text = (tmp_path / "mine.toml").read_text()
    for part in (
        "multihop run mine.toml",
        "nodes = 20\n",
        'preset = "medium-fast"',
        "hop_limit = 5 ",
        'share = "10 %"',
        'slot = "12 ms"',
        "stretch = 0.02048",
    ):
        assert part in text, part
    assert "@" not in text
    done = cli("run", "mine.toml", "--set", "duration=2 h", "--set", "traffic.load_factor=3")
    assert done.returncode == 0, done.stderr
    for part in ("telemetry", "hour", "busiest nodes", "near: of those at most two hops"):
        assert part in done.stdout, part
    assert "everyone" not in done.stdout, "no line for each of 80 flows"
    checked = cli("check", "mine.toml")
    assert checked.returncode == 0
    assert "spreading factor" in checked.stdout
    scenario = Scenario.from_file(tmp_path / "mine.toml")
    assert scenario.to_dict()["roles"]["router"]["scheme"] == {"role": "router"}


def test_a_mesh_that_cannot_be_is_refused(tmp_path: Path, cli: Cli) -> None:
    for options, message in [
        (("--mesh", "meshtstic"), "--mesh: there is no 'meshtstic'; there are meshtastic"),
        (("--nodes", "7"), "--nodes is about a mesh; give --mesh meshtastic as well"),
        (("--mesh", "meshtastic", "--nodes", "1"), "--nodes 1 is not from 2 to 10,000"),
        (("--mesh", "meshtastic", "--hop-limit", "8"), "--hop-limit 8 is not from 0 to 7"),
        (("--mesh", "meshtastic", "--routers", "101"), "--routers 101 is no share"),
        (("--mesh", "meshtastic", "--example", "mesh"), "--example and --mesh are two files"),
    ]:
        done = cli("new", *options)
        assert done.returncode == 2
        assert message in " ".join(done.stderr.split()), done.stderr
    assert not list(tmp_path.glob("*.toml"))
    with pytest.raises(MeshError, match="did you mean short-slow"):
        write_mesh(tmp_path / "m", "meshtastic", preset="short-slo")


def test_hop_limits_are_compared_by_what_reaches_near_and_far(tmp_path: Path) -> None:
    base = Scenario.from_file(write_mesh(tmp_path / "mesh", "meshtastic", nodes=30))
    short = base.with_(**{"duration": "1 h", "traffic.load_factor": 4})
    sweep(short, {"scheme.hop_limit": [1, 5], "seed": [1, 2, 3]}, tmp_path / "hops")
    done = call(tmp_path, "compare", "hops", "--variant", "scheme.hop_limit")
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stdout.split())
    for part in ("reach near", "reach far", "a message", "of the time"):
        assert part in said, part
