"""CL's measures by hand, and its tables; its claims have `test_paper_worlds.py`."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

from multihop import Scenario, run
from multihop_papers.cl import sensitivity, setup
from multihop_papers.cl.measures import ratio, throughput, total
from multihop_papers.cl.packets import cliff
from tests.cl_worlds import world


def test_throughput_with_acknowledgments_counts_what_was_acknowledged() -> None:
    data = world(as_the_paper=True)
    plain, answered = (data.studies[s[setup.JUDGED].name] for s in (setup.SWEPT, setup.SWEPT_ACK))
    assert np.allclose(throughput(plain, "3"), 80 * total(plain, "3", "delivered"))
    assert np.allclose(throughput(answered, "3"), 80 * total(answered, "3", "acknowledged"))
    assert total(plain, "3", "acknowledged").max() == 0


def test_tcp_s_delivery_ratio_counts_what_it_sends_again() -> None:
    measured = world(as_the_paper=True).studies[setup.TCP_CHAIN.name]
    assert ratio(measured, setup.TCP)[0] == pytest.approx([825 / 905] * 2)


def test_the_throughput_of_two_flows_is_that_of_both() -> None:
    measured = world(as_the_paper=True).studies[setup.MOVING[setup.SQUARE, 1].name]
    one, two = total(measured, setup.CL, "delivered")
    assert two == pytest.approx(one)
    assert measured.flows.filter(variant=setup.CL, x=2.0, seed=1).height == 2


def test_the_cliff_is_the_highest_rate_that_is_carried() -> None:
    measured = world(as_the_paper=True).studies[setup.CLIFF[setup.JUDGED].name]
    assert cliff(measured, setup.PAPERS) == setup.LAST_GOOD
    measured = world(as_the_paper=False).studies[setup.CLIFF[setup.JUDGED].name]
    assert cliff(measured, setup.PAPERS) is None


@pytest.mark.parametrize("rate", setup.SPEEDS)
@pytest.mark.parametrize("acknowledged", [False, True])
def test_the_tables_are_measured_for_the_paper_s_radio(rate: int, acknowledged: bool) -> None:
    tables = tomllib.loads(Path(setup.table(rate, acknowledged=acknowledged)).read_text())
    assert "multihop optimum" in tables["measured"]["command"]
    assert tables["made_for"]["scheme"]["acknowledge"] == acknowledged
    rates = [row["rate"] for row in tables["rate"]]
    assert len(rates) >= max(setup.CHAIN_NODES) - 1
    assert rates[0] > 1.5 * rates[1] > 1.5 * rates[2]
    base = {"mac.data_rate": f"{rate} Mbit/s"} | dict(setup.BULK) | {"scheme.name": "cl"}
    table = setup.table(rate, acknowledged=acknowledged)
    paced = {"scheme.acknowledge": acknowledged, "scheme.rates": table}
    Scenario.from_file(setup.MOBILE, base | paced)


@pytest.mark.parametrize("name", sensitivity.SETUPS)
def test_every_set_up_of_the_sensitivity_can_be_run(name: str) -> None:
    setting = sensitivity.SETUPS[name]
    chain = Scenario.from_file(setup.CHAIN).with_(**setup.ONE_CHAIN)
    assert (chain.with_(**setting) == chain) == (name == "as judged")
    variants = setup.paced(setup.JUDGED) | setup.FIXED_RATES
    for scheme in sensitivity.SHOWN if name not in sensitivity.AT_REST else ():
        moving = variants[scheme].apply(Scenario.from_file(setup.MOBILE))
        assert (moving.with_(**setting) == moving) == (name == "as judged")


def test_the_route_is_known_before_the_load() -> None:
    """Chains carry 24 packets/s over 6 nodes only if three single packets went before them."""
    base = Scenario.from_file(setup.CHAIN).with_(**setup.packets(24), duration="30 s")
    known, cold = (
        run(base.with_(**setting)).flows.row(0, named=True) for setting in ({}, sensitivity.COLD)
    )
    assert known["run_offered"] - known["offered"] == 3
    assert known["delivered"] >= 0.99 * known["offered"]
    assert cold["delivered"] < 0.9 * cold["offered"]
    assert known["mac_failures"] == 0 < cold["rts_failures"] <= cold["mac_failures"]


def test_salvages_are_compared_in_both_areas() -> None:
    table = sensitivity.salvages(limits=(0, 15), seeds=2)
    limits, areas, *ratios = (list(column.cells) for column in table.columns)
    assert limits == ["0", "15"] * 2
    assert areas == [setup.RECTANGLE] * 2 + [setup.SQUARE] * 2
    assert all(" to " in cell for column in ratios for cell in column)
