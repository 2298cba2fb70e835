//! Which node has which address.
//!
//! Set-ups, media and tables number the nodes from zero. On the air, and so for every protocol, a node is its
//! address: `10.0.0.0` + its number unless it was given another one.

use crate::{FlowId, NodeId};

/// Marks what stands for an address that no node has.
const NOBODY: u32 = 1 << 31;

/// The addresses of numbered nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddressTable {
    /// By number; empty if every address is the number.
    addresses: Vec<NodeId>,
    /// Address and number, by address.
    numbers: Vec<(NodeId, NodeId)>,
}

impl AddressTable {
    /// Node number n has the address `addresses[n]`, and no other node has.
    pub fn new(addresses: Vec<NodeId>) -> Self {
        let numbered = || (0u32..).map(NodeId).zip(addresses.iter().copied());
        if numbered().all(|(number, address)| number == address) {
            return AddressTable::default();
        }
        let mut numbers: Vec<_> = numbered().map(|(number, address)| (address, number)).collect();
        numbers.sort_unstable();
        AddressTable { addresses, numbers }
    }

    /// The address of node `number`.
    #[inline]
    pub fn address(&self, number: NodeId) -> NodeId {
        if self.addresses.is_empty() { number } else { self.given(number) }
    }

    fn given(&self, number: NodeId) -> NodeId {
        self.addresses.get(number.index()).copied().unwrap_or(NodeId(number.0 & !NOBODY))
    }

    /// The number of the node with this address; one that no node has if no node has the address, whose
    /// address that is.
    #[inline]
    pub fn number(&self, address: NodeId) -> NodeId {
        if self.addresses.is_empty() { address } else { self.find(address) }
    }

    fn find(&self, address: NodeId) -> NodeId {
        let at = self.numbers.binary_search_by_key(&address, |(address, _)| *address);
        at.map_or(NodeId(address.0 | NOBODY), |at| self.numbers[at].1)
    }

    /// The flow between numbered nodes, on the air.
    pub fn flow(&self, flow: FlowId) -> FlowId {
        let FlowId { source, destination, label } = flow;
        let [source, destination] = [source, destination].map(|number| self.address(number));
        FlowId { source, destination, label }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_and_its_address_name_each_other() {
        let given = AddressTable::new([700, 3, 0].map(NodeId).to_vec());
        let default = AddressTable::new([0, 1, 2].map(NodeId).to_vec());
        assert_eq!(default, AddressTable::default());
        for (number, address) in [(0, 700), (1, 3), (2, 0)] {
            assert_eq!(given.address(NodeId(number)), NodeId(address));
            assert_eq!(given.number(NodeId(address)), NodeId(number));
            assert_eq!(default.number(default.address(NodeId(number))), NodeId(number));
        }
        let flow = FlowId { label: 7, ..FlowId::between(NodeId(1), NodeId(0)) };
        let on_air = FlowId { label: 7, ..FlowId::between(NodeId(3), NodeId(700)) };
        assert_eq!((given.flow(flow), default.flow(flow)), (on_air, flow));
    }

    #[test]
    fn an_address_that_nobody_has_is_no_nodes_number() {
        let given = AddressTable::new([700, 3].map(NodeId).to_vec());
        for address in [0, 1, 0x00FF_FFFF].map(NodeId) {
            let number = given.number(address);
            assert!(number.index() > 1_000_000);
            assert_eq!(given.address(number), address);
        }
    }
}
