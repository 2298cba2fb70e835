//! Neighbours that do not hear this node (RFC 3561, 6.8).

use std::collections::BTreeMap;

use multihop_core::{Duration, NodeId, Time};

use super::parameters::MOST_KNOWN;

/// The neighbours to which a route reply could not be delivered, each until it is forgotten. The link
/// acknowledgment that is missing tells them; the RREP-ACK of RFC 3561, 5.4, is for link layers without.
#[derive(Clone, Debug, Default)]
pub struct Blacklist {
    until: BTreeMap<NodeId, Time>,
}

impl Blacklist {
    /// A route reply has not reached `neighbour`.
    pub fn add(&mut self, neighbour: NodeId, now: Time, timeout: Duration) {
        self.until.retain(|_, until| *until > now);
        if self.until.len() < MOST_KNOWN {
            self.until.insert(neighbour, now + timeout);
        }
    }

    /// Whether requests from `neighbour` are ignored.
    pub fn has(&self, neighbour: NodeId, now: Time) -> bool {
        self.until.get(&neighbour).is_some_and(|until| *until > now)
    }

    /// How many neighbours it has.
    pub fn len(&self) -> usize {
        self.until.len()
    }
}
