"""Readings: every parameter of a scenario's layers, and what one value of one of them turns."""

import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from multihop import Scenario, SweepError
from multihop.cli import app
from multihop.reporting.verdicts import Verdict
from multihop.reproducing import readings, readings_page
from multihop.reproducing.judging import above, estimate, finding
from multihop.reproducing.parameters import chance, parameters
from multihop.reproducing.readings import (
    FIXED,
    JUDGED,
    REFUSED,
    UNCHANGED,
    Judge,
    Reading,
    Readings,
    Turned,
    judge_readings,
    not_judged,
    rows,
    sequential,
    write,
)
from multihop.reproducing.spec import (
    Claim,
    Data,
    Effort,
    Efforts,
    FigureSpec,
    Finding,
    Panel,
    Study,
    Variant,
    accepted,
)
from multihop.sweeping.plans import Point
from multihop.sweeping.sweeps import Means

ALONE = Means(workers=1, progress=False)
CHAIN = """
warmup = "1 s"
duration = "2 s"
topology = { kind = "chain", hops = 1 }
routing = { kind = "fixed" }
mac = { short_retry_limit = 9 }
scheme = { name = "udp" }
traffic = { load = "100 kbit/s", start_jitter = "0 s" }
"""


def noisy(folder: Path, bound_ms: float) -> FigureSpec:
    """Make a figure over one hop whose delay, which varies from seed to seed, is above a bound."""
    one = figure(folder)
    study = replace(one.panels[0].studies[0], settings={"traffic.interval_jitter": 0.5})

    def delay(data: Data) -> float:
        return float(1e3 * data.studies["one-hop"].mean("udp", "end_to_end_delay_mean_s")[0])

    def judge(data: Data) -> Finding:
        return finding(f"{delay(data):.3f} ms", [above(estimate(data, delay), bound_ms)])

    claim = Claim("a packet takes its time", f"above {bound_ms:g} ms", judge)
    panel = replace(one.panels[0], claims=(claim,), studies=(study,))
    return replace(one, panels=(panel,))


def figure(folder: Path) -> FigureSpec:
    """Make a figure over one hop that claims more than 1 Mbit/s at the highest of two loads."""
    path = folder / "chain.toml"
    path.write_text(CHAIN)
    effort = Effort(quick=True, seeds=2, warmup="1 s", duration="2 s")
    study = Study(
        "one-hop", path, {}, {"udp": Variant("UDP", "udp", {})}, (800, 1600), (800, 1600),
        Efforts(effort, effort),
    )  # fmt: skip

    def goodput(data: Data) -> float:
        return float(data.studies["one-hop"].mean("udp", "goodput_bit_s")[-1] / 1e6)

    def judge(data: Data) -> Finding:
        return finding(f"{goodput(data):.2f} Mbit/s", [above(estimate(data, goodput), 1)])

    claim = Claim("one hop carries more than 1 Mbit/s", "above 1 Mbit/s", judge)
    panel = Panel("cl/fig0", "one hop", lambda _axes, _data: None, (claim,), (study,))
    return FigureSpec("cl/fig0", "one hop", (panel,))


def test_the_parameters_of_all_layers_come_with_other_values() -> None:
    found = {one.key: one for one in parameters([Scenario.from_toml(CHAIN)])}
    others = {key: one.others for key, one in found.items()}
    assert others["mac.short_retry_limit"] == (4, 18), "of what the scenario gives, not the default"
    assert others["mac.eifs"] == (False,)
    assert others["radio.reception"] == ("message-in-message", "first-decodable")
    assert others["radio.receive_range"] == ("125 m", "500 m")
    assert others["routing.ties"] == ("random",)
    assert others["routing.arp"] == ("ns2",)
    assert others["routing.kind"] == ("aodv", "dsr")
    assert others["udp.queue_limit"] == (24, 98)
    assert others["topology.hops"] == (2,), "half of one hop is none"
    assert others["traffic.start_jitter"] == ("10 ms",), "nothing has no half"
    assert others["traffic.interval_jitter"] == (0.1,), "zero has no half"
    assert others["mac.rts_threshold"] == ("256 B",), "the example of its key"
    assert others["radio.propagation"] == (*("free-space", "log-normal-shadowing", "log-distance"),)
    assert others["mac.data_preamble"] == ()
    assert "no half" in found["mac.data_preamble"].why
    assert not {"traffic.kind", "topology.kind", "mobility.kind", "aodv.local_repair"} & set(found)


