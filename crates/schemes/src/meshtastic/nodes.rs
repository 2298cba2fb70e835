//! Which nodes a node knows, and by which neighbour it reaches them: `NodeDB.cpp`, `NextHopRouter.cpp`.

use std::collections::BTreeMap;

use multihop_core::{NodeId, Time};

use super::firmware::NEIGHBOUR_LIFETIME;
use super::header::last_byte;
use super::health::RouteHealth;
use super::recent::Recent;
use super::scaling::{PerHop, SEEN_WINDOW};

/// What is known of a node.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// When a packet of it was heard last.
    heard: Time,
    /// When it was heard itself.
    direct: Option<Time>,
    /// How many hops the last packet of it has come.
    hops: u8,
    /// The last byte of the neighbour by which it is reached.
    hop: Option<u8>,
}

/// The nodes that a node knows.
#[derive(Debug)]
pub(super) struct Nodes {
    known: BTreeMap<NodeId, Known>,
    recent: Recent<NodeId>,
    health: RouteHealth,
    /// How many there are at most. The one that was not heard for the longest time gives way.
    most: usize,
}

impl Nodes {
    /// Nobody is known, and so many will be at most.
    pub(super) fn new(most: usize) -> Self {
        let (known, recent) = (BTreeMap::new(), Recent::new(most));
        Nodes { known, recent, health: RouteHealth::default(), most }
    }

    /// How many are known.
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// Of how many destinations there is a record of the route.
    pub(super) fn routes(&self) -> usize {
        self.health.len()
    }

    /// A packet of `node` was heard, from itself if it is `direct`.
    pub(super) fn hear(&mut self, node: NodeId, direct: bool, now: Time) {
        if !self.known.contains_key(&node) && self.known.len() >= self.most {
            let heard = |node| Some(self.known.get(&node)?.heard);
            if let Some(oldest) = self.recent.take_oldest(heard) {
                self.known.remove(&oldest);
            }
        }
        self.recent.see(node, now, |node| Some(self.known.get(&node)?.heard));
        let known = self.known.entry(node).or_insert(Known {
            heard: now,
            direct: None,
            hops: 0,
            hop: None,
        });
        known.heard = now;
        if direct {
            known.direct = Some(now);
        }
    }

    /// A packet of `node` has come over so many hops before its last transmission.
    pub(super) fn place(&mut self, node: NodeId, hops: u8) {
        if let Some(known) = self.known.get_mut(&node) {
            known.hops = hops;
        }
    }

    /// How many of those that were heard within [`SEEN_WINDOW`] are how many hops away.
    pub(super) fn per_hop(&self, now: Time) -> PerHop {
        let mut counts = PerHop::default();
        for known in self.known.values().filter(|known| now.since(known.heard) <= SEEN_WINDOW) {
            counts[usize::from(known.hops).min(counts.len() - 1)] += 1;
        }
        counts
    }

    /// The one known node with this last byte.
    pub(super) fn only(&self, byte: u8) -> Option<NodeId> {
        let mut named = self.known.keys().filter(|known| last_byte(**known) == byte);
        named.next().filter(|_| named.next().is_none()).copied()
    }

    /// `node` is reached by the one node with this last byte, if there is one.
    pub(super) fn learn(&mut self, node: NodeId, byte: u8, now: Time) -> bool {
        let named = self.only(byte).is_some();
        let Some(known) = self.known.get_mut(&node).filter(|_| named) else { return false };
        let new = known.hop != Some(byte);
        known.hop = Some(byte);
        self.health.learn(node, byte, now);
        new
    }

    /// The last byte of the only node that is to relay what goes to `node`; 0 for any. Never `from`, where it comes from.
    pub(super) fn next_hop(&mut self, node: NodeId, from: u8, now: Time) -> u8 {
        let Some(hop) = self.known.get(&node).and_then(|known| known.hop) else { return 0 };
        if self.health.drop_stale(node, hop, now) {
            self.forget(node);
            return 0;
        }
        let near = |known: &Known| {
            known.direct.is_some_and(|direct| now.since(direct) <= NEIGHBOUR_LIFETIME)
        };
        let neighbours =
            self.known.iter().filter(|(id, known)| last_byte(**id) == hop && near(known));
        if hop != from && neighbours.count() == 1 { hop } else { 0 }
    }

