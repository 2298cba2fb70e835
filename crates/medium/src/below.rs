//! What carriers and their host say to each other.

use multihop_core::{Bytes, Duration, NodeId, Packet, Rx, Tag, Time, TxDone};

use crate::mac::Action;

/// What happened on the wires.
pub enum WireReport {
    /// A packet arrived at a node.
    Heard(NodeId, Rx),
    /// A node's frame was accepted.
    Done(NodeId, TxDone),
    /// A frame goes into a link.
    Transmits(Transmission),
    /// A link's queue was full.
    QueueFull(NodeId, Packet),
}

/// A frame on the medium, for statistics and traces.
#[derive(Clone, Copy, Debug)]
pub struct Transmission {
    /// The transmitter.
    pub from: NodeId,
    /// The addressee; `None` if it is for everyone.
    pub to: Option<NodeId>,
    /// The packet that it carries or, for an RTS, announces.
    pub tag: Option<Tag>,
    /// What its kind is called.
    pub label: &'static str,
    /// Its length, without the preamble.
    pub bytes: Bytes,
    /// How long it is on the medium, preamble included.
    pub air_time: Duration,
}

/// The host's schedule.
pub trait Alarm {
    /// [`Carrier::on_deadline`](crate::Carrier::on_deadline) is due for `node` at `at`, and not when was said before.
    fn set(&mut self, node: NodeId, at: Time);
}

/// What a call gets.
pub struct Below<'a, A> {
    /// Now.
    pub now: Time,
    /// How much later than now a frame that is offered reaches the MAC.
    pub lag: Duration,
    /// Where deadlines go.
    pub alarm: &'a mut A,
    /// What stations did.
    pub actions: &'a mut Vec<(NodeId, Action)>,
    /// What happened on the wires.
    pub wires: &'a mut Vec<WireReport>,
}