def test_a_number_in_which_scenarios_differ_is_halved_and_doubled_in_each() -> None:
    one = Scenario.from_toml(CHAIN)
    longer = {"traffic.payload": "1000 B", "traffic.start_jitter": "1 s", "mac.slot": "50 us"}
    other = one.with_(**longer)
    found = {parameter.key: parameter for parameter in parameters([one, other])}
    assert found["traffic.payload"].value == "1000 B, 512 B", "what is given, then the default"
    assert found["mac.short_retry_limit"].others == (4, 18), "in which they do not differ"
    for key, halved, doubled in (
        ("traffic.payload", ["256 B", "500 B"], ["1024 B", "2000 B"]),
        # Nothing has no half, and what follows other keys is no number here.
        ("traffic.start_jitter", [None, "0.5 s"], ["10 ms", "2 s"]),
        ("mac.slot", [None, "25 us"], [None, "100 us"]),
    ):
        half, double = found[key].others
        assert [str(half), str(double)] == ["0.5 times", "2 times"]
        for scaled, values in ((half, halved), (double, doubled)):
            taken = [accepted(scenario, {key: scaled}).get(key) for scenario in (one, other)]
            assert taken == values, key


def test_a_study_whose_variants_differ_in_a_key_is_about_that_key(tmp_path: Path) -> None:
    one = figure(tmp_path)
    variants = {
        "udp": Variant("UDP", "udp", {}),
        "short": Variant("UDP, a short queue", "udp", {"scheme.queue_limit": 9}),
        "tahoe": Variant("TCP", "tahoe", {}),
    }
    study = replace(one.panels[0].studies[0], variants=variants)
    assert study.varies("udp.queue_limit")
    assert not study.varies("tahoe.queue_limit")
    assert not study.varies("mac.eifs")
    panel = replace(one.panels[0], studies=(study,))
    judge = Judge([replace(one, panels=(panel,))], tmp_path, seeds=None, means=ALONE)
    assert judge.judge("udp.queue_limit", 40, None).became == FIXED
    assert judge.judge("mac.data_rate", "5.5 Mbit/s", None).became == JUDGED


def test_a_start_that_is_a_few_milliseconds_later_shows_chance() -> None:
    scenario = Scenario.from_toml(CHAIN)
    assert chance([scenario]).others == ("1.003 s", "1.007 s")
    later = scenario.with_(**{"traffic.start": "2 s"})
    assert chance([later]).others == ("2.003 s", "2.007 s")


@pytest.mark.parametrize(
    ("key", "value", "became", "turns"),
    [
        ("mac.data_rate", "5.5 Mbit/s", JUDGED, True),
        ("udp.queue_limit", 40, JUDGED, False),
        ("mac.long_retry_limit", 8, UNCHANGED, False),
        ("traffic.load", "50 kbit/s", FIXED, False),
        ("mac.short_retry_limit", 9, FIXED, False),
        ("cxcc.rfa", False, REFUSED, False),
    ],
)
def test_a_reading_is_judged_where_it_changes_a_run(
    tmp_path: Path, key: str, value: object, became: str, *, turns: bool
) -> None:
    judge = Judge([figure(tmp_path)], tmp_path, seeds=None, means=ALONE)
    assert [claim.verdict for claim in judge.claims] == ["differs"]
    before = judge.runs
    reading = judge.judge(key, value, None)
    assert reading.became == became
    # Two loads with two seeds, after one run that shows whether anything changes.
    assert judge.runs - before == {JUDGED: 5, UNCHANGED: 1}.get(became, 0)
    assert [turned.effect for turned in reading.turned] == (["repairs"] if turns else [])
    assert reading.holds == {JUDGED: int(turns)}.get(became)
    assert bool(reading.why) == (became != JUDGED)


def test_a_curve_that_a_reading_does_not_change_keeps_its_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = figure(tmp_path)
    # A queue that never fills, and one that does.
    fast = Variant("fast", "udp", {"mac.data_rate": "11 Mbit/s"})
    study = one.panels[0].studies[0]
    study = replace(study, variants={**study.variants, "fast": fast})
    judge = Judge(
        [replace(one, panels=(replace(one.panels[0], studies=(study,)),))],
        tmp_path,
        seeds=None,
        means=ALONE,
    )
    grids: list[list[Point]] = []

    def watched(grid: list[Point]) -> dict[str, pl.DataFrame]:
        grids.append(grid)
        return run(grid)

    run = judge._run
    monkeypatch.setattr(judge, "_run", watched)
    assert judge.judge("udp.queue_limit", 40, 49).became == JUDGED
    probes, judged = grids
    assert [point.labels["variant"] for point in probes] == ["udp", "fast"]
    changed = [
        own.labels["variant"]
        for own, default in zip(judged, judge.grid, strict=True)
        if own.scenario != default.scenario
    ]
    assert changed == ["udp"] * 4, "two loads with two seeds"


