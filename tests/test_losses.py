"""Why CXCC's transmissions fail: traces written by hand, on a chain with 200 m between nodes."""

import polars as pl
import pytest

from multihop import Result, Scenario
from multihop_papers.cxcc.losses import TOPOLOGIES, Cause, Part, losses, table
from multihop_papers.cxcc.setup import SCENARIO

pytestmark = pytest.mark.engine

NODES = 8
FLOW, PACKET, OTHER = 0, 7, 1
AIR_S = 0.005
Row = dict[str, object]


def row(time: float, node: int, event: str, frame: str, peer: int, packet: int = PACKET) -> Row:
    flow = FLOW if packet == PACKET else OTHER
    duration = AIR_S if event == "transmit_start" else 0.0
    return {"time_s": time, "node": node, "event": event, "frame": frame, "peer": peer,
            "flow": flow, "packet": packet, "duration_s": duration}  # fmt: skip


def sent(time: float, node: int, to: int, frame: str = "data", packet: int = PACKET) -> Row:
    return row(time, node, "transmit_start", frame, to, packet)


def lost(time: float, at: int, sender: int, frame: str = "data") -> Row:
    return row(time + AIR_S, at, "loss", frame, sender)


def passing(time: float, node: int, to: int) -> Row:
    """Let a frame pass that no one here looks at."""
    return sent(time, node, to, "rfa", packet=99)


def taken(time: float, node: int) -> Row:
    return row(time, node, "implicit_acknowledgment", "", -1)


def traced(*rows: Row) -> Result:
    nodes = {"node": list(range(NODES)), "x_m": [200.0 * n for n in range(NODES)]}
    return Result(
        {
            "events": pl.DataFrame(rows),
            "nodes": pl.DataFrame(nodes).with_columns(y_m=0.0),
            "runs": pl.DataFrame({"warmup_s": [1.0], "duration_s": [9.0]}),
        }
    )


@pytest.mark.parametrize(
    ("others", "cause"),
    [
        # 5 is three hops from 2, and two from 3.
        ([passing(0.998, 5, 6)], Cause.HIDDEN_FIRST),
        ([passing(1.002, 5, 6)], Cause.HIDDEN_LATER),
        ([passing(1.000, 4, 5)], Cause.CONTENTION),
        ([passing(0.998, 5, 6), passing(0.996, 4, 5)], Cause.CONTENTION),
        ([passing(0.998, 3, 4)], Cause.DEAF),
        # Too far from 3 to be sensed, or over before.
        ([passing(0.998, 6, 7)], Cause.OTHER),
        ([passing(0.994, 5, 6)], Cause.OTHER),
    ],
)
def test_lost_data_is_laid_to_who_began_first_at_the_next_hop(
    others: list[Row], cause: Cause
) -> None:
    found = losses(traced(*others, sent(1.0, 2, 3), lost(1.0, 3, 2)))
    assert found.sent == {Part.DATA: 1}
    assert found.lost == {(Part.DATA, cause): 1}


def test_a_lost_acknowledgment_is_one_at_the_previous_hop() -> None:
    # 0 is three hops from 3, which forwards, and two from 2, which listens.
    rows = [sent(1.0, 2, 3), passing(1.098, 0, 1), sent(1.1, 3, 4), lost(1.1, 2, 3)]
    found = losses(traced(*rows))
    assert found.sent == {Part.DATA: 2, Part.ACKNOWLEDGMENT: 1}
    assert found.lost == {(Part.ACKNOWLEDGMENT, Cause.HIDDEN_FIRST): 1}
    assert found.share(Part.ACKNOWLEDGMENT, Cause.HIDDEN_FIRST) == 1


def test_only_the_first_forwarding_acknowledges_and_a_destination_answers() -> None:
    rows = [sent(1.0, 2, 3), sent(1.1, 3, 4), sent(1.2, 3, 4), sent(1.3, 4, 3, "ack")]
    found = losses(traced(*rows))
    assert found.sent == {Part.DATA: 3, Part.ACKNOWLEDGMENT: 2}
    assert not found.lost


def test_a_loss_costs_the_time_that_the_queue_stays_blocked_longer() -> None:
    smooth = [sent(1.0, 2, 3), taken(1.1, 2)]
    broken = [sent(2.0, 1, 2), lost(2.0, 2, 1), sent(2.3, 1, 2), taken(2.5, 1)]
    found = losses(traced(*smooth, *broken))
    assert found.packets == {None: 1, Part.DATA: 1}
    assert found.blocked_mean(None) == pytest.approx(0.1)
    assert found.blocked_mean(Part.DATA) == pytest.approx(0.5)
    assert found.cost(Part.DATA) == pytest.approx(0.4 / 10)
    assert found.cost(Part.ACKNOWLEDGMENT) == 0


@pytest.mark.long
def test_real_runs_lose_to_nodes_three_hops_away() -> None:
    base = Scenario.from_file(SCENARIO).with_(warmup="1 s", duration="5 s")
    counts = table(base, seeds=[1])
    assert len(counts.columns) == 2 + len(TOPOLOGIES)
    rows = list(zip(*(list(column.cells) for column in counts.columns), strict=True))
    shares = {label: cells for part, label, *cells in rows[: 1 + len(Cause)]}
    hidden = [float(cell.rstrip("%")) for cell in shares[f"lost: {Cause.HIDDEN_FIRST.value}"]]
    near = [float(cell.rstrip("%")) for cell in shares[f"lost: {Cause.CONTENTION.value}"]]
    assert all(far > close for far, close in zip(hidden, near, strict=True))
