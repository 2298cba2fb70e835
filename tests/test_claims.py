"""Every claim must be able to hold, and to fail: those of CXCC's figures 1 to 13.

Its other figures have `test_rivals.py`, and other papers files of their own.
"""

from collections.abc import Callable
from copy import copy
from functools import cache

import polars as pl
import pytest

from multihop.reproducing.registry import FIGURES, ROWS
from multihop.reproducing.spec import Claim, Data, Panel
from multihop_papers import cxcc
from multihop_papers.cxcc.overhead import EARLY, LOST_ACKNOWLEDGMENT, LOST_DATA
from multihop_papers.cxcc.setup import BASIC, RFA, TIMEOUTS, UDP, UDP_RTS
from tests.worlds import Rule, measured, null

HALF = [figure for figure in cxcc.FIGURES if int(figure.id.removeprefix("cxcc/fig")) <= 13]
CLAIMS = [
    pytest.param(panel, claim, id=f"{panel.id} {claim.text}")
    for figure in HALF
    for panel in figure.panels
    for claim in panel.claims
]
PANELS = {panel.id: panel for figure in HALF for panel in figure.panels}
REASONS = (EARLY, LOST_DATA, LOST_ACKNOWLEDGMENT)
Row = dict[str, float]
# A load that is among those of `--quick`, as the highest that is carried.
KNEE = 60.0
World = Callable[[str, str, float], Row]


def one_way(study: str) -> bool:
    return "bidirectional" not in study


def the_papers(study: str, variant: str, load: float) -> Row:
    """Make a world in which everything is as the paper says."""
    udp, crossed = variant in (UDP, UDP_RTS), "cross" in study
    best = 140e3 if variant != UDP_RTS else 120e3
    late: float = {UDP: 5, UDP_RTS: 5, BASIC: 2, RFA: 1}[variant] if load > KNEE else 1
    if variant == RFA and load == KNEE:
        late = 1.5
    bulk = {UDP: 4, UDP_RTS: 4.4, BASIC: 3.5 if one_way(study) else 2, RFA: 1.3}[variant]
    goodput = min(load / KNEE, 1) * best
    if variant == BASIC:
        goodput = min(goodput, 0.6 * best)
    if udp and load > KNEE:
        goodput = best * (0.7 if one_way(study) else 0.2) * (0.95 if crossed else 1)
        late, bulk = (late * 1.1, bulk * 1.1) if crossed else (late, bulk)
    if study.startswith("wired"):
        goodput = min(load * 2e3, 1.9e6)
    if study == TIMEOUTS.name:
        goodput = 0.6 * best * (1 - load / 50)
    row = {"goodput_bit_s": goodput, "network_delay_mean_s": 0.05 * late, "overhead": bulk}
    if study.endswith("shadowing"):
        row["goodput_bit_s"] *= 0.7 if not udp or load <= KNEE else 0.55
        row["network_delay_mean_s"] *= 1.3 if udp and load > KNEE else 1.2
        row["overhead"] *= 1.3 if udp or variant == BASIC else 1.1
    counts = {LOST_DATA: 10.0, LOST_ACKNOWLEDGMENT: 20.0, EARLY: 100.0}
    return row | counts | {"medium_bytes": 1e6, "transmissions": 1e3}


def the_opposite(study: str, variant: str, load: float) -> Row:
    """Make a world in which nothing is."""
    udp, crossed = variant in (UDP, UDP_RTS), "cross" in study
    best = {UDP: 100e3, UDP_RTS: 200e3, BASIC: 200e3, RFA: 60e3}[variant]
    beyond = load > KNEE
    goodput = min(load / KNEE, 1) * best * (30 / load if beyond else 1)
    if udp and not one_way(study):
        goodput = min(load / KNEE, 1) * best
    if study.startswith("wired"):
        goodput = 1e6 if load < 1000 else 0.3e6
    if study == TIMEOUTS.name:
        goodput = best * (1 + load)
    row = {
        "goodput_bit_s": goodput * (1.2 if crossed and udp else 1),
        "network_delay_mean_s": (0.05 if beyond or variant == RFA else 0.2)
        * (0.9 if crossed else 1),
        "overhead": {UDP: 1.0, UDP_RTS: 1.1, BASIC: 8.0, RFA: 5.0}[variant],
    }
    if crossed and variant == RFA:
        row["network_delay_mean_s"] *= 2
        row["overhead"] *= 2
    if study.endswith("shadowing"):
        row["goodput_bit_s"] *= 1.5 if variant != RFA else 1.1
        row["network_delay_mean_s"] *= 0.5 if variant != RFA else 0.9
        row["overhead"] *= 0.5 if variant != RFA else 0.9
    counts = {LOST_DATA: 50.0, LOST_ACKNOWLEDGMENT: 50.0, EARLY: 10.0}
    return row | counts | {"medium_bytes": 1e6, "transmissions": 1e3}