def test_panels_without_claims_are_not_run(tmp_path: Path) -> None:
    one = figure(tmp_path)
    beside = replace(one.panels[0].studies[0], name="beside")
    bare = replace(one.panels[0], id="cl/beside", claims=(), studies=(beside,))
    judge = Judge([replace(one, panels=(*one.panels, bare))], tmp_path, seeds=None, means=ALONE)
    assert {point.labels["study"] for point in judge.grid} == {one.panels[0].studies[0].name}


def test_what_was_judged_is_kept_and_goes_on(tmp_path: Path) -> None:
    figures = [figure(tmp_path)]

    def judged(most: int | None) -> Readings:
        return judge_readings(
            figures, tmp_path, command="again", max_runs=most, workers=1, progress=False
        )

    first = judged(20)
    assert first.judged
    assert first.open, "it stops after so many runs"
    assert not_judged(first)["not run yet"] == first.open
    path = tmp_path / "readings" / "cl.json"
    assert Readings.of(json.loads(path.read_text())) == first
    marked = [reading._replace(why="kept") for reading in first.judged]
    noted = [claim._replace(note="a cause that is known since") for claim in first.claims]
    path.write_text(json.dumps(replace(first, judged=marked, claims=noted).to_dict()))
    second = judged(40)
    assert [reading.why for reading in second.judged[: len(marked)]] == ["kept"] * len(marked)
    assert len(second.judged) > len(marked)
    assert rows(second)[0][:3] == ("as it is", "", "0 of 1")
    path.write_text(json.dumps(replace(second, about="other runs").to_dict()))
    assert judged(5).judged[0].why == "", "of other runs nothing is kept"


def test_an_interruption_loses_nothing_that_was_judged_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def judged(most: int) -> Readings:
        return judge_readings(
            [figure(tmp_path)], tmp_path, command="", max_runs=most, workers=1, progress=False
        )

    before = judged(40)
    path = tmp_path / "readings" / "cl.json"
    # As if the first parameter were a new one.
    path.write_text(json.dumps(replace(before, judged=before.judged[1:]).to_dict()))
    judge, calls = Judge.judge, iter([False, True])

    def interrupted(*args: object, **options: bool) -> Reading:
        if next(calls):
            raise KeyboardInterrupt
        return judge(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Judge, "judge", interrupted)
    with pytest.raises(KeyboardInterrupt):
        judged(1000)
    assert Readings.of(json.loads(path.read_text())).judged == before.judged


def test_what_was_judged_by_intervals_is_kept_too(tmp_path: Path) -> None:
    figures = [noisy(tmp_path, 1.0)]
    first, second = (
        judge_readings(figures, tmp_path, command="", max_runs=14, workers=1, progress=False)
        for _ in range(2)
    )
    assert first.claims[0].interval is not None
    kept = Readings.of(json.loads((tmp_path / "readings" / "cl.json").read_text()))
    assert kept.claims == second.claims
    assert second.judged[: len(first.judged)] == first.judged
    assert len(second.judged) > len(first.judged), "what is kept costs no runs"


# In ms: below, within and above the interval of the delay, of 4 runs and of 16.
SURE, CLOSE, FALSE = 1.0, 50.0, 1000.0


def sequentially(folder: Path, bound_ms: float, most: int = 16) -> Judge:
    return Judge([noisy(folder, bound_ms)], folder, seeds=sequential(4, most), means=ALONE)


def test_a_claim_that_is_decided_gets_no_more_seeds(tmp_path: Path) -> None:
    judge = sequentially(tmp_path, SURE)
    assert [claim.verdict for claim in judge.claims] == ["reproduced"]
    assert (judge.runs, judge.efforts["one-hop"].seeds) == (8, 4)
    before = judge.runs
    reading = judge.judge("udp.queue_limit", 40, 49)
    assert (reading.became, reading.turned) == (JUDGED, ())
    assert judge.runs - before == 8 + 1, "two loads with four seeds, after a probe"


def test_a_claim_that_is_undecided_gets_seeds_up_to_the_limit(tmp_path: Path) -> None:
    judge = sequentially(tmp_path, CLOSE)
    assert [claim.verdict for claim in judge.claims] == ["undecided"]
    assert judge.efforts["one-hop"].seeds == 16
    assert judge.runs == 2 * (4 + 8 + 16), "runs of the looks before are there already"
    assert "up to 16 seeds" in judge.about


