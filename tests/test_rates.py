"""Rate control and routes of the least air time, in whole runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from multihop import Result, Scenario, Trace, rates, run

pytestmark = pytest.mark.engine

RADIO = {
    "propagation": "log-normal-shadowing",
    "path_loss_exponent": 3,
    "shadowing_deviation": "0 dB",
    "transmit_power": "40 mW",
}


def line(places: list[float], **mac: Any) -> Scenario:
    """Return nodes of 802.11a on a line, of which the first sends to the last."""
    names = [f"n{number}" for number in range(len(places))]
    return Scenario.from_dict(
        {
            "warmup": "1 s",
            "duration": "2 s",
            "topology": {"kind": "explicit"},
            "node": [
                {"name": name, "x": f"{x:g} m", "y": "0 m"}
                for name, x in zip(names, places, strict=True)
            ],
            "flow": [{"from": names[0], "to": names[-1]}],
            "mac": {"timing": "ofdm-5", **mac},
            "radio": RADIO,
            "scheme": {"name": "udp"},
            "traffic": {
                "load": "15 Mbit/s",
                "payload": "1000 B",
                "start": "0.1 s",
                "start_jitter": "0 s",
            },
        }
    )


def goodput(result: Result) -> float:
    return float(result.flows["goodput_bit_s"][0])


def test_ways_to_choose_rates_are_listed() -> None:
    assert [control["name"] for control in rates()] == ["fixed", "ideal", "minstrel", "minstrel-ht"]


@pytest.mark.parametrize("control", ["ideal", "minstrel", "minstrel-ht"])
def test_a_weak_link_has_a_rate_that_it_bears(control: str) -> None:
    places = [0.0, 45.0]
    fixed = run(line(places, data_rate="18 Mbit/s"))
    chosen = run(line(places, rate=control))
    assert goodput(chosen) > 0.95 * goodput(fixed)


def test_the_trace_says_the_rate_of_each_frame(tmp_path: Path) -> None:
    run(line([0.0, 30.0], rate="ideal"), trace=tmp_path / "trace")
    frames = Trace(tmp_path / "trace").scan("frames").collect()
    last = frames.filter(pl.col("start_ns") > 1_000_000_000)
    by_class = {
        kind: set(rows["rate_bit_s"])
        for (kind,), rows in last.group_by("class", maintain_order=True)
    }
    assert by_class == {"data": {36_000_000}, "link_ack": {24_000_000}}


def test_a_relay_is_worth_its_air_time_where_the_link_is_slow() -> None:
    deferring = line([0.0, 47.0, 94.0], rate="ideal").override(
        {"radio.receive_threshold": "-91 dBm"}
    )
    direct, relayed = (
        run(deferring.override({"routing.metric": metric})) for metric in ("hops", "airtime")
    )
    assert [result.flows["hops_mean"][0] for result in (direct, relayed)] == [1, 2]
    assert goodput(relayed) > 1.1 * goodput(direct)


def test_a_relay_is_not_worth_it_where_the_link_is_fast() -> None:
    near = line([0.0, 10.0, 20.0], rate="ideal").override({"routing.metric": "airtime"})
    assert run(near).flows["hops_mean"][0] == 1
