//! Which packet of its source a packet is: nodes tell by it what they have heard before.

use multihop_core::{HEADER_PREFIX, NextHeader, NodeId, Packet, WireError, header};

/// The header's number.
pub const FLOODING: NextHeader = NextHeader::hop(6);

header! {
    /// Which packet it is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Header, FORMAT = "flooding" "Flooding", FLOODING, None => {
        number: u32 = "number" 32 "which packet of its source it is",
    }
}

/// Length of the header in bytes.
pub(super) const HEADER_LEN: usize = HEADER_PREFIX + Header::LEN;

/// What tells a packet from all others: its source, and its number there.
pub(super) type Name = (NodeId, u32);

/// Give `packet` its number.
pub(super) fn write(packet: &mut Packet, number: u32) {
    packet.headers.set(FLOODING, &Header { number }.emit());
}

/// The name of `packet`.
///
/// # Errors
/// If it has no number, or the header has another length.
pub(super) fn name(packet: &Packet) -> Result<Name, WireError> {
    let header = packet.headers.find(FLOODING).and_then(Header::parse)?;
    Ok((packet.flow.source, header.number))
}
