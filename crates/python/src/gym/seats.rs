//! What passes between a learner and the nodes that it controls: controls down, what nodes have seen up.
//!
//! Nodes read and write it at the ends of control steps only. In between they keep everything themselves, so that a lock
//! is taken twice a step and node.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use multihop_core::{Duration, NodeId, Time};

/// What a learner sets at a node; `None` is the scheme's own way.
#[derive(Clone, Copy, Debug, Default)]
pub struct Controls {
    /// From one packet of this node's flows to the next.
    pub pace: Option<Duration>,
    /// From the end of a frame of this node to the next frame that it hands to its MAC.
    pub hold: Option<Duration>,
    /// How many segments of this node's flows may be on their way.
    pub window: Option<u32>,
    /// The smallest contention window, in slots.
    pub contention: Option<u32>,
}

/// What a node has seen: of counts, since the last step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    /// How many packets it is responsible for.
    pub queue: u64,
    /// Frames decoded that were for this node, or for all.
    pub heard: u64,
    /// Frames decoded that were for others.
    pub overheard: u64,
    /// Packets that the next hop has acknowledged, or that were sent without asking for that.
    pub sent: u64,
    /// Packets that the MAC has given up.
    pub failed: u64,
    /// How long the medium was not free for it.
    pub busy: Duration,
    /// How long it transmitted.
    pub sending: Duration,
}

/// The place of one node.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seat {
    /// What it is to do.
    pub controls: Controls,
    /// What it has seen.
    pub seen: Seen,
}

/// When control steps end, and what nodes have to look at.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// When the first control step begins.
    pub origin: Time,
    /// How long a step is.
    pub step: Duration,
    /// Whether somebody asks what radios do with their time.
    pub watches_air: bool,
    /// Whether somebody asks for frames for others.
    pub overhears: bool,
    /// Whether windows are controlled.
    pub windows: bool,
}

impl Terms {
    /// The first end of a step after `now`.
    pub fn next(&self, now: Time) -> Time {
        if now < self.origin {
            return self.origin;
        }
        let done = now.since(self.origin).nanos() / self.step.nanos();
        self.origin + Duration::from_nanos((done + 1) * self.step.nanos())
    }

    /// When a node says next what it has seen: right before the end of a step, so that it is said before the run ends,
    /// too.
    pub fn before_next(&self, now: Time) -> Time {
        let before = |end: Time| Time::from_nanos(end.nanos() - 1);
        let end = self.next(now);
        if before(end) > now { before(end) } else { before(end + self.step) }
    }
}

impl Default for Terms {
    fn default() -> Self {
        let (origin, step) = (Time::NEVER, Duration::from_nanos(1));
        Terms { origin, step, watches_air: false, overhears: false, windows: false }
    }
}

/// The seats of one environment.
#[derive(Default)]
pub struct Seats(Mutex<(Terms, BTreeMap<NodeId, Seat>)>);

impl Seats {
    /// An episode begins, with these nodes, by their addresses.
    pub fn set(&self, terms: Terms, nodes: impl IntoIterator<Item = NodeId>) {
        let seats = nodes.into_iter().map(|node| (node, Seat::default())).collect();
        *self.held() = (terms, seats);
    }

    /// The terms of this episode.
    pub fn terms(&self) -> Terms {
        self.held().0
    }

    /// What a node is to do.
    pub fn controls(&self, node: NodeId) -> Controls {
        self.held().1.get(&node).map(|seat| seat.controls).unwrap_or_default()
    }

    /// A node says what it has seen.
    pub fn tell(&self, node: NodeId, seen: Seen) {
        if let Some(seat) = self.held().1.get_mut(&node) {
            seat.seen = seen;
        }
    }

    /// A learner decides.
    pub fn control(&self, node: NodeId, controls: Controls) {
        if let Some(seat) = self.held().1.get_mut(&node) {
            seat.controls = controls;
        }
    }

    /// What a node has seen since the last time; nothing if it said nothing.
    pub fn seen(&self, node: NodeId) -> Seen {
        let mut state = self.held();
        state.1.get_mut(&node).map(|seat| std::mem::take(&mut seat.seen)).unwrap_or_default()
    }

    fn held(&self) -> MutexGuard<'_, (Terms, BTreeMap<NodeId, Seat>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
