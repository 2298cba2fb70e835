//! One period for a path (rule 3): what flows need here, and around.

use multihop_core::{Duration, FlowId, NodeId, Time};

/// How many needs are remembered.
pub(super) const MOST_OVERHEARD: usize = 1_024;

/// What a neighbour was heard to need.
#[derive(Clone, Copy, Debug)]
struct Overheard {
    from: NodeId,
    flow: FlowId,
    need: Duration,
    at: Time,
}

/// What the neighbours were heard to need.
#[derive(Debug, Default)]
pub(super) struct Surroundings {
    heard: Vec<Overheard>,
}

impl Surroundings {
    /// `flow` needs that at the neighbour `from`.
    pub(super) fn learn(&mut self, at: Time, from: NodeId, flow: FlowId, need: Duration) {
        let entry = Overheard { from, flow, need, at };
        let is_known = |old: &Overheard| old.from == from && old.flow == flow;
        if let Some(at) = self.heard.iter().position(is_known) {
            self.heard[at] = entry;
        } else if self.heard.len() < MOST_OVERHEARD {
            self.heard.push(entry);
        } else if let Some(oldest) = self.heard.iter_mut().min_by_key(|old| old.at) {
            *oldest = entry;
        }
    }

    /// The most that a flow other than `flow` was heard to need within `memory`.
    pub(super) fn most(&mut self, now: Time, flow: FlowId, memory: Duration) -> Duration {
        self.heard.retain(|entry| now < entry.at + memory);
        let others = self.heard.iter().filter(|entry| entry.flow != flow);
        others.map(|entry| entry.need).max().unwrap_or(Duration::ZERO)
    }

    pub(super) fn len(&self) -> usize {
        self.heard.len()
    }
}
