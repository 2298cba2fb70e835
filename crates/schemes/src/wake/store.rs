//! The last packets that a node has sent, and that came to it, for coding.

use std::collections::VecDeque;

use multihop_core::{Duration, FlowId, NodeId, Packet, Time};

/// How many packets are kept that were sent, and how many that came.
const MOST_KEPT: usize = 256;

/// How long what was sent is kept.
const KEPT: Duration = Duration::from_millis(2_000);

/// A packet that was sent, or that came.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) flow: FlowId,
    pub(super) sequence: u16,
    /// To whom, or from whom.
    pub(super) neighbour: NodeId,
    pub(super) at: Time,
    pub(super) packet: Packet,
}

/// The last packets.
#[derive(Debug, Default)]
pub(super) struct Store(VecDeque<Kept>);

impl Store {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    fn place(&self, flow: FlowId, sequence: u16) -> Option<usize> {
        self.0.iter().rposition(|kept| (kept.flow, kept.sequence) == (flow, sequence))
    }

    /// The packet of `flow` with this number.
    pub(super) fn find(&self, flow: FlowId, sequence: u16) -> Option<&Kept> {
        self.place(flow, sequence).map(|at| &self.0[at])
    }

    /// Forget it.
    pub(super) fn remove(&mut self, flow: FlowId, sequence: u16) {
        if let Some(at) = self.place(flow, sequence) {
            self.0.remove(at);
        }
    }

    /// Keep another one, the last with its number, for some time and among the last so many.
    pub(super) fn keep(&mut self, kept: Kept) {
        self.remove(kept.flow, kept.sequence);
        while self.0.front().is_some_and(|old| old.at + KEPT <= kept.at) {
            self.0.pop_front();
        }
        if self.0.len() == MOST_KEPT {
            self.0.pop_front();
        }
        self.0.push_back(kept);
    }
}
