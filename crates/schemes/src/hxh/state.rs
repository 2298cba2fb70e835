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
    /// The packet that the MAC has.
    pub(super) below: Option<Below>,
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
            below: None,
            rate: Rate::new(settings.pace),
            pacer: Pacer::default(),
            probing: Probing::new(params),
            opens: Time::NEVER,
        }
    }
}

/// The packet that the MAC has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Below {
    pub(super) flow: FlowId,
    /// The header with which it was queued.
    pub(super) header: Header,
}
