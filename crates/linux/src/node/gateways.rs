//! The networks that other nodes announce: which are taken, and by whom packets to them go.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use multihop_core::{Duration, NodeId, Serial, Time};

use crate::ip::Subnet;

use super::announcement::Announcement;

/// So many networks are known at most, of all nodes together.
pub const MOST_KNOWN: usize = 256;
/// No announcement holds longer.
const LONGEST_LIFE: Duration = Duration::from_millis(3_600_000);
/// A node is as far as the nearest of so many announcements, so that one on a longer way changes nothing.
const DISTANCES: usize = 3;

/// A node that announces networks.
#[derive(Clone, Debug)]
pub struct Gateway {
    number: u32,
    /// Until when its announcement holds.
    pub until: Time,
    /// The hops over which its last announcements came.
    hops: [u8; DISTANCES],
    /// What it announces, as far as that was taken.
    pub networks: BTreeSet<Subnet>,
}

impl Gateway {
    /// How many hops it is away.
    pub fn distance(&self) -> u8 {
        self.hops.into_iter().min().unwrap_or(u8::MAX)
    }
}

/// What was announced, and by whom packets go.
#[derive(Clone, Debug, Default)]
pub struct Gateways {
    accept: Vec<Subnet>,
    /// The networks that are this one.
    inside: Vec<Subnet>,
    known: BTreeMap<NodeId, Gateway>,
    chosen: BTreeMap<Subnet, NodeId>,
    changes: u64,
}

/// Whether `network` can lie behind no node: it is a link's, a machine's, or one of groups.
pub fn is_reserved(network: Subnet) -> bool {
    let reserved: [(IpAddr, u8); 7] = [
        (Ipv4Addr::UNSPECIFIED.into(), 8),
        (Ipv4Addr::new(127, 0, 0, 0).into(), 8),
        (Ipv4Addr::new(169, 254, 0, 0).into(), 16),
        (Ipv4Addr::new(224, 0, 0, 0).into(), 3),
        (Ipv6Addr::UNSPECIFIED.into(), 16),
        (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0).into(), 10),
        (Ipv6Addr::new(0xff00, 0, 0, 0, 0, 0, 0, 0).into(), 8),
    ];
    let reserved = reserved.into_iter().filter_map(|(first, len)| Subnet::new(first, len));
    reserved.into_iter().any(|reserved| reserved.covers(network))
}

impl Gateways {
    /// None are known yet. Announced networks are taken if they lie in one of `accept`; the default route only if
    /// `accept` has just that, and nothing that lies in the network itself, `inside`.
    pub fn new(accept: Vec<Subnet>, inside: Vec<Subnet>) -> Self {
        Gateways { accept, inside, ..Gateways::default() }
    }

    /// Other networks are taken from now on; what was announced and is not among them is forgotten.
    pub fn set_accept(&mut self, accept: Vec<Subnet>) {
        self.accept = accept;
        let Gateways { accept, inside, known, .. } = self;
        for gateway in known.values_mut() {
            gateway.networks.retain(|network| is_wanted(accept, inside, *network));
        }
        self.choose();
    }

    /// Node `from` announces networks, in a packet that came over so many hops. How many of them were not taken.
    pub fn on_announcement(
        &mut self,
        now: Time,
        (from, hops): (NodeId, u8),
        announcement: &Announcement,
    ) -> usize {
        let Announcement { lifetime, number, networks } = announcement;
        if self.accept.is_empty() {
            return networks.len();
        }
        let known = self.known.get(&from);
        if known.is_some_and(|known| Serial(known.number).is_after(Serial(*number))) {
            return networks.len();
        }
        let mut distances = known.map_or([hops; DISTANCES], |known| known.hops);
        distances.rotate_right(1);
        distances[0] = hops;
        let others = self.known.iter().filter(|(node, _)| **node != from);
        let room = MOST_KNOWN - others.map(|(_, other)| other.networks.len()).sum::<usize>();
        let wanted = networks.iter().copied();
        let wanted = wanted.filter(|network| is_wanted(&self.accept, &self.inside, *network));
        let taken: BTreeSet<Subnet> = wanted.take(room).collect();
        let refused = networks.len() - taken.len();
        let life = Duration::from_millis(u64::from(*lifetime) * 1_000).min(LONGEST_LIFE);
        let gateway =
            Gateway { number: *number, until: now + life, hops: distances, networks: taken };
        // an empty one is kept as long, so that none that is older takes its place
        self.known.insert(from, gateway);
        self.choose();
        refused
    }

    /// When to call [`Gateways::on_time`].
    pub fn deadline(&self) -> Time {
        self.known.values().map(|gateway| gateway.until).min().unwrap_or(Time::NEVER)
    }

    /// Forget what does not hold any more.
    pub fn on_time(&mut self, now: Time) {
        if self.deadline() <= now {
            self.known.retain(|_, gateway| gateway.until > now);
            self.choose();
        }
    }

    /// Each network gets the nearest of its gateways, and keeps it while no other one is nearer.
    fn choose(&mut self) {
        let mut chosen: BTreeMap<Subnet, NodeId> = BTreeMap::new();
        let distance = |node: &NodeId| self.known.get(node).map_or(u8::MAX, Gateway::distance);
        for (node, gateway) in &self.known {
            for network in &gateway.networks {
                let best = chosen.entry(*network).or_insert(*node);
                let rank = |node: &NodeId| (distance(node), self.chosen.get(network) != Some(node));
                if rank(node) < rank(best) {
                    *best = *node;
                }
            }
        }
        if chosen != self.chosen {
            self.chosen = chosen;
            self.changes += 1;
        }
    }

    /// How often the choice has changed.
    pub const fn changes(&self) -> u64 {
        self.changes
    }

    /// The networks that are known, and the nodes by which packets to them go.
    pub const fn chosen(&self) -> &BTreeMap<Subnet, NodeId> {
        &self.chosen
    }

    /// The nodes that have announced something.
    pub const fn known(&self) -> &BTreeMap<NodeId, Gateway> {
        &self.known
    }
}

fn is_wanted(accept: &[Subnet], inside: &[Subnet], network: Subnet) -> bool {
    let accepts = |accepted: Subnet| {
        let (_, len) = accepted.parts();
        accepted == network || len > 0 && accepted.covers(network)
    };
    let is_inside = inside.iter().any(|inside| inside.covers(network));
    accept.iter().any(|accepted| accepts(*accepted)) && !is_inside && !is_reserved(network)
}

#[cfg(test)]
mod tests;
