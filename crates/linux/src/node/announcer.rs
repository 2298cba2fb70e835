//! When a node tells which others of the networks behind it: each in its turn, soon after a change and seldom later.

use std::collections::BTreeMap;

use multihop_core::{Duration, NodeId, Time};

use crate::ip::Subnet;

use super::announcement::Announcement;

/// Between two packets, so that rounds do not fill the air.
const GAP: Duration = Duration::from_millis(200);
/// After a change the times from one round's begin to the next double, from this one on.
const FIRST: Duration = Duration::from_millis(1_000);
/// This is the longest, unless rounds take more than half of it.
const PERIOD: Duration = Duration::from_millis(30_000);
/// An announcement holds so many halves of the longest: three may be lost.
const HALVES: u64 = 7;
/// So many rounds say that nothing is announced any more.
const FAREWELLS: u32 = 3;

/// What a node announces, and whom it tells next.
#[derive(Clone, Debug)]
pub struct Announcer {
    /// The networks, and whether the machine reaches each.
    own: BTreeMap<Subnet, bool>,
    others: Vec<NodeId>,
    /// Who is next, and how many are still to be told in this round.
    at: usize,
    left: usize,
    number: u32,
    /// From the begin of this round to that of the next.
    pause: Duration,
    began: Time,
    due: Time,
    /// How many rounds are still to say that there is nothing.
    farewells: u32,
}

impl Announcer {
    /// Nothing to tell `others` yet. Numbers begin at one that depends on the node's incarnation.
    pub fn new(others: impl IntoIterator<Item = NodeId>, incarnation: u16) -> Self {
        Announcer {
            own: BTreeMap::new(),
            others: others.into_iter().collect(),
            at: 0,
            left: 0,
            number: u32::from(incarnation) << 16,
            pause: FIRST,
            began: Time::ZERO,
            due: Time::NEVER,
            farewells: 0,
        }
    }

    /// The networks, and whether the machine reaches each.
    pub const fn own(&self) -> &BTreeMap<Subnet, bool> {
        &self.own
    }

    /// Announce these from now on, as far as the machine reaches them: those that are new, when that is known.
    pub fn announce(&mut self, now: Time, networks: &[Subnet]) {
        let reached = |network: &Subnet| self.own.get(network).copied().unwrap_or_default();
        let own = networks.iter().map(|network| (*network, reached(network))).collect();
        self.change(now, own);
    }

    /// The machine reaches some of the networks, and others not.
    pub fn set_reached(&mut self, now: Time, reached: impl Fn(Subnet) -> bool) {
        let own = self.own.keys().map(|network| (*network, reached(*network))).collect();
        self.change(now, own);
    }

    fn change(&mut self, now: Time, own: BTreeMap<Subnet, bool>) {
        let announced = |own: &BTreeMap<Subnet, bool>| {
            own.iter().filter(|(_, reached)| **reached).map(|(own, _)| *own).collect::<Vec<_>>()
        };
        let (before, after) = (announced(&self.own), announced(&own));
        self.own = own;
        if before != after {
            self.farewells = FAREWELLS;
            self.restart(now);
        }
    }

    /// Tell all others soon: something has changed, or there is a radio again.
    pub fn restart(&mut self, now: Time) {
        (self.left, self.pause) = (0, FIRST);
        self.due = if self.has_news() { self.due.min(now + FIRST) } else { Time::NEVER };
    }

    fn has_news(&self) -> bool {
        let any = self.own.values().any(|reached| *reached);
        (any || self.farewells > 0 || self.left > 0) && !self.others.is_empty()
    }

    /// Twice as long as a round takes.
    fn shortest(&self) -> Duration {
        GAP * (2 * self.others.len() as u64)
    }

    /// When to call [`Announcer::poll`].
    pub const fn deadline(&self) -> Time {
        self.due
    }

    /// Whom to tell what, if that is due.
    pub fn poll(&mut self, now: Time) -> Option<(NodeId, Announcement)> {
        if self.due > now {
            return None;
        }
        if !self.has_news() {
            self.due = Time::NEVER;
            return None;
        }
        let networks = self.own.iter().filter(|(_, reached)| **reached).map(|(own, _)| *own);
        let networks: std::collections::BTreeSet<_> = networks.collect();
        if self.left == 0 {
            (self.left, self.began) = (self.others.len(), now);
            self.number = self.number.wrapping_add(1);
            self.farewells -= u32::from(networks.is_empty());
        }
        self.left -= 1;
        self.at = (self.at + 1) % self.others.len();
        let period = PERIOD.max(self.shortest());
        if self.left == 0 {
            self.due = self.began + self.pause.max(self.shortest());
            self.pause = (self.pause * 2).min(period);
        } else {
            self.due = now + GAP;
        }
        let lifetime = (period * HALVES).seconds() / 2.0;
        let lifetime = lifetime.ceil().min(f64::from(u16::MAX)) as u16;
        let to = self.others.get(self.at)?;
        Some((*to, Announcement { lifetime, number: self.number, networks }))
    }
}

#[cfg(test)]
mod tests;
