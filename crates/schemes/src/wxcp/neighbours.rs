//! 3.3: n, "the number of different sources from packets overheard during the last control interval".

use multihop_core::{Heard, NodeId, Rx};

use super::parameters::Neighbours;

/// No station counts more; what strangers claim takes no more room than that.
const MOST: usize = 64;

/// Who was heard in the present interval.
#[derive(Clone, Debug)]
pub struct NeighbourCount {
    counts: Neighbours,
    known: Vec<NodeId>,
}

impl NeighbourCount {
    /// Nobody yet.
    pub const fn new(counts: Neighbours) -> Self {
        NeighbourCount { counts, known: Vec::new() }
    }

    /// `rx` was decoded.
    pub fn add(&mut self, rx: &Rx) {
        let who = match (self.counts, rx.heard) {
            (Neighbours::Overheard, Heard::ForMe) => return,
            (Neighbours::Heard | Neighbours::Overheard, _) => rx.from,
            (Neighbours::Origins, _) => rx.packet.flow.source,
        };
        if self.known.len() < MOST && !self.known.contains(&who) {
            self.known.push(who);
        }
    }

    /// How many, and nobody from now on.
    pub fn take(&mut self) -> u32 {
        let count = self.known.len();
        self.known.clear();
        count as u32
    }
}
