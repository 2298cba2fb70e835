"""What is said before a run: keys without effect, causes, conditions, and what counts as equal."""

import json
from pathlib import Path

import pytest

from multihop import (
    Scenario,
    ScenarioError,
    Sweep,
    SweepError,
    compare,
    compare_stored,
    notes,
    run,
    run_many,
    status,
    sweep,
)
from multihop.results.result import unreached
from multihop.sweeping.axes import axis, condition
from multihop.sweeping.progress import varied
from multihop.sweeping.store import run_name
from tests.conftest import TINY, Cli

MESHCORE = Path(__file__).parents[1] / "examples" / "meshcore.toml"

ONE_WAY = {
    "duration": "60 s",
    "warmup": "1 s",
    "topology": {"kind": "explicit"},
    "routing": {"kind": "aodv"},
    "scheme": {"name": "udp"},
    "traffic": {"load": "10 kbit/s"},
    "node": [{"name": name} for name in "abc"],
    "flow": [{"from": "a", "to": "b"}],
    "link": [
        {"from": "a", "to": "b", "signal": "-60 dBm"},
        {"from": "a", "to": "c", "signal": "-60 dBm", "both_ways": True},
        {"from": "c", "to": "b", "signal": "-60 dBm", "both_ways": True},
    ],
}


