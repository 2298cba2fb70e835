//! What a frame says: `RadioInterface.h`, `PacketHeader`, without the addresses, which the network header has.

use multihop_core::{HEADER_PREFIX, NextHeader, NodeId, Packet, WireError, header};

/// The number of the header.
pub const MESHTASTIC: NextHeader = NextHeader::hop(7);

/// The number of what an acknowledgment says.
pub const ROUTING: NextHeader = NextHeader::path(2);

header! {
    /// The header of every frame.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Header, FORMAT = "meshtastic" "Meshtastic", MESHTASTIC, None => {
        id: u32 = "id" 32 "which packet of its source it is",
        hop_limit: u8 = "hop_limit" 3 "how often it may still be relayed",
        want_ack: bool = "want_ack" 1 "its source asks for an acknowledgment",
        ignored 1,
        hop_start: u8 = "hop_start" 3 "the hop limit with which it began",
        next_hop: u8 = "next_hop" 8 "the last byte of the only node that is to relay it; 0 for any",
        relay: u8 = "relay_node" 8 "the last byte of the node that sent the frame",
    }
}

header! {
    /// An acknowledgment of a direct message, as long as the firmware's (`Data` with `Routing`: 11 B).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Acknowledgment, ACKNOWLEDGMENT_FORMAT = "meshtastic_ack" "Meshtastic acknowledgment", ROUTING, None => {
        request: u32 = "request_id" 32 "which packet of its destination it acknowledges",
        ignored 32,
        ignored 8,
    }
}

/// Length of the header in bytes.
pub(super) const HEADER_LEN: usize = HEADER_PREFIX + Header::LEN;

/// What tells a packet from all others: its source, and its number there.
pub(super) type Name = (NodeId, u32);

/// The last byte of a node's number, by which headers name it; never 0, which names nobody (`NodeDB.cpp`,
/// `getLastByteOfNodeNum`).
pub(super) const fn last_byte(node: NodeId) -> u8 {
    match node.0.to_be_bytes()[3] {
        0 => 0xFF,
        byte => byte,
    }
}

impl Header {
    /// The header of `packet`.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub fn of(packet: &Packet) -> Result<Self, WireError> {
        packet.headers.find(MESHTASTIC).and_then(Self::parse)
    }

    /// Write it into `packet`.
    pub fn write(&self, packet: &mut Packet) {
        packet.headers.set(MESHTASTIC, &self.emit());
    }

    /// Whether the frame comes from the packet's source itself (`getHopsAway` is 0).
    pub const fn is_direct(&self) -> bool {
        self.hop_start == self.hop_limit
    }
}

impl Acknowledgment {
    /// Which packet of its destination `packet` acknowledges, if it is an acknowledgment.
    ///
    /// # Errors
    /// If it says so and cannot be read, or has data.
    pub fn of(packet: &Packet) -> Result<Option<u32>, WireError> {
        let Some(body) = packet.headers.get(ROUTING) else { return Ok(None) };
        packet.expect_data(false)?;
        Ok(Some(Self::parse(body)?.request))
    }
}
