//! Who is on a network: its nodes, and the networks that lie behind them.

use std::collections::BTreeSet;
use std::net::Ipv4Addr;
use std::path::Path;

use multihop_core::NodeId;
use multihop_setup::Setup;
use serde::Deserialize;

use crate::ip::{Prefix, Subnet};

use super::config::Config;
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
    /// The addresses of all.
    pub all: BTreeSet<NodeId>,
    /// The networks behind nodes, those of the longest prefixes first.
    behind: Vec<(Subnet, NodeId)>,
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

impl Network {
    /// The network of node number `number` of `setup`, nothing behind any node.
    pub fn new(setup: &Setup, number: NodeId, prefix: Prefix) -> Self {
        let all = (0..setup.nodes.len() as u32).map(|node| setup.addresses.address(NodeId(node)));
        let me = setup.addresses.address(number);
        Network { me, prefix, all: all.collect(), behind: Vec::new() }
    }

    /// The network that `config` describes.
    ///
    /// # Errors
    /// If it has no room for a node, or what lies behind nodes cannot be read; with a message for the user.
    pub fn configured(config: &Config, setup: &Setup, number: NodeId) -> Result<Self, String> {
        let network = Network::new(setup, number, config.network);
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

    /// Whether packets to `address` are for all nodes, or those of a group. The last address may be a node's.
    pub fn is_group(&self, address: Ipv4Addr) -> bool {
        let is_node = self.prefix.node(address).is_some_and(|node| self.all.contains(&node));
        self.prefix.is_group(address) && !is_node
    }

    /// The other node to which packets for `address` go, if there is one.
    pub fn way_to(&self, address: Ipv4Addr) -> Option<NodeId> {
        self.owner(address).filter(|node| *node != self.me && self.all.contains(node))
    }

    /// Whose address that is, or behind whom it lies. What could be a node's lies behind none.
    fn owner(&self, address: Ipv4Addr) -> Option<NodeId> {
        self.prefix.node(address).or_else(|| {
            let found = self.behind.iter().find(|(subnet, _)| subnet.contains(address));
            found.map(|(_, node)| *node)
        })
    }

    /// Whether `node` may send from `address`, and gets what is for it.
    pub fn is_of(&self, node: NodeId, address: Ipv4Addr) -> bool {
        self.owner(address) == Some(node)
    }

    /// The networks behind other nodes, to which this machine has routes then.
    pub fn elsewhere(&self) -> impl Iterator<Item = Subnet> {
        self.behind.iter().filter(|(_, node)| *node != self.me).map(|(subnet, _)| *subnet)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup() -> Setup {
        let text = "[topology]\nkind = \"chain\"\nhops = 2\n[scheme]\nname = \"cxcc\"\n[traffic]\nload = \"1 kbit/s\"\n";
        let setup = multihop_scenario::from_toml(text).and_then(|scenario| scenario.setup());
        setup.unwrap_or_else(|error| panic!("{error}"))
    }

    fn read(text: &str) -> Result<Network, String> {
        let folder = tempfile::tempdir().expect("it can be made");
        let path = folder.path().join("networks.toml");
        std::fs::write(&path, text).expect("it can be written");
        Network::new(&setup(), NodeId(0), Prefix::DEFAULT).with_behind(&setup(), &path)
    }

    fn at(text: &str) -> Ipv4Addr {
        text.parse().expect("it is one")
    }

    #[test]
    fn the_longest_prefix_counts_and_nodes_come_before_all() {
        let text = "[[network]]\nprefix = \"0.0.0.0/0\"\nnode = \"n2\"\n\
                    [[network]]\nprefix = \"192.168.0.0/16\"\nnode = \"n1\"\n\
                    [[network]]\nprefix = \"192.168.7.0/24\"\nnode = \"n0\"\n";
        let network = read(text).expect("it is one");
        assert_eq!(network.way_to(at("10.0.0.1")), Some(NodeId(1)));
        assert_eq!(network.way_to(at("10.0.0.9")), None, "what could be a node lies behind none");
        assert_eq!(network.way_to(at("192.168.8.1")), Some(NodeId(1)));
        assert_eq!(network.way_to(at("192.168.7.1")), None, "it lies behind this node");
        assert_eq!(network.way_to(at("1.1.1.1")), Some(NodeId(2)));
        assert!(network.is_of(NodeId(0), at("192.168.7.1")));
        assert!(
            !network.is_of(NodeId(1), at("192.168.7.1"))
                && !network.is_of(NodeId(2), at("10.0.0.1"))
        );
        let elsewhere: Vec<_> = network.elsewhere().map(|subnet| subnet.to_string()).collect();
        assert_eq!(elsewhere, ["192.168.0.0/16", "0.0.0.0/0"]);
    }

    #[test]
    fn the_last_address_is_of_all_unless_it_is_a_node_s() {
        let of =
            |prefix: &str| Network::new(&setup(), NodeId(0), prefix.parse().expect("it is one"));
        let mut network = of("10.1.2.0/30");
        assert!(network.is_group(at("10.1.2.3")), "three nodes have 0 to 2");
        network.all.insert(NodeId(3));
        assert!(!network.is_group(at("10.1.2.3")));
        assert_eq!(network.way_to(at("10.1.2.3")), Some(NodeId(3)));
        for group in ["224.0.0.251", "239.1.2.3", "255.255.255.255"] {
            assert!(network.is_group(at(group)), "{group}");
        }
        assert!(!network.is_group(at("10.255.255.255")), "another network's");
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, says) in [
            ("[[network]]\nprefix = \"192.168.7.1/24\"\nnode = \"n0\"\n", "behind the first 24"),
            ("[[network]]\nprefix = \"192.168.7.0/24\"\nnode = \"n9\"\n", "it has n0"),
            ("[[network]]\nprefix = \"192.168.7.0/24\"\n", "node"),
            ("[[networks]]\n", "networks"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.contains("networks.toml") && error.contains(says), "{error}");
        }
    }
}
