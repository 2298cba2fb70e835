from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import multihop.reproducing.reproduction as reproduction
from multihop import ScenarioError, reproduce
from multihop.reporting.standing import standings
from multihop.reporting.verdicts import (
    TOO_FEW,
    UNDECIDED,
    Elsewhere,
    Flip,
    Score,
    Verdict,
    figure_of,
    scores,
)
from multihop.reproducing.judging import at_least, finding, mean
from multihop.reproducing.registry import FIGURES, ROWS
from multihop.reproducing.reproduction import judge, judge_rows, select_rows
from multihop.reproducing.spec import Claim, Data, Effort, Efforts, Finding, Row, accepted
from multihop.scenario.form import Scenario

SHORT = Effort(quick=True, seeds=1, warmup="1 s", duration="1 s")
UDP_CHAIN = """
topology = { kind = "chain", hops = 2 }
scheme = { name = "udp" }
traffic = { load = "50 kbit/s" }
"""


def claim(holds: bool | None, calibrated: str = "") -> Claim:
    return Claim("it is so", "so", lambda _: Finding(holds, "1.0"), "open", calibrated)


def verdict(name: str, result: str) -> Verdict:
    return Verdict(name, "it is so", "so", "1.0", result)


def test_a_claim_that_its_set_up_was_fitted_to_is_not_reproduced() -> None:
    panel = SimpleNamespace(
        id="cxcc/fig8a",
        claims=(
            *(claim(True), claim(True, "the spacing")),
            *(claim(None, "spacing"), claim(False, "spacing")),
        ),
    )
    found = list(judge([SimpleNamespace(panels=(panel,))], Data()))  # type: ignore[list-item]
    assert [v.verdict for v in found] == ["reproduced", "calibrated", "undecided", "differs"]
    assert [v.note for v in found] == ["", "the spacing", "", "open"]
    assert [v.holds for v in found] == [True, True, False, False]
    assert [v.reason for v in found] == ["", "", TOO_FEW, "open"]


def test_a_claim_flips_if_it_holds_with_one_reading_and_differs_with_the_other() -> None:
    def flips(one: str, other: str) -> bool:
        return Flip(verdict("cxcc/fig3", one), verdict("cxcc/fig3", other)).flips

    assert flips("reproduced", "differs")
    assert flips("differs", "calibrated")
    assert not flips("reproduced", "undecided")
    assert not flips("undecided", "differs")
    assert not flips("reproduced", "calibrated")


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (Row(("cxcc/fig3",), "stability"), "reproduced"),
        (Row(("cxcc/fig8a", "cxcc/fig8b"), "throughput"), "differs"),
        (Row(("cxcc/fig9a", "cxcc/fig9b"), "delay"), "calibrated"),
        (Row(("cxcc/fig9a", "cxcc/fig10a"), "overhead"), "undecided"),
        (Row(("cxcc/fig8b", "cxcc/fig10a"), "throughput"), "differs"),
        (Row(("wxcp/fig2",), "goodput", partly="TCP's half"), "partly"),
        (Row(("cxcc/fig14",), "bit errors", missing="ADTCP"), "missing"),
    ],
)
def test_a_row_is_as_good_as_its_worst_claim(row: Row, expected: str) -> None:
    found = [
        *(verdict("cxcc/fig3", "reproduced"), verdict("cxcc/fig8a", "reproduced")),
        *(verdict("cxcc/fig8b", "differs"), verdict("cxcc/fig9a", "calibrated")),
        *(verdict("cxcc/fig9b", "reproduced"), verdict("wxcp/fig2", "reproduced")),
        verdict("cxcc/fig10a", "undecided"),
    ]
    (only,) = judge_rows([row], found)
    assert only.verdict == expected
    assert only.note == row.partly + row.missing


def test_what_another_command_runs_is_said_to_be_missing_until_it_has_run() -> None:
    other = Elsewhere("cxcc/fig99-linux", "multihop lab fig99")
    row = Row(("cxcc/fig99", other.id), "on Linux", partly="no radios", elsewhere=other)
    (only,) = judge_rows([row], [])
    assert (only.verdict, only.note) == ("partly", "no radios; `multihop lab fig99` was not run")
    found = [verdict("cxcc/fig99", "reproduced"), verdict(other.id, "differs")]
    (only,) = judge_rows([row], found)
    assert (only.verdict, only.note) == ("partly", "no radios")
    (standing,) = standings([only], found, {}, lambda ids: f"multihop reproduce {' '.join(ids)}")
    assert standing.each[0].command == "multihop reproduce cxcc/fig99 && multihop lab fig99"
    assert standing.each[0].data == ("data/cxcc-fig99.parquet",)
    assert standing.claims == {"reproduced": 1, "differs": 1}


def test_a_row_of_which_a_part_was_chosen_is_not_judged() -> None:
    row = Row(("cxcc/fig8a", "cxcc/fig8b"), "throughput")
    assert not list(judge_rows([row], [verdict("cxcc/fig8a", "reproduced")]))


def test_what_is_missing_counts() -> None:
    rows = [
        *judge_rows([Row(("cxcc/fig3",), "", missing="ADTCP")] * 2, []),
        *judge_rows([Row(("cxcc/fig3",), "")], [verdict("cxcc/fig3", "differs")]),
    ]
    (score,) = scores(rows, [verdict("cxcc/fig3", "differs"), verdict("cxcc/fig3", "reproduced")])
    text = "CXCC: 3 rows: 1 run (1 differ), 2 missing; 2 claims: 1 reproduced, 1 differ"
    assert str(score) == text
    (claims,) = scores(
        [], [verdict("hxh/table4.1", "calibrated"), verdict("hxh/table4.1", "undecided")]
    )
    assert str(claims) == "HXH: 2 claims: 1 calibrated, 1 undecided"
    assert isinstance(claims, Score)


