//! Batches: packets of one flow that share a frame, where the MAC sends frames of several packets.
//!
//! A batch is one exchange ([why](../../../../docs/adr/0149-a-batch-is-one-exchange.md)).

use multihop_core::{ByLink, Bytes, Count, Packet, Param, Params, Value};

/// How many packets of a flow share a frame at most.
pub const BATCH: Count = Count {
    name: "batch",
    about: "How many packets of a flow share a frame at most, where the MAC sends frames of several (A-MPDUs); 1: each \
            goes alone",
    unit: "packets",
    default: 1,
    min: 1,
    max: 64,
};

/// The parameter that every scheme with batches has.
pub const PARAM: Param = BATCH.param().in_batches();

/// The same where batches are the rule.
pub const SIXTEEN: Param =
    PARAM.by_link("16 where the MAC sends frames of several packets, else 1", USUAL);

// 16 packets of 1000 B need 2.1 ms at 65 Mbit/s, and use 95 % of what the longest frame does.
const USUAL: ByLink =
    ByLink(|link, _| Value::Count(if link.batch > 1 { 16 } else { BATCH.default }));

/// How many packets share a frame at most with `params`, over their link.
pub fn most(params: &Params) -> usize {
    params.get(BATCH).min(params.link.batch) as usize
}

/// Whether `packet` fits into `room` with a header of `header` bytes, which it may lack yet.
pub fn fits(packet: &Packet, has_header: bool, header: usize, room: Bytes) -> bool {
    let added = if has_header { 0 } else { header as u32 };
    packet.len().0.saturating_add(added) <= room.0
}
