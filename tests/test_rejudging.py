"""Claims judged once more with seeds that the project does not use."""

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from multihop import rejudge
from multihop.cli import app
from multihop.reporting.verdicts import Verdict
from multihop.reproducing import rejudging
from multihop.reproducing.registry import FIGURES
from multihop.reproducing.rejudging import Rejudged, drawn
from multihop.reproducing.spec import Claim, Effort, Efforts, Finding, Study
from multihop_papers import wxcp
from multihop_papers.cxcc.rivals import LONG
from multihop_papers.wxcp.setup import TWO_FLOWS

SHORT = Effort(quick=True, seeds=2, warmup="5 s", duration="1 s")


def test_runs_have_other_seeds_and_networks_other_numbers() -> None:
    def labels(study: Study, first: int) -> set[tuple[float, int]]:
        points = study.points(SHORT, first_seed=first)
        return {(p.labels["x"], p.scenario.to_dict()["seed"]) for p in points}

    lengths = {float(x) for x in TWO_FLOWS.quick_values}
    assert labels(TWO_FLOWS, 1001) == {(x, seed) for x in lengths for seed in (1001, 1002)}
    assert labels(LONG, 1001) == {(x, seed) for x in (1001.0, 1002.0) for seed in (1001, 1002)}
    network = LONG.points(SHORT, first_seed=1001)[0].scenario
    assert network.to_dict()["topology"]["topology_seed"] == 1001


def test_traces_have_other_seeds() -> None:
    traces = [t for figure in FIGURES for panel in figure.panels for t in panel.traces]
    for trace in traces:
        own = trace.scenario().to_dict()["seed"]
        assert trace.scenario(first_seed=1001).to_dict()["seed"] == own + 1000


def test_a_sample_is_drawn_by_its_seed() -> None:
    def names(sample: int | None, seed: int) -> list[tuple[str, str]]:
        found = drawn(wxcp.FIGURES, sample, seed)
        return [(p.id, c.text) for figure in found for p in figure.panels for c in p.claims]

    every = names(None, 1)
    assert len(names(5, 1001)) == 5
    assert names(5, 1001) == names(5, 1001)
    assert names(5, 1001) != names(5, 2001)
    assert set(names(5, 1001)) <= set(every)
    assert names(len(every) + 1, 1001) == every


def claim(text: str, finding: Finding) -> Claim:
    return Claim(text, "so", lambda _: finding)


def test_each_verdict_stands_beside_the_stored_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Efforts, "choose", lambda *_, **__: SHORT)
    [panel] = wxcp.FIGURES[0].panels
    judged = (
        claim("it holds", Finding(True, "1", (0.9, 1.1))),
        claim("it is so", Finding(None, "2")),
        claim("it is new", Finding(False, "3")),
    )
    study = replace(TWO_FLOWS, values=(1.0,), quick_values=(1.0,), variants={})
    figure = replace(wxcp.FIGURES[0], panels=(replace(panel, claims=judged, studies=(study,)),))
    monkeypatch.setattr(rejudging, "select", lambda _: [figure])
    kept = [
        Verdict(panel.id, "it holds", "so", "1", "reproduced"),
        Verdict(panel.id, "it is so", "so", "1", "differs"),
    ]
    monkeypatch.setattr(rejudging.stored, "verdicts_of", lambda _: kept)
    done = rejudge(["wxcp/fig1"], first_seed=1001, out=tmp_path, progress=False)
    assert [one.row[2:] for one in done.claims] == [
        ("reproduced", "reproduced", "same"),
        ("differs", "undecided", "other"),
        ("not stored", "differs", ""),
    ]
    assert str(done) == "1 of 2 verdicts are the same with seeds from 1001"
    found = done.to_dict()
    assert found["command"] == "multihop reproduce wxcp/fig1 --first-seed 1001"
    assert [one["same"] for one in found["claims"]] == [True, False, None]
    assert found["claims"][0]["other"]["interval"] == (0.9, 1.1)


def test_a_verdict_without_a_stored_one_is_neither_same_nor_other() -> None:
    other = Verdict("wxcp/fig2", "it is so", "so", "1", "reproduced")
    assert Rejudged(None, other).same is None


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--sample", "3"], "add --first-seed"),
        (["--first-seed", "1001", "--with", "mac.header=34 B"], "leave out --with"),
    ],
)
def test_options_that_do_not_go_together_are_refused(arguments: list[str], reason: str) -> None:
    result = CliRunner().invoke(app, ["reproduce", "wxcp/fig2", *arguments])
    assert result.exit_code == 2
    assert reason in " ".join(result.output.replace("│", " ").split())


def test_what_has_no_claims_is_named() -> None:
    with pytest.raises(rejudging.SweepError, match="wxcp/fig1 has no claims"):
        rejudge(["wxcp/fig1"], first_seed=1001)
