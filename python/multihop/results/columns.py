"""The data dictionary: every column of every table, its unit, and what it means.

Documentation, `multihop list columns` and the metadata of the Parquet files are made from it. The
engine says what causes of losses, classes of frames and counters of schemes there are.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .. import _multihop


class Column(NamedTuple):
    """What a column holds."""

    unit: str
    about: str
    is_text: bool = False

    def said(self) -> dict[str, str]:
        """Return what files say of it."""
        return {"unit": self.unit, "about": self.about}


def _counters() -> dict[str, Column]:
    """Return what schemes count themselves: columns that only their runs have."""
    found: dict[str, tuple[Column, list[str]]] = {}
    for scheme in _multihop.schemes():
        for counter in scheme["counters"]:
            column = Column(counter["unit"], counter["about"])
            found.setdefault(counter["name"], (column, []))[1].append(scheme["name"])
    return {
        name: column._replace(about=f"{column.about}; runs of {', '.join(schemes)} only")
        for name, (column, schemes) in found.items()
    }


COUNTERS = _counters()
# In what nodes differ: columns of runs in which they do.
DIFFERING = {
    "role": Column("", "its role, empty without one; runs with roles only", is_text=True),
    "node_scheme": Column("", "its scheme; runs with several schemes only", is_text=True),
    "transmit_power_w": Column("W", "transmission power; runs with different radios only"),
    "antenna_gain_dbi": Column("dBi", "gain of its antenna; runs with different radios only"),
    "antenna_height_m": Column("m", "height of its antenna; runs with different radios only"),
    "sense_threshold_dbm": Column(
        "dBm", "power from which it senses frames; runs with different radios only"
    ),
}
# Columns of runs in which frames carry several packets.
OF_BATCHES = {
    "aggregates": Column(
        "frames", "those that carried several packets (A-MPDU); runs with such frames only"
    ),
    "aggregate_packets_mean": Column(
        "packets", "mean number in such a frame; runs with such frames only"
    ),
}
VOCABULARY = _multihop.vocabulary()
LOSSES = {
    column: Column("packets", f"of `lost`: {about}")
    for column, about in VOCABULARY["drop_causes"].items()
}

# Columns of `runs` where flows go to several nodes, beside their number.
MEANS_OF_MESSAGES = (
    "reach_mean",
    "reach_near",
    "reach_far",
    "frames_per_message",
    "useful_share",
    "transmit_share",
)
# Columns that only some runs have, and that are null in the rows of others: those of messages,
# in what nodes differ, what frames with several packets carry, counters of schemes, and causes of
# losses, some of which schemes declare.
OPTIONAL = ("messages", *MEANS_OF_MESSAGES, *DIFFERING, *OF_BATCHES, *COUNTERS, *LOSSES)

# The tables of a folder that `--trace` writes: what a row is, and its columns.
TRACE_ROWS: dict[str, str] = {}
TRACE: dict[str, dict[str, Column]] = {}
TRACE_TYPES: dict[str, dict[str, str]] = {}
for _table, (_about, _columns) in _multihop.trace_tables().items():
    TRACE_ROWS[_table] = _about
    TRACE[_table] = {name: Column(unit, about) for name, (unit, about, _) in _columns.items()}
    TRACE_TYPES[_table] = {name: kind for name, (_, _, kind) in _columns.items()}

COLUMNS: dict[str, dict[str, Column]] = {
    "runs": {
        "name": Column("", "the scenario's name"),
        "scheme": Column("", "the scheme under test"),
        "seed": Column("", "fixes every random number of the run"),
        "warmup_s": Column("s", "measuring begins here"),
        "duration_s": Column("s", "how long is measured"),
        "nodes": Column("", "number of nodes"),
        "flows": Column("", "number of traffic sources"),
        "goodput_bit_s": Column("bit/s", "payload delivered while measuring, all flows"),
        "network_delay_mean_s": Column(
            "s",
            "mean network delay of all flows' packets: from the start of the source's first MAC "
            "transmission to the reception at the destination (CXCC 7.1); without the wait at "
            "the source",
        ),
        "network_delay_p95_s": Column("s", "95th percentile of the network delay"),
        "end_to_end_delay_mean_s": Column(
            "s",
            "mean end-to-end delay of all flows' packets: from the application that offers one to "
            "the application that gets it; with the wait at the source",
        ),
        "end_to_end_delay_p95_s": Column("s", "95th percentile of the end-to-end delay"),
        "age_mean_s": Column(
            "s", "mean age of information of the flows that have delivered something, as in `flows`"
        ),
        "starved_share": Column(
            "",
            "share of the flows with packets to deliver while measuring that have delivered none; "
            "means over packets leave these flows out",
        ),
        "completed_share": Column(
            "", "share of the transfers that were complete when the run ended; NaN without any"
        ),
        "completion_time_mean_s": Column(
            "s", "mean completion time of the transfers that are complete, those of the whole run"
        ),
        "medium_bytes": Column(
            "B", "MAC bytes put on the medium while measuring, all nodes; preambles do not count"
        ),
        "overhead": Column(
            "B/B", "bytes on the medium per delivered payload byte and hop that it took"
        ),
        "transmissions": Column("frames", "frames put on the medium while measuring"),
        "messages": Column(
            "packets",
            "packets for everyone or a group that were sent while measuring; this and the next "
            "six only where flows go to several nodes",
        ),
        "reach_mean": Column("", "mean of `reach` in the table `messages`, over those packets"),
        "reach_near": Column(
            "",
            "share of the addressed nodes at most two hops from the source that got texts "
            "(`class`) among those packets",
        ),
        "reach_far": Column("", "the same of nodes that are farther away; NaN if there are none"),
        "frames_per_message": Column("frames", "mean of `frames` there, over those packets"),
        "useful_share": Column(
            "", "share of all copies of those packets that nodes heard that were a node's first"
        ),
        "transmit_share": Column("", "share of the time that a node transmits, on average"),
        **COUNTERS,
        "fingerprint": Column(
            "",
            "hash of every transmission (time, sender, length on the air) and every delivery "
            "(time, packet); not of drops, timers or routing state",
        ),
        "events": Column("", "events that the engine handled"),
    },
    "flows": {
        "flow": Column("", "index of the traffic source"),
        "name": Column("", "its name"),
        "source": Column("", "name or index of the sending node"),
        "destination": Column("", "name or index of the receiving node"),
        "hops": Column("", "length of the shortest route at the start"),
        "hops_mean": Column("", "hops that delivered packets took, on average"),
        "offered": Column("packets", "offered by the application while measuring"),
        "delivered": Column("packets", "delivered while measuring"),
        "lost": Column("packets", "lost while measuring: the sum of `lost_*`"),
        "refused": Column(
            "packets", "of `lost`: rejected at the source, because its buffer or queue was full"
        ),
        "goodput_bit_s": Column("bit/s", "payload delivered while measuring"),
        "network_delay_mean_s": Column(
            "s", "mean network delay, from the start of the source's first MAC transmission on"
        ),
        "network_delay_p50_s": Column("s", "median of the network delay"),
        "network_delay_p95_s": Column("s", "95th percentile of the network delay"),
        "network_delay_max_s": Column("s", "largest network delay"),
        "end_to_end_delay_mean_s": Column(
            "s", "mean end-to-end delay, from application to application"
        ),
        "end_to_end_delay_p50_s": Column("s", "median of the end-to-end delay"),
        "end_to_end_delay_p95_s": Column("s", "95th percentile of the end-to-end delay"),
        "end_to_end_delay_max_s": Column("s", "largest end-to-end delay"),
        "segment_delay_mean_s": Column(
            "s",
            "mean time from the transport's first sending of a packet to its arrival in order; for "
            "transports that retransmit",
        ),
        "age_mean_s": Column(
            "s",
            "mean age of information: how old the newest delivered message was, over the measured "
            "time from the first delivery on; NaN if there was none",
        ),
        **LOSSES,
        "completion_time_s": Column(
            "s",
            "of a transfer: from its first offer to the last delivery, of the whole run; NaN until "
            "all of it is delivered",
        ),
        "run_offered": Column("packets", "offered in the whole run, warm-up included"),
        "run_delivered": Column("packets", "delivered in the whole run"),
        "run_lost": Column("packets", "lost in the whole run"),
        "run_inside": Column("packets", "still inside the network when the run ended"),
        "run_duplicates": Column(
            "packets", "second copies that reached the destination, in the whole run"
        ),
        "first_offer_s": Column("s", "when the application had its first packet"),
        "last_delivery_s": Column("s", "when the last packet was delivered, of all so far"),
        "window_mean": Column("packets", "congestion window, mean over time"),
        "window_change_mean": Column(
            "packets", "congestion window, mean of the values that it changed to"
        ),
        "round_trip_mean_s": Column("s", "mean of the transport's samples of the round-trip time"),
        "acknowledged": Column(
            "segments", "of data, that acknowledgments confirmed to their source while measuring"
        ),
        "segment_retransmissions": Column("segments", "that the transport sent again"),
        "retransmission_timeouts": Column("", "how often its retransmission timer ran out"),
        "control_lost": Column(
            "packets", "acknowledgments and requests for a connection that were dropped on the way"
        ),
        "without_route": Column("packets", "of any kind, for which there was no route"),
        "window_reductions": Column("", "how often it reduced its congestion window"),
        "mac_failures": Column(
            "frames",
            "data packets that the MAC of a node dropped while measuring, also those that routing "
            "then sends another way; a trace of ns-2 has a drop `RET` for each",
        ),
        "rts_failures": Column(
            "frames", "those of them whose RTS was never answered: their data was not on the air"
        ),
        "copies_dropped": Column(
            "packets",
            "copies of its data that queues, buffers and routing dropped while measuring, also "
            "those that the transport sent again, which `lost` does not count",
        ),
    },
    "nodes": {
        "node": Column("", "index of the node"),
        "name": Column("", "its name"),
        "x_m": Column("m", "position"),
        "y_m": Column("m", "position"),
        **DIFFERING,
        "transmit_s": Column("s", "air time spent transmitting"),
        "receive_s": Column("s", "air time spent receiving or sensing"),
        "idle_s": Column("s", "time the radio was idle"),
        "medium_bytes": Column("B", "MAC bytes put on the medium while measuring"),
        "data_frames": Column("frames", "data frames sent"),
        "control_frames": Column("frames", "all other frames sent"),
        "mac_served": Column(
            "packets", "that the MAC has finished with: sent, dropped or withdrawn"
        ),
        "mac_retries": Column("", "how often the MAC had to try again"),
        **OF_BATCHES,
        "mac_staying_mean_s": Column(
            "s", "mean time that a packet stays in the MAC, from contending to its end (LECN 3.2)"
        ),
        "marked": Column("packets", "marked here: congestion experienced"),
        "link_failures": Column("", "links that routing took for broken"),
        "false_link_failures": Column("", "those of them whose other end was in range"),
        "collisions": Column("frames", "receptions lost to another frame"),
        "capture_lost": Column("frames", "frames ignored because a stronger one was received"),
        "bit_errors": Column("frames", "receptions lost to bit errors"),
        **COUNTERS,
    },
    "series": {
        "time_s": Column("s", "beginning of the interval"),
        "flow": Column("", "index of the traffic source"),
        "delivered": Column("packets", "delivered in the interval"),
        "delivered_bytes": Column("B", "payload delivered in the interval"),
        "network_delay_mean_s": Column("s", "mean network delay of those packets"),
        "end_to_end_delay_mean_s": Column("s", "mean end-to-end delay of those packets"),
        "window_mean": Column("packets", "congestion window, mean over the interval"),
    },
    "congestion": {
        "node": Column("", "index of the node; -1: the largest potential of all nodes"),
        "congestion_potential": Column(
            "", "how many nodes that it senses, itself included, contend for the medium (LECN 3.1)"
        ),
        "time_s": Column("s", "how long it was so while measuring"),
    },
    "messages": {
        "flow": Column("", "index of the traffic source"),
        "message": Column("", "number of the packet within its source"),
        "source": Column("", "name of the sending node"),
        "class": Column("", "its class: text, announcement or report"),
        "time_s": Column("s", "when the application sent it, in the whole run"),
        "addressed": Column("nodes", "nodes that it is for, its source not counted"),
        "reached": Column("nodes", "nodes whose application got it before the end of the run"),
        "reach": Column("", "share of the addressed nodes that it has reached"),
        "near": Column(
            "nodes", "of the addressed ones, at most two hops from the source when the run began"
        ),
        "near_reached": Column("nodes", "of these, got it"),
        "first_delay_s": Column("s", "until the first of them got it; NaN if none did"),
        "median_delay_s": Column("s", "until half of those that it reached had it"),
        "last_delay_s": Column("s", "until the last of them got it"),
        "hops_mean": Column("", "hops of the copies that they got, on average"),
        "hops_max": Column("", "hops of the longest way"),
        "frames": Column("frames", "frames that carried it, from all nodes"),
        "useful_share": Column(
            "",
            "share of the copies heard that were a node's first; the others were ignored as "
            "duplicates",
        ),
    },
    "positions": {
        "time_s": Column("s", "when: at the start of the run, and at both ends of each movement"),
        "node": Column("", "index of the node"),
        "x_m": Column("m", "where it is then; between two rows it moves evenly"),
        "y_m": Column("m", "where it is then"),
    },
    "events": {
        "time_s": Column("s", "when"),
        "node": Column("", "index of the node"),
        "event": Column("", "what happened: transmit_start, receive, loss, timeout, ..."),
        "frame": Column("", f"{', '.join(VOCABULARY['frame_classes'])}, or empty"),
        "peer": Column("", "addressee of a transmission, transmitter of a reception; -1: none"),
        "flow": Column("", "index of the traffic source; -1: none, as for routing packets"),
        "packet": Column("", "number of the packet within its source; -1: it carried no data"),
        "control": Column(
            "",
            "number of a packet without data, as an acknowledgment, among those that its end of "
            "the flow has sent; -1: none",
        ),
        "bytes": Column("B", "size of the frame; of an estimate, what the links carry in a second"),
        "duration_s": Column(
            "s", "air time of a frame, staying time, round-trip time, or interval of an estimate"
        ),
        "value": Column(
            "",
            "window in packets, retries, congestion potential, or the share of an interval in "
            "which a station found the medium free; else NaN",
        ),
        "cause": Column("", "why it was lost or dropped, or how it ended"),
    },
}


# Columns that had another name, without their unit.
FORMER = {
    "delay_mean": "network_delay_mean_s",
    "delay_p50": "network_delay_p50_s",
    "delay_p95": "network_delay_p95_s",
    "delay_max": "network_delay_max_s",
    "total_delay_mean": "end_to_end_delay_mean_s",
}


def renamed(name: str) -> str:
    """Say what a column's former name has become; nothing for any other name.

    >>> renamed("delay_mean_s")
    '`delay_mean_s` is now `network_delay_mean_s`; `end_to_end_delay_mean_s` counts the wait at
    the source'
    """
    short = name.removesuffix("_s")
    now = FORMER.get(short) or FORMER.get(f"{short}_mean")
    if now is None:
        return ""
    said = f"`{name}` is now `{now}`"
    other = now.replace("network", "end_to_end")
    return said if other == now else f"{said}; `{other}` counts the wait at the source"


def in_order(table: str, names: Iterable[str]) -> list[str]:
    """Return columns of a table in the order of the dictionary, others before them."""
    known = {name: at for at, name in enumerate(COLUMNS.get(table, {}))}
    return sorted(dict.fromkeys(names), key=lambda name: known.get(name, -1))
