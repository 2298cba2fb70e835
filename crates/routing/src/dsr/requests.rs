//! Which requests a node has heard, and when it may ask again (RFC 4728, 4.3: the route request table).

use multihop_core::{Duration, NodeId, Time};

use super::parameters::{MOST_KNOWN, REQUESTS_OF_A_LIFE};
use super::settings::Settings;

/// What is known about one node: the last request of it, and the search for it.
#[derive(Clone, Copy, Debug)]
struct Target {
    node: NodeId,
    /// The number of the last request that it has made.
    heard: Option<u16>,
    /// How many searches for it were begun since the last route.
    searches: u32,
    /// When the last one began.
    begun: Option<Time>,
    /// Whether only neighbours have been asked since.
    neighbours_only: bool,
}

/// What to do about a packet without a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// It is too early.
    Wait,
    /// Give the packet up: one search for it was in vain.
    GiveUp,
    /// Ask the neighbours.
    Neighbours,
    /// Ask the whole network.
    Everyone,
}

/// The table. When it is full, the oldest entry gives way, as in ns-2.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    entries: Vec<Target>,
    oldest: usize,
}

impl Requests {
    fn entry(&mut self, node: NodeId) -> &mut Target {
        let at = self.entries.iter().position(|entry| entry.node == node).unwrap_or_else(|| {
            let entry =
                Target { node, heard: None, searches: 0, begun: None, neighbours_only: false };
            if self.entries.len() < MOST_KNOWN {
                self.entries.push(entry);
                return self.entries.len() - 1;
            }
            let at = self.oldest;
            self.oldest = (at + 1) % MOST_KNOWN;
            self.entries[at] = entry;
            at
        });
        &mut self.entries[at]
    }

    /// Whether request `id` of `originator` is newer than the last that was heard of it, or so much older
    /// that it is one of a later life.
    ///
    /// Deviation: RFC 4728, 4.3 remembers several requests of a node and what they were for. In ns-2 a search
    /// that another one of the same node has overtaken ends.
    pub fn is_new(&self, originator: NodeId, id: u16) -> bool {
        let known = self.entries.iter().find(|entry| entry.node == originator);
        let heard = known.and_then(|entry| entry.heard);
        heard.is_none_or(|heard| heard.wrapping_sub(id) >= REQUESTS_OF_A_LIFE)
    }

    /// Request `id` of `originator` has been dealt with.
    pub fn note(&mut self, originator: NodeId, id: u16) {
        self.entry(originator).heard = Some(id);
    }

    /// A packet wants a route to `target`; `mine`: it started here.
    ///
    /// RFC 4728, 4.3: the wait doubles. ns-2's is four times as long each time
    /// ([`Settings::request_growth`]).
    pub fn ask(&mut self, target: NodeId, now: Time, mine: bool, settings: &Settings) -> Ask {
        let entry = self.entry(target);
        let factor = u64::from(settings.request_growth).saturating_pow(entry.searches);
        let wait = settings.request_period.nanos().saturating_mul(factor);
        let wait = Duration::from_nanos(wait).min(settings.longest_request_period);
        if entry.begun.is_none_or(|begun| begun + wait <= now) {
            entry.searches = (entry.searches + 1).min(15);
            entry.begun = Some(now);
            entry.neighbours_only = settings.neighbours_timeout > Duration::ZERO;
            return match (mine || entry.searches <= 1, entry.neighbours_only) {
                (false, _) => Ask::GiveUp,
                (true, true) => Ask::Neighbours,
                (true, false) => Ask::Everyone,
            };
        }
        let pause = |begun| now.since(begun) > settings.neighbours_timeout;
        if entry.neighbours_only && mine && entry.begun.is_some_and(pause) {
            entry.neighbours_only = false;
            return Ask::Everyone;
        }
        Ask::Wait
    }

    /// There is a route to `target`.
    pub fn found(&mut self, target: NodeId) {
        let entry = self.entry(target);
        (entry.searches, entry.begun) = (0, None);
    }

    /// How many nodes it knows.
    pub fn len(&self) -> usize {
        self.entries.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_new_once_and_in_their_order() {
        let mut requests = Requests::default();
        let node = NodeId(7);
        assert!(requests.is_new(node, 0));
        requests.note(node, u16::MAX);
        assert!(!requests.is_new(node, u16::MAX) && requests.is_new(node, 0));
        requests.note(node, 3);
        assert!(!requests.is_new(node, u16::MAX), "it was overtaken");
    }

    #[test]
    fn requests_of_any_other_life_are_new() {
        let mut requests = Requests::default();
        let node = NodeId(7);
        requests.note(node, 40_000);
        for first in [0, 8_192, 32_768, 39_000, 41_000, u16::MAX] {
            assert!(requests.is_new(node, first), "{first}");
        }
    }
}
