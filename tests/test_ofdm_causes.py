"""Causes that pages name for what schemes do on radios of OFDM, each by switching one thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

import numpy as np
import pytest

from multihop import Scenario, run_many
from multihop.reproducing.spec import Study
from multihop_papers.compare import radios as compared
from multihop_papers.today import setups
from multihop_papers.today.radios import RADIOS, STEPS, Radio

pytestmark = pytest.mark.engine
BY_ID = {radio.id: radio for radio in (*RADIOS, *STEPS)}


def goodput(scenarios: Sequence[Scenario]) -> list[float]:
    return [
        float(result.runs["goodput_bit_s"][0]) for result in run_many(scenarios, progress=False)
    ]


def transfers(radio: Radio, scheme: str, hops: float, **settings: float) -> float:
    """Return the goodput of one transfer, as the study of today's radios has it, in 2 s."""
    study = setups.studies(radio)["transfer-chain"]
    variant = study.variants[scheme]
    variant = replace(variant, settings={**variant.settings, **settings})
    points = replace(study, values=(hops,), variants={scheme: variant}, quick_variants=()).points(
        replace(study.efforts.full, seeds=1, warmup="2 s", duration="2 s")
    )
    [found] = goodput([point.scenario for point in points])
    return found


@pytest.mark.parametrize("name", ["a6-82", "a6-91", "a24-82", "a54-91", "n52-82", "n-minstrel"])
def test_lecn_marks_nothing_for_a_single_transfer(name: str) -> None:
    assert transfers(BY_ID[name], "lecn", 8) == transfers(BY_ID[name], "newreno", 8)


@pytest.mark.parametrize("name", ["a24-82", "a54-91"])
def test_with_its_threshold_in_exchanges_lecn_gains_over_long_chains(name: str) -> None:
    own = transfers(BY_ID[name], "lecn", 8, **{"scheme.threshold_exchanges": 11})
    assert own > 1.02 * transfers(BY_ID[name], "newreno", 8)


def test_lecn_marks_on_the_radio_of_its_paper() -> None:
    study = setups.studies(BY_ID["ns2"])["transfer-chain"]
    chosen = {name: study.variants[name] for name in ("lecn", "newreno")}
    points = replace(study, values=(8.0,), variants=chosen, quick_variants=()).points(
        replace(study.efforts.full, seeds=1)
    )
    lecn, newreno = goodput([point.scenario for point in points])
    assert lecn != newreno


def test_without_aggregation_hxh_gains_over_newreno_as_on_80211a() -> None:
    radios = (BY_ID[name] for name in ("n52-82", "alone"))
    gains = [transfers(radio, "hxh", 6) / transfers(radio, "newreno", 6) for radio in radios]
    assert gains[0] < 0.5
    assert gains[1] > 1.5


def cxcc(name: str, load: float, seeds: int) -> list[float]:
    """Return CXCC's goodput in bit/s over the chain with two ways, at a share of its saturation."""
    study = setups.studies(BY_ID[name])["bidirectional-chain"]
    chosen = {"cxcc": study.variants["cxcc"]}
    points = replace(study, values=(load,), variants=chosen).points(
        replace(study.efforts.full, seeds=seeds)
    )
    return goodput([point.scenario for point in points])


def test_cxcc_alone_on_80211n_collapses_at_all_loads_but_the_lowest() -> None:
    for load in (0.25, 4.0):
        assert max(cxcc("n52-82", load, 1)) < 5e4, "as the page says, hardly anything"
    assert max(cxcc("alone", 0.25, 10)) > 1e6, "all that is offered"
    assert max(cxcc("alone", 0.5, 1)) < 5e4


def with_thinning(study: Study, scheme: str) -> list[float]:
    """Return the goodput of a TCP with ACK thinning in some of the random networks."""
    lecn = study.variants["lecn"]
    assert lecn.settings["scheme.ack_thinning"] is True
    chosen = {scheme: replace(lecn, scheme=scheme)}
    points = replace(study, variants=chosen, quick_variants=(), values=study.values[:10]).points(
        study.efforts.full
    )
    return goodput([point.scenario for point in points])


@pytest.mark.parametrize("radio", ["a24_82", "a24_91"])
def test_in_random_networks_thinning_leads_and_not_lecn(radio: str) -> None:
    study = compared.RADIO_NETWORKS[radio][1].schemes
    ratios = np.divide(with_thinning(study, "newreno"), with_thinning(study, "lecn"))
    assert fmean(np.log(ratios)) > np.log(0.98)


def test_where_packets_of_batches_have_lives_udp_both_ways_repeats_and_carries_nothing() -> None:
    found = {}
    for name in ("n52-82", "lives"):
        study = setups.studies(BY_ID[name])["bidirectional-chain"]
        chosen = {setups.UDP: study.variants[setups.UDP]}
        points = replace(study, values=(0.25,), variants=chosen, quick_variants=()).points(
            replace(study.efforts.full, seeds=1)
        )
        [result] = run_many([point.scenario for point in points], progress=False)
        found[name] = result.runs.select("goodput_bit_s", "overhead").row(0)
    (attempts, few), (lives, many) = found.values()
    assert attempts > 10 * lives
    assert many > 10 * few