    /// `node` has acknowledged a message of this one.
    pub(super) fn succeed(&mut self, node: NodeId, now: Time) {
        self.health.succeed(node, now);
    }

    /// A message to `node` needs its last attempt.
    pub(super) fn fail(&mut self, node: NodeId) {
        self.health.fail(node);
    }

    /// Whether the route to `node` is known to work.
    pub(super) fn is_proven(&self, node: NodeId, now: Time) -> bool {
        self.health.is_proven(node, now)
    }

    /// No neighbour is known by which `node` is reached.
    pub(super) fn forget(&mut self, node: NodeId) {
        if let Some(known) = self.known.get_mut(&node) {
            known.hop = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use multihop_core::Duration;

    use super::*;

    fn at(minutes: u64) -> Time {
        Time::ZERO + Duration::from_millis(60_000 * minutes)
    }

    fn nodes() -> Nodes {
        let mut nodes = Nodes::new(10);
        nodes.hear(NodeId(9), false, at(0));
        nodes.hear(NodeId(2), true, at(0));
        nodes
    }

    /// Rule 15.
    #[test]
    fn a_next_hop_is_a_neighbour_that_its_last_byte_names_alone() {
        let mut nodes = nodes();
        assert!(!nodes.learn(NodeId(9), 3, at(0)), "nobody is called so");
        assert!(nodes.learn(NodeId(9), 2, at(0)) && !nodes.learn(NodeId(9), 2, at(0)));
        assert_eq!(nodes.next_hop(NodeId(9), 0, at(1)), 2);
        assert_eq!(nodes.next_hop(NodeId(9), 2, at(1)), 0, "not back to where it comes from");
        assert_eq!(nodes.next_hop(NodeId(5), 0, at(1)), 0);
        nodes.hear(NodeId(0x102), true, at(1));
        assert_eq!(nodes.next_hop(NodeId(9), 0, at(1)), 0, "two neighbours are called so");
        assert!(!nodes.learn(NodeId(9), 2, at(1)));
    }

    #[test]
    fn a_next_hop_is_forgotten_after_half_an_hour_three_failures_or_when_it_was_not_heard() {
        let mut aged = nodes();
        aged.learn(NodeId(9), 2, at(0));
        assert_eq!(
            (aged.next_hop(NodeId(9), 0, at(29)), aged.next_hop(NodeId(9), 0, at(30))),
            (2, 0)
        );
        let mut failed = nodes();
        failed.learn(NodeId(9), 2, at(0));
        let used: Vec<u8> = (0..4)
            .map(|_| {
                let hop = failed.next_hop(NodeId(9), 0, at(1));
                failed.fail(NodeId(9));
                hop
            })
            .collect();
        assert_eq!(used, [2, 2, 2, 0]);
        let mut silent = nodes();
        silent.learn(NodeId(9), 2, at(121));
        assert_eq!(silent.next_hop(NodeId(9), 0, at(121)), 0, "it was heard two hours ago");
    }

    #[test]
    fn nodes_are_counted_by_their_hops_for_thirteen_hours() {
        let mut nodes = nodes();
        nodes.place(NodeId(9), 3);
        assert_eq!(nodes.per_hop(at(780)), [1, 0, 0, 1, 0, 0, 0, 0]);
        nodes.hear(NodeId(9), false, at(700));
        assert_eq!(nodes.per_hop(at(781)), [0, 0, 0, 1, 0, 0, 0, 0]);
    }

    #[test]
    fn the_node_that_was_not_heard_for_the_longest_time_gives_way() {
        let mut nodes = Nodes::new(2);
        for (node, minutes) in [(1, 0), (2, 1), (1, 2), (3, 3)] {
            nodes.hear(NodeId(node), true, at(minutes));
        }
        assert_eq!(nodes.len(), 2);
        assert!(nodes.learn(NodeId(1), 3, at(3)) && !nodes.learn(NodeId(2), 3, at(3)));
    }
}
