"""A source queue of the newest message, and the age of information."""

import pytest

from multihop import Scenario, ScenarioError, run
from multihop_papers.wake import age

CHAIN = """
topology = { kind = "chain", hops = 4 }
scheme = { name = "wake" }
traffic = { load = "400 kbit/s" }
duration = "8 s"
warmup = "2 s"
"""


def row(**keys: object) -> dict[str, float]:
    found = run(Scenario.from_toml(CHAIN).with_(**keys))
    flow = found.flows.row(0, named=True)
    assert flow["run_offered"] == flow["run_delivered"] + flow["run_lost"] + flow["run_inside"]
    assert found.runs["age_mean_s"][0] == pytest.approx(flow["age_mean_s"])
    return flow


@pytest.mark.parametrize("scheme", ["wake", "hxh", "newreno"])
def test_the_newest_message_is_younger_at_overload(scheme: str) -> None:
    usual, newest = (
        row(**{"scheme.name": scheme, "traffic.source_queue": queue}) for queue in age.QUEUES
    )
    assert newest["age_mean_s"] < usual["age_mean_s"] / 2
    assert newest["goodput_bit_s"] > 0.8 * usual["goodput_bit_s"]
    assert newest["refused"] == newest["lost_source_buffer_full"] > 0


def test_below_saturation_the_age_is_the_delay_and_half_an_interval() -> None:
    flow = row(**{"traffic.load": "41 kbit/s"})
    interval = 512 * 8 / 41e3
    assert flow["age_mean_s"] == pytest.approx(
        flow["end_to_end_delay_mean_s"] + interval / 2, rel=0.02
    )


def test_a_transfer_has_no_source_queue() -> None:
    with pytest.raises(ScenarioError, match='source_queue: does not apply to kind "ftp"'):
        Scenario.from_toml(CHAIN).with_(
            **{"traffic.kind": "ftp", "traffic.load": None, "traffic.source_queue": "latest"}
        )


def test_the_table_has_both_queues_of_every_scheme() -> None:
    kept = age.stored()
    names = {(r["network"], r["scheme"], r["queue"]) for r in kept}
    assert len(names) == len(kept) == len(age.NETWORKS) * len(age.SENDERS) * len(age.QUEUES)
    assert age.table(kept).count("\n") == 2 + len(age.SENDERS)
