//! The memory of requests (RFC 3561, 6.5).

use std::collections::VecDeque;

use multihop_core::{NodeId, Time};

use super::parameters::{MOST_KNOWN, REQUEST_MEMORY, tick_at};

/// The requests that were heard lately (RFC 3561, 6.5).
#[derive(Clone, Debug, Default)]
pub struct Memory {
    requests: VecDeque<(NodeId, u32, Time)>,
}

impl Memory {
    /// How many they are.
    pub fn len(&self) -> usize {
        self.requests.len()
    }

    /// Whether this request is new. From now on it is not.
    pub fn is_new(&mut self, originator: NodeId, id: u32, now: Time) -> bool {
        while self.requests.front().is_some_and(|(_, _, until)| *until <= now) {
            self.requests.pop_front();
        }
        if self.requests.iter().any(|(o, i, _)| *o == originator && *i == id) {
            return false;
        }
        if self.requests.len() == MOST_KNOWN {
            self.requests.pop_front();
        }
        // A request is forgotten when ns-2's timer, which starts at time zero, finds it old.
        let until = tick_at(now + REQUEST_MEMORY, REQUEST_MEMORY);
        self.requests.push_back((originator, id, until));
        true
    }
}
