"""As many seeds as it takes: for a mean's precision, and until verdicts are decided."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, strategies as st

import multihop
from multihop import Decided, Scenario, SweepError, Until, compare, compare_stored, plot_stored
from multihop.cli.output import _widths
from multihop.comparing.pairs import LESS, MORE, NONE, SMALLER, Judged, against
from multihop.sweeping.collecting import swept
from multihop.sweeping.seeds import options_of, rule_in
from tests.conftest import TINY, Cli
from tests.sweeping import Counted

LOADS = {"traffic.load": ["20 kbit/s", "60 kbit/s"]}
SCHEMES = ["udp", "cxcc"]
rules = st.one_of(
    st.builds(
        Until,
        st.integers(1, 99).map(lambda share: share / 100),
        st.sampled_from(["goodput_bit_s", "overhead"]),
        st.integers(0, 99),
        st.integers(2, 50),
        st.integers(50, 500),
    ),
    st.builds(
        Decided,
        st.integers(1, 99).map(lambda share: share / 100),
        st.integers(0, 99),
        st.integers(10, 50),
        st.integers(50, 500),
    ),
)


@given(rules)
def test_a_store_keeps_the_rule_of_a_sweep(rule: Until | Decided) -> None:
    assert rule_in(str(rule)) == rule
    assert rule_in("") is None
    asked = "--precision" if isinstance(rule, Until) else "--until-decided"
    assert asked in options_of(rule)


@pytest.fixture(scope="module")
def base() -> Scenario:
    return Scenario.from_toml(TINY)


def compared(base: Scenario, out: Path, **more: Any) -> multihop.Comparison:
    return compare(base, SCHEMES, LOADS, baseline="udp", out=out, progress=False, **more)


def seeds_of(found: multihop.Comparison) -> list[int]:
    """Count the seeds of every scheme at every load."""
    return (
        found.result.runs.group_by("traffic.load", "scheme", maintain_order=True)
        .len()["len"]
        .to_list()
    )


def test_verdicts_are_decided_with_as_few_seeds_as_they_take(
    base: Scenario, tmp_path: Path
) -> None:
    rule = Decided(0.02, most=40)
    found = compared(base, tmp_path, seeds=rule)
    counts = seeds_of(found)
    # The baseline has a partner for every run, and each look has twice as many.
    assert counts[0] == counts[1]
    assert counts[2] == counts[3]
    assert set(counts) <= {10, 20, 40}
    for pair in found.pairs:
        assert pair.verdict in (MORE, LESS, SMALLER) or pair.seeds == 40 or pair.why
    # Nobody looked again without need.
    runs = found.result.runs
    for (load,), group in runs.group_by(["traffic.load"], maintain_order=True):
        seeds = group["seed"].n_unique()
        if seeds > 10:
            before = runs.filter((pl.col("traffic.load") != load) | (pl.col("seed") <= seeds // 2))
            earlier = against(before, "udp", ["traffic.load"], found.measures, Judged.by(rule))
            assert any(p.verdict == NONE and p.where["traffic.load"] == load for p in earlier)
    assert "margin 2 %" in found.test
    assert found.to_dict()["test"] == found.test


@pytest.mark.parametrize(
    "rule", [Until(0.02, "overhead", least=4, most=30), Decided(0.02, most=20)]
)
def test_workers_do_not_change_a_byte(base: Scenario, tmp_path: Path, rule: Any) -> None:
    one, two = (
        compared(base, tmp_path / f"{count}", seeds=rule, workers=count) for count in (1, 2)
    )
    for name in ("comparison.csv", "runs.parquet", "flows.parquet"):
        first, second = ((tmp_path / f"{count}" / name).read_bytes() for count in (1, 2))
        assert first == second, name
    assert one.pairs == two.pairs
    page = one.page.read_text()
    assert all(option in page for option in options_of(rule)[::2])


def test_what_is_there_is_not_run_again(
    base: Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared(base, tmp_path, seeds=range(1, 11))
    counted = Counted(monkeypatch)
    found = compared(base, tmp_path, seeds=Decided(0.5, most=20))
    assert len(counted.runs) == found.runs - 40


def test_a_mean_gets_its_precision(base: Scenario, tmp_path: Path) -> None:
    rule = Until(0.02, "network_delay_mean_s", least=3, most=40)
    result = multihop.sweep(base, LOADS, tmp_path, seeds=rule, progress=False)
    for _, group in result.runs.group_by("traffic.load"):
        values = group["network_delay_mean_s"].to_list()
        assert rule.width(values) <= rule.share or len(values) == 40
        assert rule.wanted(values) == len(values)
    with pytest.raises(SweepError, match="both choose the seeds"):
        multihop.sweep(base, {"seed": [1]}, tmp_path, seeds=rule)


def test_a_stored_sweep_gets_more_seeds(base: Scenario, tmp_path: Path) -> None:
    vary = {"scheme.name": SCHEMES, **LOADS, "seed": [1, 2, 3]}
    multihop.sweep(base, vary, tmp_path, progress=False)
    name = swept(tmp_path).name
    rule = Until(0.01, "network_delay_mean_s", least=4, most=20)
    plot = plot_stored(tmp_path, "load", "network_delay", by="scheme", seeds=rule, progress=False)
    assert min(plot.table["runs"]) >= 4
    for low, y, high, runs in plot.table.select("low", "y", "high", "runs").iter_rows():
        assert runs == 20 or max(high / y, y / low) - 1 <= 0.0101
    # The one that was there is as it was.
    assert (
        plot_stored(tmp_path, "load", "network_delay", by="scheme", sweep=name).table["runs"].max()
        == 3
    )
    decided = compare_stored(
        tmp_path, baseline="udp", sweep=name, seeds=Decided(0.5, most=20), progress=False
    )
    assert {pair.seeds for pair in decided.pairs} <= {10, 20}
    assert all(pair.verdict or pair.why for pair in decided.pairs)


def test_intervals_of_a_stored_sweep_are_those_of_its_rule(base: Scenario, tmp_path: Path) -> None:
    rule = Until(0.05, "overhead", least=3, most=12)
    multihop.sweep(base, LOADS, tmp_path / "a", seeds=rule, progress=False)
    found = plot_stored(tmp_path / "a", "load", "network_delay")
    plain = multihop.sweep(
        base, LOADS | {"seed": range(1, 13)}, tmp_path / "b", progress=False
    ).plot("load", "network_delay")
    assert found.chart.wanted.design == rule.design
    assert plain.chart.wanted.design != rule.design


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--precision", "5"), "--precision 5: write a share of the mean, as in 2%"),
        (("--precision", "0%"), "write a share of the mean"),
        (("--precision", "goodputt=5%"), "no column 'goodputt', did you mean 'goodput'?"),
        (("--precision", "5%", "--until-decided"), "both choose the seeds; give one"),
        (("--precision", "5%", "--seeds", "30", "--max-seeds", "20"), "`min` not above `max`"),
        (("--until-decided",), "there is none; name one of the schemes as the baseline"),
        (("--until-decided", "--seeds", "5"), "a verdict takes 10 seeds at least"),
        (("--margin", "5%"), "--margin is of --until-decided"),
        (("--max-seeds", "20"), "--max-seeds ends what --precision begins"),
        (("--precision", "5%", "--set", "seed=3"), "choose the seeds; leave seed out"),
        (("--precision", "5%", "--vary", "seed=1-3"), "choose the seeds; leave seed out"),
    ],
)
def test_what_makes_no_sense_is_named(
    cli: Cli, tiny: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = cli("compare", tiny, "--schemes", "udp,cxcc", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tiny.parent / "results").exists()


def test_commands_add_seeds(cli: Cli, tiny: Path) -> None:
    asked = ("--precision", "network_delay=5%", "--seeds", "3", "--max-seeds", "8")
    done = cli("sweep", tiny, "--vary", "scheme.name=udp,cxcc", *asked, "--out", "s", "--json")
    assert done.returncode == 0, done.stderr
    counts = pl.DataFrame(json.loads(done.stdout)["runs"]).group_by("scheme").len()["len"]
    assert all(3 <= count <= 8 for count in counts)
    more = ("--precision", "1%", "--max-seeds", "25", "--out", "f.svg", "--json")
    done = cli("figure", "s", "--x", "scheme", "--y", "network_delay", *more)
    assert done.returncode == 0, done.stderr
    assert all(20 <= point["runs"] <= 25 for point in json.loads(done.stdout)["points"])
    (tiny.parent / "ten.toml").write_text('scenario = "tiny.toml"\nseeds = 10\n')
    twice = cli("sweep", "ten.toml", "--precision", "2%")
    assert "--precision and `seeds` both choose the seeds; leave one out" in twice.stderr
    wrong = cli("figure", "s", "--x", "scheme", "--y", "network_delay", "--workers", "2")
    assert "--workers do the runs that --precision adds" in wrong.stderr


def test_columns_of_equal_width_share_the_room() -> None:
    # One of two that are as wide must not give way.
    assert _widths(["a", "b"], [40, 40], [True, False], [0, 0], 70) == [40, 30]
    # A long word stays whole where the other column can give way.
    assert _widths(["a", "b"], [40, 40], [False, False], [30, 5], 45) == [30, 15]
    assert _widths(["a", "b"], [40, 40], [False, False], [30, 30], 45) is None
