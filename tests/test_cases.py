"""The situations of CXCC 4.1 and 5.2, found in traces written by hand."""

import polars as pl
import pytest
from matplotlib.figure import Figure

from multihop.charting.cases import CASES, find_cases
from multihop.charting.sequence import draw_sequence

DATA_S, CONTROL_S = 4.7e-3, 0.6e-3
UP, DOWN, ONWARD = 3, 4, 5
FLOW, PACKET = 0, 7

# A line is an event: a transmission and whether the two other ends got it, or a node's own event.
BASIC = {
    "forwarding": "data up>down; data down>onward; up implicit_acknowledgment",
    "data_lost": "data up>down lost; up timeout; data up>down; data down>onward; "
    "up implicit_acknowledgment",
    "acknowledgment_lost": "data up>down; data down>onward unheard; up timeout; data up>down; "
    "ack down>up; up explicit_acknowledgment",
    "early_timeout": "data up>down; up timeout; data up>down; down duplicate_ignored; "
    "data down>onward; up implicit_acknowledgment",
}
RFA = {
    "forwarding": BASIC["forwarding"],
    "data_lost": "data up>down lost; up timeout; rfa up>down; nack down>up; "
    "up negative_acknowledgment; data up>down; data down>onward; up implicit_acknowledgment",
    "acknowledgment_lost": "data up>down; data down>onward unheard; up timeout; rfa up>down; "
    "ack down>up; up explicit_acknowledgment",
    "early_timeout": "data up>down; up timeout; rfa up>down; down duplicate_ignored; "
    "data down>onward; up implicit_acknowledgment",
}
NODES = {"up": UP, "down": DOWN, "onward": ONWARD}


def trace(script: str, start: float = 1.0) -> pl.DataFrame:
    """Write the events of a script as the engine would."""
    rows: list[dict[str, object]] = []

    def add(time: float, node: int, event: str, frame: str = "", peer: int = -1) -> None:
        duration = (DATA_S if frame == "data" else CONTROL_S) if frame else 0.0
        cause = "collision" if event == "loss" else ""
        rows.append(
            {
                "time_s": time, "node": node, "event": event, "frame": frame, "peer": peer,
                "flow": FLOW, "packet": PACKET, "bytes": 0,
                "duration_s": duration if event == "transmit_start" else 0.0, "cause": cause,
            }
        )  # fmt: skip

    time = start
    for line in script.split("; "):
        what, where, *rest = line.split()
        if what in NODES:
            add(time, NODES[what], where)
            continue
        sender, receiver = (NODES[name] for name in where.split(">"))
        add(time, sender, "transmit_start", what, receiver)
        time += DATA_S if what == "data" else CONTROL_S
        add(time, receiver, "loss" if rest == ["lost"] else "receive", what, sender)
        if sender == DOWN and receiver == ONWARD:
            add(time, UP, "loss" if rest == ["unheard"] else "receive", what, sender)
        time += 1e-3
    return pl.DataFrame(rows)


@pytest.mark.parametrize("scripts", [BASIC, RFA], ids=["basic", "rfa"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_case_is_found_and_only_that(case, scripts) -> None:  # type: ignore[no-untyped-def]
    events = trace(scripts[case.name])
    found = find_cases(events, flow=FLOW)
    assert found.keys() == {case.name}
    window = found[case.name]
    assert (window.packet, window.nodes) == (PACKET, (UP, DOWN, ONWARD))
    assert window.start == pytest.approx(1.0)


def test_the_least_crowded_instance_is_chosen() -> None:
    crowd = trace(BASIC["forwarding"], start=1.001)
    other = crowd.with_columns(flow=pl.lit(1, dtype=pl.Int64))
    late = trace(BASIC["forwarding"], start=5.0).with_columns(packet=pl.lit(9, dtype=pl.Int64))
    events = pl.concat([trace(BASIC["forwarding"]), other, late]).sort(
        "time_s", maintain_order=True
    )
    assert find_cases(events, flow=FLOW)[CASES[0].name].packet == 9


def test_the_last_hop_has_nothing_to_overhear() -> None:
    events = trace("data down>onward; ack onward>down; down explicit_acknowledgment")
    assert not find_cases(events, flow=FLOW)


def test_an_empty_trace_shows_nothing() -> None:
    assert not find_cases(trace(BASIC["forwarding"]).clear())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_chart_shows_frames_losses_and_timeouts(case) -> None:  # type: ignore[no-untyped-def]
    events = trace(RFA[case.name])
    window = find_cases(events, flow=FLOW)[case.name]
    axes = Figure().add_subplot()
    draw_sequence(axes, events, window)
    labels = {text.get_text() for text in axes.texts}
    frames = events.filter(event="transmit_start")["frame"].unique()
    assert {f"{frame.upper()} {PACKET}" for frame in frames} <= labels
    assert ("timeout" in labels) == (not events.filter(event="timeout").is_empty())
    crosses = [line for line in axes.lines if line.get_marker() == "x"]
    assert len(crosses) == events.filter(event="loss").height