def losses(variant: str, load: float, as_the_paper: bool) -> Row:
    """Return what is lost of a flow: by the MAC, and at the source, which is no loss on the way."""
    udp = variant in (UDP, UDP_RTS)
    retries = (load if load > KNEE else 0.0) if udp else 0.0
    if not as_the_paper:
        retries = 400 - load
    return {"lost_retries_spent": retries, "lost_source_buffer_full": 500.0}


@cache
def data(name: str, as_the_paper: bool) -> Data:
    """Make what the panel of that name looks at, once for all its claims."""
    panel = PANELS[name]
    world: World = the_papers if as_the_paper else the_opposite
    shares = (100, 100) if as_the_paper else (100, 5)

    def rule(study: str) -> Rule:
        def row(variant: str, x: float, _: int) -> tuple[Row, list[Row]]:
            lost = losses(variant, x, as_the_paper)
            flows = [{"delivered": float(share), **lost} for share in shares]
            return {"duration_s": 60.0, **world(study, variant, x)}, flows

        return row

    return Data({study.name: measured(study, rule(study.name)) for study in panel.studies})


@pytest.mark.parametrize(("panel", "claim"), CLAIMS)
def test_every_claim_holds_where_all_is_as_the_paper_says(panel: Panel, claim: Claim) -> None:
    finding = claim.judge(data(panel.id, as_the_paper=True))
    assert finding.holds, finding.measured


@pytest.mark.parametrize(("panel", "claim"), CLAIMS)
def test_every_claim_fails_where_nothing_is(panel: Panel, claim: Claim) -> None:
    finding = claim.judge(data(panel.id, as_the_paper=False))
    assert not finding.holds, finding.measured


@cache
def without_relations(name: str) -> Data:
    return null(data(name, as_the_paper=True), by_lot=("delivered",), alike=REASONS)


@pytest.mark.parametrize(("panel", "claim"), CLAIMS)
def test_no_claim_holds_where_nothing_depends_on_anything(panel: Panel, claim: Claim) -> None:
    finding = claim.judge(without_relations(panel.id))
    assert not finding.holds, finding.measured


@cache
def contradictory(name: str) -> Data:
    """Let the first run be as the paper says, and the second one the opposite."""
    panel = PANELS[name]

    def rule(study: str) -> Rule:
        def row(variant: str, x: float, seed: int) -> tuple[Row, list[Row]]:
            one = seed == 1
            world: World = the_papers if one else the_opposite
            flows = [
                {"delivered": float(share), **losses(variant, x, one)}
                for share in ((100, 100) if one else (100, 5))
            ]
            return {"duration_s": 60.0, **world(study, variant, x)}, flows

        return row

    return Data({study.name: measured(study, rule(study.name)) for study in panel.studies})


@pytest.mark.parametrize(("panel", "claim"), CLAIMS)
def test_runs_that_contradict_each_other_decide_nothing(panel: Panel, claim: Claim) -> None:
    finding = claim.judge(contradictory(panel.id))
    assert finding.holds is None, finding.measured
    assert finding.interval or "no interval" in finding.measured


@cache
def rising(name: str) -> Data:
    world = data(name, as_the_paper=True)
    studies = {name: copy(study) for name, study in world.studies.items()}
    for study in studies.values():
        study.runs = study.runs.with_columns(goodput_bit_s=1e3 * pl.col("x"))
    return Data(studies)


@pytest.mark.parametrize(("panel", "claim"), CLAIMS)
def test_every_claim_can_be_judged_where_no_optimum_is_reached(panel: Panel, claim: Claim) -> None:
    assert claim.judge(rising(panel.id)).measured


def test_a_panel_names_the_studies_that_its_claims_look_at() -> None:
    # What is drawn and not judged: every run with the paper's rules shows it.
    unjudged = {row.ids[0].partition("/")[0] for row in ROWS if row.partly} | {"compare"}
    for figure in FIGURES:
        for panel in figure.panels:
            assert panel.studies or panel.traces or not panel.claims
            assert panel.id.startswith(figure.id)
        judged = any(panel.claims for panel in figure.panels)
        assert judged or figure.id.partition("/")[0] in unjudged
