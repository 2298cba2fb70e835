"""LECN's measures by hand, and short real runs; its claims have `test_paper_worlds.py`."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from multihop import Scenario, reproduce, run
from multihop.reproducing.spec import Effort, Efforts, StudyData
from multihop_papers.lecn import sensitivity, setup
from multihop_papers.lecn.potential import (
    Steps,
    around_drops,
    correlation,
    correlations,
    drops,
    last,
    potential,
    shares,
    stays,
)
from multihop_papers.lecn.relations import optimum
from multihop_papers.lecn.tables import best
from tests.lecn_worlds import event, events, world
from tests.worlds import measured

# ---- measures ------------------------------------------------------------------------------------


def test_steps_hold_their_value_until_the_next() -> None:
    steps = Steps(np.array([1.0, 2.0, 4.0]), np.array([2.0, 6.0, 0.0]))
    assert steps.before(np.array([0.5, 1.0, 1.5, 2.0, 2.1, 9.0])).tolist() == [0, 0, 2, 2, 6, 0]
    means = steps.means(np.array([0.0, 1.5, 3.0]), np.array([1.0, 2.5, 5.0]))
    assert means.tolist() == [0.0, 4.0, 3.0]
    assert steps.mean() == pytest.approx((2 + 12) / 3)


def test_the_maximum_is_over_the_nodes_at_every_time() -> None:
    rows = [(1.0, 0, 2.0), (2.0, 1, 3.0), (3.0, 1, 1.0), (3.0, 0, 4.0), (3.0, 0, 0.0)]
    events = pl.DataFrame(
        [event(time, node, "congestion_potential", value=value) for time, node, value in rows]
    )
    maximum = potential(events)
    assert (maximum.times.tolist(), maximum.values.tolist()) == ([1, 2, 3], [2, 3, 1])
    assert potential(events, 0).values.tolist() == [2, 0]


def test_only_what_the_mac_gives_up_of_a_flow_is_a_drop() -> None:
    events = pl.DataFrame(
        [
            event(1.0, 3, "service_end", flow=0, packet=7, cause="failed"),
            event(2.0, 3, "service_end", flow=0, cause="failed"),
            event(3.0, 3, "service_end", cause="failed"),
            event(4.0, 3, "service_end", flow=0, packet=8, cause="acknowledged"),
        ]
    )
    data, acknowledgments = drops(events)
    assert (data.tolist(), acknowledgments.tolist()) == ([1.0], [2.0])
    assert stays(events, 3).end.tolist() == [1.0, 2.0, 4.0]


def test_correlations_are_with_the_potential_during_the_stay() -> None:
    staying, retries = correlations(events(as_the_paper=True), 2)
    assert staying == pytest.approx(1, abs=0.1)
    assert retries == pytest.approx(-1, abs=0.1)


def test_shares_are_of_the_time_of_each_seed() -> None:
    found = shares(world(as_the_paper=True).studies[setup.POTENTIAL.name], setup.TCP)
    assert found.sum(axis=1) == pytest.approx([100, 100])
    assert found[:, 0] == pytest.approx([33.85, 33.85])


def test_the_optimum_is_the_best_window_of_each_length() -> None:
    data = world(as_the_paper=True).studies[setup.SEARCH.name]
    top, windows, names = optimum(data)
    assert dict(zip(data.x.tolist(), names, strict=True))[4] == "3"
    assert windows.tolist() == [float(name) for name in names]
    assert top[data.x == 4] == pytest.approx(1.55 * 200e3)


def test_throughput_counts_headers_and_only_tcp_beside_udp() -> None:
    def row(variant: str, x: float, seed: int) -> tuple:  # type: ignore[type-arg]
        own = 100e3 if x == 4 else 90e3
        flows = [{"goodput_bit_s": own}, {"goodput_bit_s": 500e3 - 100 * x}]
        return {"goodput_bit_s": own + 500e3}, flows

    data: StudyData = measured(setup.CONGESTED, row)
    assert best(data, setup.TCP) == (4, pytest.approx(100e3 * 552 / 512))


def test_a_drop_is_compared_with_what_the_same_node_did_near_it() -> None:
    def end(time: float, node: int, packet: int, cause: str) -> dict[str, object]:
        return event(time, node, "service_end", flow=0, packet=packet, cause=cause)

    steps = [(0.0, 2.0), (1.5, 4.0), (2.5, 1.0), (3.5, 5.0)]
    rows = pl.DataFrame(
        [event(at, 0, "congestion_potential", value=level) for at, level in steps]
        + [end(1.0, 1, 0, "acknowledged"), end(2.0, 1, 1, "failed"), end(3.0, 1, 2, "acknowledged")]
        # Another node's, one that is too late, an acknowledgment's: none of them is a control.
        + [end(3.6, 2, 3, "acknowledged"), end(8.0, 1, 4, "acknowledged")]
        + [event(3.7, 1, "service_end", flow=0, cause="acknowledged")]
        # A drop without a control.
        + [end(20.0, 3, 5, "failed")]
    )
    before, control = around_drops(rows)
    assert (before.tolist(), control.tolist()) == ([4.0], [1.5])
    before, control = around_drops(rows, last(1.0))
    assert (before.tolist(), control.tolist()) == ([3.0], [pytest.approx((2.0 + 2.5) / 2)])


def test_nothing_follows_what_stays_the_same() -> None:
    assert correlation(np.array([1.0, 2.0]), np.array([3.0, 3.0])) == 0
    assert correlation(np.array([1.0, 2.0]), np.array([4.0, 3.0])) == pytest.approx(-1)


# ---- real runs -----------------------------------------------------------------------------------


def test_the_flow_of_udp_comes_behind_that_of_tcp() -> None:
    base = Scenario.from_file(setup.CHAIN).with_(**setup.CONGESTED.settings, duration="3 s")
    flows = run(base).flows
    assert flows["name"].to_list() == ["n0->n8", "n7->n6"]
    assert flows["window_mean"].is_nan().to_list() == [False, True]
    assert flows["goodput_bit_s"][1] > 100e3


@pytest.mark.long
def test_a_short_real_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short = Effort(quick=True, seeds=1, warmup="5 s", duration="3 s")
    monkeypatch.setattr(Efforts, "choose", lambda *_, **__: short)
    done = reproduce(["lecn/fig5", "lecn/table2"], quick=True, out=tmp_path, progress=False)
    assert done.runs == 4 + 2 * 2 * len(setup.QUICK_WINDOWS)
    assert {v.id for v in done.verdicts} == {"lecn/fig5a", "lecn/fig5b", "lecn/table2"}
    assert pl.read_parquet(tmp_path / "congestion.parquet")["time_s"].sum() > 0


def test_a_traced_run_shows_all_that_figures_2_to_4_need() -> None:
    base = Scenario.from_dict(setup.TRACES[0].scenario().to_dict()).with_(duration="3 s")
    events = run(base, events=True).events
    staying, retries = correlations(events, 2)
    assert -1 <= retries <= 1
    assert -1 <= staying <= 1
    assert 0 < potential(events, 2).mean() <= potential(events).mean() <= 5


def test_every_setting_of_the_sensitivity_can_be_run() -> None:
    base = Scenario.from_file(setup.CHAIN).with_(duration="1 s")
    table = sensitivity.open_parameters(base, seeds=1)
    assert table.row_count == len(sensitivity.OPEN) * len(sensitivity.SHOWN)


def test_other_readings_of_figures_2_and_4_can_be_shown() -> None:
    traces = [events(as_the_paper=True)] * 2
    drops_table, staying_table = sensitivity.before_drops(traces), sensitivity.coincidence(traces)
    difference, staying, retries = (
        next(iter(column.cells)) for column in (drops_table.columns[3], *staying_table.columns[1:])
    )
    held = sensitivity.held_levels({"TCP": traces})
    assert [next(iter(column.cells)) for column in held.columns[2:6]] == [
        "45.2",
        "0.0",
        "0.0",
        "54.8",
    ]
    assert difference == "+1.36 +- 0.00"
    assert staying == "1.00 to 1.00"
    assert retries == "-1.00 to -1.00"
