"""Sweep files: what they say, and what is said of mistakes."""

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from multihop import Scenario, ScenarioError, Shard, Sweep, SweepError
from multihop.sweeping.schema import sweep_schema
from multihop.sweeping.seeds import Until
from multihop.sweeping.store import run_name
from multihop.sweeping.sweeps import Means
from tests.conftest import TINY, Cli
from tests.sweeping import stored

EXAMPLES = Path(__file__).resolve().parent.parent / "examples" / "sweeps"
QUIET = Means(progress=False)
LOADS = {"traffic.load": ["20 kbit/s", "40 kbit/s"]}


def of(tmp_path: Path, **keys: Any) -> Sweep:
    (tmp_path / "tiny.toml").write_text(TINY)
    return Sweep.from_dict({"scenario": "tiny.toml", **keys}, tmp_path / "sweep.toml")


def test_a_file_is_what_python_would_say(base: Scenario, tmp_path: Path) -> None:
    asked = of(
        tmp_path,
        set={"duration": "1 s"},
        axis=[{"scheme.name": ["udp", "cxcc"]}, LOADS],
        skip=[{"scheme.name": "udp", "traffic.load": "40 kbit/s"}],
        seeds=2,
    )
    points = asked.points()
    assert [tuple(point.labels.values()) for point in points] == [
        ("udp", "20 kbit/s", 1),
        ("udp", "20 kbit/s", 2),
        ("cxcc", "20 kbit/s", 1),
        ("cxcc", "20 kbit/s", 2),
        ("cxcc", "40 kbit/s", 1),
        ("cxcc", "40 kbit/s", 2),
    ]
    keys = {"scheme.name": "cxcc", "traffic.load": "40 kbit/s", "seed": 2, "duration": "1 s"}
    assert points[-1].scenario.to_dict() == base.with_(**keys).to_dict()


def test_the_scenario_may_stand_in_the_file(base: Scenario, tmp_path: Path) -> None:
    inside = Sweep.from_dict({"scenario": tomllib.loads(TINY), "seeds": [7]}, tmp_path / "s.json")
    (point,) = inside.points()
    assert point.scenario.to_dict() == base.with_(seed=7).to_dict()


def test_without_a_condition_met_a_label_is_nothing(tmp_path: Path) -> None:
    asked = of(
        tmp_path,
        axis=[
            {"scheme.name": ["udp", "cxcc"]},
            {"scheme.rfa": [True, False], "when": {"scheme.name": "cxcc"}},
        ],
    )
    result = asked.run(tmp_path / "out", QUIET).result()
    assert result.runs["scheme.rfa"].to_list() == [None, True, False]
    assert result.runs["scheme"].to_list() == ["udp", "cxcc", "cxcc"]


def test_seeds_until_the_mean_is_known(tmp_path: Path) -> None:
    until = {"until": "2 %", "of": "network_delay_mean_s", "min": 3, "max": 12}
    asked = of(tmp_path, axis=[LOADS], seeds=until)
    done = asked.run(tmp_path / "out", QUIET)
    table = done.table("runs")
    rule = Until(0.02, "network_delay_mean_s", 1, 3, 12)
    narrow = 0
    for _, group in table.group_by("traffic.load", maintain_order=True):
        delays = group["network_delay_mean_s"].to_list()
        assert group["seed"].to_list() == list(range(1, len(delays) + 1))
        assert 3 <= len(delays) <= 12
        narrow += rule.width(delays) <= 0.02
        assert rule.wanted(delays) == len(delays)
    assert narrow + done.unsure == 2
    # Shards come to the same, each with its combinations.
    for part in (1, 2):
        again = asked.run(tmp_path / "parts", QUIET._replace(shard=Shard(part, 2)))
    assert again.missing == 0
    assert again.table("runs").equals(table)


def test_how_many_seeds_are_wanted() -> None:
    rule = Until(0.05, least=5, most=50)
    assert rule.wanted([1.0] * 5) == 5
    assert rule.wanted([1.0, 2.0, 3.0, 1.0, 2.0]) == 10
    assert rule.wanted([1.0, 1.08, 1.0, 1.08, 1.0]) == 9
    assert rule.wanted([0.0] * 5) == 5
    assert rule.wanted([float("nan")] * 5) == 10
    assert rule.wanted([1.0, 2.0] * 25) == 50


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"axes": []}, "unknown key 'axes', did you mean 'axis'?"),
        ({"axis": {"seed": [1]}}, r"axis: write a table for each, as in \[\[axis\]\]"),
        ({"axis": [{"seed": [1]}], "seeds": 3}, "both choose the seeds"),
        ({"seeds": 0}, "0 are no seeds"),
        ({"seeds": [1, -1]}, "are no seeds"),
        ({"seeds": {"until": "5"}}, "write a share of the mean"),
        ({"seeds": {"until": "5 %", "of": "goodput"}}, "no number of a run; there are"),
        (
            {"seeds": {"until": "5 %", "of": "delay_mean_s"}},
            "`of`: `delay_mean_s` is now `network_delay_mean_s`; `end_to_end_delay_mean_s` counts",
        ),
        ({"seeds": {"until": "5 %", "min": 9, "max": 3}}, "`min` not above `max`"),
        ({"seeds": {"til": "5 %"}}, "unknown key 'til'"),
        ({"set": 3}, "set: write a table"),
        ({"axis": [LOADS], "set": {"traffic.load": "1 kbit/s"}}, "'traffic.load' is in `set` and"),
        ({"axis": [LOADS], "set": {"traffic": {"load": "1 kbit/s"}}}, "'traffic.load' is in `set`"),
        ({"axis": [{"scheme": [{"name": "udp"}]}], "set": {"scheme.name": "udp"}}, "'scheme.name'"),
        ({"seeds": 2, "set": {"seed": 3}}, "'seed' is in `set` and varied"),
        ({"seeds": []}, r"\[\] are no seeds"),
        (
            {"axis": [LOADS], "skip": [{"traffic.load": "3 kbit/s"}]},
            "skip 1: 'traffic.load' is neve",
        ),
        ({"axis": [{"seed": [1, 2]}], "skip": [{"seed": "1"}]}, "skip 1: 'seed' is never \"1\""),
        ({"axis": [{"a": [1]}], "skip": [{"a": {}}]}, "skip 1: a: an empty table"),
        ({"tables": ["runs", {}]}, "is no list of tables"),
        ({"scenario": 3}, "scenario: name its file"),
        ({"tables": ["flows"]}, "with `runs` in it"),
        ({"name": 3}, "is no text"),
        ({"axis": [{"a": [1], "when": {"b": 1}}]}, "axis 1: when: 'b' is not varied"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, keys: dict[str, Any], message: str) -> None:
    with pytest.raises(SweepError, match=message) as error:
        of(tmp_path, **keys)
    assert str(error.value).startswith(f"{tmp_path / 'sweep.toml'}: ")


