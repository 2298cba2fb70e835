"""Schemes against a baseline: pairs of seeds, intervals, effects, words."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from multihop import OutputError, Scenario, SweepError, compare, compare_stored, sweep
from multihop.comparison import MEASURES
from multihop.pairs import Pair, against, readable, times
from tests.conftest import Cli

GOODPUT = MEASURES[:1]
SCHEMES = ["newreno", "cxcc"]


def runs(one: list[float], base: list[float], seeds: list[int] | None = None) -> pl.DataFrame:
    """Make the goodput of two schemes."""
    seeds = seeds or list(range(len(one)))
    columns = {"scheme": ["cxcc"] * len(one), "seed": seeds, "goodput_bit_s": one}
    others = {"scheme": ["newreno"] * len(base), "seed": range(len(base)), "goodput_bit_s": base}
    return pl.concat([pl.DataFrame(others), pl.DataFrame(columns)])


def pair(*given: list[float], seeds: list[int] | None = None) -> Pair:
    (found,) = against(runs(*given, seeds=seeds), "newreno", [], GOODPUT)
    return found


def test_the_interval_is_where_the_ratio_is() -> None:
    draw = np.random.default_rng(7)
    covered = 0
    for _ in range(60):
        base = draw.normal(100, 10, 20)
        found = pair(list(base * 2 + draw.normal(0, 20, 20)), list(base))
        assert found.low is not None
        assert found.high is not None
        assert found.low < found.ratio < found.high
        covered += found.low <= 2 <= found.high
    # 95 % of them, and the bootstrap of 20 pairs is a little too narrow.
    assert covered >= 50


def test_pairs_see_what_the_seed_does_to_both() -> None:
    network = np.random.default_rng(3).uniform(50, 500, 12)
    noise = np.random.default_rng(4).normal(0, 1, 12)
    paired = pair(list(network * 1.1 + noise), list(network))
    assert 1 < paired.low < 1.1 < paired.high < 1.2
    shuffled = pair(list(np.roll(network * 1.1 + noise, 5)), list(network))
    assert shuffled.low < 1 < shuffled.high
    assert paired.higher == 1
    assert paired.effect > shuffled.effect


def test_words() -> None:
    assert (
        pair([175, 215, 185, 210], [100] * 4).words == "goodput: cxcc is 1.8 to 2.1 times newreno"
    )
    alike = pair([90, 110, 95, 104], [100] * 4).words
    assert alike.startswith("goodput: no difference shown between cxcc and newreno (0.9")
    assert pair([190], [100]).words == "goodput: cxcc is 1.9 times newreno, of one seed"
    assert "cannot be compared" in pair([190, 180], [0, 0]).words
    assert times(1.812, 2.149) == "1.8 to 2.1 times"
    assert times(1.012, 1.021) == "1.01 to 1.02 times"
    assert times(2, 2) == "2 times"


def test_what_has_no_partner_does_not_count() -> None:
    found = pair([200.0, 200.0, 999.0, float("nan")], [100.0, 100.0, 100.0], seeds=[0, 1, 7, 2])
    assert (found.seeds, found.ratio) == (2, 2.0)
    # All differences are equal: there is no deviation to measure the effect by.
    assert found.effect is None


def test_one_scheme_is_no_comparison() -> None:
    table = runs([1.0], [1.0])
    with pytest.raises(SweepError, match="there is no 'udp' to compare with; there are: newreno"):
        against(table, "udp", [], GOODPUT)
    with pytest.raises(SweepError, match="nothing but 'cxcc'"):
        against(table.filter(scheme="cxcc"), "cxcc", [], GOODPUT)


@pytest.mark.long
def test_a_stored_sweep_says_what_a_comparison_does(base: Scenario, tmp_path: Path) -> None:
    loads = {"traffic.load": ["50 kbit/s", "150 kbit/s"]}
    direct = compare(
        base,
        SCHEMES,
        loads,
        seeds=[1, 2, 3],
        baseline="newreno",
        out=tmp_path / "c",
        progress=False,
    )
    sweep(base, loads | {"scheme.name": SCHEMES, "seed": [1, 2, 3]}, tmp_path / "s", progress=False)
    stored = compare_stored(tmp_path / "s", baseline="newreno")
    assert stored.pairs == direct.pairs
    assert stored.table.equals(direct.table)
    assert len(stored.pairs) == 2 * len(MEASURES)
    header, rows = readable(stored.pairs)
    assert header[0] == "traffic.load"
    page = stored.page.read_text()
    assert "Against newreno, in pairs of seeds" in page
    assert all(cell in page for row in rows for cell in row)
    with pytest.raises(SweepError, match=r"'mac.rts_cts' was not varied"):
        compare_stored(tmp_path / "s", variants=["mac.rts_cts"])
    with pytest.raises(OutputError, match="no store of a sweep"):
        compare_stored(tmp_path)


def test_settings_of_a_scheme_tell_it_apart(base: Scenario, tmp_path: Path) -> None:
    sweep(base, {"scheme.rfa": [True, False], "seed": [1, 2]}, tmp_path, progress=False)
    found = compare_stored(tmp_path, baseline="cxcc, rfa = false")
    assert {pair.scheme for pair in found.pairs} == {"cxcc, rfa = true"}


def test_the_command_compares_a_folder(cli: Cli, base: Scenario, tmp_path: Path) -> None:
    sweep(base, {"scheme.name": SCHEMES, "seed": [1, 2]}, tmp_path / "s", progress=False)
    done = cli("compare", "s", "--baseline", "newreno")
    assert done.returncode == 0, done.stderr
    assert "network delay: cxcc is 0." in done.stdout
    assert "with fewer than 10 seeds the intervals are too narrow" in done.stdout
    values = json.loads(cli("compare", "s", "--baseline", "newreno", "--json").stdout)
    assert values["pairs"][0]["words"]
    wrong = cli("compare", "s", "--schemes", "udp")
    assert wrong.returncode == 2
    assert "compared as they are" in wrong.stderr
