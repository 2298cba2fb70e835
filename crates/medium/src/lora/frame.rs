//! A frame on the air.

use multihop_core::{
    AddressTable, Bytes, Duration, FrameClass, Heard, NodeId, Packet, Rate, Receiver, Transmission,
};

use crate::channel::OnAir;

/// A frame on the air.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Which of the run's frames it is.
    pub number: u32,
    /// The number of the node that transmits it.
    pub from: NodeId,
    /// Its address.
    pub sender: NodeId,
    /// The address for which it is.
    pub to: Receiver,
    /// What kind of frame its node calls it.
    pub class: FrameClass,
    /// What it carries.
    pub packet: Packet,
    /// Its length, without the preamble.
    pub bytes: Bytes,
    /// How long it is on the air.
    pub air_time: Duration,
}

impl OnAir for Frame {
    fn from(&self) -> NodeId {
        self.from
    }

    fn bytes(&self) -> Bytes {
        self.bytes
    }
}

impl Frame {
    /// What it is to the node with this address.
    pub fn heard(&self, address: NodeId) -> Heard {
        match self.to {
            Receiver::Broadcast => Heard::Broadcast,
            Receiver::Node(to) if to == address => Heard::ForMe,
            Receiver::Pair(pair) if pair.contains(&address) => Heard::ForMe,
            Receiver::Node(_) | Receiver::Pair(_) => Heard::Overheard,
        }
    }

    /// What observers are told of it.
    pub fn transmission(&self, addresses: &AddressTable) -> Transmission<'_> {
        Transmission {
            number: self.number,
            from: self.from,
            to: match self.to {
                Receiver::Node(to) | Receiver::Pair([to, _]) => Some(addresses.number(to)),
                Receiver::Broadcast => None,
            },
            class: self.class,
            packet: Some(&self.packet),
            bytes: self.bytes,
            rate: Rate(0),
            air_time: self.air_time,
            wait: Duration::ZERO,
            reserved: Duration::ZERO,
            sequence: 0,
            aggregate: None,
        }
    }
}
