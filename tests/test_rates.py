"""The search for the best sending rates, and the table that CL reads."""

import tomllib
from pathlib import Path

import polars as pl
import pytest

from multihop import (
    OutputError,
    RateTable,
    Result,
    Scenario,
    ScenarioError,
    ScenarioFile,
    SearchError,
    optimum_rates,
    run,
)
from multihop.searching import rates
from tests.conftest import Cli

CHAIN = """
name = "searched"
warmup = "1 s"
duration = "20 s"

[topology]
kind = "chain"
hops = 1

[mac]
rts_cts = true

[scheme]
name = "udp"

[traffic]
payload = "1000 B"
start = "0 s"
start_jitter = "0 s"
"""
# In packets/s: what chains carry at most, by their length.
KNEES = {1: 61.0, 2: 30.5, 5: 24.4}


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    path = tmp_path / "chain.toml"
    path.write_text(CHAIN)
    return path


def known(scenario: Scenario) -> Result:
    """Carry what is offered up to the knee, and beyond it as much, or with 5 hops a half."""
    tables = scenario.to_dict()
    hops, load = tables["topology"]["hops"], float(tables["traffic"]["load"].split()[0])
    knee = KNEES[hops]
    offered = load / 8000
    carried = min(offered, knee if hops < 5 else knee / 2 if offered > knee else knee)
    # Seeds differ a little beyond the knee.
    carried += (tables["seed"] - 1.5) * (0.02 if offered > knee else 0)
    row = {"scheme": tables["scheme"]["name"], "duration_s": 100.0}
    flow = {"delivered": [100 * carried], "acknowledged": [50 * carried]}
    return Result.from_columns({"runs": {k: [v] for k, v in row.items()}, "flows": flow})


@pytest.fixture
def no_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "run_many", lambda scenarios, **_: [*map(known, scenarios)])


def search(text: str = CHAIN) -> RateTable:
    file = ScenarioFile(Path("chain.toml"), "toml", text)
    return optimum_rates(file, (1, 2, 5), seeds=(1, 2), progress=False)


@pytest.mark.usefixtures("no_runs")
def test_the_best_is_the_lowest_rate_that_carries_as_much() -> None:
    found = search()
    best = dict(found.rates.select("hops", "rate").iter_rows())
    for hops, knee in KNEES.items():
        # 1 % less is as good, and the steps are 1.5 %.
        assert 0.965 * knee <= best[hops] <= knee, hops
    assert found.rates["carried"].to_list() == pytest.approx(found.rates["rate"].to_list())
    beyond = found.tried.filter(hops=5).filter(pl.col("rate") > KNEES[5])
    assert beyond["carried"].max() == pytest.approx(12.2)
    # Two values that are d apart: d / 2.
    assert beyond["standard_error"].to_list() == pytest.approx([0.01] * beyond.height)


@pytest.mark.usefixtures("no_runs")
def test_with_acknowledgments_what_is_acknowledged_counts() -> None:
    found = search(CHAIN.replace('"udp"', '"udp-ack"\nacknowledgment = 60'))
    tables = tomllib.loads(found.to_toml())
    assert tables["made_for"]["scheme"] == {"acknowledge": True, "acknowledgment": 60}
    assert found.tried["carried"].max() < max(KNEES.values()) / 2 + 1


@pytest.mark.usefixtures("no_runs")
def test_the_file_is_read_by_a_scenario_that_it_was_made_for(tmp_path: Path) -> None:
    found = search()
    found.write(tmp_path / "rates.toml", "multihop optimum chain.toml --rates 1,2,5")
    tables = tomllib.loads((tmp_path / "rates.toml").read_text())
    assert tables["made_for"]["payload"] == "1000 B"
    assert tables["made_for"]["mac"] == {"rts_cts": True}
    assert tables["measured"]["seeds"] == "1 to 2, 2 of them"
    assert tables["measured"]["engine"].count("+") == 1
    assert tables["rate"][0]["goodput"] == pytest.approx(8 * found.rates["carried"][0], rel=1e-3)
    with pytest.raises(OutputError, match="cannot write to"):
        found.write(tmp_path / "no" / "rates.toml")
    # Lengths 1, 2 and 5 are a table with a gap.
    (tmp_path / "chain.toml").write_text(CHAIN)
    given = {"scheme.name": "cl", "scheme.rates": "rates.toml", "traffic.kind": "ftp"}
    with pytest.raises(ScenarioError, match=r"rate\[2\] should be that of 3 hops"):
        Scenario.from_file(tmp_path / "chain.toml", given)


@pytest.mark.parametrize(("hops", "seeds", "what"), [((), (1,), "length"), ((1,), (), "seed")])
def test_nothing_to_try_is_refused(
    hops: tuple[int, ...], seeds: tuple[int, ...], what: str
) -> None:
    with pytest.raises(SearchError, match=f"no {what} to try"):
        optimum_rates(ScenarioFile(Path("chain.toml"), "toml", CHAIN), hops, seeds=seeds)


def test_the_command_writes_a_table_that_cl_runs_with(cli: Cli, chain: Path) -> None:
    out = chain.parent / "rates.toml"
    done = cli("optimum", chain, "--rates", "1-2", "--seeds", "1", "--out", out)
    assert done.returncode == 0, done.stderr
    assert "packets/s" in done.stdout
    tables = tomllib.loads(out.read_text())
    assert "optimum" in tables["measured"]["command"]
    first, second = (row["rate"] for row in tables["rate"])
    # One hop at a time: 9.964 ms for each.
    assert 85 <= first <= 101
    assert 42 <= second <= 51
    given = {"scheme.name": "cl", "scheme.rates": "rates.toml", "traffic.kind": "ftp"}
    paced = run(Scenario.from_file(chain, given | {"topology.hops": 2}))
    assert paced.flows["delivered"].item() == pytest.approx(20 * second, abs=3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--rates", "9-1"), "is no list of lengths"),
        (("--rates", "1", "--set", "scheme.name=cxcc"), "mac.rts_cts"),
        (
            ("--rates", "1", "--seeds", "1", "--out", "no/such/folder.toml"),
            "cannot write to 'no/such'",
        ),
    ],
)
def test_bad_input_is_one_line_and_code_2(
    cli: Cli, chain: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = cli("optimum", chain, *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
