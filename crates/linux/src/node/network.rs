//! Who is on a network: its nodes, and the networks that lie behind them.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;

use multihop_core::NodeId;
use multihop_setup::Setup;
use serde::Deserialize;

use crate::ip::{Prefix, Prefix6, Subnet};

use super::announcer::Announcer;
use super::config::Config;
use super::gateways::Gateways;
use super::member;

/// More networks than this are not behind nodes.
const MOST_BEHIND: usize = 1_000;

/// Who is on a network.
#[derive(Clone, Debug)]
pub struct Network {
    /// The address of this node.
    pub me: NodeId,
    /// What it is as an IP address, and those of the others.
    pub prefix: Prefix,
    /// The same in IPv6, if there is any.
    pub prefix6: Option<Prefix6>,
    /// The addresses of all.
    pub all: BTreeSet<NodeId>,
    /// The networks behind nodes in a file, those of the longest prefixes first.
    behind: Vec<(Subnet, NodeId)>,
    /// Those that nodes announce.
    pub gateways: Gateways,
    /// What this node announces.
    pub announcer: Announcer,
}

/// A file of networks that lie behind nodes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    network: Vec<Behind>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Behind {
    prefix: Subnet,
    node: String,
}

/// What a node's device has of one kind of IP addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    /// The node's address.
    pub address: IpAddr,
    /// Its address that only counts in the network, in IPv6.
    pub link_local: Option<IpAddr>,
    /// The addresses of all nodes.
    pub network: Subnet,
    /// An address of the network that is not the node's.
    pub other: IpAddr,
}

impl Network {
    /// The network of node number `number` of `setup`, nothing behind any node.
    pub fn new(setup: &Setup, number: NodeId, prefix: Prefix) -> Self {
        let all = (0..setup.nodes.len() as u32).map(|node| setup.addresses.address(NodeId(node)));
        let (me, all) = (setup.addresses.address(number), all.collect());
        let (gateways, announcer) = (Gateways::default(), Announcer::new([], 0));
        Network { me, prefix, prefix6: None, all, behind: Vec::new(), gateways, announcer }
    }

    /// The same, and its nodes have addresses of IPv6.
    #[must_use]
    pub fn with_ipv6(self, prefix6: Option<Prefix6>) -> Self {
        Network { prefix6, ..self }
    }

    /// The same, in which this node takes networks that others announce, if they lie in `accept`; `incarnation` is its own.
    #[must_use]
    pub fn with_gateways(self, accept: Vec<Subnet>, incarnation: u16) -> Self {
        let inside = self.inside().collect();
        let announcer = Announcer::new(self.others(), incarnation);
        Network { gateways: Gateways::new(accept, inside), announcer, ..self }
    }

    /// The network that `config` describes.
    ///
    /// # Errors
    /// If it has no room for a node, or what lies behind nodes cannot be read; with a message for the user.
    pub fn configured(config: &Config, setup: &Setup, number: NodeId) -> Result<Self, String> {
        let network = Network::new(setup, number, config.network).with_ipv6(config.network6);
        if let Some(node) = network.all.iter().find(|node| !config.network.fits(**node)) {
            let address = Prefix::DEFAULT.address(*node);
            return Err(format!(
                "network = {}: it has no room for the node at {address}",
                config.network
            ));
        }
        match &config.networks {
            Some(path) => network.with_behind(setup, path),
            None => Ok(network),
        }
    }

    fn with_behind(self, setup: &Setup, path: &Path) -> Result<Self, String> {
        let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = std::fs::read_to_string(path).map_err(|error| named(&error))?;
        let file: File = toml::from_str(&text).map_err(|error| named(&error))?;
        if file.network.len() > MOST_BEHIND {
            return Err(named(&format!(
                "{} networks: {MOST_BEHIND} are possible",
                file.network.len()
            )));
        }
        let mut behind = Vec::new();
        for Behind { prefix, node } in file.network {
            let number = member::find(setup, &node).map_err(|error| named(&error))?;
            if prefix.is_ipv6() && self.prefix6.is_none() {
                return Err(named(&format!("{prefix}: IPv6 needs network6 at all nodes")));
            }
            behind.push((prefix, setup.addresses.address(number)));
        }
        Ok(self.with(behind))
    }

    /// The same, with these networks behind these nodes.
    #[must_use]
    pub fn with(mut self, mut behind: Vec<(Subnet, NodeId)>) -> Self {
        behind.sort_by_key(|(subnet, _)| std::cmp::Reverse(subnet.parts().1));
        self.behind = behind;
        self
    }

    /// The other nodes.
    pub fn others(&self) -> impl Iterator<Item = NodeId> {
        self.all.iter().copied().filter(|node| *node != self.me)
    }

    /// The addresses that are this network.
    pub fn inside(&self) -> impl Iterator<Item = Subnet> {
        [Some(self.prefix.subnet()), self.prefix6.map(Prefix6::subnet)].into_iter().flatten()
    }

    /// The IPv4 address of this node.
    pub fn address(&self) -> Ipv4Addr {
        self.prefix.address(self.me)
    }

    /// The address of this node of the same kind as `other`.
    pub fn address_like(&self, other: IpAddr) -> IpAddr {
        match self.prefix6.filter(|_| other.is_ipv6()) {
            Some(prefix6) => prefix6.address(self.address()).into(),
            None => self.address().into(),
        }
    }

