"""Schemes against a baseline: pairs of seeds, intervals, effects, words."""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import ttest_rel

from multihop import OutputError, Scenario, SweepError, compare, compare_stored, sweep
from multihop.comparing.measures import (
    FAIRNESS,
    MEASURES as COMPARED,
    OVERHEAD,
    PREAMBLE_BYTES,
    WITH_PREAMBLES,
    Measure,
)
from multihop.comparing.pairs import (
    BEFOREHAND,
    FEW,
    LESS,
    MORE,
    NONE,
    Judged,
    Pair,
    about,
    against,
    readable,
    times,
)
from multihop.statistics.intervals import ALPHA, holm
from multihop.statistics.student import student_t
from multihop.sweeping.seeds import Decided
from tests.conftest import Cli
from tests.null_world import MEASURES, world

GOODPUT = COMPARED[:1]
TRIALS = 1000
SCHEMES = ["newreno", "cxcc"]


def runs(one: list[float], base: list[float], seeds: list[int] | None = None) -> pl.DataFrame:
    """Make the goodput of two schemes."""
    seeds = seeds or list(range(len(one)))
    columns = {"scheme": ["cxcc"] * len(one), "seed": seeds, "goodput_bit_s": one}
    others = {"scheme": ["newreno"] * len(base), "seed": range(len(base)), "goodput_bit_s": base}
    return pl.concat([pl.DataFrame(others), pl.DataFrame(columns)], how="vertical_relaxed")


def pair(*given: list[float], seeds: list[int] | None = None) -> Pair:
    (found,) = against(runs(*given, seeds=seeds), "newreno", [], GOODPUT)
    return found


def test_the_interval_is_where_the_ratio_is() -> None:
    draw = np.random.default_rng(7)
    covered = 0
    for _ in range(1000):
        base = draw.normal(100, 10, 12)
        found = pair(list(base * 2 * np.exp(draw.normal(0, 0.1, 12))), list(base))
        assert found.low < found.ratio < found.high
        covered += found.low <= 2 <= found.high
    assert 0.93 < covered / 1000 < 0.97


def test_pairs_see_what_the_seed_does_to_both() -> None:
    network = np.random.default_rng(3).uniform(50, 500, 12)
    noise = np.random.default_rng(4).normal(0, 1, 12)
    paired = pair(list(network * 1.1 + noise), list(network))
    assert 1 < paired.low < 1.1 < paired.high < 1.2
    assert paired.verdict == MORE
    shuffled = pair(list(np.roll(network * 1.1 + noise, 5)), list(network))
    assert shuffled.low < 1 < shuffled.high
    assert shuffled.verdict == NONE
    assert paired.higher == 1
    assert paired.effect > shuffled.effect


def test_the_test_by_hand() -> None:
    # Logarithms 0.2 +- 0.1: their mean over its standard error is 0.2 / (0.1054 / sqrt(10)).
    one = [100 * math.exp(0.2 + (0.1 if at % 2 else -0.1)) for at in range(10)]
    found = pair(one, [100.0] * 10)
    assert found.ratio == pytest.approx(math.exp(0.2))
    assert found.effect == pytest.approx(0.2 / 0.10541, rel=1e-4)
    assert found.p == pytest.approx(ttest_rel(np.log(one), [math.log(100)] * 10).pvalue)
    assert (found.p_all, found.verdict) == (found.p, MORE)
    half = student_t(9) * 0.10541 / math.sqrt(10)
    assert (found.low, found.high) == pytest.approx(
        (math.exp(0.2 - half), math.exp(0.2 + half)), rel=1e-4
    )
    mirrored = pair([100.0] * 10, one)
    assert mirrored.ratio == pytest.approx(1 / found.ratio)
    assert mirrored.verdict == LESS


def test_fewer_than_ten_seeds_have_an_interval_and_no_verdict() -> None:
    nine = pair([200 + at for at in range(9)], [100.0] * 9)
    assert nine.low > 2
    assert (nine.p, nine.p_all, nine.verdict) == (None, None, None)
    assert nine.words.endswith("; no verdict: 9 seeds, and 10 are needed")
    ten = pair([200 + at for at in range(10)], [100.0] * 10)
    assert ten.verdict == MORE


@pytest.mark.parametrize("lacking", [0.0, math.nan, None])
@pytest.mark.parametrize("side", [0, 1])
def test_what_has_no_logarithm_has_no_verdict(lacking: float | None, side: int) -> None:
    columns: list[list[Any]] = [[200.0] * 12, [100.0] * 12]
    columns[side][3] = lacking
    found = pair(*columns)
    assert (found.ratio, found.low, found.p, found.verdict) == (None, None, None, None)
    assert found.words.startswith("goodput: no ratio of cxcc to newreno: in 1 of 12 seeds one of ")
    # Which of them has more is known still.
    assert found.higher == (11 / 12 if (lacking, side) == (0.0, 0) else 1)


def test_a_ratio_of_fairness_lies_where_fairness_can() -> None:
    base = runs([1.0, 0.5, 1.0], [0.5, 0.6, 0.55]).rename({"goodput_bit_s": "fairness"})
    (found,) = against(base.with_columns(flows=2), "newreno", [], [FAIRNESS])
    assert (found.low, found.high) == (0.5, 2)
    (free,) = against(base.rename({"fairness": "goodput_bit_s"}), "newreno", [], GOODPUT)
    assert free.low < 0.5 < 2 < free.high


