"""Every claim of CXCC's figures 14 to 22 must be able to hold, and to fail."""

from functools import cache

import polars as pl
import pytest

from multihop.reproducing.spec import Claim, Data, Panel
from multihop_papers import cxcc
from multihop_papers.cxcc.connections import connections, counted, overhead
from multihop_papers.cxcc.rivals import (
    CXCC,
    ERRORS,
    LONG,
    NEWRENO,
    NEWRENO_RTS,
    PACKET_BITS,
    SHORT,
    bit_errors,
)
from multihop_papers.cxcc.starving import starved
from multihop_papers.cxcc.streams import durations, rates, transfers
from tests.rival_worlds import PACKETS, world
from tests.worlds import claims, null, studies

FIGURES = [figure for figure in cxcc.FIGURES if int(figure.id.removeprefix("cxcc/fig")) >= 14]
CLAIMS = claims(FIGURES)
STUDIES = studies(panel for figure in FIGURES for panel in figure.panels)


@cache
def data(as_the_paper: bool) -> Data:
    return Data({name: world(study, as_the_paper) for name, study in STUDIES.items()})


@pytest.mark.parametrize(("panel", "claim"), CLAIMS)
def test_every_claim_holds_where_all_is_as_the_paper_says(panel: Panel, claim: Claim) -> None:
    finding = claim.judge(data(as_the_paper=True))
    assert finding.holds, finding.measured


@pytest.mark.parametrize(("panel", "claim"), CLAIMS)
def test_every_claim_fails_where_nothing_is(panel: Panel, claim: Claim) -> None:
    finding = claim.judge(data(as_the_paper=False))
    assert not finding.holds, finding.measured


@cache
def without_relations(packets: float) -> Data:
    """Make every connection deliver so many packets, and one series that of all."""
    levelled = null(data(as_the_paper=True))
    for study in levelled.studies.values():
        if "delivered" in study.flows.columns:
            study.flows = study.flows.with_columns(delivered=pl.lit(packets))
        if "series" in study.others:
            own = study.others["series"].filter(variant=CXCC)
            names = study.study.variants
            alike = [own.with_columns(variant=pl.lit(name)) for name in names]
            study.others = {"series": pl.concat(alike)}
    return levelled


# Where every connection delivers enough, none is starved.
ABSOLUTE = "CXCC never starves a connection"


@pytest.mark.parametrize("packets", [10.0, 100.0])
@pytest.mark.parametrize(("panel", "claim"), CLAIMS)
def test_no_claim_holds_where_nothing_depends_on_anything(
    panel: Panel, claim: Claim, packets: float
) -> None:
    finding = claim.judge(without_relations(packets))
    expected = claim.text == ABSOLUTE and packets > 50
    assert bool(finding.holds) == expected, finding.measured


def test_the_bit_error_rate_is_that_at_which_full_packets_are_lost() -> None:
    rate = bit_errors(40)["radio.bit_error_rate"]
    assert (1 - rate) ** PACKET_BITS == pytest.approx(0.6)
    assert rate == pytest.approx(1.12e-4, rel=0.01)
    assert bit_errors(0)["radio.bit_error_rate"] == 0
    assert ERRORS.values[0] == 0, "everything is relative to this"


def test_connections_are_means_over_the_runs_of_a_scenario() -> None:
    measured = data(as_the_paper=True).studies[LONG.name]
    found = connections(measured, NEWRENO)
    assert found.height == 5 * len(LONG.quick_values)
    assert found.filter(x=1)["goodput_bit_s"].to_list() == [400e3, 150e3, 50e3, 10e3, 100]
    assert (starved(measured, NEWRENO), starved(measured, NEWRENO_RTS)) == (2, 4)
    assert counted(measured).filter(x=1)["flow"].to_list() == [0, 1, 2]


def test_a_run_that_delivers_nothing_has_no_delay() -> None:
    measured = world(LONG, as_the_paper=True)
    silent = pl.when(seed=2).then(float("nan")).otherwise(pl.col("network_delay_mean_s"))
    measured.flows = measured.flows.with_columns(network_delay_mean_s=silent)
    assert connections(measured, CXCC)["network_delay_mean_s"].to_list()[:1] == pytest.approx(
        [0.04]
    )


def test_overhead_is_that_of_all_scenarios_together_with_preambles() -> None:
    measured = data(as_the_paper=True).studies[LONG.name]
    # 1000 frames of 24 B of preamble beside 1 MB.
    assert overhead(measured, CXCC) == pytest.approx(1.4 * 1.024)


def test_a_transfer_that_is_not_complete_ends_with_the_run() -> None:
    measured = world(SHORT, as_the_paper=True)
    assert durations(measured, CXCC)[:2].tolist() == [10, 11]
    assert rates(measured, CXCC)[0] == pytest.approx(8 * 512 * PACKETS / 10)
    cut = pl.when(variant=CXCC, flow=0).then(PACKETS - 1).otherwise(pl.col("run_delivered"))
    measured.flows = measured.flows.with_columns(run_delivered=cut)
    assert transfers(measured, CXCC)["duration_s"].to_list()[:2] == [600, 11]