    /// What the node's device has of each kind of addresses.
    pub fn families(&self) -> Vec<Family> {
        let address = self.address();
        let numbers = [1, 2].map(|number| self.prefix.address(NodeId(number)));
        let [first, second] = numbers;
        let other = if first == address { second } else { first };
        let ipv4 = Family {
            address: address.into(),
            link_local: None,
            network: self.prefix.subnet(),
            other: other.into(),
        };
        let ipv6 = self.prefix6.map(|prefix6| Family {
            address: prefix6.address(address).into(),
            link_local: Some(Prefix6::link_local(address).into()),
            network: prefix6.subnet(),
            other: prefix6.address(other).into(),
        });
        std::iter::once(ipv4).chain(ipv6).collect()
    }

    /// Whether the network carries packets to `address`, of whomever it is: whether it has its kind.
    pub const fn carries(&self, address: IpAddr) -> bool {
        address.is_ipv4() || self.prefix6.is_some()
    }

    /// Whether packets to `address` are for all nodes, or those of a group. The last address may be a node's.
    pub fn is_group(&self, address: IpAddr) -> bool {
        match address {
            IpAddr::V4(address) => {
                let node = self.prefix.node(address);
                self.prefix.is_group(address) && !node.is_some_and(|node| self.all.contains(&node))
            }
            // not those of the machine itself (RFC 7346)
            IpAddr::V6(address) => address.is_multicast() && address.octets()[1] & 0x0F > 1,
        }
    }

    /// The other node to which packets for `address` go, if there is one.
    pub fn way_to(&self, address: IpAddr) -> Option<NodeId> {
        let way = match self.owner(address) {
            Owner::Node(node) => node,
            Owner::Behind(node) => Some(node),
            Owner::Announced(network) => {
                let reached = self.announcer.own().get(&network) == Some(&true);
                self.gateways.chosen().get(&network).copied().filter(|_| !reached)
            }
            Owner::Nobody => None,
        };
        way.filter(|node| *node != self.me && self.all.contains(node))
    }

    /// Whose address that is, or behind whom it lies. What could be a node's lies behind none.
    fn owner(&self, address: IpAddr) -> Owner {
        let is_inside = match address {
            IpAddr::V4(_) => self.prefix.subnet().contains(address),
            IpAddr::V6(ipv6) => {
                ipv6.is_unicast_link_local() || self.inside().any(|inside| inside.contains(address))
            }
        };
        if is_inside {
            let ipv4 = match (address, self.prefix6) {
                (IpAddr::V4(ipv4), _) => Some(ipv4),
                (IpAddr::V6(ipv6), Some(prefix6)) => prefix6.in_ipv4(ipv6),
                (IpAddr::V6(_), None) => None,
            };
            return Owner::Node(ipv4.and_then(|ipv4| self.prefix.node(ipv4)));
        }
        let listed = self.behind.iter().find(|(subnet, _)| subnet.contains(address));
        let announced = self.gateways.chosen().keys().chain(self.announcer.own().keys());
        let announced = announced.filter(|network| network.contains(address));
        let longest = announced.max_by_key(|network| network.parts().1);
        match (listed, longest) {
            (Some((listed, _)), Some(longest)) if longest.parts().1 > listed.parts().1 => {
                Owner::Announced(*longest)
            }
            (Some((_, node)), _) => Owner::Behind(*node),
            (None, Some(longest)) => Owner::Announced(*longest),
            (None, None) => Owner::Nobody,
        }
    }

    /// Whether `node` may send from `address`, and gets what is for it. A network may lie behind several nodes that announce
    /// it.
    pub fn is_of(&self, node: NodeId, address: IpAddr) -> bool {
        match self.owner(address) {
            Owner::Node(owner) => owner == Some(node),
            Owner::Behind(owner) => owner == node,
            Owner::Announced(network) if node == self.me => {
                self.announcer.own().contains_key(&network)
            }
            Owner::Announced(network) => {
                let known = self.gateways.known().get(&node);
                known.is_some_and(|gateway| gateway.networks.contains(&network))
            }
            Owner::Nobody => false,
        }
    }

    /// The networks in the file that lie behind other nodes, to which this machine has routes then.
    pub fn elsewhere(&self) -> impl Iterator<Item = Subnet> {
        self.behind.iter().filter(|(_, node)| *node != self.me).map(|(subnet, _)| *subnet)
    }

    /// The networks that others announce, to which this machine has routes then.
    pub fn announced(&self) -> impl Iterator<Item = Subnet> {
        let chosen = self.gateways.chosen().keys().copied();
        chosen.filter(|network| {
            let listed = self.behind.iter().any(|(subnet, _)| subnet == network);
            !listed && self.announcer.own().get(network) != Some(&true)
        })
    }

    /// The networks in the file, and behind which nodes they lie.
    pub fn listed(&self) -> &[(Subnet, NodeId)] {
        &self.behind
    }
}

/// Whose an address is.
enum Owner {
    /// It could be that of a node; which one, if it is.
    Node(Option<NodeId>),
    /// It lies behind this node, by the file.
    Behind(NodeId),
    /// It lies in a network that nodes announce.
    Announced(Subnet),
    /// Nobody's.
    Nobody,
}

#[cfg(test)]
mod tests;