def test_all_verdicts_of_a_report_hold_together() -> None:
    draw = np.random.default_rng(5)
    columns = {f"m{at}": draw.normal(100, 10, 24) for at in range(20)}
    columns["m0"][:12] *= 1.06
    frame = pl.DataFrame({"scheme": ["newreno"] * 12 + ["cxcc"] * 12, **columns})
    frame = frame.with_columns(seed=pl.Series([*range(12), *range(12)]))
    measures = [Measure(name, name, "", 1, 1) for name in columns]
    found = against(frame, "newreno", [], measures)
    assert [one.p_all for one in found] == pytest.approx(holm([one.p for one in found]))
    (alone,) = against(frame, "newreno", [], measures[:1])
    assert alone.p == found[0].p
    assert alone.verdict == LESS
    assert found[0].verdict == NONE
    assert about(found, BEFOREHAND) == (
        "paired t test of log ratios, two-sided; 5 % for all 20 verdicts together (Holm); "
        "intervals: 95 % each"
    )


def null(seeds: int, judged: Judged = BEFOREHAND) -> Iterator[list[Pair]]:
    """Set one scheme against itself: two sets of so many of its 400 seeds, again and again."""
    random = np.random.default_rng(seeds)
    measures = [Measure(name, name, "", 1, 1) for name in MEASURES]
    rows = world().select(*MEASURES).to_numpy()
    for _ in range(TRIALS):
        chosen = rows[random.choice(len(rows), 2 * seeds, replace=False)]
        columns = dict(zip(MEASURES, chosen.T, strict=True))
        frame = pl.DataFrame({"scheme": ["newreno"] * seeds + ["cxcc"] * seeds, **columns})
        frame = frame.with_columns(seed=pl.Series([*range(seeds), *range(seeds)]))
        yield against(frame, "newreno", [], measures, judged)


@pytest.mark.long
@pytest.mark.parametrize("seeds", [3, 5, 10, 20])
def test_one_scheme_does_not_differ_from_itself(seeds: int) -> None:
    found = list(null(seeds))
    for at, measure in enumerate(MEASURES):
        excluded = sum(not pairs[at].low <= 1 <= pairs[at].high for pairs in found)
        assert excluded / TRIALS <= 0.06, measure
        if seeds >= FEW:  # a verdict on each alone
            assert sum(pairs[at].p <= ALPHA for pairs in found) == excluded
    verdicts = sum(any(one.verdict in (MORE, LESS) for one in pairs) for pairs in found)
    assert verdicts / TRIALS <= 0.06
    assert (verdicts == 0) == (seeds < FEW)


@pytest.mark.long
def test_looks_again_and_again_do_not_make_it_differ() -> None:
    rule = Decided(0.02, most=80)
    found = list(null(80, Judged.by(rule)))
    differing = sum(any(one.verdict in (MORE, LESS) for one in pairs) for pairs in found)
    assert differing / TRIALS <= 0.05
    # Four looks at 5 % each would find one in more than one of ten trials for each measure.
    naive = sum(
        any(
            min(one.p() * one.share for one in rule.design.estimates(logs)) <= ALPHA
            for logs in all_
        )
        for all_ in logarithms(80)
    )
    assert naive / TRIALS > 0.2


def logarithms(seeds: int) -> Iterator[list[list[float]]]:
    """Return the logarithms of ratios of one scheme to itself, of every measure."""
    random = np.random.default_rng(seeds)
    rows = np.log(world().select(*MEASURES).to_numpy())
    for _ in range(TRIALS):
        chosen = rows[random.choice(len(rows), 2 * seeds, replace=False)]
        yield (chosen[:seeds] - chosen[seeds:]).T.tolist()


def test_words() -> None:
    many = [175.0, 215, 185, 210, 190, 200] * 2
    assert pair(many, [100] * 12).words == "goodput: cxcc is 1.9 to 2 times newreno (p < 0.001)"
    alike = pair([90, 110, 95, 104, 99] * 2, [100] * 10).words
    assert alike.startswith("goodput: no difference shown between cxcc and newreno (0.9")
    assert pair([190], [100]).words == "goodput: cxcc is 1.9 times newreno, of one seed"
    assert pair([100.0] * 10, [100.0] * 10).words == (
        "goodput: no difference shown between cxcc and newreno (1 times, p = 1)"
    )
    assert times(1.812, 2.149) == "1.8 to 2.1 times"
    assert times(1.012, 1.021) == "1.01 to 1.02 times"
    assert times(2, 2) == "2 times"


def test_what_has_no_partner_does_not_count() -> None:
    found = pair([200.0, 200.0, 999.0], [100.0, 100.0, 100.0], seeds=[0, 1, 7])
    assert (found.seeds, found.ratio) == (2, pytest.approx(2.0))
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
    assert len(stored.pairs) == 2 * len(COMPARED)
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
    assert "no verdict: 2 seeds, and 10 are needed" in done.stdout
    assert "no verdicts; intervals: 95 % each, paired t test of log ratios" in done.stdout
    values = json.loads(cli("compare", "s", "--baseline", "newreno", "--json").stdout)
    assert values["pairs"][0]["words"]
    wrong = cli("compare", "s", "--schemes", "udp")
    assert wrong.returncode == 2
    assert "compared as they are" in wrong.stderr


def test_overhead_with_preambles_counts_them_for_every_frame() -> None:
    sent = pl.DataFrame({OVERHEAD.column: [2.0], "transmissions": [10], "medium_bytes": [480]})
    (found,) = sent.select(WITH_PREAMBLES).to_series()
    assert found == pytest.approx(2.0 * (480 + 10 * PREAMBLE_BYTES) / 480)
