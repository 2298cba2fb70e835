//! What nodes and parts are told, with what a test does not care about filled in.

use multihop_core::{
    Duration, FlowId, Heard, Message, NodeId, Outcome, Packet, Payload, Rate, Rx, Tag, TxDone,
    TxRequest,
};

/// Length of messages and packets in bytes: that of CXCC 7.
const PAYLOAD: u32 = 512;

/// The rate of all MACs: 1 Mbit/s.
const RATE: Rate = Rate(1_000_000);

/// Message number `number` of source `source`.
pub const fn message(source: u32, number: u32) -> Message {
    Message { payload: Payload::Virtual(PAYLOAD), tag: Tag { source, number } }
}

/// Packet number `number` of `flow`, without headers.
pub const fn packet(flow: FlowId, number: u32) -> Packet {
    Packet::new(flow, Payload::Virtual(PAYLOAD), Tag { source: 0, number })
}

/// The radio has decoded `packet` from `from`.
pub const fn heard(from: NodeId, heard: Heard, packet: Packet) -> Rx {
    Rx { from, heard, rate: RATE, signal: None, air_time: Duration::ZERO, packet }
}

/// The MAC has finished with `request`, at the first attempt.
pub fn done(request: TxRequest, outcome: Outcome) -> TxDone {
    request.done(outcome, RATE)
}
