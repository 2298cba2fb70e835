"""HxH's measures, by hand."""

import numpy as np
import polars as pl
import pytest

from multihop.reproducing.spec import Study, StudyData
from multihop_papers.hxh import channel, setup
from multihop_papers.hxh.table4_1 import PAPER as RATES
from multihop_papers.hxh.windows import Windows, of_series
from tests.hxh_worlds import World, event, exchanges, recovery, sent, told


def curve(*flows: list[float]) -> Windows:
    return Windows(np.arange(1, 1 + len(flows[0]) / 10, 0.1)[: len(flows[0])], np.array([flows]))


def test_a_window_is_the_second_before_it() -> None:
    series = pl.DataFrame(
        {"time_s": [0.0, 0.5, 1.5], "flow": [0, 0, 1], "delivered_bytes": [125, 125, 250]}
    )
    found = of_series(series, 2, 2.0)
    assert found.times == pytest.approx(np.arange(1, 2.05, 0.1))
    assert found.rates[0, 0] == pytest.approx([2000] + [1000] * 5 + [0] * 5)
    assert found.rates[0, 1] == pytest.approx([0] * 6 + [2000] * 5)
    inside = found.between(0.5, 1.7)
    assert inside.times == pytest.approx([1.5, 1.6, 1.7])


def test_a_study_keeps_seeds_and_flows_apart() -> None:
    runs = pl.DataFrame({"study": "s", "variant": "v", "x": 1.0, "seed": [1, 2],
                         "warmup_s": 0.1, "duration_s": 0.2})  # fmt: skip
    flows = pl.DataFrame({"study": "s", "variant": "v", "x": 1.0, "seed": [1, 1, 2, 2],
                          "flow": [0, 1, 0, 1]})  # fmt: skip
    series = pl.DataFrame({"study": "s", "variant": "v", "x": 1.0, "seed": [2, 1],
                           "flow": [1, 0], "time_s": [0.2, 0.1],
                           "delivered_bytes": [7, 5]})  # fmt: skip
    study = Study("s", setup.CHAIN, {}, {}, (1.0,), (1.0,), setup.CONTROL_EFFORTS)
    found = StudyData(study, runs, flows, {"series": series}).delivered_bytes("v", 1.0, 0.1)
    assert found.tolist() == [[[0, 5, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 7]]]


def test_settling_is_the_first_whole_second_near_the_fair_share() -> None:
    off, near = [2.0] * 15, [1.0] * 30
    flow = curve(off + near, [0.0] * 15 + near)
    assert flow.settling(0.1) == pytest.approx(1.5)
    assert curve(near).settling(0.1) == 0
    assert curve([2.0, 0.0] * 20).settling(0.1) == pytest.approx(4)


def test_dips_are_over_the_fair_share() -> None:
    flow = curve([1.0] * 18 + [0.2, 0.2], [1.0] * 18 + [1.8, 1.8])
    assert flow.lowest() == pytest.approx(0.2)
    # A tenth of the windows is the last two.
    assert flow.depth(0.1) == pytest.approx(1 - (0.2 + 1.0) / 2)
    assert flow.longest_below(0.5) == pytest.approx(0.2)
    assert flow.variation() > 0


def test_a_line_through_the_rates_gives_time_and_bytes() -> None:
    rates = np.array([1e6, 11e6, 54e6])
    throughputs = 8 * 1024 / (1293e-6 + 8 * 1118 / rates)
    assert channel.line(rates, throughputs, 1024) == pytest.approx((1293e-6, 1118))


def test_the_papers_numbers_lie_on_those_lines() -> None:
    texts = zip(RATES.values(), ((1293e-6, 1118), (2288e-6, 1220)), strict=True)
    for text, (constant, size) in texts:
        throughputs = 1e6 * np.array([float(number) for number in text.split()])
        found = channel.line(np.array(setup.RATES) * 1e6, throughputs, setup.PAYLOAD)
        assert found == pytest.approx((constant, size), rel=0.01)


def test_equation_1_2_is_half_for_equal_sizes() -> None:
    assert channel.overhead(54e6, 40) == pytest.approx(0.5)
    assert channel.overhead(1e6, 1024) == pytest.approx(1112 / (1112 + 8984))


def test_an_overheard_packet_is_no_gap() -> None:
    rows = [*sent(1, 1, 2, "data", 0), *sent(2, 1, 2, "data", 1)]
    overheard = [event(1.001, 3, "receive", "data", peer=1, packet=0),
                 event(5.001, 3, "receive", "data", peer=1, packet=9)]  # fmt: skip
    nack = sent(6, 3, 1, "nack")
    found = channel.recoveries(pl.DataFrame([*rows, *overheard, *nack]), (0, 1, 2, 3))
    assert found == [(6, 3, -1)]


def test_a_nack_that_is_passed_on_has_one_origin() -> None:
    events = recovery(World.PAPER)
    found = channel.recoveries(events, setup.TRADE_PATH)
    assert found == [(0.31, 4, 4), (30.21, 4, 4), (31.0, 5, -1)]
    assert channel.nacks(events) == (8, 607)


def test_a_lost_nack_is_one_that_is_repeated_before_the_source_is_told() -> None:
    count = lambda rows: channel.repeats(pl.DataFrame(rows).sort("time_s"), (0, 1, 2))  # noqa: E731
    gap = [*sent(1, 0, 1, "data", 0), *sent(2, 0, 1, "data", 5)]
    lost = sent(3, 1, 0, "nack")
    assert count([*gap, *lost]) == (0, 0), "nobody repeats it"
    assert count([*gap, *lost, *told(4, 2, 1, 0)]) == (1, 1)
    assert count([*gap, *lost, *sent(4, 2, 1, "nack")]) == (1, 0), "the repetition is lost, too"
    assert count([*gap, *told(3, 1, 0), *told(4, 2, 1, 0)]) == (0, 0), "the first arrived"
    another = [*sent(3.5, 0, 1, "data", 9), *told(3.6, 1, 0)]
    assert count([*gap, *lost, *another, *told(4, 2, 1, 0)])[1] == 0, "that is another gap's"


def test_an_exchange_lasts_from_its_rts_to_the_end_of_its_ack() -> None:
    expected = channel.RESERVATION_S + 8 * 1024 / 54e6
    assert channel.exchange(exchanges(1024, 54.0, World.PAPER)) == pytest.approx(expected)
