"""The life of a packet and the reason of a loss, in sentences, from the tables of a trace."""

import json
from pathlib import Path

import polars as pl
import pytest

from multihop import Scenario, Trace, TraceError, run
from multihop.reasons.life import frame_loss, packet_at, packet_life
from tests.conftest import Cli
from tests.test_why import EXAMPLES, HIDDEN

CHAIN = """
warmup = "0 s"
duration = "3 s"
topology = { kind = "chain", hops = 3 }
scheme = { name = "udp" }
traffic = { load = "100 kbit/s", start = "0 s" }
"""


@pytest.fixture(scope="module")
def hidden(tmp_path_factory: pytest.TempPathFactory) -> Trace:
    folder = tmp_path_factory.mktemp("hidden") / "trace"
    run(Scenario.from_toml(HIDDEN), trace=folder)
    return Trace(folder)


def test_a_packet_that_arrives(tmp_path: Path) -> None:
    run(Scenario.from_toml(CHAIN), trace=tmp_path / "trace")
    trace = Trace(tmp_path / "trace")
    steps = packet_life(trace, "n0->n3", 5)
    assert [step.time_ns for step in steps] == sorted(step.time_ns for step in steps)
    words = [step.words for step in steps]
    assert words[0] == "the application at n0 hands it over"
    receives = [word for word in words if word.endswith(" receives it")]
    assert receives == ["n1 receives it", "n2 receives it", "n3 receives it"]
    assert words[-2:] == [words[-2], words[-1]]
    assert words.index("n3 receives it") < words.index("the application at n3 gets it")
    deliveries = trace.scan("events").filter(event="deliver", packet=5).collect()
    offers = trace.scan("events").filter(event="offer", packet=5).collect()
    took = (deliveries["time_ns"][0] - offers["time_ns"][0]) / 1e6
    sent = trace.scan("frames").filter(pl.col("class") == "data", packet=5).collect().height
    assert words[-1].endswith(f"arrived after {took:.1f} ms, in {sent} frames")


def test_a_packet_that_is_dropped_names_who_destroyed_every_frame(hidden: Trace) -> None:
    drops = hidden.scan("drops").filter(cause="retries_spent").collect()
    flow, packet = drops.select("flow", "packet").row(0)
    words = [step.words for step in packet_life(hidden, flow, packet)]
    sender, other = ("a", "b") if flow == 0 else ("b", "a")
    lost = [word for word in words if word.startswith("it is lost")]
    assert len(lost) == 7
    assert all(f"{sender} cannot sense {other}" in word for word in lost)
    assert f"{sender} drops it: retries spent" in words
    assert words[-1].endswith("was lost in 7 frames: retries spent")


def test_a_lost_frame_says_who_and_when(hidden: Trace) -> None:
    lost = hidden.scan("receptions").filter(outcome="collision", node=1).collect()
    frame, other = lost.select("frame", "other").row(0)
    begun, reason = frame_loss(hidden, frame)
    assert f"sends frame {frame} (data) to r" in begun.words
    starts = hidden.scan("frames").select("frame", "start_ns").collect()["start_ns"]
    apart = abs(starts[other] - starts[frame]) / 1e6
    first = "before" if starts[other] <= starts[frame] else "after"
    assert f"frame {other} of" in reason.words
    assert f"began {apart:.3f} ms {first} it" in reason.words
    assert "its signal there is 1.0 times as strong, and 10 times is enough" in reason.words


def test_a_time_finds_the_packet_that_was_sent_then(hidden: Trace) -> None:
    row = (
        hidden.scan("frames")
        .filter(pl.col("class") == "data", flow=1)
        .collect()
        .row(40, named=True)
    )
    found = packet_at(hidden, 1, row["start_ns"] / 1e9)
    assert found == packet_life(hidden, 1, row["packet"])


def test_what_is_not_there_is_said(hidden: Trace) -> None:
    with pytest.raises(TraceError, match="there is no flow 'c'; there are: a->r, b->r"):
        packet_life(hidden, "c", 0)
    with pytest.raises(TraceError, match="has no packet 999999"):
        packet_life(hidden, 0, 999_999)
    good = hidden.scan("receptions").filter(outcome="decoded").collect()["frame"][0]
    with pytest.raises(TraceError, match=f"frame {good} was not lost"):
        frame_loss(hidden, good)
    with pytest.raises(TraceError, match="there is no frame -1"):
        frame_loss(hidden, -1)
    end_s = hidden.about["duration_ns"] / 1e9
    for time in (-1.0, end_s + 0.1, 1e6):
        with pytest.raises(TraceError, match=f"has the time from 0 s to {end_s:g} s, and not"):
            packet_at(hidden, 1, time)


def test_a_lost_frame_of_lora_says_who_was_not_sensed(tmp_path: Path) -> None:
    file = EXAMPLES / "lora-hidden-relays.toml"
    keys = {"duration": "900 s", "mac.capture_locked": "3 dB"}
    run(Scenario.from_file(file, keys), trace=tmp_path / "trace")
    trace = Trace(tmp_path / "trace")
    lost = trace.scan("receptions").filter(outcome="collision", node=3).collect()
    words = " ".join(step.words for step in frame_loss(trace, lost["frame"][0]))
    assert "right cannot sense left" in words or "left cannot sense right" in words
    assert "2 times is enough for the first of two, 3.98 times for the second" in words


def test_the_command_line(cli: Cli, hidden: Trace) -> None:
    folder = str(hidden.folder)
    shown = cli("explain", folder, "--packet", "a->r:0", "--json")
    assert json.loads(shown.stdout)[0]["words"] == "the application at a hands it over"
    assert "to see it: multihop view" in " ".join(
        cli("explain", folder, "--packet", "0:0").stdout.split()
    )
    for wrong in ([], ["--packet", "0"], ["--flow", "0"], ["--packet", "0:1", "--loss", "1"]):
        refused = cli("explain", folder, *wrong)
        assert refused.returncode == 2
        assert "--packet" in refused.stderr
