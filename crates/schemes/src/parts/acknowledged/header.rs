//! Which packet it is, or whose acknowledgment.
//!
//! Numbers begin with one that depends on the life of the sending node, and wrap around.

use multihop_core::{HEADER_PREFIX, NextHeader, Packet, WireError, header};

/// The header's number.
pub const UDP_ACK: NextHeader = NextHeader::transport(2);

header! {
    /// Which packet it is, or whose acknowledgment.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Header, FORMAT = "udp_ack" "UDP with acknowledgments", UDP_ACK, None => {
        number: u16 = "number" 16 "which packet it is, or whose acknowledgment",
    }
}

/// Length of the header in bytes.
pub const HEADER_LEN: usize = HEADER_PREFIX + Header::LEN;

/// Give `packet` its number.
pub fn write(packet: &mut Packet, number: u16) {
    packet.headers.set(UDP_ACK, &Header { number }.emit());
}

/// The number of `packet`.
///
/// # Errors
/// If it has none, or another length.
pub fn read(packet: &Packet) -> Result<u16, WireError> {
    packet.headers.find(UDP_ACK).and_then(Header::parse).map(|header| header.number)
}