def test_an_unknown_axis_is_named_with_its_combination(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r"trafic: unknown key 'trafic', did you mean"):
        of(tmp_path, axis=[{"trafic.load": ["20 kbit/s"]}]).points()
    wrong = of(tmp_path, axis=[{"scheme.name": ["cxcc", "udp"]}, {"scheme.rfa": [True]}])
    with pytest.raises(ScenarioError, match=r'rfa.*with scheme.name = "udp", scheme.rfa = true'):
        wrong.points()
    with pytest.raises(SweepError, match="`skip` leaves out every combination"):
        of(tmp_path, axis=[LOADS], skip=[{"traffic.load": LOADS["traffic.load"]}]).points()


@pytest.mark.long
def test_the_schema_takes_the_examples_and_refuses_what_the_reader_refuses() -> None:
    schema = json.loads(sweep_schema())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    files = sorted(EXAMPLES.glob("*.toml"))
    for file in files:
        validator.validate(tomllib.loads(file.read_text()))
        assert Sweep.from_file(file).points()
    assert files
    for wrong in (
        {},
        {"scenario": "x", "axes": []},
        {"scenario": "x", "seeds": 0},
        {"scenario": "x", "seeds": {"of": "goodput_bit_s"}},
        {"scenario": "x", "tables": ["flows"]},
        {"scenario": "x", "axis": [{"a": []}]},
        {"scenario": "x", "axis": [{"a": {"from": 1, "to": 2}}]},
        {"scenario": "x", "axis": [{"a": {"from": 1, "to": 2, "step": 1, "count": 2}}]},
        {"scenario": "x", "axis": [{"a": {"from": 1, "to": 2, "step": 1, "scale": "log"}}]},
        {"scenario": "x", "skip": [{}]},
        {"scenario": "x", "skip": [{"a": {}}]},
        {"scenario": "x", "seeds": []},
    ):
        assert not validator.is_valid(wrong), wrong
    published = json.loads((EXAMPLES / "sweep.schema.json").read_text())
    assert published == json.loads(sweep_schema()), "make generate"


def test_the_command_runs_a_file_and_what_is_given_beside(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "tiny.toml").write_text(TINY)
    (tmp_path / "loads.toml").write_text(
        'scenario = "tiny.toml"\n[[axis]]\n"traffic.load" = ["20 kbit/s", "40 kbit/s"]\n'
    )
    done = cli("sweep", "loads.toml", "--seeds", "2", "--set", "duration=1 s", "--json")
    assert done.returncode == 0, done.stderr
    values = json.loads(done.stdout)
    assert (len(values["runs"]), values["missing"]) == (4, 0)
    assert {row["duration_s"] for row in values["runs"]} == {1.0}
    assert len(stored(tmp_path / "results" / "loads")) == 4
    twice = cli("sweep", "loads.toml", "--set", "traffic.load=1 kbit/s")
    assert twice.returncode == 2
    assert "'traffic.load' is given with --set and varied" in twice.stderr
    table = cli("sweep", "loads.toml", "--set", "traffic={load='1 kbit/s'}")
    assert "'traffic.load' is given with --set and varied" in table.stderr
    assert "'traffic.load' is varied by the file and by --vary" in (
        cli("sweep", "loads.toml", "--vary", "traffic.load=1 kbit/s").stderr
    )


@pytest.mark.parametrize(("ending", "opened", "closed"), [("toml", "x=[", "]"), ("json", "[", "]")])
def test_a_file_may_be_nested_too_deeply(
    cli: Cli, tmp_path: Path, ending: str, opened: str, closed: str
) -> None:
    file = tmp_path / f"deep.{ending}"
    depth = 100_000
    file.write_text(opened + "[" * depth + "]" * depth + closed)
    done = cli("sweep", file, "--out", "out")
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {file}: ")
    assert done.stderr.count("\n") == 1


def test_a_name_is_one_of_scenario_and_engine(base: Scenario) -> None:
    assert run_name(base.json) != run_name(base.with_(seed=9).json)
    assert len(run_name(base.json)) == 24
