//! The memory of requests (RFC 3561, 6.5).

use std::collections::VecDeque;

use multihop_core::{Duration, NodeId, Time};

use super::parameters::{MOST_KNOWN, tick_at};

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

    /// Whether this request is new `now`. From now on it is not, for as long as requests are remembered.
    pub fn is_new(
        &mut self,
        originator: NodeId,
        id: u32,
        (now, remember): (Time, Duration),
    ) -> bool {
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
        let until = tick_at(now + remember, remember);
        self.requests.push_back((originator, id, until));
        true
    }
}
