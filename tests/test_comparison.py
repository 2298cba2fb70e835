"""Schemes side by side."""

import csv
import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from multihop import Result, Scenario, ScenarioError, SweepError, compare, run
from multihop.comparing.comparison import Held, compared
from multihop.statistics.intervals import interval
from tests.conftest import TINY, Cli
from tests.sweeping import Counted

# Too short for a packet to arrive.
SILENT = dict.fromkeys(("warmup", "traffic.start", "traffic.start_jitter"), "0 s") | {
    "duration": "5 ms"
}
LOADS = ["20 kbit/s", "60 kbit/s"]
TWO_WAYS = TINY.replace('kind = "chain"', 'kind = "bidirectional-chain"')


def test_means_and_intervals_are_those_of_the_runs(base: Scenario, tmp_path: Path) -> None:
    found = compare(
        base,
        ["udp", "cxcc"],
        {"traffic.load": LOADS},
        seeds=[1, 2, 3],
        out=tmp_path,
        progress=False,
    )
    assert found.table.select("traffic.load", "scheme").rows() == [
        (load, scheme) for load in LOADS for scheme in ("udp", "cxcc")
    ]
    assert (found.runs, found.seeds, found.skipped) == (12, 3, ())
    row = found.table.row(3, named=True)
    alone = [
        run(base.with_(**{"traffic.load": LOADS[1], "scheme.name": "cxcc", "seed": seed})).runs
        for seed in (1, 2, 3)
    ]
    for column in ("goodput_bit_s", "network_delay_mean_s", "overhead"):
        values = [one[column].item() for one in alone]
        assert row[column] == pytest.approx(np.mean(values))
        ends = (row[f"{column}_low"], row[f"{column}_high"])
        assert ends == pytest.approx(interval(values))
    assert row["runs"] == 3
    # One flow has nobody to be fair to.
    assert "fairness" not in found.table.columns


def test_csv_and_page_say_the_same(tmp_path: Path) -> None:
    found = compare(
        Scenario.from_toml(TWO_WAYS),
        ["udp", "newreno"],
        {"traffic.load": LOADS},
        seeds=[1, 2],
        out=tmp_path,
        progress=False,
    )
    rows = list(csv.DictReader(found.csv.open()))
    assert [float(row["goodput_bit_s"]) for row in rows] == found.table["goodput_bit_s"].to_list()
    for name in ("fairness_low", "fairness", "fairness_high"):
        assert all(0.5 <= float(row[name]) <= 1 for row in rows)
    page = found.page.read_text()
    assert page.count("<svg") >= 1
    assert "traffic.load (kbit/s)" in page
    assert "multihop compare SCENARIO --schemes udp,newreno" in page
    header, printed = found.readable()
    assert header[:3] == ["traffic.load", "scheme", "goodput (kbit/s)"]
    assert all(cell in page for row in printed for cell in row)


