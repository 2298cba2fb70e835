"""Packets for everyone and for groups, from the scenario to the tables."""

import json
from pathlib import Path

import polars as pl
import pytest

from multihop import Scenario, ScenarioError, run, sweep
from multihop.results.columns import COLUMNS
from tests.conftest import call

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "flooding.toml"


@pytest.fixture(scope="module")
def flooding() -> Scenario:
    """Return the example, shortened."""
    return Scenario.from_file(EXAMPLE).with_(
        **{"warmup": "1 s", "duration": "9 s", "traffic.stop": "9 s"}
    )


def test_every_message_is_a_row_and_the_run_has_their_means(flooding: Scenario) -> None:
    result = run(flooding)
    messages = result.messages
    assert set(messages.columns) == set(COLUMNS["messages"])
    assert messages["addressed"].unique().sort().to_list() == [3, 35]
    assert (messages["reach"] > 0.9).all()
    ordered = pl.col("first_delay_s") <= pl.col("median_delay_s")
    assert messages.select((ordered & (pl.col("median_delay_s") <= pl.col("last_delay_s"))).all())[
        0, 0
    ]
    means = result.runs.to_dicts()[0]
    measured = messages.filter(pl.col("time_s") >= 1.0)
    assert means["messages"] == measured.height
    assert means["reach_mean"] == pytest.approx(measured["reach"].mean())
    assert means["frames_per_message"] == pytest.approx(measured["frames"].mean())
    assert 0 < means["useful_share"] < 0.5
    assert means["suppressed"] > 0
    assert result.flows["destination"].to_list() == ["everyone", "n5, n30, n35"]
    delivered = messages.filter(pl.col("reached") > 0).group_by("flow").len().sort("flow")
    assert result.flows["run_delivered"].to_list() == delivered["len"].to_list()


def test_counting_copies_saves_frames_and_reaches_nearly_all(flooding: Scenario) -> None:
    plain = run(flooding.with_(**{"scheme.copies": 0})).runs
    counted = run(flooding).runs
    assert counted["frames_per_message"][0] < 0.5 * plain["frames_per_message"][0]
    assert counted["reach_mean"][0] > 0.95


def test_runs_without_such_flows_have_no_messages(base: Scenario) -> None:
    result = run(base)
    assert "messages" not in result.tables
    assert "reach_mean" not in result.runs.columns
    with pytest.raises(KeyError, match="everyone"):
        _ = result.messages


def test_a_scheme_that_does_not_flood_is_refused(flooding: Scenario) -> None:
    with pytest.raises(ScenarioError, match="for several nodes, but 'udp' hands"):
        run(flooding.with_(scheme={"name": "udp"}))


def test_the_command_prints_them_and_a_sweep_keeps_them(flooding: Scenario, tmp_path: Path) -> None:
    shorter = ("--set", "warmup=1 s", "--set", "duration=9 s", "--set", "traffic.stop=9 s")
    done = call(tmp_path, "run", EXAMPLE, *shorter, "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["messages"]
    assert rows[0]["message"] == 0
    assert rows[0]["reached"] > 30
    found = sweep(flooding, {"seed": [1, 2]}, tmp_path / "out", progress=False)
    kept = found.tables["messages"]
    assert kept["run"].n_unique() == 2
    assert kept.filter(seed=1).height == len(rows)
