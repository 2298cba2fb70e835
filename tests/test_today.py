"""The study of today's radios: its claims, its radios, and how set-ups become theirs."""

import math
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from multihop import run, run_many
from multihop.reporting.report import Table
from multihop.reporting.verdicts import DIFFERS, REPRODUCED
from multihop.reproducing.judging import Estimate
from multihop.reproducing.preregistered import read
from multihop.reproducing.registry import CITATIONS
from multihop.reproducing.spec import Data, Effort, StudyData
from multihop.reproducing.stored import verdicts_of
from multihop_papers.today import league, picture, spots
from multihop_papers.today.__main__ import measured
from multihop_papers.today.central import CLAIMS, Central
from multihop_papers.today.figures import figure, judged
from multihop_papers.today.league import PLACES, adaptations
from multihop_papers.today.measures import MEASURED
from multihop_papers.today.page import joined, tables
from multihop_papers.today.radios import RADIOS, STEPS, Radio
from multihop_papers.today.setups import NEWRENO, VARIANTS, refusal, studies

pytestmark = pytest.mark.engine
BY_ID = {radio.id: radio for radio in (*RADIOS, *STEPS)}


class Curves:
    """Means over runs, in place of measured data: a row for each x, by variant."""

    def __init__(self, x: list[float], rows: dict[str, list[float]]) -> None:
        self.x, self.rows = np.array(x), rows

    def mean(self, variant: str, _: str) -> Any:
        return np.array(self.rows[variant])


def test_every_claim_is_of_a_paper_has_a_bound_and_is_measured_where_it_says() -> None:
    assert len({claim.id for claim in CLAIMS}) == len(CLAIMS) >= 25
    assert {claim.paper for claim in CLAIMS} == set(CITATIONS)
    assert {claim.id for claim in CLAIMS} == set(MEASURED)
    for claim in CLAIMS:
        assert next(iter(MEASURED[claim.id].needs)) == claim.setup
        _, bound = read(claim.bound)
        assert 0 <= bound < 2
        for setup, names in MEASURED[claim.id].needs.items():
            assert set(names) <= set(studies(RADIOS[0])[setup].variants)


@pytest.mark.parametrize("name", BY_ID)
def test_radios_are_as_the_engine_measures_them(name: str) -> None:
    radio = BY_ID[name]
    found = measured(radio)
    assert (found.range_m, found.sense_m) == (radio.range_m, radio.sense_m)
    assert found.link_packets_s == pytest.approx(radio.link_packets_s, rel=0.01)


def test_a_set_up_keeps_hops_in_sensing_ranges_and_packets() -> None:
    ns2, fast, lora = (BY_ID[name] for name in ("ns2", "a54-91", "lora11"))
    assert ns2.spacing_m == pytest.approx(200)
    assert fast.spacing_m == pytest.approx(0.8 * fast.range_m), "its rate does not carry farther"
    assert lora.spacing_m == pytest.approx(lora.sense_m / 2.75)
    assert (ns2.seconds(60), fast.seconds(60)) == pytest.approx((60, 10))
    assert lora.seconds(60) * lora.link_packets_s == pytest.approx(60 * ns2.link_packets_s)


def test_what_a_radio_does_not_take_is_left_out_and_said() -> None:
    lora = BY_ID["lora11"]
    wxcp = VARIANTS["grid"]["wxcp"]
    assert refusal(BY_ID["ns2"], wxcp) == ""
    assert "link acknowledgments" in refusal(lora, wxcp)
    assert set(studies(lora)["grid"].variants) == {NEWRENO}
    assert not figure(lora).panels[5].claims, "nothing is left to compare"
    assert "`wxcp-efficiency`" in tables()["today refusals"]


def test_a_league_has_schemes_with_and_without_what_adapts_them() -> None:
    ht, lora = (BY_ID[name] for name in ("n52-82", "lora11"))
    assert adaptations(BY_ID["ns2"]) == {}
    assert {own.scheme for own in adaptations(lora).values()} == {"cxcc-lora"}
    points = league.studies(ht)["league-chain"].points(Effort(True, 1, "1.2 s", "0.5 s"))
    goodput = {
        str(point.labels["variant"]): float(run(point.scenario).runs["goodput_bit_s"][0])
        for point in points
    }
    for name in adaptations(ht):
        assert goodput[name] != goodput[name.removesuffix("-adapted")], name


def test_settling_is_until_goodput_is_near_its_mean_for_the_first_time() -> None:
    rising = np.array([0] * 10 + [5] * 10 + [8] * 40, dtype=float)
    assert league.settling(rising, 20) == 18, "ten intervals from there have 7.4 in the mean"
    assert league.settling(np.full(60, 8.0), 20) == 0
    assert math.isnan(league.settling(np.array([8.0] * 20 + [0] * 40), 20)), "nothing is measured"
    assert league.settling(np.array([0.0, 8.0] * 15 + [0] * 30), 0) == 60, "never"