def test_a_second_call_runs_what_is_missing(
    base: Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = compare(base, ["udp", "cxcc"], out=tmp_path, progress=False)
    counted = Counted(monkeypatch)
    again = compare(base, ["udp", "cxcc", "newreno"], out=tmp_path, progress=False)
    assert len(counted.runs) == 1
    assert again.table[:2].equals(first.table)
    # One run has no interval.
    assert again.table["goodput_bit_s_low"].to_list() == [None] * 3


def test_what_belongs_to_others_is_left_out_and_said(tmp_path: Path) -> None:
    text = TINY.replace('name = "cxcc"', 'name = "cxcc"\nrfa = false\n[mac]\nrts_cts = true')
    file = tmp_path / "mixed.toml"
    file.write_text(text)
    # cxcc alone refuses it, so the file is read with a scheme that takes it.
    base = Scenario.from_file(file, {"scheme.name": "udp", "scheme.rfa": None})
    found = compare(base, ["udp", "cxcc", "newreno"], {"scheme.rfa": [False]}, out=tmp_path)
    assert set(found.skipped) == {
        "scheme.rfa for udp",
        "scheme.rfa for newreno",
        "mac.rts_cts for cxcc",
    }
    same = run(Scenario.from_toml(TINY).with_(**{"scheme.rfa": False, "scheme.name": "cxcc"})).runs[
        "fingerprint"
    ]
    of_cxcc = found.result.runs.filter(pl.col("scheme") == "cxcc")["fingerprint"]
    assert of_cxcc.to_list() == same.to_list()


def test_the_command_says_what_is_left_out(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "mixed.toml").write_text(
        TINY.replace('name = "cxcc"', 'name = "cxcc"\nrfa = false')
    )
    arguments = ("compare", "mixed.toml", "--schemes", "udp,cxcc", "--set", "mac.rts_cts=true")
    done = cli(*arguments, "--vary", "traffic.load=20 kbit/s,60 kbit/s", "--seeds", "2")
    assert done.returncode == 0, done.stderr
    assert "left out: scheme.rfa for udp\n" in done.stdout
    assert "left out: mac.rts_cts for cxcc\n" in done.stdout
    assert (tmp_path / "results" / "compare-tiny-udp-cxcc" / "comparison.html").exists()
    values = json.loads(cli(*arguments, "--json").stdout)
    assert [row["scheme"] for row in values["table"]] == ["udp", "cxcc"]
    assert values["left_out"] == ["scheme.rfa for udp", "mac.rts_cts for cxcc"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--schemes", "udp,udp"), "'udp' is named twice"),
        (("--schemes", "udp,pigeon"), "pigeon"),
        (("--schemes", "udp,cxcc", "--set", "scheme.rfaa=true"), "scheme.rfaa"),
        (("--schemes", "udp,cxcc", "--set", "mac.data_rate=fast"), "mac.data_rate"),
        (("--schemes", "udp", "--set", "scheme.rfa=true"), "scheme.rfa"),
        (("--schemes", "udp,newreno", "--vary", "scheme.window_limit=0"), "scheme.window_limit"),
        (("--schemes", "udp,cxcc", "--vary", "seed=1,2", "--seeds", "3"), "--seeds 3"),
        (("--schemes", "udp,"), "a name is missing"),
        (("--schemes", "udp,cxcc", "--vary", "scheme.name=udp,wake"), "leave scheme.name out"),
        (("--schemes", "udp,cxcc", "--set", "scheme.name=wake"), "leave scheme.name out"),
        (("--schemes", "udp,cxcc", "--variant", "scheme.rfa"), "for a folder of runs"),
    ],
)
def test_what_no_scheme_takes_is_an_error(
    cli: Cli, tiny: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = cli("compare", tiny, *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_mean_over_nothing_is_nothing(base: Scenario, tmp_path: Path) -> None:
    silent = base.with_(**SILENT)
    found = compare(silent, ["udp", "cxcc"], seeds=[1, 2], out=tmp_path, progress=False)
    assert found.table["network_delay_mean_s"].to_list() == [None, None]
    assert found.table["runs"].to_list() == [0, 0]
    assert found.readable()[1][0][2] == "-"


def test_fairness_is_null_where_nothing_is_delivered(tmp_path: Path) -> None:
    silent = Scenario.from_toml(TWO_WAYS).with_(**SILENT)
    found = compare(silent, ["udp", "cxcc"], seeds=[1, 2], out=tmp_path, progress=False)
    assert found.table["fairness"].to_list() == [None, None]
    assert found.table["fairness_low"].to_list() == [None, None]


def test_transfers_are_compared_by_their_completion_time(base: Scenario, tmp_path: Path) -> None:
    """Datagrams of a file are lost where the queue is short; TCP repeats what is lost."""
    files = base.with_(
        traffic={"kind": "file", "size": "40 kB"},
        routing={"kind": "aodv"},
        **{"duration": "60 s", "radio.bit_error_rate": 3e-5},
    )
    found = compare(files, ["udp", "newreno"], seeds=[1, 2, 3], out=tmp_path, progress=False)
    udp, newreno = found.table.iter_rows(named=True)
    assert newreno["completed_share"] == 1
    times = [
        run(files.with_(**{"scheme.name": "newreno", "seed": seed})).flows["completion_time_s"]
        for seed in (1, 2, 3)
    ]
    assert newreno["completion_time_mean_s"] == pytest.approx(np.mean(times))
    assert newreno["runs"] == udp["runs"] == 3
    assert found.readable()[0][-2:] == ["completed transfers (%)", "completion time (s)"]
    assert "starved_share" not in found.table.columns


def test_starved_flows_have_a_column_where_there_are_any(base: Scenario, tmp_path: Path) -> None:
    """Nothing gets over the second hop."""
    places = {"a": "0 m", "b": "100 m", "c": "9 km"}
    apart = base.with_(
        topology={"kind": "explicit"},
        routing={"kind": "aodv"},
        node=[{"name": name, "x": x, "y": "0 m"} for name, x in places.items()],
        flow=[{"from": "a", "to": "b"}, {"from": "a", "to": "c"}],
    )
    found = compare(apart, ["udp", "newreno"], seeds=[1, 2], out=tmp_path, progress=False)
    assert found.table["starved_share"].to_list() == [0.5, 0.5]
    assert "starved flows (%)" in found.readable()[0]
    assert "starved flows" in found.page.read_text()


def test_runs_of_another_version_are_refused_by_the_column_that_they_lack(
    base: Scenario, tmp_path: Path
) -> None:
    old = Result({"runs": run(base).runs.rename({"network_delay_mean_s": "delay_mean_s"})})
    with pytest.raises(SweepError, match="have no column `network_delay_mean_s`: another version"):
        compared(old, [], tmp_path, command="", held=Held())


def test_values_that_are_no_numbers_stand_side_by_side(base: Scenario, tmp_path: Path) -> None:
    vary = {"radio.reception": ["ns2", "message-in-message"], "topology.hops": [2, 3]}
    found = compare(base, ["cxcc", "udp"], vary, out=tmp_path, progress=False)
    page = found.page.read_text()
    assert "message-in-message" in page
    # A row of figures for each value of the second key.
    assert "topology.hops = 2" in page
    assert "topology.hops = 3" in page
    with pytest.raises(SweepError, match="no scheme"):
        compare(base, [], out=tmp_path)
    with pytest.raises(ScenarioError, match="pigeon"):
        compare(base, ["pigeon"], out=tmp_path)
