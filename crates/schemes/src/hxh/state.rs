//! HxH 3.2: what a node knows.

use multihop_core::{FlowId, NodeId, Params, Time};

use super::Settings;
use super::flow::Flow;
use super::header::Header;
use super::rate::Rate;
use crate::parts::pacer::Pacer;
use crate::parts::probing::Probing;

/// HxH at one node.
pub struct Hxh {
    pub(super) settings: Settings,
    /// The flows, by their names. A node has few of them.
    pub(super) flows: Vec<Flow>,
    /// Whose turn it is (3.2.2).
    pub(super) turn: FlowId,
    /// Whether that flow has had its turn: with batches, a turn is a frame.
    pub(super) has_had_turn: bool,
    /// The packets that the MAC has: one, or a batch of one flow.
    pub(super) below: Vec<Below>,
    /// When a packet of them was sent last, or was not.
    pub(super) sent: Option<Time>,
    pub(super) failed: Option<Time>,
    /// 5.1.2, and what keeps to it.
    pub(super) rate: Rate,
    pub(super) pacer: Pacer,
    pub(super) probing: Probing,
    /// From when on a flow may send that waits for its neighbour's turn only.
    pub(super) opens: Time,
}

impl Hxh {
    /// HxH with these parameters.
    pub fn new(params: &Params) -> Self {
        let settings = Settings::new(params);
        Hxh {
            settings,
            flows: Vec::new(),
            turn: FlowId::between(NodeId(0), NodeId(0)),
            has_had_turn: false,
            below: Vec::new(),
            sent: None,
            failed: None,
            rate: Rate::new(settings.pace),
            pacer: Pacer::default(),
            probing: Probing::new(params),
            opens: Time::NEVER,
        }
    }
}

/// A packet that the MAC has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Below {
    pub(super) flow: FlowId,
    /// The header with which it was queued.
    pub(super) header: Header,
    /// Its length in bytes.
    pub(super) len: u32,
}

impl Below {
    /// Whether it is this packet of its flow.
    pub(super) fn is(&self, header: &Header) -> bool {
        let name = |header: &Header| (header.kind, header.incarnation, header.sequence);
        name(&self.header) == name(header)
    }
}
