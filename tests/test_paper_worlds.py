"""The claims of papers, in worlds where they hold, where they do not, and where nothing depends."""

from functools import cache

import pytest
from matplotlib.figure import Figure

from multihop.reporting.verdicts import paper_of
from multihop.reproducing.spec import Claim, Data, Panel
from multihop_papers import cl, lecn, wxcp
from tests import cl_worlds, lecn_worlds, wxcp_worlds
from tests.worlds import claims, verdict

WORLDS = {"lecn": lecn_worlds, "cl": cl_worlds, "wxcp": wxcp_worlds}
FIGURES = (*lecn.FIGURES, *cl.FIGURES, *wxcp.FIGURES)
CLAIMS = claims(FIGURES)
PANELS = [panel for figure in FIGURES for panel in figure.panels]
# Of each paper: exactly the same everywhere, and up to chance.
NULLS = range(5)


def world(panel: Panel, as_the_paper: bool) -> Data:
    return WORLDS[paper_of(panel.id)].world(as_the_paper=as_the_paper)


@cache
def unrelated(paper: str, number: int) -> Data:
    return WORLDS[paper].NULLS[number]()


@pytest.mark.parametrize(("panel", "claim"), CLAIMS)
def test_every_claim_holds_where_all_is_as_the_paper_says(panel: Panel, claim: Claim) -> None:
    holds, text = verdict(claim, world(panel, as_the_paper=True))
    assert holds, text


@pytest.mark.parametrize(("panel", "claim"), CLAIMS)
def test_every_claim_fails_where_nothing_is(panel: Panel, claim: Claim) -> None:
    holds, text = verdict(claim, world(panel, as_the_paper=False))
    assert not holds, text


@pytest.mark.parametrize(("panel", "claim"), CLAIMS)
def test_no_claim_holds_where_nothing_depends_on_anything(panel: Panel, claim: Claim) -> None:
    """An interval of 95 % leaves out what is so in one of forty worlds, on either side."""
    found = [verdict(claim, unrelated(paper_of(panel.id), number)) for number in NULLS]
    held = [number for number, (holds, _) in enumerate(found) if holds]
    assert 0 not in held, found[0][1]
    assert len(held) <= 1, [found[number][1] for number in held]


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel.id)
def test_every_panel_can_be_drawn(panel: Panel) -> None:
    axes = Figure().add_subplot()
    panel.draw(axes, world(panel, as_the_paper=True))
    assert axes.get_ylabel() or axes.texts
