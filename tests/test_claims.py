"""Every claim must be able to hold, and to fail: CXCC's; other papers' have files of their own."""

from collections.abc import Callable

import polars as pl
import pytest

from multihop.papers import FIGURES, cxcc
from multihop.papers.cxcc.setup import BASIC, RFA, UDP, UDP_RTS
from multihop.papers.spec import Claim, Data, Panel, Study, StudyData

CLAIMS = [
    pytest.param(panel, claim, id=f"{panel.id} {claim.text}")
    for figure in cxcc.FIGURES
    for panel in figure.panels
    for claim in panel.claims
    if panel.studies
]
Row = dict[str, float]
# A load that is among those of `--quick`, as the highest that is carried.
KNEE = 60.0
World = Callable[[str, str, float], Row]


def one_way(study: str) -> bool:
    return "bidirectional" not in study


def the_papers(study: str, variant: str, load: float) -> Row:
    """Make a world in which everything is as the paper says."""
    best = 140e3 if variant != UDP_RTS else 120e3
    late = {UDP: 5, UDP_RTS: 5, BASIC: 2, RFA: 1}[variant] if load > KNEE else 1
    bulk = {UDP: 4, UDP_RTS: 4.4, BASIC: 3.5 if one_way(study) else 2, RFA: 1.3}[variant]
    goodput = min(load / KNEE, 1) * best
    if variant == BASIC:
        goodput = min(goodput, 0.6 * best)
    if variant in (UDP, UDP_RTS) and load > KNEE:
        goodput = best * (0.7 if one_way(study) else 0.2)
    if study.startswith("wired"):
        goodput = min(load * 2e3, 1.9e6)
    row = {"goodput_bit_s": goodput, "delay_mean_s": 0.05 * late, "overhead": bulk}
    if study.endswith("shadowing"):
        udp = variant in (UDP, UDP_RTS)
        row["goodput_bit_s"] *= 0.7 if not udp or load <= KNEE else 0.5
        row["delay_mean_s"] *= 1.3 if udp and load > KNEE else 1.2
        row["overhead"] *= 1.3 if udp or variant == BASIC else 1.1
    reasons = {"lost_data": 10.0, "lost_acknowledgment": 20.0, "early_timeout": 100.0}
    counts = {f"retransmissions_{name}": count for name, count in reasons.items()}
    return row | counts | {"medium_bytes": 1e6, "transmissions": 1e3}


def the_opposite(study: str, variant: str, load: float) -> Row:
    """Make a world in which nothing is."""
    best = {UDP: 100e3, UDP_RTS: 200e3, BASIC: 200e3, RFA: 60e3}[variant]
    beyond = load > KNEE
    goodput = min(load / KNEE, 1) * best * (30 / load if beyond else 1)
    if variant in (UDP, UDP_RTS) and not one_way(study):
        goodput = min(load / KNEE, 1) * best
    if study.startswith("wired"):
        goodput = 1e6 if load < 1000 else 0.3e6
    row = {
        "goodput_bit_s": goodput,
        "delay_mean_s": 0.05 if beyond or variant == RFA else 0.2,
        "overhead": {UDP: 1.0, UDP_RTS: 1.1, BASIC: 3.0, RFA: 5.0}[variant],
    }
    if study.endswith("shadowing"):
        row["goodput_bit_s"] *= 1.5 if variant != RFA else 1.1
        row["delay_mean_s"] *= 0.5 if variant != RFA else 0.9
        row["overhead"] *= 0.5 if variant != RFA else 0.9
    reasons = {"lost_data": 50.0, "lost_acknowledgment": 50.0, "early_timeout": 10.0}
    counts = {f"retransmissions_{name}": count for name, count in reasons.items()}
    return row | counts | {"medium_bytes": 1e6, "transmissions": 1e3}


def measured(study: Study, world: World, shares: tuple[int, int]) -> StudyData:
    labels = [
        {"study": study.name, "variant": variant, "x": load, "seed": seed}
        for variant in study.variants
        for load in study.quick_values
        for seed in (1, 2)
    ]
    runs = [
        {**label, "duration_s": 60.0, **world(study.name, label["variant"], label["x"])}
        for label in labels
    ]
    flows = [
        {**label, "flow": flow, "delivered": shares[flow]} for label in labels for flow in (0, 1)
    ]
    return StudyData(study, pl.DataFrame(runs), pl.DataFrame(flows))


def data(panel: Panel, world: World, shares: tuple[int, int]) -> Data:
    return Data(studies={study.name: measured(study, world, shares) for study in panel.studies})


@pytest.mark.parametrize(("panel", "claim"), CLAIMS)
def test_every_claim_holds_where_all_is_as_the_paper_says(panel: Panel, claim: Claim) -> None:
    finding = claim.judge(data(panel, the_papers, (100, 100)))
    assert finding.holds, finding.measured


@pytest.mark.parametrize(("panel", "claim"), CLAIMS)
def test_every_claim_fails_where_nothing_is(panel: Panel, claim: Claim) -> None:
    finding = claim.judge(data(panel, the_opposite, (100, 5)))
    assert not finding.holds, finding.measured


def test_a_panel_names_the_studies_that_its_claims_look_at() -> None:
    for figure in FIGURES:
        for panel in figure.panels:
            assert panel.studies or panel.traces
            assert panel.id.startswith(figure.id)
        assert figure.id == "wxcp/fig8" or any(panel.claims for panel in figure.panels)
