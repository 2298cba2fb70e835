//! The nodes of a scenario by their names and addresses, and how many there may be.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use multihop_core::{AddressTable, NodeId};

use crate::error::{Fault, alternatives, did_you_mean};
use crate::form::Scenario;
use multihop_setup::Node;

/// More nodes than any paper has simulated, and few enough that a mistyped number does not fill
/// the memory.
pub(crate) const MOST_NODES: u32 = 100_000;

/// Who names the nodes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    File,
    Topology,
}

/// The nodes of any topology by their names.
pub(crate) struct Names<'a> {
    index: BTreeMap<&'a str, usize>,
    origin: Origin,
}

impl<'a> Names<'a> {
    pub(crate) fn new(scenario: &Scenario, nodes: &'a [Node]) -> Self {
        let index = nodes.iter().enumerate().map(|(i, node)| (node.name.as_str(), i)).collect();
        // only an explicit topology has nodes in the file
        let origin = if scenario.node.is_empty() { Origin::Topology } else { Origin::File };
        Names { index, origin }
    }

    /// The node that `key` names.
    pub(crate) fn find(&self, key: &str, name: &str) -> Result<usize, Fault> {
        self.index.get(name).copied().ok_or_else(|| {
            let hint = if self.origin == Origin::File {
                resembling(name, &self.index)
            } else {
                format!("; there are n0 to n{}", self.index.len() - 1)
            };
            Fault::new(key, format!("unknown node '{name}'{hint}"))
        })
    }
}

impl Names<'_> {
    /// The nodes of a list, in ascending order, each once.
    pub(crate) fn all(&self, key: &str, list: &[String]) -> Result<Vec<NodeId>, Fault> {
        let mut nodes = Vec::new();
        for name in list {
            let node = NodeId(self.find(key, name)? as u32);
            if nodes.contains(&node) {
                return Err(Fault::new(key, format!("names '{name}' twice; name every node once")));
            }
            nodes.push(node);
        }
        nodes.sort_unstable();
        Ok(nodes)
    }
}

/// The name that resembles `name`, or all if they are few.
fn resembling(name: &str, index: &BTreeMap<&str, usize>) -> String {
    let hint = did_you_mean(name, index.keys().copied());
    if hint.is_empty() && index.len() <= 10 {
        let names: Vec<&str> = index.keys().copied().collect();
        format!("; there are {}", alternatives(&names).replace(" or ", " and "))
    } else {
        hint
    }
}

/// The addresses of the nodes: those that `[[node]]` gives, and 10.0.0.0 + number for the others.
pub(crate) fn addresses(scenario: &Scenario, nodes: usize) -> Result<AddressTable, Fault> {
    let mut addresses = Vec::new();
    let mut owners = BTreeMap::new();
    for number in 0..nodes {
        let key = format!("node[{number}].address");
        let given = scenario.node.get(number).and_then(|node| node.address.as_deref());
        let address = match given {
            Some(text) => address(&key, text)?,
            None => NodeId(number as u32),
        };
        if let Some(first) = owners.insert(address, number) {
            let [first, second] = [first, number].map(|number| &scenario.node[number].name);
            let dotted = dotted(address);
            let message = format!(
                "'{first}' and '{second}' would both be {dotted}; give one of them another address \
                 (a node without one is 10.0.0.0 + its number)"
            );
            return Err(Fault::new(key, message));
        }
        addresses.push(address);
    }
    Ok(AddressTable::new(addresses))
}

fn dotted(address: NodeId) -> Ipv4Addr {
    Ipv4Addr::from_bits(NET | address.0)
}

/// 10.0.0.0/8 (RFC 1918).
const NET: u32 = 10 << 24;

fn address(key: &str, text: &str) -> Result<NodeId, Fault> {
    let refused = |why: &str| Fault::new(key, format!("{why} (got \"{text}\")"));
    let Ok(address) = text.parse::<Ipv4Addr>() else {
        return Err(refused("wants an IPv4 address like \"10.0.3.7\""));
    };
    let low = address.to_bits() ^ NET;
    match NodeId(low) {
        NodeId::BROADCAST => Err(refused("is the address of everybody; give one of its own")),
        NodeId(0x0100_0000..) => Err(refused("must lie in 10.0.0.0 to 10.255.254.255")),
        group if group.is_group() => {
            Err(refused("is the address of a group; take one up to 10.255.254.255"))
        }
        own => Ok(own),
    }
}