def test_settling_is_timed_from_the_start_in_every_run() -> None:
    whole = league.studies(BY_ID["a54-91"])["league-chain"]
    study = replace(whole, variants={name: whole.variants[name] for name in ("wake", "newreno")})
    points = study.points(Effort(True, 2, "2 s", "2 s"))
    results = run_many([point.scenario for point in points], progress=False)
    runs, flows, series = (
        pl.concat(
            [
                getattr(result, table)
                .drop("seed", strict=False)
                .with_columns(pl.lit(value).alias(key) for key, value in point.labels.items())
                for point, result in zip(points, results, strict=True)
            ],
            how="diagonal_relaxed",
        )
        for table in ("runs", "flows", "series")
    )
    data = Data({study.name: StudyData(study, runs, flows, {"series": series})})
    for name in study.variants:
        seconds = league.values(data, study, name, league.SETTLING)
        assert seconds.shape == (2,)
        assert ((seconds >= 0) & (seconds < 4)).all()


def claim(name: str) -> Central:
    return next(claim for claim in CLAIMS if claim.id == name)


def test_measures_are_what_the_claims_say() -> None:
    loads = Curves([0.5, 1, 4], {"udp": [5, 10, 4], "cxcc": [5, 8, 8]})
    assert MEASURED["cxcc-collapse"].measure(loads) == pytest.approx(0.4)
    assert MEASURED["cxcc-utilizes"].measure(loads) == pytest.approx(0.8)
    rates = Curves(
        [1, 1.25, 2],
        {"udp-2": [5, 6, 8], "udp-4": [8, 4, 2], "udp-6": [8, 6, 2], "udp-8": [8, 7, 1]},
    )
    assert MEASURED["cl-route"].measure(rates) == pytest.approx(2)
    assert MEASURED["cl-loss"].measure(rates) == pytest.approx(0.5), "over 4 hops"
    assert MEASURED["cl-fixed"].measure(rates) == pytest.approx(32 / 29)
    transfers = Curves([2, 4, 6, 8], {"reno": [8, 4, 4, 2], "newreno": [8, 4, 3, 1]})
    assert MEASURED["cl-double"].measure(rates, transfers) == pytest.approx((2 + 2 + 4) / 3)
    assert MEASURED["lecn-degrades"].measure(transfers) == pytest.approx(0.5)


def test_nothing_delivered_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    own = claim("hxh-double")
    nothing = Estimate(math.nan, math.nan, math.nan)
    monkeypatch.setattr("multihop.reproducing.preregistered.estimate", lambda *_: nothing)
    finding = judged(own, studies(RADIOS[0])).judge(Data())
    assert finding.holds is None
    assert "delivers nothing" in finding.measured


def newreno(radio: Radio, setup: str, **more: Any) -> float:
    study = studies(radio)[setup]
    points = study.points(study.efforts.quick)
    scenario = next(p.scenario for p in points if p.labels["variant"] == NEWRENO)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(run(scenario.with_(**more)).runs["goodput_bit_s"].item())


@pytest.mark.parametrize("setup", ["grid", "dumbbell"])
def test_requests_that_reach_farther_than_data_leave_aodv_without_routes(setup: str) -> None:
    """What `docs/today` says of 802.11a at 54 Mbit/s."""
    radio = BY_ID["a54-82"]
    assert newreno(radio, setup, **{"mac.basic_rate": "6 Mbit/s"}) == 0
    assert newreno(radio, setup) > 1e5


@pytest.mark.parametrize("routing", ["aodv", "fixed"])
def test_aodv_finds_no_routes_at_long_fast(routing: str) -> None:
    """What `docs/today` says of LoRa."""
    goodput = newreno(BY_ID["lora11"], "random", **{"routing.kind": routing})
    assert (goodput > 0) == (routing == "fixed")


def test_a_network_that_is_run_again_replaces_its_rows_alone() -> None:
    chain, drawn = (place.title for place in PLACES.values())
    header = ("network", "scheme")
    before = Table("t", header, [(chain, "UDP"), (drawn, "UDP"), (drawn, "CXCC")])
    after = joined(before, Table("t", header, [(drawn, "WAKE")]))
    assert list(after.rows) == [(chain, "UDP"), (drawn, "WAKE")]
    assert (chain, "UDP") not in joined(before, Table("t", header, [(chain, "CL")])).rows
    assert len(joined(before, Table("t", ("network",), [(chain,)])).rows) == 1


def verdicts(name: str, *radios: str) -> set[str]:
    """Return the stored verdicts on a claim, on these radios and steps, or on all radios."""
    found = {
        verdict.id.partition("/")[2].rpartition("-")[0]: verdict.verdict
        for verdict in verdicts_of("today")
        if verdict.claim.startswith(f"{name}:")
    }
    return {found[radio] for radio in radios or found.keys() - {step.id for step in STEPS}}


