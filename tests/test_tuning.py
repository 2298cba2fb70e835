"""Tuning: what is searched, how settings race, and that tests are apart from races."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from multihop import (
    Budget,
    ChartError,
    Scenario,
    ScenarioError,
    ScenarioFile,
    SearchError,
    optimum_rates,
    optimum_window,
    tune,
)
from multihop.sweeping.store import read_points
from multihop.tuning import asking
from multihop.tuning.aims import Aim, Limit, aims, limits
from multihop.tuning.racing import Entry, Race, Target, front
from multihop.tuning.space import Choice, Span, dimensions, settings, size, span
from multihop.tuning.tuning import FIRST_TEST
from tests.conftest import Cli

CHAIN = """
name = "tuned"
warmup = "1 s"
duration = "4 s"

[topology]
kind = "chain"
hops = 4

[scheme]
name = "{scheme}"

[traffic]
{traffic}
"""
CBR = 'kind = "cbr"\nload = "100 kbit/s"\npayload = "512 B"'
FTP = 'kind = "ftp"\npayload = "1 kB"'
SMALL = Budget(trials=12, least=3, most=6, tests=10)
TARGET = Target((Aim("goodput_bit_s"),))


@pytest.fixture
def paced(tmp_path: Path) -> Path:
    path = tmp_path / "paced.toml"
    path.write_text(CHAIN.format(scheme="udp", traffic=CBR))
    return path


@pytest.fixture
def tcp(tmp_path: Path) -> Path:
    path = tmp_path / "tcp.toml"
    path.write_text(CHAIN.format(scheme="newreno", traffic=FTP))
    return path


# ---- what may be tried ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        ("scheme.window_limit", "1..16", Span("scheme.window_limit", 1, 16, whole=True)),
        ("traffic.load", "10..200 kbit/s", Span("traffic.load", 10, 200, "kbit/s")),
        ("mac.x", "0.1 ms..5 ms log", Span("mac.x", 0.1, 5, "ms", log=True)),
        ("mac.x", "1.5..4", Span("mac.x", 1.5, 4)),
        # A key for numbers with a point takes these, however its ends are written.
        ("radio.path_loss_exponent", "2..4", Span("radio.path_loss_exponent", 2, 4)),
    ],
)
def test_a_range_is_read(key: str, text: str, expected: Span) -> None:
    assert span(key, text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("5..5", "nothing between 5 and 5"),
        ("9..1", "nothing between 9 and 1"),
        ("a..9", "no range of numbers"),
        ("1..", "no range of numbers"),
        ("7", "no range of numbers"),
        ("1 ms..2 s", "from 'ms' to 's'"),
        ("0..9 log", "ends above 0"),
        ("nan..9", "no range of numbers"),
    ],
)
def test_what_is_no_range_is_refused(text: str, message: str) -> None:
    with pytest.raises(SearchError, match=message):
        span("mac.cw_min", text)


def test_values_keep_their_unit_and_the_ends() -> None:
    load = span("traffic.load", "10..33.333333 kbit/s")
    assert load.value(12.34567) == "12.35 kbit/s"
    assert load.value(33.333333) == "33.33 kbit/s"
    assert span("scheme.window_limit", "1..3").all() == [1, 2, 3]


def test_a_space_multiplies() -> None:
    space = dimensions({"scheme.window_limit": "1..3", "mac.rts_cts": [True, False]})
    assert size(space) == 6
    assert len({json.dumps(setting) for setting in settings(space)}) == 6
    assert math.isinf(size(dimensions({"traffic.load": "1..2 kbit/s"})))


@pytest.mark.parametrize(
    ("vary", "message"),
    [
        ({}, "no key to tune"),
        ({"seed": "1..5"}, "the seed is no setting"),
        ({"mac.cw_min": [31]}, "31 alone is no choice"),
        ({"mac.cw_min": [31, 31]}, "listed twice"),
    ],
)
def test_a_space_that_is_none_is_refused(vary: dict[str, Any], message: str) -> None:
    with pytest.raises(SearchError, match=message):
        dimensions(vary)


# ---- what is sought ------------------------------------------------------------------------------


def test_aims_and_limits_are_columns() -> None:
    assert aims("goodput") == [Aim("goodput_bit_s", 1)]
    assert aims(["network_delay_mean_s=least"]) == [Aim("network_delay_mean_s", -1)]
    assert limits("overhead >= 2e-1") == [Limit("overhead", 0.2, -1)]


@pytest.mark.parametrize("text", ["overhead<1", "overhead<=x", "overhead<=nan", "<=1", "overhead"])
def test_a_limit_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(SearchError, match="a column, <= or >=, and a number"):
        limits(text)


def test_an_aim_that_is_none_is_refused() -> None:
    with pytest.raises(ChartError, match="did you mean 'goodput'"):
        aims("goodpt")
    with pytest.raises(SearchError, match="neither most nor least"):
        aims("overhead=less")
    with pytest.raises(SearchError, match="an aim twice"):
        aims(["overhead", "overhead=least"])


# ---- races ---------------------------------------------------------------------------------------


def entry(name: str, **means: list[float]) -> Entry:
    return Entry({"key": name}, means)


def reasons(entries: list[Entry], target: Target = TARGET) -> list[str]:
    Race(entries, 1, target, 5, 20).stop()
    return [one.stopped for one in entries]


def test_what_is_worse_seed_by_seed_is_stopped() -> None:
    noise = [0.0, 40.0, -20.0, 15.0, -33.0]
    good = entry("good", goodput_bit_s=[100 + n for n in noise])
    # Less by 5 in every seed, though seeds differ by much more.
    less = (5, 4, 6, 5, 4)
    worse = entry("worse", goodput_bit_s=[100 + n - d for n, d in zip(noise, less, strict=True)])
    other = entry("other", goodput_bit_s=[99, 95, 101, 93, 97])
    assert reasons([good, worse, other]) == ["", "shown to be worse", ""]


def test_a_limit_that_is_shown_to_be_broken_stops() -> None:
    target = Target((Aim("goodput_bit_s"),), (Limit("overhead", 2.0),))
    slow = entry("slow", goodput_bit_s=[9.0] * 5, overhead=[3.0, 3.1, 3.2, 2.9, 3.0])
    fair = entry("fair", goodput_bit_s=[5.0] * 5, overhead=[1.0, 1.1, 1.2, 0.9, 1.0])
    assert reasons([slow, fair], target) == ["beyond overhead<=2", ""]
    assert front([slow, fair], target) == [fair]


def test_with_two_aims_only_what_is_worse_in_both_is_stopped() -> None:
    target = Target((Aim("goodput_bit_s"), Aim("overhead", -1)))
    rows = {"fast": (9.0, 3.0), "thrifty": (5.0, 1.0), "neither": (4.0, 4.0)}
    entries = [
        entry(
            name,
            goodput_bit_s=[one + n / 10 + two * n % 2 / 50 for n in range(5)],
            overhead=[two + n * one / 99 for n in range(5)],
        )
        for name, (one, two) in rows.items()
    ]
    assert [one.setting["key"] for one in front(entries, target)] == ["fast", "thrifty"]
    assert reasons(entries, target) == ["", "", "shown to be worse"]


def test_of_equals_the_first_is_the_best() -> None:
    entries = [entry(name, goodput_bit_s=[7.0, 7.0]) for name in "ab"]
    assert front(entries, TARGET) == entries[:1]
    assert front([entry("none", goodput_bit_s=[math.nan])], TARGET) == []


@pytest.mark.parametrize("count", [2, 8])
def test_of_settings_that_are_all_as_good_few_are_stopped(count: int) -> None:
    numbers, races, stopped = random.Random(7), 200, 0
    for _ in range(races):
        runs = [[numbers.gauss(100, 10) for _ in range(20)] for _ in range(count)]
        entries = [entry(str(at), goodput_bit_s=[]) for at in range(count)]
        race = Race(entries, 1, TARGET, 5, 20)
        for seeds in (5, 10, 20):
            for one, values in zip(entries, runs, strict=True):
                one.means["goodput_bit_s"] = values[:seeds]
            race.stop()
        stopped += sum(bool(one.stopped) for one in entries)
    # 5 % in all looks together; three standard deviations above that.
    trials = races * count
    assert stopped / trials < 0.05 + 3 * math.sqrt(0.05 * 0.95 / trials)


# ---- whole searches ------------------------------------------------------------------------------


def test_of_few_settings_all_race_and_the_best_window_is_that_of_optimum(
    tcp: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Optuna is not needed for that.
    monkeypatch.setattr(asking, "find_spec", lambda _: None)
    chain = Scenario.from_file(tcp, {"topology.hops": 7, "duration": "8 s"})
    found = tune(
        chain,
        {"scheme.window_limit": "1..8"},
        "goodput",
        budget=SMALL,
        out=tmp_path / "out",
        progress=False,
    )
    every = optimum_window(chain, range(1, 9), seeds=6, progress=False)
    assert found.settings["scheme.window_limit"].to_list() == list(range(1, 9))
    assert found.best == {"scheme.window_limit": every.window}
    best = found.settings.filter("best")
    assert best["seeds"].to_list() == [6]
    assert best["goodput_bit_s"].to_list() == pytest.approx([every.goodput_bit_s])
    assert found.settings.filter(pl.col("stopped") != "")["seeds"].min() == 3
    assert found.tests["setting"].to_list() == ["as given", "tuned"]
    assert found.options == [f"--set=scheme.window_limit={every.window}"]
    assert "All settings" in found.page.read_text()


def test_tests_have_other_seeds_than_races(tcp: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    tune(tcp, {"scheme.window_limit": "2..3"}, "goodput", budget=SMALL, out=out, progress=False)
    seeds: dict[bool, set[int]] = {True: set(), False: set()}
    for file in (out / "points").glob("*.parquet"):
        points = read_points(file)
        for scenario in points["scenario"]:
            seeds[points["sweep"][0].startswith("test")].add(json.loads(scenario)["seed"])
    assert seeds[False] <= set(range(1, 7))
    assert seeds[True] == set(range(FIRST_TEST, FIRST_TEST + 10))


def test_the_search_is_the_same_for_any_number_of_workers_and_goes_on(
    paced: Path, tmp_path: Path
) -> None:
    texts = []
    for workers in (1, 2):
        found = tune(
            paced,
            {"traffic.load": "20..400 kbit/s log", "mac.cw_min": [15, 31, 63]},
            ["goodput", "end_to_end_delay_mean_s=least"],
            constraints="end_to_end_delay_mean_s<=2",
            budget=Budget(10, 2, 4, 2),
            out=tmp_path / f"of-{workers}",
            workers=workers,
            progress=False,
        )
        texts.append((found.csv.read_bytes(), found.page.read_bytes(), found.options))
    assert texts[0] == texts[1]
    assert len(texts[0][2]) > 1
    # What is there is not run again: the parts stay the same.
    parts = sorted((tmp_path / "of-1" / "parts").iterdir())
    again = tune(
        paced,
        {"traffic.load": "20..400 kbit/s log", "mac.cw_min": [15, 31, 63]},
        ["goodput", "end_to_end_delay_mean_s=least"],
        constraints="end_to_end_delay_mean_s<=2",
        budget=Budget(10, 2, 4, 2),
        out=tmp_path / "of-1",
        progress=False,
    )
    assert sorted((tmp_path / "of-1" / "parts").iterdir()) == parts
    assert again.csv.read_bytes() == texts[0][0]


def test_scenarios_of_the_test_are_apart(paced: Path, tmp_path: Path) -> None:
    keys = {"mac.cw_min": [15, 31]}
    found = tune(
        paced,
        keys,
        "goodput",
        over={"topology.hops": [2, 3]},
        test_over={"topology.hops": [4]},
        budget=Budget(4, 2, 2, 2),
        out=tmp_path / "out",
        progress=False,
    )
    assert found.tests["seeds"].to_list() == [2, 2]
    for over, test_over, message in (
        ({"topology.hops": [2, 3]}, {"topology.hops": [3, 4]}, "tuned in .topology.hops = 3"),
        ({"mac.cw_min": [7]}, {}, "'mac.cw_min' is tuned"),
        ({"seed": [7]}, {}, "chosen apart"),
    ):
        with pytest.raises(SearchError, match=message):
            tune(paced, keys, "goodput", over=over, test_over=test_over, out=tmp_path / "no")
    assert not (tmp_path / "no").exists()


def test_what_nothing_keeps_is_said_with_what_comes_nearest(paced: Path, tmp_path: Path) -> None:
    with pytest.raises(
        SearchError, match=r"none of 2 settings keeps overhead<=0.1; nearest is mac"
    ):
        tune(
            paced,
            {"mac.cw_min": [15, 31]},
            "goodput",
            constraints="overhead<=0.1",
            budget=Budget(4, 2, 2, 2),
            out=tmp_path / "out",
            progress=False,
        )


def test_an_aim_without_values_is_said(paced: Path, tmp_path: Path) -> None:
    with pytest.raises(SearchError, match="completion_time_mean_s has no value"):
        tune(
            paced,
            {"mac.cw_min": [15, 31]},
            "completion_time",
            budget=Budget(4, 2, 2, 2),
            out=tmp_path / "out",
            progress=False,
        )


@pytest.mark.parametrize(
    ("key", "given", "message"),
    [
        ("scheme.nam", "1..5", "unknown key 'nam'"),
        ("scheme.name", "1..5", "expected a string"),
        ("mac.cw_min", "0..5", "must lie between 1 and 65535"),
        ("mac.cw_min", "1..70000", "must lie between 1 and 65535"),
        ("mac.timing", ["dsss", "dssss"], "dssss"),
    ],
)
def test_a_key_that_cannot_be_so_is_refused_before_any_run(
    paced: Path, tmp_path: Path, key: str, given: Any, message: str
) -> None:
    with pytest.raises(ScenarioError, match=message):
        tune(paced, {key: given}, "goodput", out=tmp_path / "out", progress=False)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("budget", "message"),
    [
        (Budget(trials=0), "none to try"),
        (Budget(least=1), "two at least"),
        (Budget(least=9, most=8), "no fewer"),
        (Budget(tests=1), "too few for a test"),
    ],
)
def test_a_budget_that_is_none_is_refused(paced: Path, budget: Budget, message: str) -> None:
    with pytest.raises(SearchError, match=message):
        tune(paced, {"mac.cw_min": [15, 31]}, "goodput", budget=budget)


def test_optuna_is_asked_for_where_it_is_missing(
    paced: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "find_spec", lambda _: None)
    with pytest.raises(ImportError, match=r"pip install 'multihop\[tune\]'"):
        tune(paced, {"traffic.load": "20..40 kbit/s"}, "goodput", out=tmp_path / "out")


def test_the_sampler_learns(tmp_path: Path) -> None:
    space = [span("key", "0.0..1.0")]
    asker = asking.Proposing(space, TARGET)
    tried: list[float] = []
    for _ in range(6):
        batch = asker.ask(8)
        tried += [setting["key"] for setting in batch]
        asker.tell([Entry(s, {"goodput_bit_s": [-((s["key"] - 0.3) ** 2)]}) for s in batch])
    # At random, values are 0.29 away on the average.
    assert sum(abs(value - 0.3) for value in tried[-16:]) / 16 < 0.29 / 2


def test_choices_have_no_order() -> None:
    assert dimensions({"mac.rts_cts": [True, False]}) == [Choice("mac.rts_cts", (True, False))]


def test_a_rate_table_is_repeated_within_noise(paced: Path, tmp_path: Path) -> None:
    """`optimum --rates` doubles rates and closes in; a search by goodput finds as much."""
    longer = ScenarioFile.read(paced).with_({"warmup": "3 s", "duration": "12 s"}, "")
    table = optimum_rates(longer, (2, 5), seeds=5, progress=False)
    for hops, carried in table.rates.select("hops", "carried").rows():
        found = tune(
            longer,
            {"traffic.load": "100..500 kbit/s log"},
            "goodput",
            over={"topology.hops": [hops]},
            budget=Budget(40, 3, 5, 2),
            out=tmp_path / f"hops-{hops}",
            progress=False,
        )
        best = found.settings.filter("best")["goodput_bit_s"][0] / (512 * 8)
        assert best == pytest.approx(carried, rel=0.03)


# ---- the command ---------------------------------------------------------------------------------


def test_the_command_prints_what_it_found(cli: Cli, paced: Path, tmp_path: Path) -> None:
    few = ("--seeds", "2", "--max-seeds", "2", "--test-seeds", "2", "--out", tmp_path / "out")
    line = ("tune", paced, "--vary", "mac.cw_min=15,31", "--for", "goodput", *few)
    done = cli(*line)
    assert done.returncode == 0, done.stderr
    assert "best: --set=mac.cw_min=" in done.stdout
    found = json.loads(cli(*line, "--json").stdout)
    assert found["aims"] == ["most goodput_bit_s"]
    assert [row["mac.cw_min"] for row in found["settings"]] == [15, 31]
    assert "Example: multihop tune" in " ".join(cli("tune", "--help").stdout.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no key to tune"),
        (("--vary", "mac.cw_min=9..1"), "nothing between 9 and 1"),
        (("--vary", "mac.cw_min=1..9", "--set", "mac.cw_min=5"), "given with --set"),
        (("--vary", "mac.cw_min=1..9", "--vary", "mac.cw_min=3,5"), "given twice"),
        (("--vary", "mac.cw_min=1..9", "--for", "x"), "no column 'x'"),
        (("--vary", "mac.cw_min=1..9", "--constraint", "overhead=2"), "--constraint"),
    ],
)
def test_bad_input_is_one_line_and_code_2(
    cli: Cli, paced: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = cli("tune", paced, *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