def test_every_row_is_run_or_says_what_it_lacks() -> None:
    panels = {panel.id: panel for figure in FIGURES for panel in figure.panels}
    listed = [name for row in ROWS for name in row.ids]
    assert len(listed) == len(set(listed))
    for row in ROWS:
        there = [panels[name] for name in row.ids if name in panels]
        if row.elsewhere:
            assert row.partly
            assert row.elsewhere.id in row.ids
            assert row.elsewhere.id not in panels
        assert not (row.partly and row.missing)
        assert bool(row.missing) == (not there), row.ids
        if not row.partly and not row.missing:
            assert len(there) == len(row.ids)
            assert any(panel.claims for panel in there), row.ids


def test_a_row_is_chosen_by_paper_figure_or_panel(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = (Row(("cxcc/fig8a", "cxcc/fig8b"), ""), Row(("cl/text4.1",), "", missing="CL"))
    monkeypatch.setattr(reproduction, "ROWS", rows)
    for name in ("cxcc", "cxcc/fig8", "fig8", "cxcc/fig8a", "fig8b"):
        assert select_rows([name]) == [rows[0]]
    assert select_rows(["cl"]) == [rows[1]]
    assert select_rows([]) == [*rows]
    assert figure_of("cxcc/fig8a") == "cxcc/fig8"
    assert figure_of("hxh/table4.1") == "hxh/table4.1"


def test_what_is_not_run_yet_can_be_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = Row(("cl/fig99",), "constant rates over chains", missing="CL, DSR")
    monkeypatch.setattr(reproduction, "ROWS", (row,))
    done = reproduce(["cl/fig99"], out=tmp_path, progress=False)
    assert [row.verdict for row in done.rows] == ["missing"]
    assert not done.verdicts
    assert "CL, DSR" in done.page.read_text()


@pytest.mark.long
def test_a_reading_is_judged_beside_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Efforts, "choose", lambda *_, **__: SHORT)
    reading = {"scheme.queue_limit": 1}
    done = reproduce(["cxcc/fig1a"], reading=reading, out=tmp_path, progress=False)
    alone = reproduce(["cxcc/fig1a"], out=tmp_path / "alone", progress=False)
    assert done.verdicts == alone.verdicts
    assert [flip.default for flip in done.flips] == [*done.verdicts]
    assert any(flip.default.measured != flip.reading.measured for flip in done.flips)
    assert "--with scheme.queue_limit=1" in done.page.read_text()


@pytest.mark.parametrize(
    ("reading", "reason"),
    [
        ({"scheme.queue_limt": 1}, "queue_limt"),
        ({"radio.reception": "magic"}, "takes the place"),
        ({"udp.queue_limt": 1}, "queue_limt"),
        ({"hxh.queue_limit": 1}, "hxh"),
        ({"mac.data_rate": "1 Mbit/s"}, "takes the place"),
        ({"traffic.load": "1 kbit/s"}, "nothing changes"),
    ],
)
def test_a_reading_without_effect_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reading: dict[str, object], reason: str
) -> None:
    monkeypatch.setattr(Efforts, "choose", lambda *_, **__: SHORT)
    with pytest.raises(ScenarioError, match=reason):
        reproduce(["cxcc/fig1b"], reading=reading, out=tmp_path, progress=False)


def test_a_scenario_takes_the_keys_that_it_has() -> None:
    scenario = Scenario.from_toml(UDP_CHAIN)
    settings = {"scheme.queue_limit": 5, "scheme.rfa": False, "radio.capture_ratio": 4}
    assert accepted(scenario, settings) == {"scheme.queue_limit": 5, "radio.capture_ratio": 4}
    assert accepted(scenario, {"udp.queue_limit": 5}) == {"scheme.queue_limit": 5}
    assert accepted(scenario, {"hxh.queue_limit": 5}) == {}


def test_a_setting_that_one_run_refuses_is_left_out_of_all() -> None:
    scenario = Scenario.from_toml(UDP_CHAIN).with_(**{"mac.cw_min": 31})
    settings = {"mac.cw_max": 63, "udp.queue_limit": 5}
    runs = [{"mac.cw_min": 31}, {"mac.cw_min": 127}]
    assert accepted(scenario, settings) == {"mac.cw_max": 63, "scheme.queue_limit": 5}
    assert accepted(scenario, settings, runs) == {"scheme.queue_limit": 5}


def test_a_claim_is_undecided_where_there_is_nothing_to_compare() -> None:
    claim = Claim("half of it", "0.5", lambda _: Finding(True, f"{1 / 0:.2f}"))
    found = claim.found(Data({}, {}))
    assert claim.verdict("hxh/fig1.7", found).verdict == UNDECIDED
    assert found.measured == "nothing to compare: ZeroDivisionError: division by zero"


@pytest.mark.filterwarnings("error")
def test_a_share_of_nothing_in_an_array_warns_nobody() -> None:
    nothing = np.zeros(2)
    claim = Claim(
        "half of it", "0.5", lambda _: finding("", [at_least(mean(nothing / nothing), 0.5)])
    )
    assert claim.found(Data({}, {})).holds is False
