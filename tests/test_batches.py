"""What batches are worth on 802.11n: the command that measures it, and its table."""

from __future__ import annotations

from pathlib import Path

import pytest

from multihop import Scenario, run
from multihop_papers.compare import batches, radios
from multihop_papers.compare.entries import BATCHES

PAGE = Path(__file__).resolve().parent.parent / "docs" / "guides" / "all-schemes-ofdm.md"


def test_schemes_carry_more_over_one_hop_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(radios, "HOPS", (1.0,))
    monkeypatch.setattr(radios, "NETWORKS", (1.0, 2.0))
    rows = batches.measured(["n65_82"], "1 s")
    assert [(row["scheme"], row["network"], row["pairs"]) for row in rows] == [
        (scheme, network, pairs)
        for scheme in BATCHES
        for network, pairs in (("1 hop", 2), (batches.RANDOM, 2))
    ]
    for row in rows:
        more = row["with_bit_s"] / row["without_bit_s"]
        assert more > (1.5 if row["network"] == "1 hop" else 1.0), row
    assert batches.table(rows).count("\n") == 2 + len(BATCHES), "titles, a line, and a row each"


def test_the_page_has_the_table_of_what_is_kept() -> None:
    rows = batches.stored()
    text = PAGE.read_text(encoding="utf-8")
    assert batches.table(rows) in text
    assert batches.renew(text, rows) == text
    assert {row["radio"] for row in rows} == set(batches.RADIOS)
    for scheme in BATCHES:
        own = [row for row in rows if row["scheme"] == scheme]
        assert len(own) == 7 * len(batches.RADIOS), "six chains and random networks"


def name(scheme: str) -> str:
    """Return the scheme that sends its batches."""
    return str(BATCHES[scheme].get("scheme.name", scheme))


def test_rows_that_are_measured_anew_take_the_place_of_those_before() -> None:
    before = batches.stored()
    found = [{**row, "with_bit_s": 1.0} for row in before if row["scheme"] == "hxh"]
    after = batches.joined(before, found)
    assert [(row["radio"], row["scheme"], row["network"]) for row in after] == [
        (row["radio"], row["scheme"], row["network"]) for row in before
    ]
    assert {row["scheme"] for row in after if row["with_bit_s"] == 1.0} == {"hxh"}


@pytest.mark.parametrize("scheme", sorted(BATCHES))
def test_nothing_changes_where_a_frame_carries_one_packet(scheme: str) -> None:
    base = Scenario.from_file(radios.BASE).with_(
        **radios.chain(2), duration="1 s", **{"scheme.name": name(scheme)}
    )
    alone, batch = (
        run(base.with_(**{"scheme.batch": most})).flows["goodput_bit_s"].to_list()
        for most in (1, 16)
    )
    assert alone == batch


def test_frames_of_batches_are_as_large_as_they_may_be() -> None:
    settings = radios.RADIO_NETWORKS["n65_82"][0].schemes.settings
    base = Scenario.from_file(radios.BASE).with_(**radios.chain(1), **settings, duration="1 s")
    scenario = base.with_(**{"scheme.name": "wake", "scheme.batch": 5})
    size = run(scenario).nodes["aggregate_packets_mean"][0]
    assert 4.5 < size <= 5


@pytest.mark.parametrize("scheme", sorted(BATCHES))
def test_what_is_lost_of_a_batch_is_repeated_and_counted_once(scheme: str) -> None:
    # As far as one frame of ten is wrong, and packets of a batch with them.
    scenario = Scenario.from_file(radios.BASE).with_(
        **radios.RADIO_NETWORKS["n65_82"][0].schemes.settings,
        **{
            "topology.hops": 2,
            "topology.spacing": "20.8 m",
            "scheme.name": scheme,
            **BATCHES[scheme],
        },
        traffic={"kind": "cbr", "load": "20 Mbit/s", "payload": "1 kB", "start": "0.1 s"},
        warmup="0 s",
        duration="1 s",
    )
    found = run(scenario)
    flow, nodes = found.flows.row(0, named=True), found.nodes
    assert nodes["aggregates"][0] > 10
    assert nodes["mac_retries"].sum() > 100
    assert 0.5 < flow["run_delivered"] / flow["run_offered"] <= 1
    assert flow["run_offered"] == flow["run_delivered"] + flow["run_lost"] + flow["run_inside"]
