//! Names of nodes and flows.

use core::fmt;

use serde::{Deserialize, Serialize};

/// A node. On the air, and so for every protocol, it is the IPv4 address 10.0.0.0 + this number; set-ups,
/// media and tables number the nodes from zero, and [`AddressTable`](crate::AddressTable) says who is who.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NodeId(pub u32);

/// A flow: a directed pair of communicating nodes, told apart by a label where one pair has
/// several. CXCC 3.2 uses the pair alone and notes that the definition is a matter of form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FlowId {
    /// Where the packets come from.
    pub source: NodeId,
    /// Where they go.
    pub destination: NodeId,
    /// Which of the pair's flows; zero for the first.
    pub label: u16,
}

impl NodeId {
    /// The destination of packets that are for everyone: 10.255.255.255.
    pub const BROADCAST: NodeId = NodeId(0x00FF_FFFF);

    /// The first of the addresses that name several nodes: 10.255.255.0.
    const GROUPS: NodeId = NodeId(0x00FF_FF00);

    /// How many groups of nodes have an address, besides everyone.
    pub const MOST_GROUPS: u32 = NodeId::BROADCAST.0 - NodeId::GROUPS.0;

    /// The address of group `number`, of [`NodeId::MOST_GROUPS`]: 10.255.255.0 + `number`.
    pub const fn group(number: u32) -> Self {
        NodeId(NodeId::GROUPS.0 + number)
    }

    /// Whether this is the address of several nodes: of a group, or of everyone.
    #[inline]
    pub const fn is_group(self) -> bool {
        self.0 >= NodeId::GROUPS.0
    }

    /// The node's number as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The bit of a label that tells the two directions of a flow apart.
const REVERSE: u16 = 0x8000;

impl FlowId {
    /// How many flows one pair of nodes can have.
    pub const MOST_PER_PAIR: u32 = REVERSE as u32;

    /// The same flow's packets in the other direction: acknowledgments. A flow of its own for
    /// every protocol below the transport.
    #[must_use]
    pub const fn reverse(self) -> Self {
        FlowId { source: self.destination, destination: self.source, label: self.label ^ REVERSE }
    }

    /// Whether this is the reverse of a flow.
    pub const fn is_reverse(self) -> bool {
        self.label & REVERSE != 0
    }

    /// The node whose data the flow carries, on whose account both directions are.
    pub const fn beginner(self) -> NodeId {
        if self.is_reverse() { self.destination } else { self.source }
    }

    /// The first flow from `source` to `destination`.
    pub const fn between(source: NodeId, destination: NodeId) -> Self {
        FlowId { source, destination, label: 0 }
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "n{}", self.0)
    }
}

impl fmt::Display for FlowId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}->{}", self.source, self.destination)?;
        match self.label & !REVERSE {
            0 => {}
            label => write!(f, "#{label}")?,
        }
        if self.label & REVERSE == 0 { Ok(()) } else { f.write_str(" (reverse)") }
    }
}
