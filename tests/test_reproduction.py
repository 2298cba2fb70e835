import json
import re
from pathlib import Path

import polars as pl
import pytest

from multihop import UnknownFigureError, reproduce
from multihop.papers import FIGURES, cxcc
from multihop.papers.spec import Effort, Efforts
from multihop.reproduction import select

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
    assert tuple(select([*papers, "wake", "compare"])) == FIGURES


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
    assert {verdict.id for verdict in done.verdicts} == {"cxcc/fig1b", "cxcc/fig5a"}
    assert all(verdict.verdict in ("reproduced", "differs") for verdict in done.verdicts)
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