def test_a_claim_that_a_reading_turns_is_looked_at_again(tmp_path: Path) -> None:
    judge = sequentially(tmp_path, FALSE, most=8)
    assert [claim.verdict for claim in judge.claims] == ["differs"]
    before = judge.runs
    reading = judge.judge("mac.data_rate", "2 Mbit/s", "1 Mbit/s")
    assert reading.turned == ()
    assert judge.runs - before == 9
    low = sequentially(tmp_path, SURE, most=8)
    before = low.runs
    turned = low.judge("mac.data_rate", "11 Mbit/s", "1 Mbit/s")
    assert [one.effect for one in turned.turned] == ["breaks"]
    assert low.runs - before == 1 + 2 * (4 + 8)


def test_chance_is_judged_with_the_seeds_of_the_default(tmp_path: Path) -> None:
    judge = sequentially(tmp_path, CLOSE, most=8)
    before = judge.runs
    reading = judge.judge("traffic.start", "1.003 s", "1 s", chance=True)
    assert reading.became == JUDGED
    assert judge.runs - before == 1 + 2 * 8


@pytest.mark.parametrize(("least", "most"), [(1, 8), (8, 4)])
def test_numbers_of_seeds_that_make_no_rule_are_refused(least: int, most: int) -> None:
    with pytest.raises(SweepError, match="change --seeds or --max-seeds"):
        sequential(least, most)


def test_the_page_lists_what_turns_claims_and_what_chance_turns(tmp_path: Path) -> None:
    claim = Verdict("cl/fig2", "it falls", "below 1", "0.9", "differs")
    repaired = Turned("cl/fig2", "it falls", "differs", "reproduced", "0.5")
    found = Readings(
        "multihop reproduce cl --readings",
        "4 seeds",
        [claim],
        [
            Reading("traffic.start", "1.003 s", "1 s", chance=True, holds=1, turned=(repaired,)),
            Reading("mac.eifs", False, True, holds=1, turned=(repaired,)),
            Reading("mac.cw_min", 62, 31, holds=0),
            Reading("mac.long_retry_limit", 8, 4, became=UNCHANGED, why="the same"),
        ],
        open=["mac.slot=10 us"],
    )
    write(found, tmp_path / "cl.json")
    assert readings_page.take(tmp_path / "cl.json", tmp_path / "kept") == "cl"
    tables = readings_page.tables(tmp_path / "kept")
    assert "not run" in tables["readings of lecn"]
    text = tables["readings of cl"]
    assert "| `mac.eifs=false` | true | 1 | fig2 |  |  |" in text
    assert "| as it is |  | 0 of 1 |" in text
    assert "which their seeds do not decide: 1 of fig2." in text
    assert "1 readings neither repair nor break a claim: `mac.cw_min=62`." in text
    assert "1 unchanged: `mac.long_retry_limit=8`." in text
    assert "1 not run yet: `mac.slot=10 us`." in text
    write(found, tmp_path / "mine.json")
    with pytest.raises(SweepError, match="no paper"):
        readings_page.take(tmp_path / "mine.json", tmp_path / "kept")


def test_figures_without_claims_have_no_readings(tmp_path: Path) -> None:
    one = figure(tmp_path)
    bare = replace(one, panels=tuple(replace(panel, claims=()) for panel in one.panels))
    with pytest.raises(SweepError, match="no claims"):
        judge_readings([bare], tmp_path, command="", progress=False)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--readings", "--with", "mac.header=34 B"], "leave out --with"),
        (["--readings", "--first-seed", "1001"], "leave out --with, --first-seed"),
        (["--max-runs", "9"], "it needs --readings"),
        (["--readings", "--precision", "2%"], "leave out --precision"),
        (["--readings", "--max-seeds", "9"], "--until-decided with --max-seeds"),
    ],
)
def test_options_that_do_not_go_with_readings_are_refused(
    arguments: list[str], reason: str
) -> None:
    result = CliRunner().invoke(app, ["reproduce", "wxcp/fig2", *arguments])
    assert result.exit_code == 2
    assert reason in " ".join(result.output.replace("│", " ").split())


def test_the_command_prints_what_turns_and_what_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readings, "select", lambda _: [figure(tmp_path)])
    options = ["--max-runs", "14", "--workers", "1", "--out", str(tmp_path)]
    result = CliRunner().invoke(app, ["reproduce", "cl/fig0", "--readings", *options])
    assert result.exit_code == 0, result.output
    printed = " ".join(result.output.split())
    assert "traffic.start=1.003 s (chance)" in printed
    assert "0 of 1" in printed
    assert "not run yet: " in printed
    found = json.loads((tmp_path / "readings" / "cl.json").read_text())
    assert found["command"] == "multihop reproduce cl/fig0 --readings"
    assert found["open"]