def measure(name: str, radio: str) -> float:
    """Return what was stored for a claim on a radio."""
    [found] = [
        verdict.measured
        for verdict in verdicts_of("today")
        if verdict.claim.startswith(f"{name}:")
        and verdict.id.partition("/")[2].rpartition("-")[0] == radio
    ]
    return float(found.partition(";")[0])


def test_what_the_page_says_of_the_radios_is_in_the_data() -> None:
    dsss = ("ns2", "standard", "ns3")
    fast = ("a24-82", "a24-91", "a54-82", "a54-91")
    ofdm = ("a6-82", "a6-91", *fast)
    for name in ("cxcc-collapse", "cxcc-rts", "wxcp-in-flight"):
        assert verdicts(name) == {REPRODUCED}
    for name in ("cxcc-adjusts", "cxcc-utilizes"):
        assert verdicts(name, *dsss, "a6-82") == {REPRODUCED}
        assert verdicts(name, *fast) == {DIFFERS}
    assert verdicts("cxcc-adjusts", "a6-91", "n52-82") == {REPRODUCED}
    assert verdicts("cxcc-utilizes", "a6-91", "n52-82") == {DIFFERS}
    assert measure("cxcc-utilizes", "n52-82") < 0.05
    assert verdicts("hxh-double", "a6-91", "a24-82", "a54-82", "a54-91") == {REPRODUCED}
    assert verdicts("hxh-double", *dsss, "a6-82", "a24-91", "n52-82", "n-minstrel") == {DIFFERS}
    assert verdicts("cl-double", *ofdm) == {REPRODUCED}
    assert verdicts("cl-double", "n52-82", "n-minstrel") == {DIFFERS}
    for name in ("wxcp-efficiency", "wxcp-fairness"):
        assert verdicts(name, "ns3") == {DIFFERS}
        assert DIFFERS not in verdicts(name, *ofdm)
    assert verdicts("wxcp-fairness", "n52-82", "n-minstrel") == {REPRODUCED}
    assert 0.15 < measure("wxcp-efficiency", "n52-82") < 0.25
    assert verdicts("lecn-enables", *dsss, "a54-82", "a54-91", "n52-82", "n-minstrel") == {
        REPRODUCED
    }
    assert verdicts("lecn-enables", "a24-82", "a24-91", "a6-91") == {DIFFERS}
    for radio in ("n52-82", "n-minstrel"):
        assert measure("lecn-enables", radio) == pytest.approx(1.3, abs=0.05)
        assert measure("hxh-double", radio) == pytest.approx(1 / 3, abs=0.05)
    lora = ("lora7", "lora11")
    for name in ("cxcc-adjusts", "cxcc-delay", "cl-double"):
        assert verdicts(name, *lora) == {REPRODUCED}
    for name in ("cxcc-utilizes", "cxcc-energy", "cl-flows"):
        assert verdicts(name, *lora) == {DIFFERS}
    assert REPRODUCED not in verdicts("cxcc-rfa", *lora)
    maps = ("map-leipzig", "map-essingen")
    assert verdicts("cxcc-tcp-unfair", *maps) == {REPRODUCED}
    assert verdicts("cl-flows", *maps) == {DIFFERS}


def test_what_the_page_says_of_steps_is_in_the_data() -> None:
    for step in ("ratio", "exponent"):
        assert measure("cxcc-utilizes", step) == pytest.approx(0.56, abs=0.01)
        assert measure("cxcc-utilizes", step) == min(
            measure("cxcc-utilizes", other.id) for other in STEPS if other.base == "ns2"
        )
        for name in ("lecn-degrades", "lecn-staying", "cl-double"):
            assert verdicts(name, step) == {REPRODUCED}
            assert REPRODUCED not in verdicts(name, "ns2")
    over_chains = [c.id for c in CLAIMS if c.setup in ("bidirectional-chain", "transfer-chain")]
    for name in over_chains:
        assert verdicts(name, "ratio") == verdicts(name, "exponent")
    for name in ("wxcp-efficiency", "wxcp-fairness", "cxcc-tcp-unfair"):
        assert verdicts(name, "ns2", "rules") == {REPRODUCED}
        assert verdicts(name, "sums", "ns3") == {DIFFERS}
    for step in ("b11", "frames"):
        assert verdicts("hxh-double", step) == verdicts("cl-double", step) == {REPRODUCED}
        assert verdicts("cxcc-utilizes", step) == verdicts("wxcp-efficiency", step) == {DIFFERS}
    turned = {
        step: sum(
            {*verdicts(claim.id, "ns2"), *verdicts(claim.id, step)} == {REPRODUCED, DIFFERS}
            for claim in CLAIMS
        )
        for step in ("rules", "sums")
    }
    assert turned["rules"] < turned["sums"]
    held = [claim.id for claim in CLAIMS if verdicts(claim.id, "ns2") == {REPRODUCED}]
    assert [name for name in held if verdicts(name, "no-eifs") == {DIFFERS}] == ["cxcc-utilizes"]


