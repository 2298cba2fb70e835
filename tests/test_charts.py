"""Charts: which columns are meant, what a point is, and the files."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import multihop
from multihop import ChartError, Result, Scenario, plot_stored
from multihop.charting.chart import Wanted, chart, median_interval, summary
from multihop.charting.naming import find, places, title
from multihop.results.columns import COLUMNS
from multihop.statistics.intervals import interval
from tests.conftest import Cli

VARY: dict[str, list[Any]] = {
    "scheme.name": ["udp", "cxcc"],
    "traffic.load": ["20 kbit/s", "100 kbit/s", "60 kbit/s"],
    "seed": [1, 2, 3],
}


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.conftest import TINY

    out = tmp_path_factory.mktemp("store")
    multihop.sweep(Scenario.from_toml(TINY), VARY, out, progress=False)
    return out


@pytest.fixture(scope="module")
def result(stored: Path) -> Result:
    from multihop.sweeping.collecting import swept

    return swept(stored).result()


def test_people_do_not_write_units_and_tables() -> None:
    columns = [
        "traffic.load",
        "topology.hops",
        "goodput_bit_s",
        "network_delay_mean_s",
        "mac.load",
        "seed",
    ]
    for name, column in (
        ("goodput", "goodput_bit_s"),
        ("goodput_bit_s", "goodput_bit_s"),
        ("network_delay", "network_delay_mean_s"),
        ("hops", "topology.hops"),
        ("mac.load", "mac.load"),
    ):
        assert find(name, columns) == column
    with pytest.raises(ChartError, match=r"'load' could be traffic\.load or mac\.load"):
        find("load", columns)
    with pytest.raises(ChartError, match="no column 'goodputt', did you mean 'goodput'"):
        find("goodputt", columns)
    listed = "no column 'zzz'; there are: load, hops, goodput, network_delay"
    with pytest.raises(ChartError, match=listed):
        find("zzz", columns)


@pytest.mark.parametrize(
    ("name", "now"),
    [
        ("delay", "network_delay_mean_s`; `end_to_end_delay_mean_s` counts the wait at the source"),
        ("delay_mean_s", "network_delay_mean_s`; `end_to_end_delay_mean_s` counts the wait at"),
        ("delay_p95_s", "network_delay_p95_s`; `end_to_end_delay_p95_s` counts the wait at the"),
        ("total_delay", "end_to_end_delay_mean_s`"),
    ],
)
def test_a_column_s_former_name_is_answered_with_both_delays(name: str, now: str) -> None:
    with pytest.raises(ChartError) as raised:
        find(name, list(COLUMNS["runs"]))
    assert f"`{name}` is now `{now}" in str(raised.value)


def test_a_chart_says_which_delay(result: Result) -> None:
    drawn = result.plot("load", "network_delay", by="scheme")
    assert drawn.chart.title == "mean network delay over load by scheme"
    assert drawn.chart.y_title.startswith("network delay (")


def test_an_axis_says_which_delay() -> None:
    assert title("network_delay_mean_s", "ms") == "network delay (ms)"
    assert title("end_to_end_delay_p95_s", "s") == "end-to-end delay, 95th percentile (s)"


def test_places_are_numbers_where_all_are_with_one_unit() -> None:
    assert places(["50 kbit/s", "5 kbit/s"]) == ({"50 kbit/s": 50, "5 kbit/s": 5}, "kbit/s", ())
    assert places(["1 kbit/s", "1 Mbit/s"]).ticks == ("1 kbit/s", "1 Mbit/s")
    assert places([True, False]).ticks == ("True", "False")
    assert places(["udp", None]).ticks == ("udp", "none")


def test_points_are_means_of_runs_with_their_interval(result: Result) -> None:
    drawn = result.plot("load", "goodput", by="scheme").table
    assert drawn["line"].to_list() == ["udp"] * 3 + ["cxcc"] * 3
    assert drawn["x"].to_list() == [20.0, 60.0, 100.0] * 2
    runs = result.runs.filter(scheme="cxcc", **{"traffic.load": "60 kbit/s"})["goodput_bit_s"]
    point = drawn.row(4, named=True)
    values = runs.to_numpy() / 1e3
    assert point["y"] == pytest.approx(values.mean())
    assert (point["low"], point["high"]) == pytest.approx(interval(values.tolist()))
    assert point["runs"] == 3


@pytest.mark.parametrize(("count", "ends"), [(5, None), (6, (1, 6)), (10, (2, 9)), (20, (6, 15))])
def test_the_median_s_interval_is_that_of_the_tables(
    count: int, ends: tuple[int, int] | None
) -> None:
    # Conover, table A3: the binomial distribution with p = 1/2
    low, high = median_interval(list(range(count, 0, -1)))
    assert (math.isnan(low) and math.isnan(high)) if ends is None else (low, high) == ends


def test_the_median_s_interval_holds_it_as_often_as_it_says() -> None:
    draws = np.random.default_rng(1).exponential(size=(2000, 15))
    ends = [summary(row, Wanted("x", "y", statistic="median"))[1:] for row in draws]
    held = np.mean([low <= math.log(2) <= high for low, high in ends])
    assert 0.94 < held < 0.985  # 96.5 % for 15 values


def test_rows_of_one_run_are_not_independent(result: Result) -> None:
    nodes = result.plot("load", "transmit", by="scheme", table="nodes").table
    assert nodes["runs"].to_list() == [3] * 6
    own = result.nodes.filter(**{"scheme.name": "udp", "traffic.load": "20 kbit/s"})
    means = own.group_by("seed").agg(pl.col("transmit_s").mean())["transmit_s"]
    scale = 1e3 if result.nodes["transmit_s"].max() < 1 else 1  # type: ignore[operator]
    assert nodes["y"][0] == pytest.approx(float(means.mean()) * scale)  # type: ignore[arg-type]


def test_runs_that_differ_are_not_thrown_together(result: Result) -> None:
    with pytest.raises(ChartError, match=r"'scheme\.name' was varied as well \(udp, cxcc\)"):
        result.plot("load", "goodput")
    with pytest.raises(ChartError, match=r"--where \"traffic\.load=20 kbit/s\""):
        result.plot("scheme", "goodput")
    kept = result.plot("load", "goodput", where={"scheme": "udp"})
    assert kept.table.columns == ["x", "y", "low", "high", "runs"]
    assert result.plot("load", "goodput", facet="scheme").table["panel"].n_unique() == 2


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"y": "fingerprint"}, "'fingerprint' is no number"),
        ({"where": {"scheme": "tahoe"}}, "no run has scheme = tahoe; there are: udp, cxcc"),
        ({"statistic": "mode"}, "no statistic 'mode'; there are: mean, median"),
        ({"log": "z"}, "'z' is no axis"),
        ({"log": "y", "y": "retransmissions_lost_data"}, "which has no logarithm; leave y out"),
        ({"log": "x", "x": "scheme", "by": "load"}, "its axis cannot be logarithmic"),
        ({"table": "events"}, "no table 'events'; there are: runs"),
        ({"style": "poster"}, "no style 'poster'; there are: paper, page"),
    ],
)
def test_what_cannot_be_drawn_is_refused(
    result: Result, tmp_path: Path, more: dict[str, Any], message: str
) -> None:
    given = {"x": "load", "y": "goodput", "by": "scheme"} | more
    with pytest.raises(ChartError, match=message):
        result.plot(**given).save(tmp_path / "x.svg")
    assert not (tmp_path / "x.svg").exists()


def test_values_that_are_none_are_left_out() -> None:
    frame = pl.DataFrame(
        {"run": ["a", "b", "c"], "k": [1, 1, 2], "network_delay_mean_s": [1.0, None, 2.0]}
    )
    assert chart(frame, Wanted("k", "network_delay")).table["runs"].to_list() == [1, 1]
    with pytest.raises(ChartError, match="no number in any run"):
        chart(frame.with_columns(network_delay_mean_s=math.nan), Wanted("k", "network_delay"))


@pytest.mark.long
def test_every_ending_is_a_file_and_the_same_each_time(result: Result, tmp_path: Path) -> None:
    plot = result.plot("load", "end_to_end_delay", by="scheme", statistic="median", log=("x", "y"))
    begins = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF-1.4", "json": b'{\n "$schema"'}
    for ending, begin in begins.items():
        paths = [tmp_path / folder / f"a.{ending}" for folder in "xy"]
        plot.save(*paths)
        one, other = (path.read_bytes() for path in paths)
        assert one.startswith(begin)
        assert one == other
    svg = (tmp_path / "x" / "a.svg").read_text()
    for word in ("load (kbit/s)", "end-to-end delay (", ">udp<", ">cxcc<"):  # text that stays text
        assert word in svg
    with pytest.raises(ChartError, match=r"ends in none of \.png, \.svg, \.pdf, \.json"):
        plot.save(tmp_path / "a.eps")


def test_vega_has_the_numbers_and_the_schemes_colours(result: Result) -> None:
    spec = result.plot("load", "goodput", by="scheme", facet="seed", log="y").to_vega()
    assert spec["$schema"].endswith("/vega-lite/v5.json")
    values = spec["data"]["values"]
    assert {row["panel"] for row in values} == {"seed = 1", "seed = 2", "seed = 3"}
    assert values[0]["low"] is None  # one run has no interval
    band, line = spec["spec"]["layer"]
    assert line["encoding"]["y"]["scale"] == {"type": "log"}
    assert band["encoding"]["y2"] == {"field": "high"}
    assert line["encoding"]["color"]["scale"]["domain"] == ["udp", "cxcc"]
    assert len(set(line["encoding"]["color"]["scale"]["range"])) == 2
    json.dumps(spec, allow_nan=False)


def test_the_bound_is_a_dotted_line(stored: Path) -> None:
    found = plot_stored(stored, "load", "goodput", by="scheme", bound="max-min")
    table = found.table
    # one flow is offered that much, and nothing exceeds it
    assert table["bound"].to_list()[:2] == pytest.approx([20.0, 60.0], abs=0.1)
    assert all(table["low"] <= table["bound"] * 1.1)
    layers = found.to_vega()["layer"]
    assert layers[-1]["encoding"]["y"]["field"] == "bound"
    assert "the bound" in found._repr_svg_()
    with pytest.raises(ChartError, match="a bound is of all flows' goodput"):
        plot_stored(stored, "load", "network_delay", by="scheme", bound="max-min")


def test_the_command_prints_and_writes_what_is_drawn(cli: Cli, stored: Path) -> None:
    words = ("figure", stored, "--x", "load", "--y", "goodput", "--by", "scheme")
    done = cli(*words, "--out", "a.pdf", "--out", "b.json", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["files"] == ["a.pdf", "b.json"]
    assert [point["x"] for point in found["points"][:3]] == [20.0, 60.0, 100.0]
    assert found["y"] == {"column": "goodput_bit_s", "title": "goodput (kbit/s)"}
    done = cli(*words)
    assert "written: goodput-over-load.svg" in done.stdout
    done = cli(*words[:-1], "shceme")
    assert done.returncode == 2
    assert done.stderr.startswith("error: no column 'shceme', did you mean 'scheme'?")


def test_a_store_without_runs_says_so(cli: Cli, tmp_path: Path) -> None:
    done = cli("figure", tmp_path, "--x", "load", "--y", "goodput")
    assert done.returncode == 2
    assert "is no store of a sweep" in done.stderr


def test_a_column_may_be_named_twice_and_be_the_run_itself(result: Result) -> None:
    once = result.plot("load", "goodput", by="scheme")
    twice = result.plot("load", "goodput", by="scheme,scheme")
    assert twice.table.equals(once.table)
    each = result.plot("run", "goodput", by="scheme").table
    assert each["runs"].to_list() == [1] * result.runs.height
    assert set(each["x"]) == set(result.runs["run"])


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store of a sweep that varies tables, and keeps `runs` only."""
    from multihop.sweeping.file import Sweep
    from multihop.sweeping.sweeps import Means
    from tests.conftest import TINY

    folder = tmp_path_factory.mktemp("tables")
    (folder / "tiny.toml").write_text(TINY)
    asked = {
        "scenario": "tiny.toml",
        "tables": ["runs"],
        "axis": [
            {"topology": [{"kind": "chain", "hops": 2}, {"kind": "chain", "hops": 3}]},
            {"scheme": [{"name": "udp"}, {"name": "cxcc", "rfa": False}]},
        ],
    }
    Sweep.from_dict(asked, folder / "sweep.toml").run(folder / "out", Means(progress=False))
    return folder / "out"


def test_tables_that_vary_are_told_apart_by_their_text(cli: Cli, tables: Path) -> None:
    chain, udp = '{"kind": "chain", "hops": 2}', '{"name": "udp"}'
    found = plot_stored(tables, "topology", "goodput", by="scheme").table
    assert found["x"][0] == chain
    assert found["line"].unique(maintain_order=True)[0] == udp
    kept = "--where", "topology={kind='chain', hops=2}"
    done = cli("figure", tables, "--x", "scheme", "--y", "goodput", *kept, "--json")
    assert [point["x"] for point in json.loads(done.stdout)["points"]] == [
        udp,
        '{"name": "cxcc", "rfa": false}',
    ]
    done = cli("compare", tables, "--baseline", "udp", "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["table"][:2]
    assert [row["topology"] for row in rows] == [chain, chain]
    assert [row["scheme"] for row in rows] == ["udp", "cxcc, rfa = false"]


def test_a_table_that_is_not_kept_is_named(cli: Cli, tables: Path) -> None:
    done = cli("figure", tables, "--x", "scheme", "--y", "goodput", "--table", "flows")
    assert done.returncode == 2
    assert "keeps no table 'flows', but runs; name it under `tables`" in done.stderr
    assert done.stderr.count("\n") == 1
