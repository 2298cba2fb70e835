//! Who must be woken next.
//!
//! Every node is one entry with one wake-up time. A wake-up that has moved leaves nothing behind.

use multihop_core::{NodeId, Schedule, Time};
use multihop_medium::Alarm;

/// A node's wake-up times, split by who set them: what carries its frames, and everything else.
#[derive(Clone, Debug)]
pub struct Wakes {
    schedule: Schedule,
    below: Vec<Time>,
    above: Vec<Time>,
}

impl Wakes {
    /// Nobody is to be woken.
    pub fn new(nodes: usize) -> Self {
        let never = vec![Time::NEVER; nodes];
        Wakes { schedule: Schedule::new(nodes), below: never.clone(), above: never }
    }

    /// The protocols and applications of `node` want to be woken at `at`.
    pub fn set_above(&mut self, node: NodeId, at: Time) {
        let node = node.index();
        self.above[node] = at;
        self.schedule.set(node, at.min(self.below[node]));
    }

    /// The earliest wake-up, and whose it is.
    pub fn next(&self) -> (Time, NodeId) {
        let (at, node) = self.schedule.next();
        (at, NodeId(node as u32))
    }

    /// Whether what carries the frames of `node` is to be woken by `now`.
    pub fn is_below_due(&self, node: NodeId, now: Time) -> bool {
        self.below[node.index()] <= now
    }

    /// Whether the protocols and applications of `node` are to be woken by `now`.
    pub fn is_above_due(&self, node: NodeId, now: Time) -> bool {
        self.above[node.index()] <= now
    }
}

/// What carries the frames of `node` wants to be woken.
impl Alarm for Wakes {
    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0028")]
    #[inline(always)]
    fn set(&mut self, node: NodeId, at: Time) {
        let node = node.index();
        self.below[node] = at;
        self.schedule.set(node, at.min(self.above[node]));
    }
}