def test_what_the_page_says_of_packets_alone_is_in_the_data() -> None:
    turned = {
        claim.id
        for claim in CLAIMS
        if {*verdicts(claim.id, "n52-82"), *verdicts(claim.id, "alone")} == {REPRODUCED, DIFFERS}
    }
    hold = {name for name in turned if verdicts(name, "alone") == {REPRODUCED}}
    assert {name.partition("-")[0] for name in hold} == {"wxcp", "hxh", "lecn", "cl"}
    assert turned - hold == {"cxcc-adjusts"}
    a54 = [REPRODUCED in verdicts(name, "a54-82", "a54-91") for name in hold]
    assert sum(a54) > len(a54) / 2


def test_what_the_page_says_of_lives_is_in_the_data() -> None:
    turned = [
        claim.id
        for claim in CLAIMS
        if {*verdicts(claim.id, "n52-82"), *verdicts(claim.id, "lives")} == {REPRODUCED, DIFFERS}
    ]
    assert turned == ["cxcc-utilizes"]
    assert measure("cxcc-utilizes", "lives") > 1


def test_what_the_page_says_of_adaptations_is_in_the_data() -> None:
    gains: dict[tuple[str, str], list[float]] = {}
    for row in tables()["today adapted"].splitlines()[2:]:
        radio, _, title, *cells = row.strip("| ").split(" | ")
        pairs = (cell.split(" → ") for cell in cells if cell != "-")
        gains[radio.strip("`"), title] = [float(after) / float(before) for before, after in pairs]
    lecn = {r: own for (r, title), own in gains.items() if title.startswith("LECN")}
    lossy = [gain for radio, own in lecn.items() for gain in own if not BY_ID[radio].map]
    assert max(lossy) < 1
    assert min(lossy) == pytest.approx(0.61, abs=0.005)
    assert all(gain > 1 for radio, own in lecn.items() for gain in own if BY_ID[radio].map)
    for radio in ("a54-82", "a54-91", "n52-82"):
        assert gains[radio, "CL, one in 7 hops at a time"][0] > 1
    for radio in ("a6-82", "a6-91"):
        assert gains[radio, "CL, one in 3 hops at a time"][0] < 1
    assert gains["n52-82", "CXCC, batches"][0] > 100


def test_the_picture_shows_every_verdict_where_it_belongs(tmp_path: Path) -> None:
    shown = {word: picture.places(RADIOS, word) for word in picture.FILLED}
    rows = [row.split(" | ") for row in tables()["today counts"].splitlines()[2:]]
    counts = [sum(int(row[at]) for row in rows) for at in (1, 3, 2)]
    assert [len(columns) for columns, _ in shown.values()] == counts
    at = [claim.id for claim in CLAIMS].index("cxcc-utilizes")
    columns, places = shown[DIFFERS]
    differing = {
        RADIOS[column].id for column, row in zip(columns, places, strict=True) if row == at
    }
    assert {"a24-82", "lora7"} <= differing
    assert "ns2" not in differing
    drawn = picture.draw(tmp_path).read_text(encoding="utf-8")
    assert all(radio.id in drawn for radio in (*RADIOS, *STEPS))
    pages = Path(__file__).resolve().parent.parent / "docs"
    assert (pages / "images" / f"{picture.NAME}.svg").exists()
    for page in ("README.md", "paper.md"):
        assert f"{picture.NAME}.svg" in (pages / "today" / page).read_text(encoding="utf-8")


def test_spot_checks_are_of_claims_of_the_study_and_agree() -> None:
    assert len(spots.CHECKED) == 10
    panels = spots.FIGURES[0].panels
    assert sum(len(panel.claims) for panel in panels) == 10
    rows = tables()["today spots"].splitlines()[2:]
    assert [row.rsplit("|", 2)[1].strip() for row in rows] == ["yes"] * 10


def test_a_map_has_flows_between_its_nodes_and_nothing_else() -> None:
    radio = BY_ID["map-essingen"]
    assert set(studies(radio)) == {"random"}
    first, again, other = (studies(radio)["random"].at(x) for x in (1.0, 1.0, 2.0))
    assert first == again != other
    names = {node["name"] for node in first["node"]}
    assert len(names) == 33
    assert all({flow["from"], flow["to"]} <= names for flow in first["flow"])
    assert all(0 < link["delivery"] <= 1 for link in first["link"])
    assert "`cxcc-collapse`" in tables()["today refusals"]
