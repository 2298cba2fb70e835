//! What a node remembers of its routes: `NextHopRouter.h`, `RouteHealth`. The record of a destination outlives the next hop
//! that it is about, so failures add up over messages.

use multihop_core::{NodeId, Time};

use super::firmware::{NEXT_HOP_FAILURES, NEXT_HOP_LIFETIME, ROUTE_HEALTH_MAX};

/// The record of a destination.
#[derive(Clone, Copy, Debug)]
struct Record {
    destination: NodeId,
    /// The last byte of the next hop that it is about.
    hop: u8,
    /// When that was shown, or has served, last.
    since: Time,
    /// How many messages in a row needed their last attempt.
    failures: u32,
}

impl Record {
    fn is_stale(&self, now: Time) -> bool {
        self.failures >= NEXT_HOP_FAILURES || now.since(self.since) >= NEXT_HOP_LIFETIME
    }
}

/// The records of a node. The oldest gives way.
#[derive(Debug, Default)]
pub(super) struct RouteHealth(Vec<Record>);

impl RouteHealth {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    fn find(&self, destination: NodeId) -> Option<&Record> {
        self.0.iter().find(|record| record.destination == destination)
    }

    fn find_mut(&mut self, destination: NodeId) -> Option<&mut Record> {
        self.0.iter_mut().find(|record| record.destination == destination)
    }

    /// An acknowledgment has shown the next hop `hop` (`noteRouteLearned`). Failures of the same hop still count.
    pub(super) fn learn(&mut self, destination: NodeId, hop: u8, now: Time) {
        if let Some(record) = self.find_mut(destination) {
            if record.hop != hop {
                (record.hop, record.failures) = (hop, 0);
            }
            record.since = now;
            return;
        }
        if self.0.len() >= ROUTE_HEALTH_MAX {
            let oldest = self.0.iter().enumerate().min_by_key(|(_, record)| record.since);
            if let Some((at, _)) = oldest {
                self.0.swap_remove(at);
            }
        }
        self.0.push(Record { destination, hop, since: now, failures: 0 });
    }

    /// The destination has acknowledged a message of this node (`noteRouteSuccess`).
    pub(super) fn succeed(&mut self, destination: NodeId, now: Time) {
        if let Some(record) = self.find_mut(destination) {
            (record.failures, record.since) = (0, now);
        }
    }

    /// A message needs its last attempt (`noteRouteFailure`).
    pub(super) fn fail(&mut self, destination: NodeId) {
        if let Some(record) = self.find_mut(destination) {
            record.failures = record.failures.saturating_add(1);
        }
    }

    /// Whether the next hop `hop` is too old, or has failed too often (`isRouteStale`). Then its record is gone, too.
    pub(super) fn drop_stale(&mut self, destination: NodeId, hop: u8, now: Time) -> bool {
        let stale =
            self.find(destination).is_some_and(|record| record.hop == hop && record.is_stale(now));
        if stale {
            self.0.retain(|record| record.destination != destination);
        }
        stale
    }

    /// Whether a next hop is known to work: it is fresh, and no message has failed since it last served.
    pub(super) fn is_proven(&self, destination: NodeId, now: Time) -> bool {
        self.find(destination).is_some_and(|record| record.failures == 0 && !record.is_stale(now))
    }
}

#[cfg(test)]
mod tests {
    use multihop_core::Duration;

    use super::*;

    const NODE: NodeId = NodeId(9);

    fn at(minutes: u64) -> Time {
        Time::ZERO + Duration::from_millis(60_000 * minutes)
    }

    fn learned() -> RouteHealth {
        let mut health = RouteHealth::default();
        health.learn(NODE, 2, at(0));
        health
    }

    #[test]
    fn failures_add_up_until_the_destination_acknowledges() {
        let mut health = learned();
        assert!(health.is_proven(NODE, at(1)) && !health.is_proven(NodeId(8), at(1)));
        health.fail(NODE);
        health.learn(NODE, 2, at(1));
        assert!(!health.is_proven(NODE, at(1)), "the same hop is shown again");
        health.fail(NODE);
        assert!(!health.drop_stale(NODE, 2, at(1)));
        health.succeed(NODE, at(1));
        assert!(health.is_proven(NODE, at(1)));
        for _ in 0..3 {
            health.fail(NODE);
        }
        assert!(!health.drop_stale(NODE, 3, at(1)), "the record is about another hop");
        assert!(health.drop_stale(NODE, 2, at(1)) && health.len() == 0);
    }

    #[test]
    fn another_hop_begins_without_failures() {
        let mut health = learned();
        health.fail(NODE);
        health.learn(NODE, 3, at(1));
        assert!(health.is_proven(NODE, at(1)));
    }

    #[test]
    fn a_route_lasts_half_an_hour_after_it_last_served() {
        let mut health = learned();
        health.succeed(NODE, at(10));
        assert!(health.is_proven(NODE, at(39)) && !health.drop_stale(NODE, 2, at(39)));
        assert!(!health.is_proven(NODE, at(40)) && health.drop_stale(NODE, 2, at(40)));
    }

    #[test]
    fn the_oldest_of_32_gives_way() {
        let mut health = RouteHealth::default();
        for node in 0..40 {
            health.learn(NodeId(node), 2, at(node.into()));
        }
        assert_eq!(health.len(), 32);
        assert!(health.find(NodeId(7)).is_none() && health.find(NodeId(8)).is_some());
    }
}
