"""WXCP's measures by hand, and short real runs; its claims have `test_paper_worlds.py`."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from multihop import Scenario, reproduce, run, run_many, schemes
from multihop.reproducing.parameters import parameters
from multihop.reproducing.spec import Effort, Efforts, hops
from multihop_papers.wxcp import layers
from multihop_papers.wxcp.estimates import busy, estimates, next_hop
from multihop_papers.wxcp.relations import variations
from multihop_papers.wxcp.setup import (
    CHAIN,
    GRID,
    TABLE_HOPS,
    TCP,
    TWO_FLOWS,
    VARIANTS,
    WXCP,
    grid_flows,
    two_flows,
)
from tests.worlds import measured


def test_the_mac_header_is_that_of_ns_2_2_27() -> None:
    for path in (CHAIN, GRID):
        assert Scenario.from_file(path).to_dict()["mac"]["header"] == "28 B"


def test_the_coefficient_of_variation_is_that_of_a_population() -> None:
    data = measured(TWO_FLOWS, lambda *_: ({}, [{"delivered": 300}, {"delivered": 100}]))
    assert variations(data, TCP) == pytest.approx(np.full((len(TABLE_HOPS), 2), 0.5))


def test_two_flows_share_a_path() -> None:
    scenario = VARIANTS[TCP].apply(Scenario.from_file(CHAIN)).with_(**two_flows(3))
    assert scenario.to_dict()["flow"] == [{"from": "n0", "to": "n3"}]


def test_flows_of_the_grid_go_both_ways() -> None:
    topology = Scenario.from_file(GRID).with_(**grid_flows(6)).to_dict()["topology"]
    assert (topology["horizontal_flows"], topology["vertical_flows"]) == (3, 3)


def test_every_parameter_of_its_own_is_a_reading() -> None:
    own = [variant.apply(Scenario.from_file(CHAIN)) for variant in VARIANTS.values()]
    known = next(scheme["params"] for scheme in schemes() if scheme["name"] == "wxcp")
    read = {one.key for one in parameters(own) if one.others}
    assert {f"wxcp.{param['name']}" for param in known} <= read


def test_the_estimates_stand_beside_what_an_observer_knows() -> None:
    scenario = VARIANTS[WXCP].apply(Scenario.from_file(CHAIN)).with_(**hops(1), duration="2 s")
    found = estimates(run_many([scenario], events=True, progress=False)[0])
    shares = found.filter(pl.col("node") == 0)
    assert shares.height > 10
    # Nobody else is there: what a station uses itself is at least what it sends and receives.
    assert (shares["value"] <= shares["true_share"] + 1e-3).all()
    assert shares["true_share"].is_between(-1e-9, 1).all()
    # Both stations hear all there is.
    assert (shares["link_share"] - shares["true_share"]).abs().max() < 1e-9


def test_busy_time_is_that_of_somebody_in_range() -> None:
    sent = [(1.0, 0, 0.5), (1.2, 1, 0.5), (3.0, 2, 1.0)]
    events = pl.DataFrame(
        [{"time_s": t, "node": n, "event": "transmit_start", "duration_s": d} for t, n, d in sent]
    )
    nodes = pl.DataFrame({"x_m": [0.0, 500.0, 1000.0], "y_m": [0.0, 0.0, 0.0]})
    times, grown = busy(events, nodes, 0)
    # Two frames overlap, and the third one's sender is out of range.
    assert np.interp([0.5, 1.1, 1.6, 9.0], times, grown) == pytest.approx([0.0, 0.1, 0.6, 0.7])
    assert busy(events, nodes, 1)[1][-1] == pytest.approx(1.7)
    # Of a link, all that either end senses counts.
    assert busy(events, nodes, 0, 2)[1][-1] == pytest.approx(1.7)


def test_the_next_hop_is_where_most_packets_go() -> None:
    sent = [
        (0, 1, "data"),
        (0, 2, "data"),
        (0, 2, "data"),
        (0, 1, "rts"),
        (0, 1, "rts"),
        (1, 0, "rts"),
    ]
    rows = [{"node": n, "peer": p, "frame": f, "event": "transmit_start"} for n, p, f in sent]
    events = pl.DataFrame(rows)
    assert (next_hop(events, 0), next_hop(events, 1)) == (2, 1)


def test_windows_leads_and_losses_are_those_of_a_span() -> None:
    scenario = layers.base(WXCP).with_(**two_flows(2), **layers.OVER_TIME, duration="6 s")
    found = run(scenario)
    assert np.isnan(layers.window(found, (0.0, 5.0)))
    assert 1 <= layers.window(found, (6.0, 9.0)) <= 20
    late = layers.between(found, (7.0, 9.0))
    shares = [late.filter(flow=flow)["delivered"].sum() for flow in (0, 1)]
    assert min(shares) > 10
    assert layers.lead(found, (7.0, 9.0)) == abs(shares[0] - shares[1])
    counts = layers.losses(found)
    delivered = found.flows["delivered"].sum()
    assert counts["collisions"] == pytest.approx(1000 * found.nodes["collisions"].sum() / delivered)
    assert {*layers.OF_NODES, *layers.OF_FLOWS} <= {*counts}


@pytest.mark.long
def test_a_short_real_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short = Effort(quick=True, seeds=1, warmup="5 s", duration="2 s")
    monkeypatch.setattr(Efforts, "choose", lambda *_, **__: short)
    ids = [f"wxcp/{part}" for part in ("fig2", "table1", "fig4", "fig5", "table2", "fig8")]
    done = reproduce([*ids, "wxcp/text3.1"], quick=True, out=tmp_path, progress=False)
    assert done.runs == (3 + 2) * len(TABLE_HOPS) + 2 * 6
    assert done.about == "1 seed, 2 s measured after 5 s"
    assert {v.id.rstrip("ab") for v in done.verdicts} == {*ids, "wxcp/text3.1"}
    falls = next(v for v in done.verdicts if v.id == "wxcp/fig2")
    assert float(falls.measured.split()[0]) > 1000
