"""SUMO's traces: vehicles are on the air while the trace has them, and nowhere before and after."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from multihop import MeshError, Scenario, run
from multihop.meshes.fcd import scenario_of_trace
from multihop.meshes.writing import Choices
from tests.conftest import Cli

Steps = dict[float, dict[str, tuple[float, float]]]
GEO = '<!-- <fcd-output.geo value="true"/> -->'


def trace(folder: Path, steps: Steps, head: str = "", speed: float = 0.0) -> Path:
    """Write a trace: who is where in each time step."""
    lines = []
    for time, there in steps.items():
        rows = (f'<vehicle id="{own}" x="{x}" y="{y}" speed="{speed}" angle="90"/>'
                for own, (x, y) in there.items())  # fmt: skip
        lines.append(f'<timestep time="{time:.2f}">{"".join(rows)}</timestep>\n')
    path = folder / "town.fcd.xml"
    path.write_text(f'<?xml version="1.0"?>\n{head}\n<fcd-export>{"".join(lines)}</fcd-export>\n')
    return path


# Two vehicles stand 400 m apart, and a third between them for some time.
A, B, MIDDLE = (0.0, 0.0), (400.0, 0.0), (200.0, 0.0)


def relayed(present: range) -> Steps:
    return {
        float(at): {"a": A, "b": B} | ({"mid dle": MIDDLE} if at in present else {})
        for at in range(41)
    }


def delivered(found: Any) -> int:
    return int(run(found.scenario).flows["delivered"][0])


def test_nobody_relays_before_it_enters_and_after_it_leaves(tmp_path: Path) -> None:
    choices = Choices(flows=(("a", "b"),), load="10 kbit/s", range_m=250.0)

    def packets(present: range) -> int:
        return delivered(scenario_of_trace(trace(tmp_path, relayed(present)), choices))

    always, late, early = packets(range(41)), packets(range(20, 41)), packets(range(21))
    assert packets(range(0)) == 0
    assert always == pytest.approx(97, abs=3), "10 kbit/s of 512 B for 40 s"
    assert late == pytest.approx(always / 2, abs=7)
    assert early == pytest.approx(always / 2, abs=7)


def test_vehicles_are_where_the_trace_has_them(tmp_path: Path) -> None:
    steps = {100.0: {"a": (0.0, 0.0)}, 101.0: {"a": (10.0, 0.0), "b": (50.0, 0.0)},
             102.0: {"a": (30.0, 40.0), "b": (50.0, 0.0)}, 103.0: {"a": (30.0, 40.0)}}  # fmt: skip
    found = scenario_of_trace(trace(tmp_path, steps))
    text = found.scenario.movement().splitlines()
    assert '$ns_ at 0.000000000 "$node_(0) setdest 10 0 10"' in text
    [leg] = [line for line in text if "at 1.000000000" in line and "node_(0)" in line]
    assert leg.startswith('$ns_ at 1.000000000 "$node_(0) setdest 30 40 44.72')
    assert '$ns_ at 1.000000000 "$g(1) start"' in text
    assert '$ns_ at 3.000000000 "$g(1) stop"' in text
    assert not [line for line in text if "$g(0)" in line], "a is there all the time"
    assert '# n1 is "b" in the trace.' in found.text
    [flow] = found.scenario.to_dict()["flow"]
    assert (flow["start"], flow["stop"]) == ("1 s", "3 s")
    assert "the trace's 100 s are time 0; it lasts 3 s" in found.mesh.findings.remarks


def test_a_vehicle_may_come_again(tmp_path: Path) -> None:
    steps = {float(at): {"a": A} | ({"b": B} if at % 3 else {}) for at in range(6)}
    text = scenario_of_trace(trace(tmp_path, steps)).text
    for line in ('at 1 "$g(1) start', 'at 3 "$g(1) stop', 'at 4 "$g(1) start'):
        assert line in text


@settings(max_examples=30, deadline=None)
@given(stays=st.lists(st.tuples(st.integers(0, 9), st.integers(1, 10)), min_size=2, max_size=5))
def test_presence_is_that_of_the_trace(
    stays: list[tuple[int, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    # somebody is there from the beginning, and two are there together
    given = [(0, 11), (0, 11), *((begin, min(begin + length, 11)) for begin, length in stays)]
    steps: Steps = {
        float(at): {f"v{own}": (own * 10.0, 0.0) for own, (a, b) in enumerate(given) if a <= at < b}
        for at in range(11)
    }
    found = scenario_of_trace(trace(tmp_path_factory.mktemp("trace"), steps))
    ids = {node.label: node.name.removeprefix("n") for node in found.mesh.nodes}
    text = found.scenario.movement()
    for own, (begin, end) in enumerate(given):
        name = ids[f"v{own}"]
        assert (f'at {begin}.000000000 "$g({name}) start"' in text) == (begin > 0 or end < 11)
        assert (f'at {end}.000000000 "$g({name}) stop"' in text) == (end < 11)


def test_degrees_become_metres_where_sumo_says_that_they_are(tmp_path: Path) -> None:
    steps = {0.0: {"a": (13.4, 52.5), "b": (13.4, 52.501)}, 1.0: {"a": (13.4, 52.5)}}
    found = scenario_of_trace(trace(tmp_path, steps, GEO))
    [a, b] = found.mesh.nodes
    assert a.metres == (0.0, 0.0)
    assert b.metres is not None
    assert b.metres[1] == pytest.approx(111.3, abs=0.1)
    moving = {0.0: {"a": (13.4, 52.5), "b": (13.4, 52.501)}, 1.0: {"a": (13.4001, 52.5)}}
    with pytest.raises(MeshError, match=r"all places are within 0\.001 m: they are in degrees"):
        scenario_of_trace(trace(tmp_path, moving, speed=7.0))


def test_traces_are_imported_by_the_command(cli: Cli, tmp_path: Path) -> None:
    path = trace(tmp_path, relayed(range(41)))
    done = cli("import", path, "--flow", "a,mid dle", "--out", "town.toml")
    assert done.returncode == 0, done.stderr
    assert "3 nodes" in done.stdout
    assert "SUMO's FCD trace" in done.stdout
    scenario = Scenario.from_file(tmp_path / "town.toml")
    assert scenario.to_dict()["flow"][0]["to"] == "n2"
    assert run(scenario).flows["delivered"][0] > 0
    for options, message in (
        (["--flow", "a,z"], "the trace has no vehicle 'z'"),
        (["--to", "a"], "name vehicles with --flow"),
        (["--links", path], "which has no links"),
        (["--without", "*"], "has 0 vehicles; a network has two at least"),
    ):
        done = cli("import", path, *options)
        assert done.returncode == 2
        assert message in done.stderr
    apart = trace(tmp_path, {0.0: {"a": A, "b": B}, 1.0: {"c": A, "b": B}, 2.0: {"c": A}})
    assert "'a' and 'c' are never there at the same time" in cli(
        "import", apart, "--flow", "a,c"
    ).stderr  # fmt: skip
    cut = tmp_path / "cut.xml"
    cut.write_text(path.read_text()[:-30])
    assert "is no whole XML" in cli("import", cut).stderr


LATE = """$node_(0) set X_ 0
$node_(0) set Y_ 0
$node_(1) set X_ 400
$node_(1) set Y_ 0
$node_(2) set X_ 200
$node_(2) set Y_ 0
$ns_ at {enters} "$node_(2) setdest 200 0 0.00"
$ns_ at 51.0 "$node_(2) setdest 202 0 2.00"
"""


@pytest.mark.parametrize(("enters", "most"), [("0.0", 100), ("50.0", 0)])
def test_vehicles_of_sumo_s_movement_files_relay_when_they_have_entered(
    enters: str, most: int
) -> None:
    scenario = Scenario.from_dict(
        {
            "duration": "40 s",
            "warmup": "1 s",
            "topology": {"kind": "movements"},
            "mobility": {"kind": "ns2", "movements": LATE.format(enters=enters)},
            "routing": {"kind": "aodv"},
            "scheme": {"name": "udp"},
            "flow": [{"from": "n0", "to": "n1", "load": "10 kbit/s"}],
        }
    )
    delivered = int(run(scenario).flows["delivered"][0])
    assert delivered <= most
    assert (delivered > 80) == (most > 0)
