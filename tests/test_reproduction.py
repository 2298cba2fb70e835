import json
import re
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from multihop import Decided, UnknownFigureError, Until, reproduce
from multihop.reporting.verdicts import DIFFERS, UNDECIDED, Verdict
from multihop.reproducing.efforts import begun, grown, levels
from multihop.reproducing.judging import mean, spending
from multihop.reproducing.measuring import needed_studies
from multihop.reproducing.registry import FIGURES
from multihop.reproducing.reproduction import select
from multihop.reproducing.spec import Data, Effort, Efforts, Study
from multihop.statistics.student import student_t
from multihop_papers import cxcc

SHORT = Effort(quick=True, seeds=1, warmup="1 s", duration="1 s")


@pytest.mark.parametrize(
    ("ids", "panels"),
    [
        (["cxcc/fig8b"], {"cxcc/fig8b"}),
        (["fig1"], {"cxcc/fig1a", "cxcc/fig1b", "wxcp/fig1"}),
        (["cxcc/fig9", "cxcc/fig3"], {"cxcc/fig3", "cxcc/fig9a", "cxcc/fig9b"}),
        (["table1"], {"wxcp/table1", "lecn/table1"}),
        (["hxh/fig4.5", "table4.1"], {"hxh/fig4.5a", "hxh/fig4.5b", "hxh/table4.1"}),
    ],
)
def test_names_choose_figures_and_panels(ids: list[str], panels: set[str]) -> None:
    assert {panel.id for figure in select(ids) for panel in figure.panels} == panels


def test_no_name_chooses_the_five_papers() -> None:
    papers = ["cxcc", "wxcp", "lecn", "hxh", "cl"]
    assert select([]) == select(papers)
    assert tuple(select([*papers, "wake", "compare", "today", "spots", "lora"])) == FIGURES


def test_a_paper_chooses_its_figures() -> None:
    assert tuple(select(["cxcc"])) == cxcc.FIGURES


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UnknownFigureError, match="cxcc/fig8"):
        select(["cxcc/fig7"])


@pytest.mark.long
def test_figures_come_with_verdicts_pictures_and_a_page_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Efforts, "choose", lambda *_, **__: SHORT)
    done = reproduce(["fig1b", "cxcc/fig5a"], quick=True, seeds=1, out=tmp_path, progress=False)
    assert done.runs == 7 + 1
    # what is true by construction, as the sequences of figure 5, is drawn and not judged
    assert {verdict.id for verdict in done.verdicts} == {"cxcc/fig1b"}
    assert all(verdict.verdict == UNDECIDED for verdict in done.verdicts)  # one run each
    written = json.loads((tmp_path / "verdicts.json").read_text())
    assert written["claims"][0]["id"] == "cxcc/fig1b"
    (paper,) = written["papers"]
    assert (paper["paper"], paper["cost"]["runs"]) == ("cxcc", 7)
    assert paper["cost"]["cpu_seconds"] > 0
    assert paper["each"][0]["command"] == "multihop reproduce cxcc/fig1b --quick --seeds 1"
    assert {tuple(row["ids"]) for row in written["rows"]} >= {("cxcc/fig1b",)}
    assert {path.name for path in done.files} == {
        f"cxcc-{name}.{kind}" for name in ("fig1", "fig5") for kind in ("png", "svg")
    }
    page = done.page.read_text()
    assert page.count("<figure") == 2
    assert "multihop reproduce fig1b cxcc/fig5a --quick --seeds 1" in page
    # Self-contained: nothing is loaded; the only links lead to the runs beside it.
    assert not re.findall(r'src="', page)
    links = set(re.findall(r'href="(?!#)([^"]*)"', page))
    assert links == {"data/cxcc-fig1.parquet"}
    assert pl.read_parquet(tmp_path / "data" / "cxcc-fig1.parquet")["study"].unique().len() == 1
    assert not re.findall(r"@import|url\((?!#)", page)


def test_pictures_are_the_same_every_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Efforts, "choose", lambda *_, **__: SHORT)
    first, second = (
        reproduce(["fig1b"], quick=True, seeds=1, out=tmp_path / name, progress=False)
        for name in ("a", "b")
    )
    assert [p.read_bytes() for p in first.files] == [p.read_bytes() for p in second.files]


def test_seeds_override_those_of_a_study() -> None:
    efforts = Efforts(full=Effort(False, 10, "5 s", "120 s"), quick=Effort(True, 3, "5 s", "60 s"))
    assert efforts.choose(quick=False, seeds=None).seeds == 10
    assert efforts.choose(quick=True, seeds=7) == Effort(True, 7, "5 s", "60 s")
    study = Study("studied", Path(), {}, {}, (1.0,), (1.0,), efforts)
    assert study.effort(quick=True, seeds=7).seeds == 7
    networks = replace(study, unit="x")
    assert networks.effort(quick=True, seeds=7).seeds == 3, "each is one of the sample"