def test_a_note_names_the_option_or_the_line(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "wake.toml"
    path.write_text(TINY.replace("cxcc", "wake") + "[mac]\ncw_min = 63\n")
    line = 1 + path.read_text().splitlines().index("cw_min = 63")
    words = "not heeded: mac.cw_min by wake, which has scheme.cw_min = 3"
    assert f"warning: line {line}: {words}\n" in cli("run", path).stderr
    set_here = cli("run", path, "--set", "mac.cw_min=15").stderr
    assert f"warning: --set {words}\n" in set_here
    assert cli("run", path, "--set", "mac=").stderr == ""
    swept = cli("sweep", path, "--seeds", "2", "--out", "out")
    assert swept.stderr.count(words) == 1
    assert Scenario.from_file(path).notes == [words]


def test_compare_says_what_each_scheme_does_not_heed(cli: Cli, tiny: Path) -> None:
    given = ("compare", tiny, "--schemes", "udp,wake", "--set", "mac.cw_min=63")
    done = cli(*given, "--json")
    assert "not heeded: mac.cw_min by wake, which has scheme.cw_min = 3" in done.stderr
    found = json.loads(done.stdout)
    assert len(found["notes"]) == 1
    rows = {row["condition"]: row for row in found["conditions"]}
    assert (rows["cw_min"]["udp"], rows["cw_min"]["wake"]) == ("63", "3")
    assert rows["cw_min"]["differs"]
    assert not rows["data_rate_bit_s"]["differs"]
    assert [row["differs"] for row in found["conditions"]] == sorted(
        (row["differs"] for row in found["conditions"]), reverse=True
    )
    page = Path(tiny.parent / found["page"]).read_text()
    assert "smallest contention window" in page
    assert "Not heeded: mac.cw_min by wake" in page
    table = cli(*given).stdout
    assert "* smallest contention window (slots)" in table


def test_conditions_have_what_was_varied_and_what_a_scheme_lacks(tmp_path: Path) -> None:
    found = compare(
        Scenario.from_toml(TINY),
        ["udp", "cxcc"],
        {"mac.data_rate": ["1 Mbit/s", "2 Mbit/s"]},
        out=tmp_path,
        progress=False,
    )
    rows = {row["condition"]: row for row in found.conditions.to_dicts()}
    assert rows["data_rate_bit_s"]["udp"] == "1000000, 2000000"
    assert (rows["short_retry_limit"]["udp"], rows["short_retry_limit"]["cxcc"]) == ("7", "-")
    assert (rows["mac"]["udp"], rows["mac"]["cxcc"]) == ("802.11 DCF", "reduced CSMA")


def test_two_comparisons_have_two_folders(cli: Cli, tiny: Path) -> None:
    pages = [
        json.loads(cli("compare", tiny, "--schemes", schemes, "--json").stdout)["page"]
        for schemes in ("udp,cxcc", "udp,newreno")
    ]
    assert pages == [
        "results/compare-tiny-udp-cxcc/comparison.html",
        "results/compare-tiny-udp-newreno/comparison.html",
    ]


def test_a_key_that_nobody_knows_cannot_be_taken_away(cli: Cli, tiny: Path) -> None:
    done = cli("run", tiny, "--set", "topolgy.hops=")
    assert done.returncode == 2
    assert "--set topolgy.hops: unknown key" in done.stderr
    assert "did you mean 'topology.hops'?" in done.stderr
    assert cli("run", tiny, "--set", "mac.cw_min=").returncode == 0
    with pytest.raises(ScenarioError, match=r"unknown key 'typo'"):
        Scenario.from_toml(TINY).with_(typo=None)


def test_a_misspelt_table_is_the_option_s_fault(cli: Cli, tiny: Path) -> None:
    done = cli("run", tiny, "--set", "topolgy.hops=3")
    assert "--set topolgy: unknown key 'topolgy', did you mean 'topology'?" in done.stderr
    assert "line" not in done.stderr


def test_units_decide_whether_two_values_are_one(base: Scenario, tmp_path: Path) -> None:
    twins = {"traffic.load": ["100 kbit/s", "0.1 Mbit/s"]}
    with pytest.raises(SweepError, match=r'"0.1 Mbit/s" is the same value as "100 kbit/s"'):
        sweep(base, twins, tmp_path, progress=False)
    with pytest.raises(SweepError, match="are the same as"):
        axis({"a": ["1 s", "1000 ms"], "b": [1, 1.0]}, "axis 1")
    axis({"topology.hops": [1, 2], "duration": ["1 s", "1 ms"]}, "axis 1")
    held = condition({"traffic.load": "0.1 Mbit/s"}, "when")
    assert held.holds({"traffic.load": "100 kbit/s"})
    assert not held.holds({"traffic.load": "100 kB"})
    between = condition({"traffic.load": {"from": "50 kbit/s", "to": "0.1 Mbit/s"}}, "when")
    assert between.holds({"traffic.load": "100000 bit/s"})
    assert not between.holds({"traffic.load": "101 kbit/s"})


def test_a_run_is_the_same_however_it_is_written(base: Scenario, tmp_path: Path) -> None:
    other = base.with_(**{"traffic.load": "0.05 Mbit/s", "seed": 1, "mac.cw_min": 31})
    assert run_name(base.json) == run_name(other.json)
    assert run_name(base.json) != run_name(base.with_(seed=2).json)
    sweep(base, {"traffic.load": ["50 kbit/s"]}, tmp_path, progress=False)
    sweep(base, {"traffic.load": ["0.05 Mbit/s", "60 kbit/s"]}, tmp_path, progress=False)
    assert len(list((tmp_path / "parts").iterdir())) == 2
    assert {progress.runs for progress in status(tmp_path).sweeps} == {1, 2}


def test_status_says_what_was_varied(cli: Cli, base: Scenario, tmp_path: Path) -> None:
    out = tmp_path / "out"
    loads = ["20 kbit/s", "40 kbit/s"]
    sweep(base, {"traffic.load": loads, "seed": range(1, 9)}, out, progress=False)
    (found,) = status(out).sweeps
    assert found.varied == {"traffic.load": loads, "seed": list(range(1, 9))}
    words = "traffic.load = 20 kbit/s, 40 kbit/s; seed = 8 values from 1 to 8"
    assert varied(found) == words
    assert f"varied: {words}" in cli("status", out).stdout


def test_runs_in_python_tell_each_note_once(recwarn: pytest.WarningsRecorder) -> None:
    base = Scenario.from_toml(TINY).with_(**{"scheme.name": "wake", "mac.cw_min": 63})
    words = "not heeded: mac.cw_min by wake, which has scheme.cw_min = 3"
    run(base)
    assert [str(warning.message) for warning in recwarn] == [words]
    assert recwarn.pop().filename == __file__
    run_many([base.with_(seed=seed) for seed in (1, 2)] + [base.with_(duration="2 s")])
    assert [str(warning.message) for warning in recwarn] == [words]
    assert recwarn.pop().filename == __file__
    told: list[str] = []
    run_many([base, base.with_(**{"mac.cw_min": 31})], tell=told.append)
    assert told == [words]
    assert not recwarn.list


def test_seeds_that_share_a_network_are_named(tmp_path: Path) -> None:
    random = Scenario.from_toml(TINY).with_(
        topology={"kind": "random", "nodes": 8, "width": "300 m", "height": "300 m", "flows": 1}
    )
    fixed = random.with_(**{"topology.topology_seed": 7})
    seeds = range(1, 4)
    (note,) = notes([fixed.with_(seed=seed) for seed in seeds])
    assert note.startswith("topology.topology_seed: all 3 seeds have the same network")
    assert notes([random.with_(seed=seed) for seed in seeds]) == []
    assert notes([fixed]) == []
    told: list[str] = []
    Sweep(fixed, seeds=list(seeds)).run(tmp_path, tell=told.append)
    assert told == [note]
    with pytest.warns(UserWarning, match="all 3 seeds have the same network"):
        sweep(fixed, {"seed": seeds}, tmp_path, progress=False)


def test_aodv_goes_round_a_link_in_one_direction_with_its_blacklist(tmp_path: Path) -> None:
    without = Scenario.from_dict(ONE_WAY)
    (note,) = without.notes
    assert "routing.blacklist = true" in note
    result = run(without)
    assert result.flows["delivered"].item() == 0
    (sentence,) = unreached(result, without)
    assert "list [[link]] that lead there" in sentence
    assert "closer" not in sentence
    around = without.with_(**{"routing.blacklist": True})
    assert around.notes == []
    flows = run(around).flows
    assert flows["delivered"].item() >= flows["offered"].item() - 2 > 100


def test_a_sweep_in_json_may_name_its_schema(tmp_path: Path) -> None:
    path = tmp_path / "loads.json"
    given = {"$schema": "./sweep.schema.json", "scenario": Scenario.from_toml(TINY).to_dict()}
    path.write_text(json.dumps(given | {"seeds": [1, 2]}))
    assert len(Sweep.from_file(path).points()) == 2


def test_a_stored_sweep_is_compared_with_its_conditions(base: Scenario, tmp_path: Path) -> None:
    sweep(base, {"scheme.name": ["udp", "cxcc"], "seed": [1, 2]}, tmp_path, progress=False)
    rows = {row["condition"]: row for row in compare_stored(tmp_path).conditions.to_dicts()}
    assert (rows["mac"]["udp"], rows["mac"]["cxcc"]) == ("802.11 DCF", "reduced CSMA")


def test_check_prints_conditions_and_runs_nothing(cli: Cli, tiny: Path) -> None:
    done = cli("check", tiny, "--set", "mac.cw_max=511")
    assert done.returncode == 0
    assert "not heeded: mac.cw_max by the reduced CSMA MAC" in done.stderr
    assert "reduced CSMA" in done.stdout
    found = json.loads(cli("check", tiny, "--json").stdout)
    assert (found["notes"], found["conditions"]["cw_min"]) == ([], 31)
    assert cli("check", tiny, "--set", "mac.cw_min=0").returncode == 2


def test_parameters_of_another_mac_are_conditions(cli: Cli) -> None:
    done = cli("check", MESHCORE)
    assert done.returncode == 0
    rows = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert any(row.startswith("spreading factor 8") for row in rows), done.stdout


def test_receivers_of_ofdm_are_conditions(cli: Cli, tiny: Path) -> None:
    keys = {"mac.timing": "ofdm-5", "topology.spacing": "100 m"}
    given = [word for key, value in keys.items() for word in ("--set", f"{key}={value}")]
    done = cli("run", tiny, *given)
    said = " ".join(done.stdout.split())
    assert 'noticed from -82 dBm; error model "nist"; neighbours are up to 289 m apart' in said
    assert "noticed from" not in cli("run", tiny).stdout
    found = json.loads(cli("check", tiny, *given, "--json").stdout)["conditions"]
    assert (found["receive_threshold_dbm"], found["sense_threshold_dbm"]) == (-82, -104)
    assert (found["noise_dbm"], found["errors"]) == (-93.96, "nist")
    shown = cli("compare", tiny, "--schemes", "udp,wake", *given).stdout
    assert "noticed from (dBm)" in shown
    assert "error model" in shown
