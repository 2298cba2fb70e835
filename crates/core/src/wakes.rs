//! Which node must be woken next.
//!
//! Every node is one entry with one wake-up time. A wake-up that has moved leaves nothing behind.

use crate::{NodeId, Schedule, Time};

/// The wake-up times of nodes, split by who has set them: the medium, and everything else.
#[derive(Clone, Debug)]
pub struct Wakes {
    schedule: Schedule,
    nodes: Vec<Wake>,
}

#[derive(Clone, Copy, Debug)]
struct Wake {
    above: Time,
    below: Time,
}

impl Wakes {
    /// Of so many nodes, none of which is to be woken.
    pub fn new(nodes: usize) -> Self {
        let never = Wake { above: Time::NEVER, below: Time::NEVER };
        Wakes { schedule: Schedule::new(nodes), nodes: vec![never; nodes] }
    }

    /// The protocols and applications of `node` want to be woken at `at`.
    pub fn set_above(&mut self, node: NodeId, at: Time) {
        let node = node.index();
        let wake = &mut self.nodes[node];
        wake.above = at;
        self.schedule.set(node, at.min(wake.below));
    }

    /// The earliest wake-up, and whose it is.
    pub fn next(&self) -> (Time, NodeId) {
        let (at, node) = self.schedule.next();
        (at, NodeId(node as u32))
    }

    /// When the medium is to be woken for `node`.
    pub fn below(&self, node: NodeId) -> Time {
        self.nodes[node.index()].below
    }

    /// Whether the medium is to be woken for `node` by `now`.
    pub fn is_below_due(&self, node: NodeId, now: Time) -> bool {
        self.nodes[node.index()].below <= now
    }

    /// Whether the protocols and applications of `node` are to be woken by `now`.
    pub fn is_above_due(&self, node: NodeId, now: Time) -> bool {
        self.nodes[node.index()].above <= now
    }

    /// The medium wants to be woken for `node` at `at`, and not when was said before.
    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0028")]
    #[inline(always)]
    pub fn set_below(&mut self, node: NodeId, at: Time) {
        let node = node.index();
        let wake = &mut self.nodes[node];
        wake.below = at;
        self.schedule.set(node, at.min(wake.above));
    }
}
