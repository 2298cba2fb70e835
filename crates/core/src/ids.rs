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
    /// Which of the pair's flows, of what class, in which direction; zero for the first of texts.
    pub label: u16,
}

/// What kind of messages a flow carries. Schemes that [heed](crate::Scheme::heeds_class) it may give the classes an
/// order, repeat the messages of one, and skip those of another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TrafficClass {
    /// Each message matters, and somebody waits for it.
    #[default]
    Text,
    /// Who a node is, said now and then.
    Announcement,
    /// A state that the next report replaces: a position, a reading.
    Report,
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

/// The lowest of the two bits of a label that say the class of a flow. The bits below tell flows of one class apart.
const CLASS: u16 = 0x2000;

/// Both of them, which no class of messages has.
const EXPEDITED: u16 = 3 * CLASS;

impl FlowId {
    /// How many flows of one class one pair of nodes can have.
    pub const MOST_PER_PAIR: u32 = CLASS as u32;

    /// The same flow, but of this class.
    #[must_use]
    pub const fn of_class(self, class: TrafficClass) -> Self {
        let label = (self.label & !(3 * CLASS)) | (class as u16 * CLASS);
        FlowId { label, ..self }
    }

    /// What kind of messages it carries, in both directions.
    pub const fn class(self) -> TrafficClass {
        match (self.label / CLASS) & 3 {
            0 => TrafficClass::Text,
            1 => TrafficClass::Announcement,
            _ => TrafficClass::Report,
        }
    }

    /// The same flow, but expedited, with all its packets in both directions: interface queues let it go ahead of
    /// others. No class of messages says so.
    #[must_use]
    pub const fn expedited(self) -> Self {
        FlowId { label: self.label | EXPEDITED, ..self }
    }

    /// Whether interface queues let its packets go ahead of others.
    pub const fn is_expedited(self) -> bool {
        self.label & EXPEDITED == EXPEDITED
    }

    /// Which of the pair's flows of its class it is; zero for the first.
    pub const fn number(self) -> u16 {
        self.label % CLASS
    }

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
        match self.number() {
            0 => {}
            number => write!(f, "#{number}")?,
        }
        match self.class() {
            TrafficClass::Announcement => f.write_str(" (announcement)")?,
            TrafficClass::Report if !self.is_expedited() => f.write_str(" (report)")?,
            TrafficClass::Text | TrafficClass::Report => {}
        }
        if self.is_expedited() {
            f.write_str(" (expedited)")?;
        }
        if self.label & REVERSE == 0 { Ok(()) } else { f.write_str(" (reverse)") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_says_number_class_and_direction() {
        let first = FlowId::between(NodeId(1), NodeId(2));
        assert_eq!(
            (first.class(), first.number(), first.is_reverse()),
            (TrafficClass::Text, 0, false)
        );
        for class in [TrafficClass::Text, TrafficClass::Announcement, TrafficClass::Report] {
            let flow = FlowId { label: CLASS - 1, ..first }.of_class(class);
            let back = flow.reverse();
            for (flow, reverse) in [(flow, false), (back, true)] {
                assert_eq!((flow.class(), flow.number()), (class, CLASS - 1));
                assert_eq!(flow.is_reverse(), reverse);
            }
            assert_eq!(flow.of_class(TrafficClass::Text), FlowId { label: CLASS - 1, ..first });
        }
        assert_eq!(first.of_class(TrafficClass::Report).to_string(), "n1->n2 (report)");
    }

    #[test]
    fn an_expedited_flow_is_so_in_both_directions_and_no_class_of_messages_is() {
        let first = FlowId { label: 5, ..FlowId::between(NodeId(1), NodeId(2)) };
        let flow = first.expedited();
        assert!(flow.is_expedited() && flow.reverse().is_expedited());
        assert_eq!((flow.number(), flow.is_reverse()), (5, false));
        assert_eq!(flow.to_string(), "n1->n2#5 (expedited)");
        for class in [TrafficClass::Text, TrafficClass::Announcement, TrafficClass::Report] {
            assert!(!first.of_class(class).is_expedited() && !flow.of_class(class).is_expedited());
        }
    }
}