@pytest.mark.long
def test_a_study_gets_as_many_seeds_as_its_widest_mean_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Efforts, "choose", lambda *_, **__: SHORT)
    rule = Until(0.02, "overhead", least=2, most=12)
    done = reproduce(["fig1b"], seeds=rule, out=tmp_path, progress=False)
    runs = pl.read_parquet(tmp_path / "data" / "cxcc-fig1.parquet")
    counts = runs.group_by("variant", "x").len()["len"].unique().to_list()
    assert len(counts) == 1
    points = [group["overhead"].to_list() for _, group in runs.group_by("variant", "x")]
    assert max(map(rule.wanted, points)) == counts[0]
    # Fewer would not do.
    assert counts[0] == 2 or any(rule.wanted(values[: counts[0] - 1]) > 2 for values in points)
    assert f"--precision overhead=2% --seeds 2 --max-seeds {rule.most}" in done.command
    # What is there counts.
    again = reproduce(["fig1b"], seeds=rule, out=tmp_path, progress=False)
    assert again.verdicts == done.verdicts


def test_studies_of_open_claims_get_more_seeds_and_each_look_spends_less() -> None:
    figures = select(["cxcc/fig8", "cxcc/fig22"])
    studies = {study.name: study for study in needed_studies(figures)}
    start = begun(dict.fromkeys(studies, SHORT), figures, rule := Decided(most=40))
    seeded = {name for name, study in studies.items() if study.unit == "seed"}
    assert {name for name, effort in start.items() if effort.seeds == 10} == seeded
    assert all(effort.networks == 0 for effort in start.values())
    panel = figures[0].panels[0]
    open_ = Verdict(panel.id, "", "", "", UNDECIDED)
    settled = Verdict(figures[0].panels[1].id, "", "", "", DIFFERS)
    efforts, spent = start, []
    for seeds in (20, 40, 40):
        spent.append(levels(efforts, figures, rule)[panel.id])
        efforts = grown(efforts, figures, rule, Data(), [open_, settled])
        mine = {study.name for study in panel.studies} & seeded
        assert {efforts[name].seeds for name in mine} == {seeds}
        assert all(efforts[name] == start[name] for name in studies.keys() - mine)
    assert grown(efforts, figures, rule, Data(), [settled]) == efforts
    assert spent == pytest.approx([1 / 3, 2 / 9, 4 / 27])
    assert levels(start, figures, None) == {}


def test_studies_of_networks_get_more_networks_and_keep_their_seeds() -> None:
    figures = select(["cxcc/fig15"])
    studies = {study.name: study for study in needed_studies(figures)}
    usual = {name: study.efforts.full for name, study in studies.items()}
    start = begun(usual, figures, rule := Decided(least=10, most=20))
    assert start == usual, "they begin with the networks of the paper"
    open_ = Verdict("cxcc/fig15a", "", "", "", UNDECIDED)
    efforts, spent = start, []
    for networks in (10, 20, 20):
        spent.append(levels(efforts, figures, rule)["cxcc/fig15a"])
        efforts = grown(efforts, figures, rule, Data(), [open_])
        assert efforts["random"] == replace(usual["random"], networks=networks)
        assert efforts["random-shadowing"] == usual["random-shadowing"]
        points = studies["random"].points(efforts["random"])
        assert {point.labels["x"] for point in points} == {*range(1, networks + 1)}
        assert {point.labels["seed"] for point in points} == {1, 2}
    assert spent == pytest.approx([1 / 3, 2 / 9, 4 / 27])
    assert efforts["random"].about == "2 seeds in each of 20 networks, 200 s measured after 50 s"


def test_what_no_claim_is_judged_by_keeps_its_seeds() -> None:
    figures = select(["cl/fig5"])
    usual = {study.name: study.efforts.full for study in needed_studies(figures)}
    assert usual["cl-rectangle-2"].seeds == 1, "drawn beside, from one run a point"
    start = begun(usual, figures, rule := Decided(least=10))
    assert (start["cl-rectangle-1"].seeds, start["cl-rectangle-2"].seeds) == (10, 1)
    open_ = Verdict("cl/fig5", "", "", "", UNDECIDED)
    efforts = grown(start, figures, rule, Data(), [open_])
    assert (efforts["cl-rectangle-1"].seeds, efforts["cl-rectangle-2"].seeds) == (20, 1)
    assert levels(efforts, figures, rule) == pytest.approx({"cl/fig5": 2 / 9})
    assert begun(usual, figures, Until(0.05))["cl-rectangle-2"].seeds == 20


def test_what_cannot_grow_is_looked_at_once() -> None:
    """Five networks are no fewer than the most: one look takes all of the probability."""
    figures = select(["cxcc/fig15", "cxcc/fig22"])
    usual = {study.name: study.efforts.full for study in needed_studies(figures)}
    rule = Decided(least=2, most=9)
    found = levels(begun(usual, figures, rule), figures, rule)
    assert found["cxcc/fig15a"] == 1.0
    assert found["cxcc/fig22"] == pytest.approx(1 / 3)


def test_an_interval_of_a_look_is_wider() -> None:
    alone = mean([1.0, 2.0, 3.0])
    with spending(1 / 3):
        look = mean([1.0, 2.0, 3.0])
    assert look.high - look.value == pytest.approx(student_t(2, 1 - 0.05 / 3) / 3**0.5)
    assert alone.high - alone.value == pytest.approx(student_t(2) / 3**0.5)
    assert mean([1.0, 2.0, 3.0]) == alone
